"""The notation of moves, such as `push 4H B`: one table of verbs per game, used for parsing and formatting.

    CARD = PartFormat(deck.parse_card, deck.card_name)
    NOTATION = Notation[Move](
        "Hearts and Stones",
        verb("push", Push, CARD, SEAT, usage="Name a card and a seat, such as 4H B."),
        verb("give", Give, SUIT),
        verb("skip", Skip),
    )

The words after a verb fill the fields of its move class, in their order. A verb with a special syntax is a Verb with
its own functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar, cast

from engines.kit import cards
from engines.kit.errors import BadNotation
from engines.kit.seats import letter, parse_seat

T = TypeVar("T")
M = TypeVar("M")
Words = Sequence[str]


@dataclass(frozen=True, slots=True)
class PartFormat(Generic[T]):
    """How to parse and format one part of a move.

    `parse` returns None for an unsuitable word, and the verb's usage sentence is then the error. For a more precise
    error it raises ValueError with a sentence.
    """

    parse: Callable[[str], T | None]
    format: Callable[[T], str]


@dataclass(frozen=True, slots=True)
class RepeatedPart(Generic[T]):
    """The last part of a move: `least` to `most` words of one format, sorted if their order has no meaning."""

    part_format: PartFormat[T]
    least: int = 0
    most: int = 99
    is_sorted: bool = False


MovePart = PartFormat[Any] | RepeatedPart[Any]


@dataclass(frozen=True, slots=True)
class Verb(Generic[M]):
    """A verb, its move class, and the functions that parse and format the words after it.

    `parse` gets any words, and raises ValueError with a sentence if they are wrong.
    """

    word: str
    move: type[M]
    parse: Callable[[Words], M]
    format: Callable[[M], Iterable[str]]


class Notation(Generic[M]):
    """All verbs of a game; `title` is the game's name in error messages."""

    def __init__(self, title: str, *verbs: Verb[Any]) -> None:
        self._title = title
        self._verbs: dict[str, Verb[Any]] = {verb.word: verb for verb in verbs}
        self._moves: dict[type, Verb[Any]] = {verb.move: verb for verb in verbs}
        if not len(self._verbs) == len(self._moves) == len(verbs):
            raise TypeError(f"{title}: each verb needs its own move class, and each move class its own verb")

    @property
    def verbs(self) -> tuple[str, ...]:
        """The first words of moves, in the order of their definition."""
        return tuple(self._verbs)

    def parse_move(self, text: str) -> M:
        """Parse a move; case, spaces and commas do not matter. Raises BadNotation."""
        word, *words = text.replace(",", " ").split() or [""]
        verb = self._verbs.get(word.lower())
        if verb is None:
            raise BadNotation(f"“{text.strip()[:40]}” is not a move of {self._title}.")
        try:
            move: M = verb.parse(words)
        except ValueError as error:
            raise BadNotation(str(error)) from None
        return move

    def format_move(self, move: M) -> str:
        """Return the notation of a move, unique among a seat's moves."""
        verb = self._moves[type(move)]
        return " ".join((verb.word, *verb.format(move)))


def verb(word: str, move: type[M], *parts: MovePart, usage: str = "") -> Verb[M]:
    """Return a verb whose move has one word per part. `usage` is the error for unsuitable words.

    Without `usage`, the format of a single part gets all words, including spaces, and makes the error.
    """
    names = [each.name for each in fields(cast("Any", move))]
    if len(names) != len(parts):
        raise TypeError(f"{move.__name__} has {len(names)} fields but {len(parts)} parts")
    several = [part for part in parts if isinstance(part, RepeatedPart)]
    if several and several != [parts[-1]]:
        raise TypeError(f"only the last part of {word} may have several words")
    if not usage and (len(parts) > 1 or several):
        raise TypeError(f"{word} needs a usage sentence")
    read = _make_parser(word, move, parts, usage) if parts else _bare_verb_parser(word, move())
    return Verb(word, move, read, _make_formatter(names, parts))


def parse_number(word: str) -> int | None:
    """Return the number for one or two digits; None for anything else."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 2 else None


NUMBER = PartFormat(parse_number, str)
SEAT = PartFormat(parse_seat, letter)
SUIT = PartFormat(cards.parse_suit, cards.SUITS.__getitem__)


def _bare_verb_parser(word: str, move: M) -> Callable[[Words], M]:
    """Return a parser for a verb without parts."""

    def parse(words: Words) -> M:
        if words:
            raise ValueError(f"Write nothing after “{word}”.")
        return move

    return parse


def _make_parser(word: str, make: Callable[..., M], parts: Sequence[MovePart], usage: str) -> Callable[[Words], M]:
    """Return a parser for the words after a verb."""
    kinds = [part for part in parts if isinstance(part, PartFormat)]
    if isinstance(parts[-1], RepeatedPart):
        return _repeated_part_parser(make, kinds, parts[-1], usage)
    return (
        _fixed_parts_parser(make, kinds, usage) if len(kinds) > 1 else _single_part_parser(word, make, kinds[0], usage)
    )


def _single_part_parser(
    word: str, make: Callable[..., M], part_format: PartFormat[Any], usage: str
) -> Callable[[Words], M]:
    """Return a parser for one part: a single word or, without `usage`, all words."""

    def parse(words: Words) -> M:
        text = " ".join(words)
        value = part_format.parse(text) if len(words) == 1 or not usage else None
        if value is None:
            raise ValueError(usage or f"“{text[:20]}” cannot follow “{word}”.")
        return make(value)

    return parse


def _fixed_parts_parser(make: Callable[..., M], kinds: Sequence[PartFormat[Any]], usage: str) -> Callable[[Words], M]:
    """Return a parser with one word per part."""

    def parse(words: Words) -> M:
        if len(words) != len(kinds):
            raise ValueError(usage)
        values = [kind.parse(text) for kind, text in zip(kinds, words, strict=True)]
        if None in values:
            raise ValueError(usage)
        return make(*values)

    return parse


def _repeated_part_parser(
    make: Callable[..., M], kinds: Sequence[PartFormat[Any]], last: RepeatedPart[Any], usage: str
) -> Callable[[Words], M]:
    """Return a parser with one word per part, and all remaining words for the last part."""
    first = len(kinds)

    def parse(words: Words) -> M:
        if not last.least <= len(words) - first <= last.most:
            raise ValueError(usage)
        values = [kind.parse(text) for kind, text in zip(kinds, words, strict=False)]
        if None in values:
            raise ValueError(usage)
        rest = [last.part_format.parse(text) for text in words[first:]]
        if None in rest:
            raise ValueError(usage)
        return make(*values, tuple(sorted(rest) if last.is_sorted else rest))

    return parse


def _make_formatter(names: Sequence[str], parts: Sequence[MovePart]) -> Callable[[Any], list[str]]:
    """Return a function that writes the fields of a move one after the other."""
    each = tuple(zip(names, parts, strict=True))

    def format_move(move: Any) -> list[str]:
        words: list[str] = []
        for name, part in each:
            value = getattr(move, name)
            if isinstance(part, RepeatedPart):
                words += map(part.part_format.format, value)
            else:
                words.append(part.format(value))
        return words

    return format_move
