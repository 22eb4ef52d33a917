"""Jester's Court by the book: T3 to T7, the phases of a turn, and Mages that move."""

from __future__ import annotations

import pytest

from engines.court import COURT, board
from engines.court.board import OFF
from engines.court.model import BannerClaimed, MageMoved, MagePlaced, Owed, Skipped, Step
from tests.engines.court.positions import (
    asked,
    banners,
    finish_turn,
    hand,
    legal,
    looks,
    named,
    pile,
    play,
    position,
    refused,
    standing,
)


def square(name: str) -> int:
    return board.square(name)


# --- T3: two phases


def test_t3_phase_one_then_phase_two_then_the_next_player() -> None:
    state = position("   K L\n9 A .\n20 . B\nhands: 4H KS 5D 6D 7D 8D / ")
    assert asked(state) == "A move"
    play(state, "move 4H")
    assert asked(state) == "A hinder"
    play(state, "discard KS")
    assert asked(state) == "B move"


@pytest.mark.parametrize(
    ("phase", "moves"),
    [
        ("one", ["push 4H B", "attack KH", "strike AS", "heal AS", "menhir A1", "discard 4H"]),
        ("two", ["move 4H", "move KH", "skip"]),
    ],
)
def test_t3_each_kind_of_move_has_its_phase(phase: str, moves: list[str]) -> None:
    state = position(f"   K L\n9 A B\nhands: 4H KH AS menhir 2C / \nphase: {phase}")
    said = {
        "one": "Phase One comes first: move your own Mage.",
        "two": "Phase One is over: hinder the others with a card, or discard one.",
    }
    for move in moves:
        assert refused(state, move) == ("T3", said[phase])


def test_t3_only_in_ones_own_turn() -> None:
    state = position("   K L\n9 A B\nfill: number")
    assert not COURT.moves(state, 1)
    for move in (f"move {hand(state, 1).split()[0]}", "skip", "push 4H A", "discard 4H", "place K11", "give H"):
        assert refused(state, move, seat=1) == (None, "It is not your turn.")


# --- T4: Phase One


def test_t4_one_number_card_must_be_played_if_one_is_held() -> None:
    state = position("   K L\n9 A B\nhands: 4H 10S JD QC AS menhir / ")
    assert legal(state) == ["move 4H", "move 10S"]
    assert refused(state, "skip") == ("T4", "You hold a number card, so you cannot skip.")
    for card in ("JD", "QC"):
        assert refused(state, f"move {card}") == ("T4", "You hold a number card, so you must move by a number card.")


@pytest.mark.parametrize("number", range(2, 11))
def test_t4_the_mage_moves_that_many_squares_straight_towards_the_suits_edge(number: int) -> None:
    state = position(f"   K\n12 A\nrest: B A22\nhands: {number}H {number}D {number}S {number}C / ")
    ends = {"H": f"K{12 - number}", "D": f"{'KLMNOPQRSTU'[number]}12", "S": f"K{12 + number}"}
    ends["C"] = f"{'KJIHGFEDCBA'[number]}12"
    for suit, end in ends.items():
        moved = COURT.copy(state)
        (event,) = play(moved, f"move {number}{suit}")
        card = named(f"{number}{suit}")[0]
        assert event == MageMoved(seat=0, card=card, mage=0, start=square("K12"), end=square(end))
        assert standing(moved)["A"] == end
        assert pile(moved) == f"{number}{suit}"


@pytest.mark.parametrize("card", ["JH", "QH", "KH"])
def test_t4_without_a_number_card_a_court_card_moves_one_square(card: str) -> None:
    state = position(f"""
           K  L
        8  .  .
        9  A  .
        10 .  B
        hands: {card} AH AC AD AS menhir /
    """)
    assert legal(state) == [f"move {card}", "skip"]
    play(state, f"move {card}")
    looks(
        state,
        """
           K  L
        8  A  .
        9  .  .
        10 .  B
    """,
    )


def test_t4_without_a_number_card_one_may_skip() -> None:
    state = position("   K L\n9 A B\nhands: JH QS AC AD AS menhir / ")
    assert set(legal(state)) == {"move JH", "move QS", "skip"}
    assert play(state, "skip") == [Skipped(seat=0)]
    assert standing(state) == {"A": "K9", "B": "L9"}
    assert asked(state) == "A hinder"
    assert pile(state) == ""


def test_t4_skipping_is_asked_for_also_where_nothing_else_is_possible() -> None:
    state = position("   K L\n9 A B\nfill: other\nhands: AC AD AS AH menhir menhir / \nturn: B")
    finish_turn(state)
    assert legal(state) == ["skip"]
    assert asked(state) == "A move"


@pytest.mark.parametrize("card", ["AS", "menhir"])
def test_t4_aces_and_menhir_cards_move_no_mage(card: str) -> None:
    state = position("   K L\n9 A B\nhands: JH AS menhir AC AD AH / ")
    rule, reason = refused(state, f"move {card}")
    assert rule == "T4"
    assert reason.endswith("moves no Mage. Move by a number card, or without one by a jack, queen or king.")


def test_t4_only_with_a_card_of_the_hand() -> None:
    state = position("   K L\n9 A B\nhands: 4H 5H 6H 7H 8H 9H / 2S")
    assert refused(state, "move 2S") == (None, "You do not hold the 2 of spades.")
    assert refused(state, Step(-1)) == refused(state, Step(53)) == (None, "There is no such card.")


def test_t4_a_card_held_twice_is_listed_once() -> None:
    state = position("   K L M\n9 A B C\nhands: 4H 4H JD JD AC AS / / ")
    assert legal(state) == ["move 4H"]
    play(state, "move 4H")
    assert hand(state, 0).split().count("4H") == 1
    play(state, "push 4H B")
    state = position("   K L M\n9 A B C\nhands: JD JD AS AS AC AC / / ")
    assert legal(state) == ["move JD", "skip"]
    play(state, "skip")
    assert len(legal(state)) == len(set(legal(state)))


# --- T5: Mages and Menhirs block


def test_t5_a_mage_stops_before_another_mage_and_loses_the_rest_of_the_move() -> None:
    state = position("""
          J K L M N O
        9 . A . . B .
        hands: 7D /
    """)
    (event,) = play(state, "move 7D")
    looks(
        state,
        """
          J K L M N O
        9 . . . A B .
    """,
    )
    assert event == MageMoved(
        seat=0, card=named("7D")[0], mage=0, start=square("K9"), end=square("M9"), stopped="mage", at=square("N9")
    )


@pytest.mark.parametrize("menhir", ["a", "b"])
def test_t5_a_mage_stops_before_any_menhir(menhir: str) -> None:
    state = position(f"""
           K
        5  .
        6  {menhir}
        7  .
        8  .
        9  A
        rest: B A1
        hands: 5H /
    """)
    (event,) = play(state, "move 5H")
    assert standing(state)["A"] == "K7"
    assert (event.stopped, event.at) == ("menhir", square("K6"))  # type: ignore[attr-defined]


def test_t5_a_mage_does_not_stop_on_another_mage() -> None:
    state = position("   K L M\n9 A . B\nhands: 2D /")
    play(state, "move 2D")
    assert standing(state) == {"A": "L9", "B": "M9"}


def test_t5_what_is_not_in_the_way_blocks_nothing() -> None:
    state = position("""
           J  K  L  M  N
        8  .  b  C  a  .
        9  .  A  .  .  D
        10 B  .  .  c  .
        hands: 2D 3S / / /
    """)
    (event,) = play(state, "move 2D")
    assert (event.stopped, standing(state)["A"]) == (None, "M9")  # type: ignore[attr-defined]


def test_t5_only_the_first_in_the_way_counts() -> None:
    state = position("   H I J K L M N O\n9 . . A . b . B .\nhands: 9D 2C / ")
    play(state, "move 9D")
    assert standing(state)["A"] == "K9"


def test_t5_a_move_of_no_squares_is_a_legal_play() -> None:
    state = position("   K L\n9 A B\nhands: 7D /")
    assert "move 7D" in legal(state)
    (event,) = play(state, "move 7D")
    assert standing(state) == {"A": "K9", "B": "L9"}
    assert event == MageMoved(
        seat=0, card=named("7D")[0], mage=0, start=square("K9"), end=square("K9"), stopped="mage", at=square("L9")
    )
    assert asked(state) == "A hinder"
    assert pile(state) == "7D"


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
    state = position(f"{drawing}\nrest: B L11\nhands: {card} 2H /")
    events = play(state, f"move {card}")
    assert banners(state) == f"{claimed} / -"
    assert [event.kind for event in events] == ["moved", "claimed"]  # type: ignore[attr-defined]
    assert events[0].end == OFF  # type: ignore[attr-defined]
    assert events[1] == BannerClaimed(seat=0, suit="CDHS".index(claimed))
    assert asked(state) == "A place"
    assert legal(state) == ["place K11", "place K12", "place L12"]


@pytest.mark.parametrize(("card", "crosses"), [("2H", False), ("3H", True), ("10H", True)])
def test_t6_the_last_square_before_the_edge_does_not_cross_it_and_the_rest_of_the_move_is_lost(
    card: str, crosses: bool
) -> None:
    state = position(f"  K\n3 A\nrest: B L11\nhands: {card} /")
    play(state, f"move {card}")
    assert standing(state) == ({"B": "L11"} if crosses else {"A": "K1", "B": "L11"})
    assert banners(state) == ("H / -" if crosses else "- / -")


def test_t6_a_court_card_may_cross_as_well() -> None:
    state = position("  K\n1 A\nrest: B L11\nhands: JH AS AC AD AH menhir /")
    play(state, "move JH", "place K11")
    assert banners(state) == "H / -"


def test_t6_the_owner_chooses_a_free_starting_square_and_the_turn_goes_on() -> None:
    state = position("  K\n2 A\nrest: B L11\nhands: 3H 2C /")
    play(state, "move 3H")
    assert refused(state, "place L11") == ("T6", "A Mage stands on L11 already.")
    assert play(state, "place L12") == [MagePlaced(seat=0, square=square("L12"), cause="crossed")]
    assert standing(state) == {"A": "L12", "B": "L11"}
    assert asked(state) == "A hinder"


def test_t6_with_the_banner_already_claimed_the_mage_is_only_put_back() -> None:
    state = position("  K\n2 A\nrest: B L11\nhands: 3H 2C /\nbanners: HS / D")
    events = play(state, "move 3H")
    assert not any(isinstance(event, BannerClaimed) for event in events)
    assert banners(state) == "HS / D"
    assert asked(state) == "A place"


def test_t6_a_mage_or_menhir_before_the_edge_keeps_a_mage_from_crossing() -> None:
    state = position("  K L\n1 b .\n2 . .\n3 A .\n4 . B\nhands: 10H /")
    play(state, "move 10H")
    assert standing(state)["A"] == "K2"
    assert banners(state) == "- / -"


# --- T7: pushed over the edge


def test_t7_a_mage_that_is_pushed_over_the_edge_brings_its_owner_the_banner_and_the_choice() -> None:
    state = position("  J K\n2 A B\nhands: 3H 4D 5D 6D 7D / \nphase: two")
    events = play(state, "push 3H B")
    assert banners(state) == "- / H"
    assert events[:2] == [
        MageMoved(seat=0, card=named("3H")[0], mage=1, start=square("K2"), end=OFF),
        BannerClaimed(seat=1, suit=2),
    ]
    assert COURT.view(state, None).owed == (Owed(1, "place", "crossed"),)
    assert asked(state) == "B place"
    play(state, "place K12")
    assert standing(state) == {"A": "J2", "B": "K12"}
    assert asked(state) == "B move"


def test_t7_pushed_over_the_edge_of_a_banner_already_claimed_the_mage_is_only_put_back() -> None:
    state = position("  J K\n2 A B\nhands: 3H 4D 5D 6D 7D / \nphase: two\nbanners: - / HC")
    play(state, "push 3H B")
    assert banners(state) == "- / CH"
    assert asked(state) == "B place"
