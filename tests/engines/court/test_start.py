"""Jester's Court by the book: the board and the cards, T1 and T2, and what can be agreed on."""

from __future__ import annotations

from collections import Counter

import pytest
from pydantic import ValidationError

from engines.court import COURT, board, deck
from engines.court.board import OFF_BOARD, START_SQUARES
from engines.court.model import MagePlaced, Options, State
from engines.kit.chance import Chance
from tests.engines.court.positions import (
    all_cards,
    asked_decision,
    expect_refusal,
    finish_turn,
    hand_names,
    legal_notations,
    parse_cards,
    parse_position,
    play_moves,
    seat_to_act,
    standing_squares,
)


def start_match(seats: int, seed: int = 0) -> State:
    return COURT.start(seats, Options(), Chance(f"{seed:032x}"))


def square_number(name: str) -> int:
    return board.parse_square(name)


# --- The board and the cards


def test_the_board_is_22_by_22_with_columns_from_the_left_and_rows_from_the_top() -> None:
    assert len(set(board.SQUARE_NAMES)) == 22 * 22
    assert [board.square_name(at) for at in (0, 21, 22, 462, 483)] == ["A1", "V1", "A2", "A22", "V22"]
    assert [board.square_name(at) for at in START_SQUARES] == ["K11", "L11", "K12", "L12"]


@pytest.mark.parametrize("text", ["K9", "k9", " k 9 ", "K09", "k 09"])
def test_a_square_is_read_leniently(text: str) -> None:
    assert board.parse_square(text) == square_number("K9")


@pytest.mark.parametrize("text", ["", "K", "9", "W1", "A0", "A23", "K9x", "K-9", "AA1", "K²", "K999"])
def test_what_is_no_square_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a square"):
        board.parse_square(text)


@pytest.mark.parametrize(("card", "end"), [("3H", "K6"), ("3D", "N9"), ("3S", "K12"), ("3C", "H9")])
def test_each_edge_belongs_to_a_suit(card: str, end: str) -> None:
    state = parse_position("   K\n9 A\nrest: B A22")
    assert board.mage_path(state, 0, parse_cards(card)[0]).end == square_number(end)


@pytest.mark.parametrize(("seats", "cards"), [(2, 54), (3, 108), (4, 162)])
def test_one_deck_for_two_players_two_for_three_and_three_for_four(seats: int, cards: int) -> None:
    state = start_match(seats)
    assert all_cards(state).total() == cards
    assert all_cards(state) == Counter({card: (seats - 1) * (2 if card == deck.MENHIR else 1) for card in range(53)})


def test_a_player_has_a_mage_six_health_one_menhir_and_no_banner() -> None:
    view = COURT.view(start_match(3), None)
    assert view.health == (6, 6, 6)
    assert view.banners == ((), (), ())
    assert view.mages == view.menhirs == (OFF_BOARD, OFF_BOARD, OFF_BOARD)


# --- T1: the deal


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_t1_six_cards_each(seats: int) -> None:
    view = COURT.view(start_match(seats), None)
    assert view.hand_sizes == (6,) * seats
    assert view.draw == (seats - 1) * 54 - 6 * seats
    assert view.discard == ()


def test_t1_hands_are_private_and_the_discard_pile_is_public() -> None:
    state = parse_position("   K L\n9 A B\nhands: 4H 5H 6H 7H 8H 9H / 4C 5C 6C 7C 8C 9C\npile: QS AS")
    assert hand_names(state, 0) == "4H 5H 6H 7H 8H 9H"
    assert hand_names(state, 1) == "4C 5C 6C 7C 8C 9C"
    assert COURT.view(state, None).hand == ()
    for seat in (0, 1, None):
        assert COURT.view(state, seat).discard == tuple(parse_cards("QS AS"))


# --- T2: the roll-off


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_t2_turns_go_from_the_highest_roll_down_and_mages_are_placed_from_the_lowest_up(seats: int) -> None:
    for seed in range(30):
        state = start_match(seats, seed)
        by_roll = sorted(range(seats), key=lambda seat, state=state: state.rolls[seat])  # type: ignore[misc]
        assert state.order == by_roll[::-1]
        assert state.turn == by_roll[-1]
        assert [owed.seat for owed in state.owed] == by_roll
        assert asked_decision(state) == f"{'ABCD'[by_roll[0]]} place"


def test_t2_ties_roll_again_among_themselves_until_the_order_is_strict() -> None:
    lengths = set()
    for seed in range(300):
        rolls = start_match(4, seed).rolls
        assert len(set(rolls)) == 4
        for own in rolls:
            for place in range(1, len(own)):  # rolled again exactly because of a tie so far
                assert sum(other[:place] == own[:place] for other in rolls) > 1
            assert sum(other[: len(own)] == own for other in rolls) == 1
            assert set(own) <= set(range(1, 7))
        lengths |= {max(map(len, rolls))}
    assert {1, 2, 3} <= lengths


def test_t2_every_player_may_be_the_first() -> None:
    firsts = Counter(start_match(4, seed).turn for seed in range(400))
    assert all(70 < firsts[seat] < 130 for seat in range(4))


def test_t2_a_mage_is_placed_on_a_free_starting_square_of_its_owners_choice() -> None:
    state = start_match(3)
    first, second, third = reversed(state.order)
    assert legal_notations(state) == ["place K11", "place L11", "place K12", "place L12"]
    assert expect_refusal(state, "place K10") == ("T2", "Place your Mage on a starting square: K11, L11, K12, L12.")
    assert play_moves(state, "place L11") == [MagePlaced(seat=first, square=square_number("L11"), cause="start")]
    assert legal_notations(state) == ["place K11", "place K12", "place L12"]
    assert expect_refusal(state, "place L11") == ("T2", "There is already a Mage on L11.")
    assert seat_to_act(state) == second
    play_moves(state, "place K12")
    assert seat_to_act(state) == third
    play_moves(state, "place K11")
    assert seat_to_act(state) == third
    assert standing_squares(state) == {"ABC"[first]: "L11", "ABC"[second]: "K12", "ABC"[third]: "K11"}


def test_t2_turns_then_go_round_again() -> None:
    state = parse_position("   H I J K\n9 A B C D\nfill: number\norder: C A D B\nturn: C")
    turns = []
    for _ in range(9):
        turns.append("ABCD"[seat_to_act(state)])
        finish_turn(state)
    assert turns == list("CADBCADBC")


# --- Options


@pytest.mark.parametrize("options", [{"banners": 1}, {"banners": 5}, {"turns": 0}, {"turns": -1}])
def test_options_out_of_range_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        COURT.options_adapter.validate_python(options)


def test_four_banners_and_no_limit_of_turns_unless_agreed_otherwise() -> None:
    assert (Options().banners, Options().turns) == (4, None)
