"""Jester's Court by the book: the board, T1 to T7 (the start, the phases of a turn, how Mages move), the options."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import pytest
from pydantic import ValidationError

from engines.court import COURT, board, deck, model
from engines.court.board import OFF_BOARD, START_SQUARES
from engines.court.model import Options, OwedDecision, State, Step
from engines.kit.chance import Chance
from tests.engines.court import positions
from tests.engines.court.positions import expect_refusal, hand_names, legal_notations, parse_position, play_moves


def start_match(seats: int, seed: int = 0) -> State:
    return COURT.start(seats, Options(), Chance(f"{seed:032x}"))


# --- The board and the cards


def test_the_board_is_22_by_22_with_columns_from_the_left_and_rows_from_the_top() -> None:
    assert len(set(board.SQUARE_NAMES)) == 22 * 22
    assert [board.square_name(square) for square in (0, 21, 22, 462, 483)] == ["A1", "V1", "A2", "A22", "V22"]
    assert [board.square_name(square) for square in START_SQUARES] == ["K11", "L11", "K12", "L12"]


def test_a_square_is_read_leniently_and_what_is_none_is_refused() -> None:
    for text in ("K9", "k9", " k 9 ", "K09", "k 09"):
        assert board.parse_square(text) == positions.square_number("K9")
    for text in ("", "K", "9", "W1", "A0", "A23", "K9x", "K-9", "AA1", "K²", "K999"):
        with pytest.raises(ValueError, match="is not a square"):
            board.parse_square(text)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_t1_there_is_one_deck_fewer_than_players_and_each_gets_six_cards_six_health_and_a_menhir_but_no_banner(
    seats: int,
) -> None:
    state = start_match(seats)
    assert positions.all_cards(state) == Counter(
        {card: (seats - 1) * (2 if card == deck.MENHIR else 1) for card in range(53)}
    )
    view = COURT.view(state, None)
    assert (view.hand_sizes, view.health, view.banners) == ((6,) * seats, (6,) * seats, ((),) * seats)
    assert view.mages == view.menhirs == (OFF_BOARD,) * seats
    assert (view.draw, view.discard) == ((seats - 1) * 54 - 6 * seats, ())


def test_t1_hands_are_private_and_the_discard_pile_is_public() -> None:
    state = parse_position("   K L\n9 A B\nhands: 4H 5H 6H 7H 8H 9H / 4C 5C 6C 7C 8C 9C\npile: QS AS")
    assert hand_names(state, 0) == "4H 5H 6H 7H 8H 9H"
    assert hand_names(state, 1) == "4C 5C 6C 7C 8C 9C"
    assert COURT.view(state, None).hand == ()
    for seat in (0, 1, None):
        assert COURT.view(state, seat).discard == tuple(positions.parse_cards("QS AS"))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_t2_turns_go_from_the_highest_roll_down_and_mages_are_placed_from_the_lowest_up(seats: int) -> None:
    for seed in range(30):
        state = start_match(seats, seed)
        by_roll = sorted(range(seats), key=lambda seat, state=state: state.rolls[seat])  # type: ignore[misc]
        assert state.order == by_roll[::-1]
        assert state.turn == by_roll[-1]
        assert [owed.seat for owed in state.owed] == by_roll
        assert positions.asked_decision(state) == f"{'ABCD'[by_roll[0]]} place"


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


def test_t2_a_mage_is_placed_on_a_free_starting_square_of_its_owners_choice() -> None:
    state = start_match(3)
    first, second, third = reversed(state.order)
    assert legal_notations(state) == ["place K11", "place L11", "place K12", "place L12"]
    assert expect_refusal(state, "place K10") == ("T2", "Place your Mage on a starting square: K11, L11, K12, L12.")
    assert play_moves(state, "place L11") == [
        model.MagePlaced(seat=first, square=positions.square_number("L11"), cause="start")
    ]
    assert legal_notations(state) == ["place K11", "place K12", "place L12"]
    assert expect_refusal(state, "place L11") == ("T2", "There is already a Mage on L11.")
    assert positions.seat_to_act(state) == second
    play_moves(state, "place K12")
    assert positions.seat_to_act(state) == third
    play_moves(state, "place K11")
    assert positions.seat_to_act(state) == third
    assert positions.standing_squares(state) == {"ABC"[first]: "L11", "ABC"[second]: "K12", "ABC"[third]: "K11"}


def test_t2_turns_then_go_round_again() -> None:
    state = parse_position("   H I J K\n9 A B C D\nfill: number\norder: C A D B\nturn: C")
    turns = []
    for _ in range(9):
        turns.append("ABCD"[positions.seat_to_act(state)])
        positions.finish_turn(state)
    assert turns == list("CADBCADBC")


# --- Options


def test_options_have_bounds_and_four_banners_and_no_limit_of_turns_are_the_default() -> None:
    for options in ({"banners": 1}, {"banners": 5}, {"turns": 0}, {"turns": -1}):
        with pytest.raises(ValidationError):
            COURT.options_adapter.validate_python(options)
    assert (Options().banners, Options().turns) == (4, None)


@pytest.mark.parametrize(
    ("phase", "moves", "reason"),
    [
        (
            "one",
            ["push 4H B", "attack KH", "strike AS", "heal AS", "menhir A1", "discard 4H"],
            "Move your own Mage first. That is Phase One.",
        ),
        (
            "two",
            ["move 4H", "move KH", "skip"],
            "Phase One is over. Now hinder the others with a card, or discard one.",
        ),
    ],
)
def test_t3_each_kind_of_move_has_its_phase(phase: str, moves: list[str], reason: str) -> None:
    state = parse_position(f"   K L\n9 A B\nhands: 4H KH AS menhir 2C / \nphase: {phase}")
    for move in moves:
        assert expect_refusal(state, move) == ("T3", reason)


def test_t3_cards_may_be_played_only_in_ones_own_turn() -> None:
    state = parse_position("   K L\n9 A B\nfill: number")
    assert not COURT.moves(state, 1)
    for move in (f"move {hand_names(state, 1).split()[0]}", "skip", "push 4H A", "discard 4H", "place K11", "give H"):
        assert expect_refusal(state, move, seat=1) == (None, "It is not your turn.")


def test_t4_one_number_card_must_be_played_if_one_is_held() -> None:
    state = parse_position("   K L\n9 A B\nhands: 4H 10S JD QC AS menhir / ")
    assert legal_notations(state) == ["move 4H", "move 10S"]
    assert expect_refusal(state, "skip") == ("T4", "You have a number card, so you cannot skip.")
    reason = "You have a number card, so you must move with a number card."
    for card in ("JD", "QC"):
        assert expect_refusal(state, f"move {card}") == ("T4", reason)


@pytest.mark.parametrize("number", range(2, 11))
def test_t4_the_mage_moves_that_many_squares_straight_towards_the_suits_edge(number: int) -> None:
    state = parse_position(f"   K\n12 A\nrest: B A22\nhands: {number}H {number}D {number}S {number}C / ")
    ends = {"H": f"K{12 - number}", "D": f"{'KLMNOPQRSTU'[number]}12", "S": f"K{12 + number}"}
    ends["C"] = f"{'KJIHGFEDCBA'[number]}12"
    for suit, end in ends.items():
        moved = COURT.copy(state)
        (event,) = play_moves(moved, f"move {number}{suit}")
        card = positions.parse_cards(f"{number}{suit}")[0]
        assert event == model.MageMoved(
            seat=0, card=card, mage=0, start=positions.square_number("K12"), end=positions.square_number(end)
        )
        assert positions.standing_squares(moved)["A"] == end
        assert positions.pile_names(moved) == f"{number}{suit}"


@pytest.mark.parametrize("card", ["JH", "QH", "KH"])
def test_t4_without_a_number_card_a_court_card_moves_one_square(card: str) -> None:
    state = parse_position(f"   K L\n9 A .\n10 . B\nhands: {card} AH AC AD AS menhir /")
    assert legal_notations(state) == [f"move {card}", "skip"]
    play_moves(state, f"move {card}")
    positions.check_board(state, "   K L\n8 A .\n10 . B")


def test_t4_without_a_number_card_one_may_skip_and_is_asked_to_even_if_nothing_else_is_possible() -> None:
    state = parse_position("   K L\n9 A B\nhands: JH QS AC AD AS menhir / ")
    assert set(legal_notations(state)) == {"move JH", "move QS", "skip"}
    assert play_moves(state, "skip") == [model.PhaseSkipped(seat=0)]
    assert positions.standing_squares(state) == {"A": "K9", "B": "L9"}
    assert (positions.asked_decision(state), positions.pile_names(state)) == ("A hinder", "")
    state = parse_position("   K L\n9 A B\nhands: AC AD AS AH menhir menhir / ")
    assert (legal_notations(state), positions.asked_decision(state)) == (["skip"], "A move")


@pytest.mark.parametrize("card", ["AS", "menhir"])
def test_t4_aces_and_menhir_cards_move_no_mage(card: str) -> None:
    state = parse_position("   K L\n9 A B\nhands: JH AS menhir AC AD AH / ")
    rule, reason = expect_refusal(state, f"move {card}")
    assert rule == "T4"
    assert reason.endswith("cannot move your Mage. Use a number card, or a jack, queen or king if you have none.")


def test_t4_a_mage_moves_only_with_a_card_of_the_hand() -> None:
    state = parse_position("   K L\n9 A B\nhands: 4H 5H 6H 7H 8H 9H / 2S")
    assert expect_refusal(state, "move 2S") == (None, "You do not hold the 2 of spades.")
    assert expect_refusal(state, Step(-1)) == expect_refusal(state, Step(53)) == (None, "There is no such card.")


def test_t4_a_card_held_twice_is_listed_once() -> None:
    state = parse_position("   K L M\n9 A B C\nhands: 4H 4H JD JD AC AS / / ")
    assert legal_notations(state) == ["move 4H"]
    play_moves(state, "move 4H")
    assert hand_names(state, 0).split().count("4H") == 1
    play_moves(state, "push 4H B")
    state = parse_position("   K L M\n9 A B C\nhands: JD JD AS AS AC AC / / ")
    assert legal_notations(state) == ["move JD", "skip"]
    play_moves(state, "skip")
    assert len(legal_notations(state)) == len(set(legal_notations(state)))


BLOCKED = [
    # (drawing, card, where A ends, what stops it, where)
    ("  J K L M N O\n9 . A . . B .", "7D", "M9", "mage", "N9"),
    ("  K L\n9 A B", "7D", "K9", "mage", "L9"),  # a move of no squares is a legal play
    ("  K\n6 a\n9 A\nrest: B A1", "5H", "K7", "menhir", "K6"),
    ("  K\n6 b\n9 A\nrest: B A1", "5H", "K7", "menhir", "K6"),
    ("  H I J K L M N O\n9 . . A . b . B .", "9D", "K9", "menhir", "L9"),  # only the first in the way counts
    ("  K L M\n9 A . B", "2D", "L9", "mage", "M9"),  # never on another Mage
    ("  K L\n1 b .\n2 . .\n3 A .\n4 . B", "10H", "K2", "menhir", "K1"),  # before the edge, too
    ("   J K L M N\n8 . b C a .\n9 . A . . D\n10 B . . c .", "2D", "M9", None, None),
]


@pytest.mark.parametrize(("drawing", "card", "end", "stopped", "square"), BLOCKED)
def test_t5_a_mage_stops_before_the_first_mage_or_menhir_in_the_way_and_loses_the_rest_of_the_move(
    drawing: str, card: str, end: str, stopped: Literal["mage", "menhir"] | None, square: str | None
) -> None:
    state = parse_position(f"{drawing}\nhands: {card} {'/' * ('D' in drawing) * 2}/")
    start = COURT.view(state, None).mages[0]
    (event,) = play_moves(state, f"move {card}")
    assert event == model.MageMoved(
        seat=0,
        card=positions.card_number(card),
        mage=0,
        start=start,
        end=positions.square_number(end),
        stopped=stopped,
        at=OFF_BOARD if square is None else positions.square_number(square),
    )
    assert positions.standing_squares(state)["A"] == end
    assert (positions.asked_decision(state), positions.pile_names(state), positions.banner_text(state)[:3]) == (
        "A hinder",
        card,
        "- /",
    )


@pytest.mark.parametrize(
    ("drawing", "hand", "claimed"),
    [
        *[("  K\n2 A", "3H 2H", "H"), ("   T\n9 A", "3D 2H", "D"), ("   K\n21 A", "3S 2H", "S")],
        *[("   B\n9 A", "3C 2H", "C"), ("  K\n1 A", "JH AS AC AD AH menhir", "H")],
    ],
)
def test_t6_crossing_an_edge_claims_its_banner(drawing: str, hand: str, claimed: str) -> None:
    state = parse_position(f"{drawing}\nrest: B L11\nhands: {hand} /")
    events = play_moves(state, f"move {hand.split()[0]}")
    assert positions.banner_text(state) == f"{claimed} / -"
    assert [event.kind for event in events] == ["moved", "claimed"]  # type: ignore[attr-defined]
    assert events[0].end == OFF_BOARD  # type: ignore[attr-defined]
    assert events[1] == model.BannerClaimed(seat=0, suit="CDHS".index(claimed))
    assert positions.asked_decision(state) == "A place"
    assert legal_notations(state) == ["place K11", "place K12", "place L12"]


def test_t6_the_owner_chooses_a_free_starting_square_and_the_turn_goes_on() -> None:
    state = parse_position("  K\n2 A\nrest: B L11\nhands: 3H 2C /")
    play_moves(state, "move 3H")
    assert expect_refusal(state, "place L11") == ("T6", "There is already a Mage on L11.")
    assert play_moves(state, "place L12") == [
        model.MagePlaced(seat=0, square=positions.square_number("L12"), cause="crossed")
    ]
    assert positions.standing_squares(state) == {"A": "L12", "B": "L11"}
    assert positions.asked_decision(state) == "A hinder"


@pytest.mark.parametrize(("banners", "then"), [("-", "H"), ("HC", "CH")])
def test_t7_a_mage_that_is_pushed_over_the_edge_brings_its_owner_the_banner_if_it_is_new_and_the_choice(
    banners: str, then: str
) -> None:
    state = parse_position(f"  J K\n2 A B\nhands: 3H 4D 5D 6D 7D / \nphase: two\nbanners: - / {banners}")
    events = play_moves(state, "push 3H B")
    assert positions.banner_text(state) == f"- / {then}"
    assert events == [
        model.MageMoved(
            seat=0, card=positions.card_number("3H"), mage=1, start=positions.square_number("K2"), end=OFF_BOARD
        ),
        *([model.BannerClaimed(seat=1, suit=2)] if banners == "-" else []),
    ]
    assert COURT.view(state, None).owed == (OwedDecision(1, "place", "crossed"),)
    assert positions.asked_decision(state) == "B place"
    play_moves(state, "place K12")
    assert positions.standing_squares(state) == {"A": "J2", "B": "K12"}
    assert positions.asked_decision(state) == "B move"
