"""The one reader of notations, tried on a game of its own that has every sort of verb."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from engines.kit import notation
from engines.kit.errors import BadNotation
from engines.kit.notation import NUMBER, SEAT, SUIT, MovePart, Notation, RepeatedPart, Verb, Words, parse_number, verb


@dataclass(frozen=True, slots=True)
class Rest:
    """A move of nothing."""


@dataclass(frozen=True, slots=True)
class Name:
    suit: int


@dataclass(frozen=True, slots=True)
class Give:
    cards: int
    seat: int


@dataclass(frozen=True, slots=True)
class Show:
    suit: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shout:
    loud: bool


Move = Rest | Name | Give | Show | Roll | Shout


def _parse_shout(words: Words) -> Shout:
    if list(words) not in ([], ["loud"]):
        raise ValueError("Shout, or shout loud.")
    return Shout(bool(words))


USAGE = "Say how many, and to whom: give 2 B."
NOTATION = Notation[Move](
    "Ado",
    verb("rest", Rest),
    verb("name", Name, SUIT),
    verb("give", Give, NUMBER, SEAT, usage=USAGE),
    verb("show", Show, SUIT, RepeatedPart(SEAT, 0, 2, is_sorted=True), usage="Name a suit and up to two seats."),
    verb("roll", Roll, RepeatedPart(NUMBER, 1, 3), usage="Name one to three dice."),
    Verb("shout", Shout, _parse_shout, lambda move: ["loud"] if move.loud else []),
)


@pytest.mark.parametrize(
    ("written", "move", "read_too"),
    [
        ("rest", Rest(), "  ReSt "),
        ("name H", Name(2), "NAME hearts"),
        ("give 2 B", Give(2, 1), "give  2,b"),
        ("give 0 A", Give(0, 0), "give\t00, a,"),
        ("show C", Show(0, ()), "show clubs"),
        ("show C A D", Show(0, (0, 3)), "show c d a"),
        ("roll 3 1", Roll((3, 1)), "roll 3,1"),
        ("shout", Shout(loud=False), "SHOUT"),
        ("shout loud", Shout(loud=True), "shout, loud"),
    ],
)
def test_a_move_is_read_and_written_as_its_verb_says(written: str, move: Move, read_too: str) -> None:
    assert NOTATION.parse_move(written) == NOTATION.parse_move(read_too) == move
    assert NOTATION.format_move(move) == written


NO_SUIT = "is not a suit. Write clubs, diamonds, hearts or spades."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "“” is not a move of Ado."),
        (" dance on ", "“dance on” is not a move of Ado."),
        ("x" * 60, f"“{'x' * 40}” is not a move of Ado."),
        ("rest now", "Write nothing after “rest”."),
        ("name", f"“” {NO_SUIT}"),
        ("name the hearts", f"“the hearts” {NO_SUIT}"),
        *((text, USAGE) for text in ("give", "give 2", "give two B", "give 100 B", "give 2 B C")),
        ("give 2 X", "“X” is not a seat. Write its letter, such as B."),
        ("show C A B C", "Name a suit and up to two seats."),
        ("show x A", f"“x” {NO_SUIT}"),
        *((text, "Name one to three dice.") for text in ("roll", "roll 1 x", "roll 1 2 3 4")),
        ("shout louder", "Shout, or shout loud."),
    ],
)
def test_a_wrong_move_is_explained_in_the_verbs_own_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadNotation) as refused:
        NOTATION.parse_move(text)
    assert refused.value.reason == sentence
    assert refused.value.rule is None


def test_a_number_has_one_or_two_plain_digits() -> None:
    assert [parse_number(word) for word in ("0", "07", "42")] == [0, 7, 42]
    assert not any(parse_number(word) is not None for word in ("", "-1", "+1", "1.0", "100", "²", "١", "1_0", "x"))


def test_a_kind_that_says_nothing_still_refuses_in_a_sentence() -> None:
    counted = Notation[Move]("Ado", verb("name", Name, NUMBER))
    with pytest.raises(BadNotation, match=r"^“two” cannot follow “name”\.$"):
        counted.parse_move("name two")


def test_a_single_word_is_wanted_where_a_sentence_says_so() -> None:
    strict = Notation[Move]("Ado", verb("name", Name, SUIT, usage="Name one suit."))
    assert strict.parse_move("name hearts") == Name(2)
    for text in ("name", "name hearts clubs"):
        with pytest.raises(BadNotation, match=r"^Name one suit\.$"):
            strict.parse_move(text)


@pytest.mark.parametrize(
    ("move", "parts", "usage", "sentence"),
    [
        (Give, (NUMBER,), "", "Give has 2 fields but 1 parts"),
        (
            Show,
            (RepeatedPart(SEAT), SUIT),
            "Name seats and a suit.",
            "only the last part of act may have several words",
        ),
        (Give, (NUMBER, SEAT), "", "act needs a usage sentence"),
        (Roll, (RepeatedPart(NUMBER),), "", "act needs a usage sentence"),
    ],
)
def test_a_verb_whose_parts_do_not_fit_is_refused(
    move: type[Move], parts: tuple[MovePart, ...], usage: str, sentence: str
) -> None:
    with pytest.raises(TypeError, match=f"^{sentence}$"):
        verb("act", move, *parts, usage=usage)


def test_a_verb_and_a_kind_of_move_stand_there_once() -> None:
    for second in (verb("rest", Name, SUIT), verb("sleep", Rest)):
        with pytest.raises(TypeError, match=r"^Ado: each verb needs its own move class"):
            Notation[Move]("Ado", verb("rest", Rest), second)


def test_a_kind_may_be_made_for_a_game() -> None:
    sides = notation.PartFormat({"heads": 0, "tails": 1}.get, ("heads", "tails").__getitem__)
    tossed = Notation[Move]("Ado", verb("toss", Name, sides, usage="Say heads or tails."))
    assert tossed.parse_move("toss tails") == Name(1)
    assert tossed.format_move(Name(0)) == "toss heads"
    with pytest.raises(BadNotation, match=r"^Say heads or tails\.$"):
        tossed.parse_move("toss edge")
