"""A hand of ten and a table of six, as they are drawn."""

from __future__ import annotations

from cogs.wizard.spec import CardFace, HandPicture, Laid, Plate, Trick, TrickTable


def _plate(seat: int) -> Plate:
    return Plate(
        numbers=(("2", "bid"), (str(seat % 3), "took")),
        foot=f"{30 * seat} (+20)",
        cards=3,
        dealer=seat == 0,
        turn="to play" if seat == 5 else "",
    )


HAND = HandPicture(
    tuple(
        CardFace(key, raised=key[-1] in "rd", dimmed=key[-1] == "S", trump=key[-1] == "H")
        for key in ("wizard", "wizard", "AS", "KS", "10S", "QH", "7H", "JC", "3D", "jester")
    )
)
TABLE = TrickTable(
    title=("Round 8", "of 10"),
    plates=tuple(_plate(seat) for seat in range(6)),
    trick=Trick(tuple(Laid(seat, key) for seat, key in enumerate(("10H", "wizard", "QH", "9C", "jester"))), 1),
    last=Trick(tuple(Laid(seat, key) for seat, key in enumerate(("4S", "8S", "KS", "AD", "2S", "jester"))), 2, True),
    turned="7H",
    trump="H",
    trump_words=("trump",),
)
