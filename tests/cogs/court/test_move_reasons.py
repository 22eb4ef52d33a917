"""Reasons for the Court's moves: banners, distances to edges, health."""

from __future__ import annotations

import re

import pytest

from cogs.court.move_reasons import move_reason
from cogs.court.words import EDGE_SIDES, short_card
from engines.court import COURT, board
from engines.court.model import BannerClaimed, Options, State, Step
from tests.cogs.court.states import cached_positions
from tests.contexts import make_context
from tests.engines.court.positions import parse_position, seat_to_act

ALONE = "   K L\n3 A .\n9 . B\n"
THREE = "   K L M\n12 A B C\nphase: two\n"
SAID = {
    f"{ALONE}hands: 2H 3H 9D\nbanners: CDS / -": {
        "move 3H": "Your Mage crosses the top edge ♥ and claims the last banner that you need."
    },
    "   A K\n11 . B\n20 A .\nhands: 4C 2H 9S\nbanners: C / -": {
        "move 4C": "Your Mage starts again in the middle, where it is 11 squares to the top edge ♥, "
        "instead of 3 squares to the bottom edge ♠; you need both banners."
    },
    "   A K\n3 A .\n11 . B\nhands: 4C 2H 9S\nbanners: C / -": {
        "move 4C": "Your Mage starts again in the middle, where it is 11 squares to the top edge ♥, "
        "whose banner you need, instead of 3."
    },
    f"{ALONE}hands: 2H 5H 9D": {"move 5H": "Your Mage crosses the top edge ♥ and claims banner 1 of 4."},
    "   K L\n11 A B\nhands: 9H 2H 7S\nbanners: DC / -": {"move 9H": "From K2 your 2♥ can then cross the top edge ♥."},
    "   K L\n11 A B\nhands: 9H 2C 7S\nbanners: DC / -": {
        "move 9H": (
            "Then it is 2 squares to the top edge ♥, whose banner you need, and no other card brings you that close."
        )
    },
    "   C D\n2 B .\n12 b A\nhands: 3C 4C 9S\nbanners: DHS / -": {
        "move 3C": "Then it is 4 squares to the left edge ♣, whose banner you need, "
        "but the Menhir on C12 is in the way."
    },
    f"{ALONE}hands: menhir JH QS AC AS AD\nbanners: - / CDS": {
        "skip": "You hold no number card, and keep J♥ and Q♠ to attack with."
    },
    "   K L M\n2 . B .\n11 A . C\nphase: two\nhands: 9S 2D\nbanners: - / CDS / -": {
        "push 9S B": "Ben, with 3 of 4 banners, is 2 squares from the top edge ♥ now, "
        "and would be at least 11 squares from every edge still needed."
    },
    "   K L\n2 . B\n11 A .\nphase: two\nhands: 9H 8H\nbanners: - / CDS": {
        "discard 9H": "If you played it, the 9♥ would bring Ben closer to a banner."
    },
    f"{THREE}hands: AS 2D\nhealth: 6 1 6\nbanners: - / CDS / -": {
        "strike AS": "An ace always hits, Ben has one health left, and a knock-out would cost Ben a banner."
    },
    f"{THREE}hands: AS 2D\nhealth: 3 1 6\nbanners: H / - / -": {
        "heal AS": "Your Mage has 3 of 6 health, and a knock-out would cost you a banner."
    },
    f"{THREE}hands: KS 2D\nhealth: 6 4 6\nbanners: - / CD / -": {
        "attack KS": "Half of all attacks hit, and Ben has 2 of 4 banners and 4 health."
    },
    "   K L\n3 . B\n11 A .\nphase: two\nhands: menhir 8H\nbanners: - / CDS": {
        "menhir L2": "It stands right in front of Ben's Mage, on the way to the top edge ♥, which Ben still needs."
    },
}


@pytest.mark.parametrize(
    ("at", "move", "reason"), [(at, *each) for at, reasons in SAID.items() for each in reasons.items()]
)
def test_a_move_is_spoken_for(at: str, move: str, reason: str) -> None:
    state = parse_position(at)
    around = make_context(("Ana", "Ben", "Cleo", "Dan")[: len(state.mages)], Options())
    view = COURT.view(state, seat_to_act(state))
    COURT.check(state, seat_to_act(state), COURT.parse_move(move))
    assert move_reason(view, COURT.parse_move(move), around) == reason


def test_banners_and_edges_are_as_the_rules_then_have_them() -> None:
    endings = set()
    for seed in (1, 2, 3):
        for state in cached_positions(seed):
            for seat in COURT.decisions(state):
                view = COURT.view(state, seat)
                for move in COURT.moves(state, seat):
                    if isinstance(move, Step):
                        endings.add(_check_reason(state, seat, move, move_reason(view, move, AROUND)))
    assert endings == {"banner", "last banner", "next", "near"}


AROUND = make_context(("Ana", "Ben", "Cleo", "Dov"), Options())


def _check_reason(state: State, seat: int, move: Step, reason: str) -> str:
    """Check that a reason is true, and return its kind."""
    after = COURT.copy(state)
    events = COURT.play(after, seat, move)
    claims = any(isinstance(event, BannerClaimed) and event.seat == seat for event in events)
    if "claims banner" in reason or "the last banner" in reason:
        assert claims, reason
        assert ("the last banner" in reason) == (after.phase == "over"), reason
        return "last banner" if "last" in reason else "banner"
    assert not claims, reason
    if found := re.match(r"From (\w+) your (\S+) can then cross", reason):
        assert after.mages[seat] == board.parse_square(found[1]), reason
        card = next(card for card in after.hands[seat] if short_card(card) == found[2])
        assert board.mage_path(after, seat, card).crosses, reason
        return "next"
    if found := re.search(r"it is (\d+) squares? to the (\w+) edge", reason):
        suit = next(suit for suit, side in EDGE_SIDES.items() if side == found[2])
        squares = [after.mages[seat]] if after.mages[seat] != board.OFF_BOARD else board.free_starts(after)
        assert min(len(board.RAYS[suit][square]) + 1 for square in squares) == int(found[1]), reason
        assert suit not in after.banners[seat], reason
        return "near"
    return ""
