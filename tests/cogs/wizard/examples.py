"""The picture of a hand of ten cards at a table of six."""

from __future__ import annotations

from cogs.pictures.spec import PlateLine, SeatPlate
from cogs.wizard.drawing.spec import CardFace, Laid, Trick, WizardPicture

NAMES = ("Ada", "Bela", "Chidi", "Dora", "Emil", "Fumi")
HAND = tuple(
    CardFace(key, raised=key[-1] in "rd", dimmed=key[-1] == "S")
    for key in ("wizard", "wizard", "AS", "KS", "10S", "QH", "7H", "JC", "3D", "jester")
)
PICTURE = WizardPicture(
    plates=tuple(
        SeatPlate(seat, name, (PlateLine(f"took {seat % 3} of 2", right=f"{30 * seat}"),), seat == 5)
        for seat, name in enumerate(NAMES)
    ),
    turned="7H",
    trump=("hearts are trump ♥", "7♥ turned up"),
    counts=("round 8 of 10", "total bid 9 of 8"),
    trick=Trick(tuple(Laid(seat, key) for seat, key in enumerate(("10H", "wizard", "QH", "9C", "jester"))), 1),
    last=Trick(tuple(Laid(seat, key) for seat, key in enumerate(("4S", "8S", "KS", "AD", "2S", "jester"))), 2, True),
    hand=HAND,
)
