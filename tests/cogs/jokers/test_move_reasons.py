"""Reasons for Jokers' moves: melds, the worth of better ones, and the end of a turn."""

from __future__ import annotations

import re

import pytest

from cogs.jokers.move_reasons import move_reason
from cogs.screens import words
from engines.jokers import JOKERS, deck, melds
from engines.jokers.model import Discard, Trade
from tests.cogs.jokers.states import match_positions
from tests.engines.jokers.positions import parse_position, play_moves, seat_to_act

RUN = "hand: 5D 6D 7D 8D 9D 2C QS KH"
SAID = {
    RUN: {
        "trade 2C QS KH": "They are not in a meld, and you keep your run 5♦–9♦.",
        "trade 2C": "It is not in a meld, and you keep your run 5♦–9♦.",
        "trade 8D 9D 2C": "You give up your run 5♦–9♦ for 3 new cards, and 5♦ and 6♦ need one more card for a meld.",
        "done": "Your hand is worth +25 with your run 5♦–9♦.",
    },
    "hand: 5D 6D 10S 2S KC 2H 9H AC": {
        "trade 10S KC 2H 9H AC": "They are not in a meld, and 5♦ and 6♦ need one more card for a meld."
    },
    "hand: 5D 9D joker 2S KC 10H 7H AC": {
        "trade 9D KC 2S 10H 7H AC": "They are not in a meld, and you keep the joker, which fits any meld."
    },
    "hand: 5D joker 7D 8D 9D joker QS KS": {"declare": "All eight cards are in melds, which scores 85 now."},
    "hand: 5D 6D 10D 8D 9D 2C QS KH | pile: 7D 3C": {
        "safety 1": "The 7♦, 2nd from the top in the discard pile, could make your hand worth +30 instead of −5."
    },
}


@pytest.mark.parametrize(
    ("at", "move", "reason"), [(at, *each) for at, reasons in SAID.items() for each in reasons.items()]
)
def test_a_move_is_spoken_for(at: str, move: str, reason: str) -> None:
    state = parse_position(at)
    assert move_reason(JOKERS.view(state, seat_to_act(state)), JOKERS.parse_move(move)) == reason


def test_reasons_name_the_gain_and_the_cost_of_a_safety_card() -> None:
    state = parse_position("hand: 5D 6D 10D 8D 9D 2C QS KH | pile: 7D 3C | safety: 4S 2H / AS AC")
    seat = seat_to_act(state)
    play_moves(state, "safety 1")

    def reason_for(move: str) -> str:
        return move_reason(JOKERS.view(state, seat), JOKERS.parse_move(move))

    assert reason_for("take 2") == "The 7♦ makes a run 5♦–10♦ and your hand worth +30."
    assert reason_for("keep") == "Your hand is still worth −5 with the 4♠."
    play_moves(state, "take 2")
    assert reason_for("discard 2C") == "The 2♣ fits no other card, and without it your hand is worth +30."
    assert reason_for("discard 5D") == "Your hand is worth +25 without the 5♦, if you lose."


def test_a_hand_is_worth_what_its_words_say() -> None:
    kinds = set()
    for seed in range(1, 8):
        for state in match_positions(seed, 3):
            if state.phase in ("over", "safety"):
                continue
            seat = state.turn
            moves = JOKERS.moves(state, seat)
            for move in [*moves[:3], *moves[-6:]]:
                reason = move_reason(JOKERS.view(state, seat), move)
                after = JOKERS.copy(state)
                JOKERS.play(after, seat, move)
                if "The rest is a full hand" in reason:
                    kinds.add("full")
                    assert melds.is_full_hand(after.hands[seat]), reason
                elif isinstance(move, Discard) and (found := re.search(r"worth ([+−\d]+)", reason)):
                    kinds.add("worth")
                    assert words.signed_number(melds.best_split(after.hands[seat]).points) == found[1].rstrip("."), (
                        reason
                    )
                elif isinstance(move, Trade) and (found := re.search(r"you keep your (run|set)", reason)):
                    kinds.add("kept")
                    rest = deck.make_hand(card for card in deck.hand_cards(state.hands[seat]) if card not in move.cards)
                    assert any(meld.kind == found[1] for meld in melds.best_split(state.hands[seat]).melds), reason
                    assert deck.hand_size(rest) >= 3, reason
    assert kinds == {"full", "worth", "kept"}
