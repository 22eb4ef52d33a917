"""Jesters by the book: the setup, turns and learning (S1–S6, S12), and what is said to whoever breaks them (C3)."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest

from engines.jesters import JESTERS
from engines.jesters.components.catalogue import Extra
from engines.jesters.events import RoundBegan, SeatPassed, TechniquesLearned
from engines.jesters.model import FAVORITE_TARGET, Learn, Options, Perform, State, UseGift
from engines.jesters.view import View
from engines.kit.chance import Chance
from engines.kit.errors import IllegalMove
from tests.engines.jesters.positions import (
    asked_decision,
    card_with,
    expect_refusal,
    gift_with,
    legal_notations,
    middle_dice_text,
    owned_dice_text,
    parse_position,
    performance_with,
    play_moves,
    seat_to_act,
)

RED, BLUE, GREEN, PURPLE = range(4)


def table_view(state: State) -> View:
    """What everybody sees."""
    return JESTERS.view(state, None)


def start_match(seats: int, seed: int = 1) -> State:
    return JESTERS.start(seats, Options(), Chance(f"{seed:032x}"))


# --- S1–S4: setup


@pytest.mark.parametrize(("seats", "of_a_colour"), [(2, 3), (3, 4), (4, 5)])
def test_s1_twenty_techniques_for_four_and_fewer_for_less(seats: int, of_a_colour: int) -> None:
    state = start_match(seats)
    assert table_view(state).middle == (of_a_colour,) * 4
    assert table_view(state).dice == ((0, 0, 0, 0),) * seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_s2_one_favorite_and_a_performance_more_than_players_lie_open(seats: int) -> None:
    state = start_match(seats)
    assert len(table_view(state).board) == seats + 1
    assert sorted([*state.board, *state.pile]) == list(range(1, 39))
    assert sorted([state.favorite, *state.favorites]) == [1, 2, 3, 4, 5]


def test_s2_they_are_shuffled() -> None:
    assert {start_match(2, seed).favorite for seed in range(60)} == {1, 2, 3, 4, 5}
    assert len({tuple(start_match(2, seed).pile) for seed in range(20)}) == 20


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_s3_five_jest_cards_and_an_open_gift_each_no_fame_and_no_failures(seats: int) -> None:
    state = start_match(seats)
    assert table_view(state).hand_sizes == (5,) * seats
    assert sorted([*state.draw, *chain(*state.hands)]) == list(range(1, 51))
    assert [len(gifts) for gifts in table_view(state).gifts] == [1] * seats
    assert sorted([*state.gift_pile, *chain(*state.gifts)]) == list(range(1, 26))
    assert table_view(state).fame == table_view(state).failures == (0,) * seats


def test_s3_hands_are_private() -> None:
    state = start_match(3)
    assert [JESTERS.view(state, seat).hand for seat in range(3)] == list(map(tuple, state.hands))
    assert table_view(state).hand == ()


def test_s4_the_first_player_card_goes_to_a_random_player_who_begins() -> None:
    firsts = Counter(table_view(start_match(4, seed)).first for seed in range(400))
    assert all(60 < firsts[seat] < 140 for seat in range(4))
    assert all(seat_to_act(start_match(4, seed)) == start_match(4, seed).first for seed in range(20))


# --- S5: a round


def test_s5_from_the_first_player_clockwise_each_takes_one_action() -> None:
    one, two = card_with("red"), card_with("green")
    state = parse_position(f"hands: {one} / {card_with('blue')} / {two} | first: 2 | turn: 2")
    order = []
    for move in (f"learn {two}", f"learn {one}", f"learn {card_with('blue')}"):
        order.append(seat_to_act(state))
        play_moves(state, move)
    assert order == [2, 0, 1]
    assert seat_to_act(state) == 2


def test_s5_an_action_is_learning_performing_or_a_pass() -> None:
    state = parse_position(f"hands: {card_with('red')} | dice: blue | board: 7 13")
    assert legal_notations(state) == [
        f"learn {card_with('red')}",
        "perform 7 blue",
        "perform 13 blue",
        "perform favorite blue",
        "pass",
    ]
    assert asked_decision(state) == "turn"


def test_s5_who_has_passed_is_skipped() -> None:
    cards = [card_with(colour) for colour in ("red", "blue", "green")]
    state = parse_position(f"hands: {cards[0]} {cards[1]} / / {cards[2]}")
    play_moves(state, f"learn {cards[0]}", "pass", f"learn {cards[2]}", f"learn {cards[1]}")
    assert seat_to_act(state) == 2


def test_s5_whoever_is_alone_goes_on_alone() -> None:
    cards = [card_with(colour) for colour in ("red", "blue", "green")]
    state = parse_position(f"hands: {' '.join(map(str, cards))}")
    play_moves(state, f"learn {cards[0]}", "pass", "pass", f"learn {cards[1]}", f"learn {cards[2]}")
    assert seat_to_act(state) == 0


def test_s5_when_all_have_passed_the_round_ends() -> None:
    state = parse_position("hands: 1 / 2 / 3")
    play_moves(state, "pass", "pass")
    assert table_view(state).round == 1
    events = play_moves(state, "pass")
    assert table_view(state).round == 2
    assert any(isinstance(event, RoundBegan) for event in events)


def test_s5_who_can_no_longer_act_is_skipped_and_not_waited_for() -> None:
    state = parse_position("hands: 1 / 2 / 3 | failures: 0 3 0")
    play_moves(state, "pass")
    assert seat_to_act(state) == 2
    play_moves(state, "pass")
    assert table_view(state).round == 2


def test_s5_a_round_ends_when_the_last_one_in_it_goes_out() -> None:
    state = parse_position(f"perform: {performance_with('pair')} R1 | failures: 2 | passed: 1 2")
    play_moves(state, "finish")
    assert table_view(state).round == 2
    assert seat_to_act(state) == 1


def test_s5_only_in_ones_own_turn() -> None:
    state = parse_position("hands: 1 / 2 / 3 | dice: / red")
    assert not JESTERS.moves(state, 1)
    for move in ("learn 2", "perform 1 red", "perform favorite red", "pass", "finish"):
        assert expect_refusal(state, move, seat=1).reason == "It is not your turn."


def test_s5_nothing_of_an_attempt_without_one() -> None:
    state = parse_position("hands: 1 | dice: red | gifts: 1")
    for move in ("finish", "spend 1 1 2", "reroll 1", "gift 1", "mark 1", "unmark 1", "roll", "paint", "keep 1"):
        assert expect_refusal(state, move).rule == "S5"


# --- S6: learning


def test_s6_a_card_is_discarded_for_the_techniques_of_its_top_half() -> None:
    number = card_with("red blue")
    state = parse_position(f"hands: {number} 1")
    assert play_moves(state, f"learn {number}") == [TechniquesLearned(seat=0, card=number, dice=(RED, BLUE))]
    assert owned_dice_text(state) == "red blue"
    assert middle_dice_text(state) == "3 red 3 blue 4 green 4 purple"
    assert table_view(state).discard == (number,)
    assert JESTERS.view(state, 0).hand == (1,)


def test_s6_exactly_one_card_and_then_the_next_seat() -> None:
    state = parse_position(f"hands: {card_with('red')} {card_with('blue')} / 3")
    play_moves(state, f"learn {card_with('red')}")
    assert seat_to_act(state) == 1


def test_s6_only_a_card_of_ones_own_hand() -> None:
    state = parse_position("hands: 1 / 2")
    for number in (0, 2, 51):
        assert expect_refusal(state, Learn(number)).reason == f"You do not have Jest card {number}."


def test_s6_a_colour_that_is_not_there_is_not_taken() -> None:
    number = card_with("red blue")
    state = parse_position(f"hands: {number} | dice: / 4 red")
    assert legal_notations(state, "learn") == [f"learn {number}"]
    assert play_moves(state, f"learn {number}") == [TechniquesLearned(seat=0, card=number, dice=(BLUE,))]
    assert owned_dice_text(state) == "blue"


def test_s6_of_two_asked_for_and_one_there_one_is_taken() -> None:
    number = card_with("green green purple")
    state = parse_position(f"hands: {number} | dice: / 3 green 4 purple")
    assert play_moves(state, f"learn {number}") == [TechniquesLearned(seat=0, card=number, dice=(GREEN,))]
    assert middle_dice_text(state) == "4 red 4 blue"


def test_s6_a_card_that_would_take_none_may_not_be_played_so() -> None:
    number = card_with("red blue")
    state = parse_position(f"hands: {number} | dice: / 4 red 4 blue")
    assert legal_notations(state) == ["pass"]
    assert expect_refusal(state, f"learn {number}").rule == "S6"
    assert "is in the middle" in expect_refusal(state, f"learn {number}").reason


def test_s6_nothing_is_learned_from_an_empty_middle() -> None:
    numbers = [card_with("any"), card_with("red any"), card_with("any any"), card_with("red")]
    state = parse_position(f"hands: {' '.join(map(str, numbers))} | dice: / 4 red 4 blue 4 green 4 purple")
    assert legal_notations(state) == ["pass"]
    for number in numbers:
        assert "is in the middle" in expect_refusal(state, f"learn {number}").reason


def test_s6_any_is_an_available_colour_of_ones_choice() -> None:
    number = card_with("any")
    state = parse_position(f"hands: {number} | dice: / 4 blue")
    assert legal_notations(state, "learn") == [f"learn {number} {colour}" for colour in ("red", "green", "purple")]
    for move in (f"learn {number}", f"learn {number} blue", f"learn {number} red green"):
        assert expect_refusal(state, move).reason == "Name one colour for “any”. The Techniques must be in the middle."
    play_moves(state, f"learn {number} purple")
    assert owned_dice_text(state) == "purple"


def test_s6_a_colour_and_any_may_be_twice_the_same_while_there_are_two() -> None:
    number = card_with("red any")
    state = parse_position(f"hands: {number} | dice: / 3 red 4 green 4 purple")
    assert legal_notations(state, "learn") == [f"learn {number} blue"]  # the one red goes to the card's own red
    play_moves(state, f"learn {number} blue")
    assert owned_dice_text(state) == "red blue"
    state = parse_position(f"hands: {number} | dice: / 2 red")
    play_moves(state, f"learn {number} red")
    assert owned_dice_text(state) == "2 red"


def test_s6_where_the_named_colour_is_gone_any_is_still_taken() -> None:
    number = card_with("red any")
    state = parse_position(f"hands: {number} | dice: / 4 red")
    assert legal_notations(state, "learn") == [f"learn {number} {colour}" for colour in ("blue", "green", "purple")]


def test_s6_two_of_any_colour() -> None:
    number = card_with("any any")
    state = parse_position(f"hands: {number} | dice: / 3 red 4 green 4 purple")
    assert legal_notations(state, "learn") == [f"learn {number} red blue", f"learn {number} blue blue"]
    assert expect_refusal(state, f"learn {number} red red").reason.startswith("Name 2 colours")
    play_moves(state, f"learn {number} blue red")  # in any order
    assert owned_dice_text(state) == "red blue"


def test_s6_two_of_any_colour_are_one_where_one_is_left() -> None:
    number = card_with("any any")
    state = parse_position(f"hands: {number} | dice: / 4 red 3 blue 4 green 4 purple")
    assert legal_notations(state, "learn") == [f"learn {number} blue"]


def test_s6_a_card_without_any_leaves_no_colour_to_choose() -> None:
    number = card_with("red")
    state = parse_position(f"hands: {number}")
    assert "so name none" in expect_refusal(state, f"learn {number} red").reason


# --- S7: what may be performed, and with what


def test_s7_an_open_performance_with_one_or_more_of_ones_techniques() -> None:
    state = parse_position("dice: 2 red blue | board: 7 13 20")
    ways = ["blue", "red", "red blue", "2 red", "2 red blue"]
    assert legal_notations(state, "perform") == [
        f"perform {target} {way}" for target in (7, 13, 20, "favorite") for way in ways
    ]
    closed, unknown = expect_refusal(state, "perform 8 red"), expect_refusal(state, "perform 39 red")
    assert (closed.rule, closed.reason) == ("S7", "Performance 8 is not open on the board.")
    assert (unknown.rule, unknown.reason) == (None, "There is no Performance 39.")
    assert expect_refusal(state, Perform(7, (0, 0, 0, 0))).reason == "Choose at least one of your Techniques."
    assert expect_refusal(state, "perform 7 3 red").reason == "You have 2 red Techniques."
    assert expect_refusal(state, "perform 7 2 blue").reason == "You have 1 blue Technique."
    assert expect_refusal(state, "perform favorite green").reason == "You have no green Techniques."
    assert expect_refusal(state, Perform(7, (-1, 1, 0, 0))).rule is None


def test_s7_nobody_performs_without_techniques() -> None:
    assert not legal_notations(parse_position("hands: 1"), "perform")


def test_s7_the_choices_of_dice_are_a_list_like_any_other() -> None:
    state = parse_position("dice: 2 red blue purple | hands: 1 2 | board: 7 13 20")
    listed = JESTERS.moves(state, 0)
    built = tuple(listed)
    assert len(listed) == len(built) == len(set(built)) == 2 + 4 * (3 * 2 * 2 - 1) + 1
    assert listed == built
    assert hash(listed) == hash(built)
    assert (listed[-1], listed[-len(built)], listed[3:5]) == (built[-1], built[0], built[3:5])
    assert {move.dice for move in built if isinstance(move, Perform) and move.target == FAVORITE_TARGET} == {
        (red, blue, 0, purple) for red in range(3) for blue in range(2) for purple in range(2)
    } - {(0, 0, 0, 0)}
    for outside in (len(built), -len(built) - 1):
        with pytest.raises(IndexError):
            listed[outside]


# --- S12: passing


def test_s12_a_pass_returns_all_techniques_and_ends_the_round_for_that_seat() -> None:
    state = parse_position("hands: 1 / 2 / 3 | dice: 2 red blue | first: 1")
    assert play_moves(state, "pass") == [SeatPassed(seat=0, dice=(2, 1, 0, 0), first=True)]
    assert owned_dice_text(state) == ""
    assert middle_dice_text(state) == "4 red 4 blue 4 green 4 purple"
    play_moves(state, "pass")
    assert table_view(state).passed == (0, 1)
    assert seat_to_act(state) == 2
    assert not JESTERS.moves(state, 0)


def test_s12_the_first_to_pass_in_a_round_takes_the_first_player_card() -> None:
    state = parse_position(f"hands: {card_with('red')} / 2 / 3")
    events = play_moves(state, f"learn {card_with('red')}", "pass", "pass")
    assert [event.first for event in events if isinstance(event, SeatPassed)] == [True, False]
    assert table_view(state).first == 1
    play_moves(state, "pass")
    assert seat_to_act(state) == 1  # and begins the next round
    play_moves(state, "pass")
    assert table_view(state).first == 1  # the same one again


def test_s12_who_has_neither_cards_nor_techniques_still_passes_by_a_click() -> None:
    state = parse_position("hands: / 2 / 3")
    assert legal_notations(state) == ["pass"]
    assert seat_to_act(state) == 0


# --- moves that no notation gives


@pytest.mark.parametrize(
    "dice", [(), (1,), (1, 0, 0), (1, 0, 0, 0, 0), (1, 0, 0, 1, 1, 1), (-1, 1, 0, 0), (99, 0, 0, 0)]
)
def test_s7_dice_that_are_not_so_many_of_each_colour_are_refused(dice: tuple[int, ...]) -> None:
    state = parse_position("dice: 2 red 2 blue 2 green 2 purple")
    for target in (state.board[0], FAVORITE_TARGET):
        with pytest.raises(IllegalMove, match=r"[.]$"):
            JESTERS.check(state, 0, Perform(target, dice))


@pytest.mark.parametrize("colour", [-5, -4, -1, 4, 99])
def test_s22_a_colour_that_there_is_not_is_refused(colour: int) -> None:
    extra = gift_with(Extra())
    state = parse_position(f"perform: {performance_with('pair')} R1 B2 | gifts: {extra} | hands: 1 2 3 4 5 6 7")
    with pytest.raises(IllegalMove, match="no such colour"):
        JESTERS.check(state, 0, UseGift(extra, colour=colour))
    turn = parse_position("hands: 1 2 3 4 5 6 7 8 9 10")
    for number in turn.hands[0]:
        for colours in ((colour,), (0, colour), (colour, colour)):
            with pytest.raises(IllegalMove, match=r"[.]$"):
                JESTERS.check(turn, 0, Learn(number, colours))
