"""What speaks for a move of Jokers: melds, what better ones would be worth, and what is left to do."""

from __future__ import annotations

import pytest

from cogs.jokers.reasons import reason
from engines.jokers import JOKERS
from tests.engines.jokers.positions import play, position, turn

RUN = "hand: 5D 6D 7D 8D 9D 2C QS KH"
SAID = [
    (RUN, "trade 2C QS KH", "They are in no meld, and you keep your run 5♦–9♦."),
    (RUN, "trade 2C", "It is in no meld, and you keep your run 5♦–9♦."),
    (
        RUN,
        "trade 8D 9D 2C",
        "You give up your run 5♦–9♦ for 3 new cards, and 5♦ with 6♦ needs one more card for a meld.",
    ),
    (RUN, "done", "Your hand is worth +25 with your run 5♦–9♦."),
    (
        "hand: 5D 6D 10S 2S KC 2H 9H AC",
        "trade 10S KC 2H 9H AC",
        "They are in no meld, and 5♦ with 6♦ needs one more card for a meld.",
    ),
    (
        "hand: 5D 9D joker 2S KC 10H 7H AC",
        "trade 9D KC 2S 10H 7H AC",
        "They are in no meld, and you keep the joker, which fits any meld.",
    ),
    ("hand: 5D joker 7D 8D 9D joker QS KS", "declare", "All eight cards are in melds: that scores 85 now."),
    (
        "hand: 5D 6D 10D 8D 9D 2C QS KH | pile: 7D 3C",
        "safety 1",
        "The 7♦, 2nd from the top in the discard pile, could make your hand worth +30 in place of −5.",
    ),
]


@pytest.mark.parametrize(("text", "move", "said"), SAID)
def test_a_move_is_spoken_for(text: str, move: str, said: str) -> None:
    state = position(text)
    assert reason(JOKERS.view(state, turn(state)), JOKERS.read(move)) == said


def test_what_a_safety_card_brings_and_what_goes_for_it() -> None:
    state = position("hand: 5D 6D 10D 8D 9D 2C QS KH | pile: 7D 3C | safety: 4S 2H / AS AC")
    seat = turn(state)
    play(state, "safety 1")

    def said(move: str) -> str:
        return reason(JOKERS.view(state, seat), JOKERS.read(move))

    assert said("take 2") == "The 7♦ makes a run 5♦–10♦ and your hand worth +30."
    assert said("keep") == "Your hand stays worth −5 with the 4♠."
    play(state, "take 2")
    assert said("discard 2C") == "The 2♣ has no card near it; without, your hand is worth +30."
    assert said("discard 5D") == "Your hand is worth +25 without the 5♦, if it is lost."
