"""Cards that are planned ahead in Wizard: which, under which conditions, and what rules them out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.features.plans.planning import ILLEGAL
from engines.kit.chance import Chance
from engines.wizard import WIZARD, deck
from engines.wizard.model import Options, State
from engines.wizard.moves import NOTATION
from engines.wizard.planning import ANY, ENOUGH, LEADS, NEED, NO_SUIT, WizardPlanning
from engines.wizard.view import View

PLANNING = WizardPlanning()
HANDS = ("2C 9C 3H wizard", "AC 4D 10H jester", "5C QD KH 7S")


def position(
    *played: str, leader: int = 0, bids: tuple[int, ...] = (1, 1, 1), taken: tuple[int, ...] = (0, 0, 0)
) -> State:
    """A round of four cards in which these cards are on the table; hearts are trump."""
    state = WIZARD.start(3, Options(rounds=4), Chance("1" * 32))
    state.phase, state.round, state.trump, state.leader = "play", 4, 2, leader
    state.hands = [sorted(map(deck.parse_card, hand.split())) for hand in HANDS]
    state.bids, state.taken, state.trick, state.follow = [1, 1, 1], list(taken), [], None
    state.fallen, state.takers, state.trick_count, state.turn = [], [], 4, leader
    for text in played:
        WIZARD.play(state, state.turn, NOTATION.parse_move(f"play {text}"))
    return state


def view_of(state: State, seat: int) -> View:
    return WIZARD.view(state, seat)


def planned_cards(view: View) -> str:
    return " ".join(NOTATION.format_move(move).removeprefix("play ") for move in PLANNING.moves(view))


def failure_of(view: View, card: str, condition: str) -> str:
    return PLANNING.failure(view, NOTATION.parse_move(f"play {card}"), condition)


def conditions_of(view: View, card: str) -> tuple[str, ...]:
    return tuple(PLANNING.conditions(view, NOTATION.parse_move(f"play {card}")))


def test_while_others_play_the_cards_that_may_be_legal_can_be_marked() -> None:
    assert planned_cards(view_of(position(), 1)) == "AC 4D 10H jester", "nothing is led"
    assert planned_cards(view_of(position("2C"), 2)) == "5C", "clubs are led"
    assert planned_cards(view_of(position("wizard"), 2)) == "5C QD KH 7S", "no suit is to be followed"
    assert planned_cards(view_of(position("2C"), 0)) == "9C 3H wizard", "for the next trick"
    assert planned_cards(view_of(position(), 0)) == "", "it is one's turn"


def test_nothing_is_marked_outside_of_play_or_for_a_last_card() -> None:
    bidding = WIZARD.start(3, Options(), Chance("1" * 32))
    assert [planned_cards(view_of(bidding, seat)) for seat in range(3)] == ["", "", ""]
    assert planned_cards(replace(view_of(position(), 1), hand=(5,))) == ""
    assert planned_cards(WIZARD.view(position(), None)) == ""


def test_before_a_suit_is_led_the_cards_own_suit_is_the_usual_condition() -> None:
    assert conditions_of(view_of(position(), 1), "10H") == ("H", ANY, NEED)
    assert conditions_of(view_of(position(), 1), "jester") == (ANY, NEED)
    assert conditions_of(view_of(position("2C"), 2), "5C") == (ANY, NEED)
    assert conditions_of(view_of(position(taken=(0, 1, 0)), 1), "10H") == ("H", ANY), "the bid is met"


@pytest.mark.parametrize(
    ("card", "condition", "played", "reason"),
    [
        ("10H", "H", "2C", "C"),
        ("10H", ANY, "2C", "C"),  # W7: seat B has a club
        ("AC", "C", "2C", ""),
        ("AC", ANY, "3H", "H"),
        ("10H", "H", "wizard", NO_SUIT),
        ("10H", ANY, "wizard", ""),
        ("jester", ANY, "2C", ""),
        ("5C", ANY, "", ILLEGAL),  # another seat's card
    ],
)
def test_a_lead_rules_a_card_out_or_not(card: str, condition: str, played: str, reason: str) -> None:
    assert failure_of(view_of(position(*played.split()), 1), card, condition) == reason


def test_a_met_bid_rules_out_what_needs_a_trick() -> None:
    after_trick = view_of(position(taken=(0, 1, 0)), 1)
    assert failure_of(after_trick, "10H", NEED) == ENOUGH
    assert failure_of(after_trick, "10H", ANY) == ""


def test_the_leader_of_a_trick_follows_no_suit() -> None:
    leading = view_of(position(leader=1), 1)
    assert failure_of(leading, "10H", "H") == LEADS
    assert failure_of(leading, "10H", ANY) == ""
    assert failure_of(view_of(position("jester", leader=1), 2), "KH", "H") == NO_SUIT


def test_a_trick_that_one_has_played_to_says_nothing_of_the_next_one() -> None:
    waiting = view_of(position("2C", "AC"), 0)
    assert failure_of(waiting, "3H", "H") == ""
    assert conditions_of(waiting, "3H") == ("H", ANY, NEED)


def test_a_plan_is_for_the_next_decision_in_this_round_with_this_trump() -> None:
    state = position()
    state.numbers = [4, 5, 6]
    view = view_of(state, 1)
    assert (PLANNING.decision(view), PLANNING.situation(view)) == (5, "play 4 H")
    assert PLANNING.situation(replace(view, trump=None)) == "play 4 -"
