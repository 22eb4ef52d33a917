"""Jester's Court by the book: T3 to T7, the phases of a turn, and Mages that move."""

from __future__ import annotations

import pytest

from engines.court import COURT, board
from engines.court.board import OFF_BOARD
from engines.court.model import BannerClaimed, MageMoved, MagePlaced, OwedDecision, PhaseSkipped, Step
from tests.engines.court.positions import (
    asked_decision,
    banner_text,
    check_board,
    expect_refusal,
    finish_turn,
    hand_names,
    legal_notations,
    parse_cards,
    parse_position,
    pile_names,
    play_moves,
    standing_squares,
)


def square_number(name: str) -> int:
    return board.parse_square(name)


# --- T3: two phases


def test_t3_phase_one_then_phase_two_then_the_next_player() -> None:
    state = parse_position("   K L\n9 A .\n20 . B\nhands: 4H KS 5D 6D 7D 8D / ")
    assert asked_decision(state) == "A move"
    play_moves(state, "move 4H")
    assert asked_decision(state) == "A hinder"
    play_moves(state, "discard KS")
    assert asked_decision(state) == "B move"


@pytest.mark.parametrize(
    ("phase", "moves"),
    [
        ("one", ["push 4H B", "attack KH", "strike AS", "heal AS", "menhir A1", "discard 4H"]),
        ("two", ["move 4H", "move KH", "skip"]),
    ],
)
def test_t3_each_kind_of_move_has_its_phase(phase: str, moves: list[str]) -> None:
    state = parse_position(f"   K L\n9 A B\nhands: 4H KH AS menhir 2C / \nphase: {phase}")
    said = {
        "one": "Move your own Mage first. That is Phase One.",
        "two": "Phase One is over. Now hinder the others with a card, or discard one.",
    }
    for move in moves:
        assert expect_refusal(state, move) == ("T3", said[phase])


def test_t3_only_in_ones_own_turn() -> None:
    state = parse_position("   K L\n9 A B\nfill: number")
    assert not COURT.moves(state, 1)
    for move in (f"move {hand_names(state, 1).split()[0]}", "skip", "push 4H A", "discard 4H", "place K11", "give H"):
        assert expect_refusal(state, move, seat=1) == (None, "It is not your turn.")


# --- T4: Phase One


def test_t4_one_number_card_must_be_played_if_one_is_held() -> None:
    state = parse_position("   K L\n9 A B\nhands: 4H 10S JD QC AS menhir / ")
    assert legal_notations(state) == ["move 4H", "move 10S"]
    assert expect_refusal(state, "skip") == ("T4", "You have a number card, so you cannot skip.")
    for card in ("JD", "QC"):
        assert expect_refusal(state, f"move {card}") == (
            "T4",
            "You have a number card, so you must move with a number card.",
        )


@pytest.mark.parametrize("number", range(2, 11))
def test_t4_the_mage_moves_that_many_squares_straight_towards_the_suits_edge(number: int) -> None:
    state = parse_position(f"   K\n12 A\nrest: B A22\nhands: {number}H {number}D {number}S {number}C / ")
    ends = {"H": f"K{12 - number}", "D": f"{'KLMNOPQRSTU'[number]}12", "S": f"K{12 + number}"}
    ends["C"] = f"{'KJIHGFEDCBA'[number]}12"
    for suit, end in ends.items():
        moved = COURT.copy(state)
        (event,) = play_moves(moved, f"move {number}{suit}")
        card = parse_cards(f"{number}{suit}")[0]
        assert event == MageMoved(seat=0, card=card, mage=0, start=square_number("K12"), end=square_number(end))
        assert standing_squares(moved)["A"] == end
        assert pile_names(moved) == f"{number}{suit}"


@pytest.mark.parametrize("card", ["JH", "QH", "KH"])
def test_t4_without_a_number_card_a_court_card_moves_one_square(card: str) -> None:
    state = parse_position(f"""
           K  L
        8  .  .
        9  A  .
        10 .  B
        hands: {card} AH AC AD AS menhir /
    """)
    assert legal_notations(state) == [f"move {card}", "skip"]
    play_moves(state, f"move {card}")
    check_board(
        state,
        """
           K  L
        8  A  .
        9  .  .
        10 .  B
    """,
    )


def test_t4_without_a_number_card_one_may_skip() -> None:
    state = parse_position("   K L\n9 A B\nhands: JH QS AC AD AS menhir / ")
    assert set(legal_notations(state)) == {"move JH", "move QS", "skip"}
    assert play_moves(state, "skip") == [PhaseSkipped(seat=0)]
    assert standing_squares(state) == {"A": "K9", "B": "L9"}
    assert asked_decision(state) == "A hinder"
    assert pile_names(state) == ""


def test_t4_skipping_is_asked_for_also_where_nothing_else_is_possible() -> None:
    state = parse_position("   K L\n9 A B\nfill: other\nhands: AC AD AS AH menhir menhir / \nturn: B")
    finish_turn(state)
    assert legal_notations(state) == ["skip"]
    assert asked_decision(state) == "A move"


@pytest.mark.parametrize("card", ["AS", "menhir"])
def test_t4_aces_and_menhir_cards_move_no_mage(card: str) -> None:
    state = parse_position("   K L\n9 A B\nhands: JH AS menhir AC AD AH / ")
    rule, reason = expect_refusal(state, f"move {card}")
    assert rule == "T4"
    assert reason.endswith("cannot move your Mage. Use a number card, or a jack, queen or king if you have none.")


def test_t4_only_with_a_card_of_the_hand() -> None:
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


# --- T5: Mages and Menhirs block


def test_t5_a_mage_stops_before_another_mage_and_loses_the_rest_of_the_move() -> None:
    state = parse_position("""
          J K L M N O
        9 . A . . B .
        hands: 7D /
    """)
    (event,) = play_moves(state, "move 7D")
    check_board(
        state,
        """
          J K L M N O
        9 . . . A B .
    """,
    )
    assert event == MageMoved(
        seat=0,
        card=parse_cards("7D")[0],
        mage=0,
        start=square_number("K9"),
        end=square_number("M9"),
        stopped="mage",
        at=square_number("N9"),
    )


@pytest.mark.parametrize("menhir", ["a", "b"])
def test_t5_a_mage_stops_before_any_menhir(menhir: str) -> None:
    state = parse_position(f"""
           K
        5  .
        6  {menhir}
        7  .
        8  .
        9  A
        rest: B A1
        hands: 5H /
    """)
    (event,) = play_moves(state, "move 5H")
    assert standing_squares(state)["A"] == "K7"
    assert (event.stopped, event.at) == ("menhir", square_number("K6"))  # type: ignore[attr-defined]


def test_t5_a_mage_does_not_stop_on_another_mage() -> None:
    state = parse_position("   K L M\n9 A . B\nhands: 2D /")
    play_moves(state, "move 2D")
    assert standing_squares(state) == {"A": "L9", "B": "M9"}


def test_t5_what_is_not_in_the_way_blocks_nothing() -> None:
    state = parse_position("""
           J  K  L  M  N
        8  .  b  C  a  .
        9  .  A  .  .  D
        10 B  .  .  c  .
        hands: 2D 3S / / /
    """)
    (event,) = play_moves(state, "move 2D")
    assert (event.stopped, standing_squares(state)["A"]) == (None, "M9")  # type: ignore[attr-defined]


def test_t5_only_the_first_in_the_way_counts() -> None:
    state = parse_position("   H I J K L M N O\n9 . . A . b . B .\nhands: 9D 2C / ")
    play_moves(state, "move 9D")
    assert standing_squares(state)["A"] == "K9"


def test_t5_a_move_of_no_squares_is_a_legal_play() -> None:
    state = parse_position("   K L\n9 A B\nhands: 7D /")
    assert "move 7D" in legal_notations(state)
    (event,) = play_moves(state, "move 7D")
    assert standing_squares(state) == {"A": "K9", "B": "L9"}
    assert event == MageMoved(
        seat=0,
        card=parse_cards("7D")[0],
        mage=0,
        start=square_number("K9"),
        end=square_number("K9"),
        stopped="mage",
        at=square_number("L9"),
    )
    assert asked_decision(state) == "A hinder"
    assert pile_names(state) == "7D"


# --- T6: over the edge


@pytest.mark.parametrize(
    ("drawing", "card", "claimed"),
    [
        ("  K\n2 A", "3H", "H"),
        ("   T\n9 A", "3D", "D"),
        ("   K\n21 A", "3S", "S"),
        ("   B\n9 A", "3C", "C"),
    ],
)
def test_t6_crossing_an_edge_claims_its_banner(drawing: str, card: str, claimed: str) -> None:
    state = parse_position(f"{drawing}\nrest: B L11\nhands: {card} 2H /")
    events = play_moves(state, f"move {card}")
    assert banner_text(state) == f"{claimed} / -"
    assert [event.kind for event in events] == ["moved", "claimed"]  # type: ignore[attr-defined]
    assert events[0].end == OFF_BOARD  # type: ignore[attr-defined]
    assert events[1] == BannerClaimed(seat=0, suit="CDHS".index(claimed))
    assert asked_decision(state) == "A place"
    assert legal_notations(state) == ["place K11", "place K12", "place L12"]


@pytest.mark.parametrize(("card", "crosses"), [("2H", False), ("3H", True), ("10H", True)])
def test_t6_the_last_square_before_the_edge_does_not_cross_it_and_the_rest_of_the_move_is_lost(
    card: str, crosses: bool
) -> None:
    state = parse_position(f"  K\n3 A\nrest: B L11\nhands: {card} /")
    play_moves(state, f"move {card}")
    assert standing_squares(state) == ({"B": "L11"} if crosses else {"A": "K1", "B": "L11"})
    assert banner_text(state) == ("H / -" if crosses else "- / -")


def test_t6_a_court_card_may_cross_as_well() -> None:
    state = parse_position("  K\n1 A\nrest: B L11\nhands: JH AS AC AD AH menhir /")
    play_moves(state, "move JH", "place K11")
    assert banner_text(state) == "H / -"


def test_t6_the_owner_chooses_a_free_starting_square_and_the_turn_goes_on() -> None:
    state = parse_position("  K\n2 A\nrest: B L11\nhands: 3H 2C /")
    play_moves(state, "move 3H")
    assert expect_refusal(state, "place L11") == ("T6", "There is already a Mage on L11.")
    assert play_moves(state, "place L12") == [MagePlaced(seat=0, square=square_number("L12"), cause="crossed")]
    assert standing_squares(state) == {"A": "L12", "B": "L11"}
    assert asked_decision(state) == "A hinder"


def test_t6_with_the_banner_already_claimed_the_mage_is_only_put_back() -> None:
    state = parse_position("  K\n2 A\nrest: B L11\nhands: 3H 2C /\nbanners: HS / D")
    events = play_moves(state, "move 3H")
    assert not any(isinstance(event, BannerClaimed) for event in events)
    assert banner_text(state) == "HS / D"
    assert asked_decision(state) == "A place"


def test_t6_a_mage_or_menhir_before_the_edge_keeps_a_mage_from_crossing() -> None:
    state = parse_position("  K L\n1 b .\n2 . .\n3 A .\n4 . B\nhands: 10H /")
    play_moves(state, "move 10H")
    assert standing_squares(state)["A"] == "K2"
    assert banner_text(state) == "- / -"


# --- T7: pushed over the edge


def test_t7_a_mage_that_is_pushed_over_the_edge_brings_its_owner_the_banner_and_the_choice() -> None:
    state = parse_position("  J K\n2 A B\nhands: 3H 4D 5D 6D 7D / \nphase: two")
    events = play_moves(state, "push 3H B")
    assert banner_text(state) == "- / H"
    assert events[:2] == [
        MageMoved(seat=0, card=parse_cards("3H")[0], mage=1, start=square_number("K2"), end=OFF_BOARD),
        BannerClaimed(seat=1, suit=2),
    ]
    assert COURT.view(state, None).owed == (OwedDecision(1, "place", "crossed"),)
    assert asked_decision(state) == "B place"
    play_moves(state, "place K12")
    assert standing_squares(state) == {"A": "J2", "B": "K12"}
    assert asked_decision(state) == "B move"


def test_t7_pushed_over_the_edge_of_a_banner_already_claimed_the_mage_is_only_put_back() -> None:
    state = parse_position("  J K\n2 A B\nhands: 3H 4D 5D 6D 7D / \nphase: two\nbanners: - / HC")
    play_moves(state, "push 3H B")
    assert banner_text(state) == "- / CH"
    assert asked_decision(state) == "B place"
