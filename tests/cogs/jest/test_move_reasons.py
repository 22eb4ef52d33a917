"""Reasons for Jest's moves: what cards do to a Jest, and what is hidden."""

from __future__ import annotations

import re

import pytest

from cogs.jest.move_reasons import card_gain, gain_text, move_reason, unseen_cards
from cogs.screens import words
from engines.jest import JEST, deck, scoring
from engines.kit.chance import Chance
from tests.cogs.jest.states import match_positions
from tests.engines.jest.positions import parse_position

SEED = Chance("5" * 32)

SAID = [
    (
        "4D|3H / 3C|AH / 4H|2D",
        "2H 4C",
        "3S/2C/2S",
        "take B up",
        "With the 3♣ your Jest is worth 8, 5 points more, and no other face-up card is as good.",
    ),
    ("4D|3S / joker|AD / 2C|3D / 2D|4S", "2S", "4H 3H/2H/AH/AC", "take B up", "The Joker costs you 7 points."),
    ("4D|3H / 3C|AH / 4H|2D", "2H AC", "3S/2C/2S", "take C up", "The 4♥ costs you nothing."),
]


@pytest.mark.parametrize(("text", "trophies", "jests", "move", "reason"), SAID)
def test_a_card_is_spoken_for_by_its_effect(text: str, trophies: str, jests: str, move: str, reason: str) -> None:
    state = parse_position(text, trophies, None, jests)
    assert move_reason(JEST.view(state, state.waiting[0]), JEST.parse_move(move)) == reason


def test_a_card_that_lies_face_down_is_spoken_for_by_what_it_may_be_and_none_that_was_seen() -> None:
    state = parse_position("4D|3H / 3D|AH / 4H|2D", "2H AC", None, "3S/2C/2S")
    view = JEST.view(state, state.waiting[0])
    mean = sum(card_gain(view, card) for card in unseen_cards(view)) / len(unseen_cards(view))
    reason = move_reason(view, JEST.parse_move("take B down"))
    assert reason.startswith("An unseen card brings you ")
    assert mean > card_gain(view, deck.parse_card("3D")) == -3
    assert reason.endswith(", while the 3♦ beside it would cost you 3 points.")
    hidden = {card for card in state.down if card not in view.hand}
    assert hidden <= {*unseen_cards(view)}
    assert not {*unseen_cards(view)} & {*view.hand, *view.up, *view.trophies, *view.jest}


def test_an_offer_is_spoken_for_by_the_turn_it_brings_or_by_what_is_hidden() -> None:
    state = JEST.start(3, JEST.options(), SEED)
    state.dealt[0] = (deck.parse_card("4D"), deck.parse_card("2S"))
    view = JEST.view(state, 0)
    hides = "Nobody sees the 4♦, which takes points away, and the others see the 2♠, which adds points."
    assert move_reason(view, JEST.parse_move("offer 4D")) == hides
    higher = move_reason(view, JEST.parse_move("offer 2S"))
    assert higher in (
        "The 4♦ is higher and lets you take sooner, and nobody sees the 2♠, which adds points.",
        "No unseen card is higher than the 4♦, so you take first.",
    )


def test_a_jest_is_worth_what_its_words_say() -> None:
    count = 0
    for seats, seed in ((3, 1), (3, 2), (4, 3), (4, 4)):
        for state in match_positions(seats, seed):
            if state.phase != "take":
                continue
            seat = state.waiting[0]
            for move in JEST.moves(state, seat):
                reason = move_reason(JEST.view(state, seat), move)
                if found := re.match(r"With the \S+ your Jest is worth ([−\d]+)", reason):
                    after = JEST.copy(state)
                    JEST.play(after, seat, move)
                    if after.phase != "over" and after.round == state.round:
                        count += 1
                        assert words.plain_number(scoring.jest_value(after.jests[seat])) == found[1], reason
    assert count > 20


GAINS = {1.46: "brings you 1.5 points", -0.14: "costs you 0.1 points", 0.04: "brings you nothing"}


@pytest.mark.parametrize(("mean", "text"), [(1.0, "brings you 1 point"), *GAINS.items()])
def test_the_mean_value_of_a_card_reads_well(mean: float, text: str) -> None:
    assert gain_text(mean) == text
