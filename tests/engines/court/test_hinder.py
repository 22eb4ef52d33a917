"""Jester's Court by the book: T8, what Phase Two does to the others."""

from __future__ import annotations

import pytest

from engines.court import COURT, board
from engines.court.board import NAMES, OFF, STARTS
from engines.court.model import (
    Attack,
    Discard,
    Discarded,
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
    asked,
    finish_turn,
    legal,
    looks,
    named,
    pile,
    play,
    position,
    refused,
    standing,
)

TWO = "   K L\n9 A B\nphase: two\n"
THREE = "   K L M\n9 A B C\nphase: two\n"
FOUR = "   K L M N\n9 A B C D\nphase: two\n"


def health(state: State) -> tuple[int, ...]:
    return COURT.view(state, None).health


def square(name: str) -> int:
    return board.square(name)


def card(name: str) -> int:
    return named(name)[0]


# --- T8: one card


def test_t8_one_card_is_played_and_the_turn_is_over() -> None:
    state = position(TWO + "hands: 4S KS AS 2C 3C /")
    for move in ("push 4S B", "attack KS", "strike AS", "discard 2C"):
        after = COURT.copy(state)
        play(after, move)
        assert pile(after) == move.split()[1]
        assert asked(after) == "B move"
        assert len(after.hands[0]) == 6


def test_t8_all_that_a_hand_can_do() -> None:
    state = position(TWO + "hands: 4S KS AS 2C menhir /\nhealth: 5 6")
    others = [text for text in legal(state) if not text.startswith("menhir")]
    assert others == [
        *("push 2C B", "discard 2C"),
        *("strike AS", "heal AS", "discard AS"),
        *("push 4S B", "discard 4S"),
        *("attack KS", "discard KS"),
        "discard menhir",
    ]


def test_t8_a_number_card_moves_another_players_mage() -> None:
    state = position("""
           K  L
        8  .  .
        9  A  B
        10 .  .
        11 .  .
        phase: two
        hands: 2S 3C 4C 5C 6C /
    """)
    (event,) = play(state, "push 2S B")[:1]
    looks(
        state,
        """
           K  L
        8  .  .
        9  A  .
        10 .  .
        11 .  B
    """,
    )
    assert event == MageMoved(seat=0, card=card("2S"), mage=1, start=square("L9"), end=square("L11"))


def test_t8_any_of_the_others_and_not_ones_own() -> None:
    state = position(FOUR + "turn: B\nhands: / 2S 3C 4C 5C 6C / /")
    assert legal(state, "push")[:3] == ["push 3C A", "push 3C C", "push 3C D"]
    assert refused(state, "push 2S B") == ("T8", "In Phase Two you move another player's Mage, not your own.")
    assert refused(state, "push 2S E") == (None, "This match has the seats A to D.")
    assert refused(state, Push(card("2S"), -1)) == (None, "This match has the seats A to D.")


@pytest.mark.parametrize("other", ["JS", "AS", "menhir"])
def test_t8_only_a_number_card_pushes(other: str) -> None:
    state = position(TWO + f"hands: {other} 3C 4C 5C 6C /")
    assert refused(state, f"push {other} B") == ("T8", "Another Mage is moved by a number card, 2 to 10.")


def test_t8_a_pushed_mage_is_stopped_as_well() -> None:
    state = position("   H I J K L M N\n9 . A . . B c C\nphase: two\nhands: 9C 9D 4C 5C 6C / /")
    pushed = COURT.copy(state)
    play(pushed, "push 9C B")
    assert standing(pushed)["B"] == "J9"
    (event,) = play(state, "push 9D B")[:1]
    assert standing(state)["B"] == "L9"
    assert (event.stopped, event.at) == ("menhir", square("M9"))  # type: ignore[attr-defined]


def test_t8_an_ace_deals_one_damage_to_every_other_mage() -> None:
    state = position(THREE + "turn: B\nhands: / AS 3C 4C 5C 6C /\nhealth: 6 3 2")
    events = play(state, "strike AS")
    assert health(state) == (5, 3, 1)
    assert events[:3] == [
        MagesStruck(seat=1, card=card("AS")),
        MageDamaged(seat=2, health=1),
        MageDamaged(seat=0, health=5),
    ]


def test_t8_an_ace_heals_one() -> None:
    state = position(TWO + "hands: AS 3C 4C 5C 6C /\nhealth: 5 2")
    assert play(state, "heal AS")[0] == MageHealed(seat=0, card=card("AS"), health=6)
    assert health(state) == (6, 2)


def test_t8_an_ace_does_not_heal_at_six() -> None:
    state = position(TWO + "hands: AS 3C 4C 5C 6C /\nhealth: 6 2")
    assert refused(state, "heal AS") == ("T8", "Your Mage has all its health.")
    assert "heal AS" not in legal(state)


@pytest.mark.parametrize("other", ["KS", "4S", "menhir"])
def test_t8_only_an_ace_strikes_or_heals(other: str) -> None:
    state = position(TWO + f"hands: {other} 3C 4C 5C 6C /\nhealth: 5 2")
    assert refused(state, f"strike {other}") == refused(state, f"heal {other}") == ("T8", "That takes an ace.")


def test_t8_a_card_may_be_discarded_without_effect() -> None:
    state = position(TWO + "hands: 2S KS AS menhir 6C /")
    before = standing(state)
    for name in ("2S", "KS", "AS", "menhir", "6C"):
        after = COURT.copy(state)
        assert play(after, f"discard {name}")[0] == Discarded(seat=0, card=card(name))
        assert pile(after) == name
        assert (standing(after), health(after)) == (before, (6, 6))


def test_t8_only_cards_of_the_hand() -> None:
    state = position(TWO + "hands: 2C 3C 4C 5C 6C / 7C 8C 9C 10C QC AC\nhealth: 5 5")
    for move in ("push 7C B", "discard 7C"):
        assert refused(state, move) == (None, "You do not hold the 7 of clubs.")
    assert refused(state, "attack QC") == (None, "You do not hold the queen of clubs.")
    assert refused(state, "strike AC") == refused(state, "heal AC") == (None, "You do not hold the ace of clubs.")
    assert refused(state, "menhir A1") == (None, "You do not hold a Menhir card.")
    for nothing in (Push(53, 1), Attack(-1), Strike(99), Heal(-1), Discard(-1)):
        assert refused(state, nothing) == (None, "There is no such card.")


# --- T8: the Menhir


def test_t8_a_menhir_card_places_ones_menhir_and_later_moves_it() -> None:
    state = position(TWO + "hands: menhir menhir 4C 5C 6C /")
    assert play(state, "menhir K8")[0] == MenhirSet(seat=0, start=OFF, square=square("K8"))
    looks(state, "  K L\n8 a .\n9 A B")
    finish_turn(state)
    state.mages, state.phase = [square("K9"), square("L9")], "hinder"
    assert play(state, "menhir A22")[0] == MenhirSet(seat=0, start=square("K8"), square=square("A22"))
    assert standing(state) == {"A": "K9", "B": "L9", "a": "A22"}


def test_t8_everybody_has_a_menhir_of_their_own() -> None:
    state = position(TWO + "turn: B\nhands: / menhir 3C 4C 5C 6C\nrest: a A1 b A2")
    play(state, "menhir A3")
    assert standing(state) == {"A": "K9", "B": "L9", "a": "A1", "b": "A3"}


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        *[(name, f"{name} is a starting square. No Menhir may stand there.") for name in ("K11", "L11", "K12", "L12")],
        ("K9", "A Mage stands on K9."),
        ("L9", "A Mage stands on L9."),
        ("A1", "A Menhir stands on A1."),
        ("C3", "A Menhir stands on C3."),
    ],
)
def test_t8_not_on_a_starting_square_nor_on_a_mage_or_a_menhir(at: str, reason: str) -> None:
    state = position(TWO + "hands: menhir 3C 4C 5C 6C /\nrest: a A1 b C3")
    assert refused(state, f"menhir {at}") == ("T8", reason)
    assert board.why_no_menhir(COURT.view(state, None), square(at)) == reason


@pytest.mark.parametrize("outside", [-1, 484])
def test_t8_only_on_the_board(outside: int) -> None:
    state = position(TWO + "hands: menhir 3C 4C 5C 6C /")
    assert refused(state, SetMenhir(outside)) == (None, "There is no such square.")


def test_t8_any_other_square() -> None:
    state = position(TWO + "hands: menhir 3C 4C 5C 6C /\nrest: a A1 b C3")
    taken = {*STARTS, *map(square, ("K9", "L9", "A1", "C3"))}
    listed = [text.split()[1] for text in legal(state, "menhir")]
    assert listed == [name for at, name in enumerate(NAMES) if at not in taken]
    assert len(listed) == 484 - 8
    for name in listed:
        assert board.why_no_menhir(state, square(name)) is None
        COURT.check(state, 0, SetMenhir(square(name)))
