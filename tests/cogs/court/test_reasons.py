"""What speaks for a move at the Court: banners, edges and how far they are, health."""

from __future__ import annotations

import pytest

from cogs.court.reasons import reason
from engines.court import COURT
from engines.court.model import Options
from tests.contexts import context
from tests.engines.court.positions import acting, position

ALONE = "   K L\n3 A .\n9 . B\n"
THREE = "   K L M\n12 A B C\nphase: two\n"
SAID = [
    (
        f"{ALONE}hands: 2H 3H 9D\nbanners: CDS / -",
        "move 3H",
        "Your Mage crosses the top edge ♥: the last banner that you need.",
    ),
    (f"{ALONE}hands: 2H 5H 9D", "move 5H", "Your Mage crosses the top edge ♥: banner 1 of 4 is yours."),
    ("   K L\n11 A B\nhands: 9H 2H 7S\nbanners: DC / -", "move 9H", "From K2 your 2♥ can then cross the top edge ♥."),
    (
        "   K L\n11 A B\nhands: 9H 2C 7S\nbanners: DC / -",
        "move 9H",
        "Then it is 2 squares to the top edge ♥, whose banner you lack: no other card brings you as near.",
    ),
    (
        f"{ALONE}hands: menhir JH QS AC AS AD\nbanners: - / CDS",
        "skip",
        "You hold no number card, and keep J♥ and Q♠ to attack with.",
    ),
    (
        "   K L M\n2 . B .\n11 A . C\nphase: two\nhands: 9S 2D\nbanners: - / CDS / -",
        "push 9S B",
        "Ben, with 3 of 4 banners, is 2 squares from the top edge ♥, whose banner is lacking, and then at least 11.",
    ),
    (
        "   K L\n2 . B\n11 A .\nphase: two\nhands: 9H 8H\nbanners: - / CDS",
        "discard 9H",
        "Played, the 9♥ would bring Ben nearer to a banner.",
    ),
    (
        f"{THREE}hands: AS 2D\nhealth: 6 1 6\nbanners: - / CDS / -",
        "strike AS",
        "An ace needs no die, and Ben has one health left: a knock-out costs a banner.",
    ),
    (
        f"{THREE}hands: AS 2D\nhealth: 3 1 6\nbanners: H / - / -",
        "heal AS",
        "Your Mage has 3 of 6 health, and a knock-out costs a banner.",
    ),
    (
        f"{THREE}hands: KS 2D\nhealth: 6 4 6\nbanners: - / CD / -",
        "attack KS",
        "Every other attack hits, and Ben has 2 of 4 banners and 4 health.",
    ),
    (
        "   K L\n3 . B\n11 A .\nphase: two\nhands: menhir 8H\nbanners: - / CDS",
        "menhir L2",
        "It stands right before Ben’s Mage, on the way to the top edge ♥, a banner still lacking.",
    ),
]


@pytest.mark.parametrize(("text", "move", "said"), SAID)
def test_a_move_is_spoken_for(text: str, move: str, said: str) -> None:
    state = position(text)
    around = context(("Ana", "Ben", "Cleo", "Dan")[: len(state.mages)], Options())
    view = COURT.view(state, acting(state))
    COURT.check(state, acting(state), COURT.read(move))
    assert reason(view, COURT.read(move), around) == said
