"""Jesters by the book: the setup, turns, learning and passing (S1–S7, S12), and what refusals say (C3)."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest

from engines.jesters import JESTERS
from engines.jesters.events import SeatPassed, TechniquesLearned
from engines.jesters.model import Options, Perform, State
from engines.kit.chance import Chance
from tests.engines.jesters import positions

RED_CARD, BLUE_CARD, GREEN_CARD = map(positions.card_with, ("red", "blue", "green"))
ALL_DICE = "4 red 4 blue 4 green 4 purple"


def start_match(seats: int, seed: int = 1) -> State:
    return JESTERS.start(seats, Options(), Chance(f"{seed:032x}"))


@pytest.mark.parametrize(("seats", "of_a_colour"), [(2, 3), (3, 4), (4, 5)])
def test_s1_s2_s3_the_table_is_laid_out_and_the_cards_are_dealt(seats: int, of_a_colour: int) -> None:
    state = start_match(seats)
    view = positions.table_view(state)
    assert view.middle == (of_a_colour,) * 4
    assert view.dice == ((0, 0, 0, 0),) * seats
    assert len(view.board) == seats + 1
    assert sorted([*state.board, *state.pile]) == list(range(1, 39))
    assert sorted([state.favorite, *state.favorites]) == [1, 2, 3, 4, 5]
    assert view.hand_sizes == (5,) * seats
    assert sorted([*state.draw, *chain(*state.hands)]) == list(range(1, 51))
    assert [len(gifts) for gifts in view.gifts] == [1] * seats
    assert sorted([*state.gift_pile, *chain(*state.gifts)]) == list(range(1, 26))
    assert view.fame == view.failures == (0,) * seats
    assert [JESTERS.view(state, seat).hand for seat in range(seats)] == list(map(tuple, state.hands))  # in private
    assert view.hand == ()


def test_s2_s4_the_piles_are_shuffled_and_a_random_player_begins() -> None:
    assert {start_match(2, seed).favorite for seed in range(60)} == {1, 2, 3, 4, 5}
    assert len({tuple(start_match(2, seed).pile) for seed in range(20)}) == 20
    firsts = Counter(positions.table_view(start_match(4, seed)).first for seed in range(400))
    assert all(60 < firsts[seat] < 140 for seat in range(4))
    assert all(positions.seat_to_act(start_match(4, seed)) == start_match(4, seed).first for seed in range(20))


def test_s5_from_the_first_player_clockwise_each_takes_one_action() -> None:
    state = positions.parse_position(f"hands: {RED_CARD} / {BLUE_CARD} / {GREEN_CARD} | first: 2 | turn: 2")
    for seat, card in ((2, GREEN_CARD), (0, RED_CARD), (1, BLUE_CARD)):
        assert positions.seat_to_act(state) == seat
        positions.play_moves(state, f"learn {card}")
    assert positions.seat_to_act(state) == 2


def test_s5_an_action_is_learning_performing_or_a_pass_and_nothing_of_an_attempt() -> None:
    state = positions.parse_position(f"hands: {RED_CARD} | dice: blue | gifts: 1 | board: 7 13")
    performing = [f"perform {target} blue" for target in (7, 13, "favorite")]
    assert positions.legal_notations(state) == [f"learn {RED_CARD}", *performing, "pass"]
    assert positions.asked_decision(state) == "turn"
    for move in ("finish", "spend 1 1 2", "reroll 1", "gift 1", "mark 1", "unmark 1", "roll", "paint", "keep 1"):
        assert positions.expect_refusal(state, move).rule == "S5"


def test_s5_a_seat_that_has_passed_is_skipped_and_the_last_one_goes_on_alone() -> None:
    moves = (f"learn {RED_CARD}", "pass", f"learn {GREEN_CARD}", f"learn {BLUE_CARD}")
    state = positions.position_after(f"hands: {RED_CARD} {BLUE_CARD} / / {GREEN_CARD}", *moves)
    assert positions.seat_to_act(state) == 2
    positions.play_moves(state, "pass")
    assert positions.seat_to_act(state) == 0


def test_s5_the_round_ends_when_all_have_passed_and_a_seat_that_is_out_is_not_waited_for() -> None:
    state = positions.position_after("hands: 1 / 2 / 3 | failures: 0 3 0", "pass")
    assert (positions.table_view(state).round, positions.seat_to_act(state)) == (1, 2)
    positions.play_moves(state, "pass")
    assert positions.table_view(state).round == 2
    state = positions.position_after(
        f"perform: {positions.performance_with('pair')} R1 | failures: 2 | passed: 1 2", "finish"
    )
    assert (positions.table_view(state).round, positions.seat_to_act(state)) == (2, 1)


def test_s6_one_card_is_discarded_for_the_techniques_of_its_top_half() -> None:
    number = positions.card_with("red blue")
    state = positions.parse_position(f"hands: {number} 1")
    assert positions.play_moves(state, f"learn {number}") == [TechniquesLearned(seat=0, card=number, dice=(0, 1))]
    assert positions.owned_dice_text(state) == "red blue"
    assert positions.middle_dice_text(state) == "3 red 3 blue 4 green 4 purple"
    assert positions.table_view(state).discard == (number,)
    assert JESTERS.view(state, 0).hand == (1,)
    assert positions.seat_to_act(state) == 1


@pytest.mark.parametrize(
    ("top", "others", "moves", "way", "learned"),
    [
        ("red blue", "4 red", ("",), "", "blue"),  # a colour that is not there is not taken
        ("green green purple", "3 green 4 purple", ("",), "", "green"),  # of two, the one that is there
        ("any", "4 blue", (" red", " green", " purple"), " purple", "purple"),
        ("red any", "3 red 4 green 4 purple", (" blue",), " blue", "red blue"),  # the one red goes to the card's own
        ("red any", "2 red", (" red", " blue", " green", " purple"), " red", "2 red"),
        ("red any", "4 red", (" blue", " green", " purple"), " green", "green"),
        ("any any", "3 red 4 green 4 purple", (" red blue", " blue blue"), " blue red", "red blue"),  # in any order
        ("any any", "4 red 3 blue 4 green 4 purple", (" blue",), " blue", "blue"),
        ("red blue", "4 red 4 blue", (), "", ""),
        *[(top, ALL_DICE, (), "", "") for top in ("any", "red any", "any any", "red")],
    ],
)
def test_s6_a_card_teaches_the_techniques_that_are_in_the_middle(
    top: str, others: str, moves: tuple[str, ...], way: str, learned: str
) -> None:
    number = positions.card_with(top)
    state = positions.parse_position(f"hands: {number} | dice: / {others}")
    assert positions.legal_notations(state, "learn") == [f"learn {number}{way}" for way in moves]
    if moves:
        positions.play_moves(state, f"learn {number}{way}")
        assert positions.owned_dice_text(state) == learned
    else:
        assert positions.legal_notations(state) == ["pass"]
        assert positions.expect_refusal(state, f"learn {number}").rule == "S6"
        assert "is in the middle" in positions.refusal_reason(state, f"learn {number}")


def test_s6_the_colours_for_any_are_named_and_no_others() -> None:
    one, two = positions.card_with("any"), positions.card_with("any any")
    state = positions.parse_position(f"hands: {one} {two} {RED_CARD} | dice: / 3 red 4 blue")
    for move in (f"learn {one}", f"learn {one} blue", f"learn {one} red green"):
        assert (
            positions.refusal_reason(state, move) == "Name one colour for “any”. The Techniques must be in the middle."
        )
    assert positions.refusal_reason(state, f"learn {two} red red").startswith("Name 2 colours")
    assert "so do not name one" in positions.refusal_reason(state, f"learn {RED_CARD} red")


def test_s7_an_open_performance_may_be_tried_with_one_or_more_of_ones_techniques() -> None:
    state = positions.parse_position("dice: 2 red blue | board: 7 13 20")
    choices = ["blue", "red", "red blue", "2 red", "2 red blue"]
    targets = (7, 13, 20, "favorite")
    assert positions.legal_notations(state, "perform") == [
        f"perform {target} {way}" for target in targets for way in choices
    ]
    for move, rule, reason in (
        ("perform 8 red", "S7", "Performance 8 is not open on the board."),
        ("perform 39 red", None, "There is no Performance 39."),
    ):
        refusal = positions.expect_refusal(state, move)
        assert (refusal.rule, refusal.reason) == (rule, reason)
    assert positions.refusal_reason(state, Perform(7, (0, 0, 0, 0))) == "Choose at least one of your Techniques."
    assert positions.refusal_reason(state, "perform 7 3 red") == "You have 2 red Techniques."
    assert positions.refusal_reason(state, "perform 7 2 blue") == "You have 1 blue Technique."
    assert positions.refusal_reason(state, "perform favorite green") == "You have no green Techniques."
    assert positions.expect_refusal(state, Perform(7, (-1, 1, 0, 0))).rule is None
    assert not positions.legal_notations(positions.parse_position("hands: 1"), "perform")


def test_s12_a_pass_returns_all_techniques_and_ends_the_round_for_that_seat() -> None:
    state = positions.parse_position("hands: 1 / 2 / 3 | dice: 2 red blue | first: 1")
    assert positions.play_moves(state, "pass") == [SeatPassed(seat=0, dice=(2, 1, 0, 0), first=True)]
    assert positions.owned_dice_text(state) == ""
    assert positions.middle_dice_text(state) == ALL_DICE
    positions.play_moves(state, "pass")
    assert positions.table_view(state).passed == (0, 1)
    assert positions.seat_to_act(state) == 2
    assert not JESTERS.moves(state, 0)


def test_s12_the_first_to_pass_in_a_round_takes_the_first_player_card() -> None:
    state = positions.parse_position(f"hands: {RED_CARD} / 2 / 3")
    events = positions.play_moves(state, f"learn {RED_CARD}", "pass", "pass")
    assert [event.first for event in events if isinstance(event, SeatPassed)] == [True, False]
    assert positions.table_view(state).first == 1
    positions.play_moves(state, "pass")
    assert positions.seat_to_act(state) == 1  # and begins the next round
    positions.play_moves(state, "pass")
    assert positions.table_view(state).first == 1  # the same one again
