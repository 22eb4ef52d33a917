"""Jester's Court by the book: T8, what Phase Two does to the others."""

from __future__ import annotations

import pytest

from engines.court import COURT, board
from engines.court.board import OFF_BOARD, SQUARE_NAMES, START_SQUARES
from engines.court.model import (
    Attack,
    CardDiscarded,
    Discard,
    Heal,
    MageDamaged,
    MageHealed,
    MageMoved,
    MagesStruck,
    MenhirSet,
    Push,
    SetMenhir,
    State,
    Strike,
)
from tests.engines.court.positions import (
    asked_decision,
    check_board,
    expect_refusal,
    finish_turn,
    legal_notations,
    parse_cards,
    parse_position,
    pile_names,
    play_moves,
    standing_squares,
)

TWO = "   K L\n9 A B\nphase: two\n"
THREE = "   K L M\n9 A B C\nphase: two\n"
FOUR = "   K L M N\n9 A B C D\nphase: two\n"


def view_health(state: State) -> tuple[int, ...]:
    return COURT.view(state, None).health


def square_number(name: str) -> int:
    return board.parse_square(name)


def card_number(name: str) -> int:
    return parse_cards(name)[0]


# --- T8: one card


def test_t8_one_card_is_played_and_the_turn_is_over() -> None:
    state = parse_position(TWO + "hands: 4S KS AS 2C 3C /")
    for move in ("push 4S B", "attack KS", "strike AS", "discard 2C"):
        after = COURT.copy(state)
        play_moves(after, move)
        assert pile_names(after) == move.split()[1]
        assert asked_decision(after) == "B move"
        assert len(after.hands[0]) == 6


def test_t8_all_that_a_hand_can_do() -> None:
    state = parse_position(TWO + "hands: 4S KS AS 2C menhir /\nhealth: 5 6")
    others = [text for text in legal_notations(state) if not text.startswith("menhir")]
    assert others == [
        *("push 2C B", "discard 2C"),
        *("strike AS", "heal AS", "discard AS"),
        *("push 4S B", "discard 4S"),
        *("attack KS", "discard KS"),
        "discard menhir",
    ]


def test_t8_a_number_card_moves_another_players_mage() -> None:
    state = parse_position("""
           K  L
        8  .  .
        9  A  B
        10 .  .
        11 .  .
        phase: two
        hands: 2S 3C 4C 5C 6C /
    """)
    (event,) = play_moves(state, "push 2S B")[:1]
    check_board(
        state,
        """
           K  L
        8  .  .
        9  A  .
        10 .  .
        11 .  B
    """,
    )
    assert event == MageMoved(
        seat=0, card=card_number("2S"), mage=1, start=square_number("L9"), end=square_number("L11")
    )


def test_t8_any_of_the_others_and_not_ones_own() -> None:
    state = parse_position(FOUR + "turn: B\nhands: / 2S 3C 4C 5C 6C / /")
    assert legal_notations(state, "push")[:3] == ["push 3C A", "push 3C C", "push 3C D"]
    assert expect_refusal(state, "push 2S B") == ("T8", "In Phase Two you move another player's Mage, not your own.")
    assert expect_refusal(state, "push 2S E") == (None, "This match has the seats A to D.")
    assert expect_refusal(state, Push(card_number("2S"), -1)) == (None, "This match has the seats A to D.")


@pytest.mark.parametrize("other", ["JS", "AS", "menhir"])
def test_t8_only_a_number_card_pushes(other: str) -> None:
    state = parse_position(TWO + f"hands: {other} 3C 4C 5C 6C /")
    assert expect_refusal(state, f"push {other} B") == ("T8", "You need a number card, 2 to 10, to move another Mage.")


def test_t8_a_pushed_mage_is_stopped_as_well() -> None:
    state = parse_position("   H I J K L M N\n9 . A . . B c C\nphase: two\nhands: 9C 9D 4C 5C 6C / /")
    pushed = COURT.copy(state)
    play_moves(pushed, "push 9C B")
    assert standing_squares(pushed)["B"] == "J9"
    (event,) = play_moves(state, "push 9D B")[:1]
    assert standing_squares(state)["B"] == "L9"
    assert (event.stopped, event.at) == ("menhir", square_number("M9"))  # type: ignore[attr-defined]


def test_t8_an_ace_deals_one_damage_to_every_other_mage() -> None:
    state = parse_position(THREE + "turn: B\nhands: / AS 3C 4C 5C 6C /\nhealth: 6 3 2")
    events = play_moves(state, "strike AS")
    assert view_health(state) == (5, 3, 1)
    assert events[:3] == [
        MagesStruck(seat=1, card=card_number("AS")),
        MageDamaged(seat=2, health=1),
        MageDamaged(seat=0, health=5),
    ]


def test_t8_an_ace_heals_one() -> None:
    state = parse_position(TWO + "hands: AS 3C 4C 5C 6C /\nhealth: 5 2")
    assert play_moves(state, "heal AS")[0] == MageHealed(seat=0, card=card_number("AS"), health=6)
    assert view_health(state) == (6, 2)


def test_t8_an_ace_does_not_heal_at_six() -> None:
    state = parse_position(TWO + "hands: AS 3C 4C 5C 6C /\nhealth: 6 2")
    assert expect_refusal(state, "heal AS") == ("T8", "Your Mage already has full health.")
    assert "heal AS" not in legal_notations(state)


@pytest.mark.parametrize("other", ["KS", "4S", "menhir"])
def test_t8_only_an_ace_strikes_or_heals(other: str) -> None:
    state = parse_position(TWO + f"hands: {other} 3C 4C 5C 6C /\nhealth: 5 2")
    assert (
        expect_refusal(state, f"strike {other}")
        == expect_refusal(state, f"heal {other}")
        == ("T8", "You need an ace for that.")
    )


def test_t8_a_card_may_be_discarded_without_effect() -> None:
    state = parse_position(TWO + "hands: 2S KS AS menhir 6C /")
    before = standing_squares(state)
    for name in ("2S", "KS", "AS", "menhir", "6C"):
        after = COURT.copy(state)
        assert play_moves(after, f"discard {name}")[0] == CardDiscarded(seat=0, card=card_number(name))
        assert pile_names(after) == name
        assert (standing_squares(after), view_health(after)) == (before, (6, 6))


def test_t8_only_cards_of_the_hand() -> None:
    state = parse_position(TWO + "hands: 2C 3C 4C 5C 6C / 7C 8C 9C 10C QC AC\nhealth: 5 5")
    for move in ("push 7C B", "discard 7C"):
        assert expect_refusal(state, move) == (None, "You do not hold the 7 of clubs.")
    assert expect_refusal(state, "attack QC") == (None, "You do not hold the queen of clubs.")
    assert (
        expect_refusal(state, "strike AC")
        == expect_refusal(state, "heal AC")
        == (None, "You do not hold the ace of clubs.")
    )
    assert expect_refusal(state, "menhir A1") == (None, "You do not hold a Menhir card.")
    for nothing in (Push(53, 1), Attack(-1), Strike(99), Heal(-1), Discard(-1)):
        assert expect_refusal(state, nothing) == (None, "There is no such card.")


# --- T8: the Menhir


def test_t8_a_menhir_card_places_ones_menhir_and_later_moves_it() -> None:
    state = parse_position(TWO + "hands: menhir menhir 4C 5C 6C /")
    assert play_moves(state, "menhir K8")[0] == MenhirSet(seat=0, start=OFF_BOARD, square=square_number("K8"))
    check_board(state, "  K L\n8 a .\n9 A B")
    finish_turn(state)
    state.mages, state.phase = [square_number("K9"), square_number("L9")], "hinder"
    assert play_moves(state, "menhir A22")[0] == MenhirSet(
        seat=0, start=square_number("K8"), square=square_number("A22")
    )
    assert standing_squares(state) == {"A": "K9", "B": "L9", "a": "A22"}


def test_t8_everybody_has_a_menhir_of_their_own() -> None:
    state = parse_position(TWO + "turn: B\nhands: / menhir 3C 4C 5C 6C\nrest: a A1 b A2")
    play_moves(state, "menhir A3")
    assert standing_squares(state) == {"A": "K9", "B": "L9", "a": "A1", "b": "A3"}


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        *[
            (name, f"{name} is a starting square, so no Menhir may stand there.")
            for name in ("K11", "L11", "K12", "L12")
        ],
        ("K9", "A Mage stands on K9."),
        ("L9", "A Mage stands on L9."),
        ("A1", "A Menhir stands on A1."),
        ("C3", "A Menhir stands on C3."),
    ],
)
def test_t8_not_on_a_starting_square_nor_on_a_mage_or_a_menhir(at: str, reason: str) -> None:
    state = parse_position(TWO + "hands: menhir 3C 4C 5C 6C /\nrest: a A1 b C3")
    assert expect_refusal(state, f"menhir {at}") == ("T8", reason)
    assert board.menhir_refusal(COURT.view(state, None), square_number(at)) == reason


@pytest.mark.parametrize("outside", [-1, 484])
def test_t8_only_on_the_board(outside: int) -> None:
    state = parse_position(TWO + "hands: menhir 3C 4C 5C 6C /")
    assert expect_refusal(state, SetMenhir(outside)) == (None, "There is no such square.")


def test_t8_any_other_square() -> None:
    state = parse_position(TWO + "hands: menhir 3C 4C 5C 6C /\nrest: a A1 b C3")
    taken = {*START_SQUARES, *map(square_number, ("K9", "L9", "A1", "C3"))}
    listed = [text.split()[1] for text in legal_notations(state, "menhir")]
    assert listed == [name for at, name in enumerate(SQUARE_NAMES) if at not in taken]
    assert len(listed) == 484 - 8
    for name in listed:
        assert board.menhir_refusal(state, square_number(name)) is None
        COURT.check(state, 0, SetMenhir(square_number(name)))
