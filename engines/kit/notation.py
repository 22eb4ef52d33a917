"""The notation of moves, `push 4H B`: one table of verbs a game, by which its moves are read and written.

    CARD = Kind(deck.card, deck.name)
    NOTATION = Notation[Move](
        "Hearts and Stones",
        verb("push", Push, CARD, SEAT, said="Name a card and a seat, such as 4H B."),
        verb("give", Give, SUIT),
        verb("skip", Skip),
    )

What stands behind a verb goes into the fields of its kind of move, in their order. A verb whose words are read in a way
of its own is a Verb made by hand.
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
    """How one part of a move is read and written.

    `read` gives None for what is none of the kind, which the verb's own sentence then refuses; where there is more to
    say, it raises a ValueError with a sentence.
    """

    parse: Callable[[str], T | None]
    format: Callable[[T], str]


@dataclass(frozen=True, slots=True)
class RepeatedPart(Generic[T]):
    """The last part of a move: `least` to `most` of one kind, sorted where their order says nothing."""

    part_format: PartFormat[T]
    least: int = 0
    most: int = 99
    is_sorted: bool = False


MovePart = PartFormat[Any] | RepeatedPart[Any]


@dataclass(frozen=True, slots=True)
class Verb(Generic[M]):
    """A verb, the kind of move that it is for, and how the words behind it are read and written.

    `read` gets any words at all and raises a ValueError with a sentence for wrong ones.
    """

    word: str
    move: type[M]
    parse: Callable[[Words], M]
    format: Callable[[M], Iterable[str]]


class Notation(Generic[M]):
    """All verbs of a game; `title` is what it is called where a text is no move of it."""

    def __init__(self, title: str, *verbs: Verb[Any]) -> None:
        self._title = title
        self._verbs: dict[str, Verb[Any]] = {verb.word: verb for verb in verbs}
        self._moves: dict[type, Verb[Any]] = {verb.move: verb for verb in verbs}
        if not len(self._verbs) == len(self._moves) == len(verbs):
            raise TypeError(f"{title}: a verb is for one kind of move, and a kind of move has one verb")

    @property
    def verbs(self) -> tuple[str, ...]:
        """The words that moves begin with, in the order given."""
        return tuple(self._verbs)

    def parse_move(self, text: str) -> M:
        """The move behind a notation; case, spaces and commas do not matter. Raises BadNotation."""
        word, *words = text.replace(",", " ").split() or [""]
        verb = self._verbs.get(word.lower())
        if verb is None:
            raise BadNotation(f"“{text.strip()[:40]}” is no move of {self._title}.")
        try:
            move: M = verb.parse(words)
        except ValueError as error:
            raise BadNotation(str(error)) from None
        return move

    def format_move(self, move: M) -> str:
        """The notation of a move, unique among a seat's moves."""
        verb = self._moves[type(move)]
        return " ".join((verb.word, *verb.format(move)))


def verb(word: str, move: type[M], *parts: MovePart, usage: str = "") -> Verb[M]:
    """A verb for a move of these parts, a word each; `said` is what is wanted where the words behind it are others.

    A verb of one part may leave that to the kind: all words are its text then, spaces and all.
    """
    names = [each.name for each in fields(cast("Any", move))]
    if len(names) != len(parts):
        raise TypeError(f"{move.__name__} has {len(names)} fields, and {len(parts)} parts are read for them")
    several = [part for part in parts if isinstance(part, RepeatedPart)]
    if several and several != [parts[-1]]:
        raise TypeError(f"only the last part of {word} may be of several words")
    if not usage and (len(parts) > 1 or several):
        raise TypeError(f"nothing is said where the words behind {word} are wrong")
    read = _make_parser(word, move, parts, usage) if parts else _bare_verb_parser(word, move())
    return Verb(word, move, read, _make_formatter(names, parts))


def parse_number(word: str) -> int | None:
    """The number behind one or two digits; None for anything else."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 2 else None


NUMBER = PartFormat(parse_number, str)
SEAT = PartFormat(parse_seat, letter)
SUIT = PartFormat(cards.parse_suit, cards.SUITS.__getitem__)


def _bare_verb_parser(word: str, move: M) -> Callable[[Words], M]:
    """Reads a verb that nothing comes after."""

    def parse(words: Words) -> M:
        if words:
            raise ValueError(f"Nothing comes after “{word}”.")
        return move

    return parse


def _make_parser(word: str, make: Callable[..., M], parts: Sequence[MovePart], usage: str) -> Callable[[Words], M]:
    """Reads the words behind a verb."""
    kinds = [part for part in parts if isinstance(part, PartFormat)]
    if isinstance(parts[-1], RepeatedPart):
        return _repeated_part_parser(make, kinds, parts[-1], usage)
    return (
        _fixed_parts_parser(make, kinds, usage) if len(kinds) > 1 else _single_part_parser(word, make, kinds[0], usage)
    )


def _single_part_parser(
    word: str, make: Callable[..., M], part_format: PartFormat[Any], usage: str
) -> Callable[[Words], M]:
    """Reads one part: a single word, or, where nothing is said of that, all words."""

    def parse(words: Words) -> M:
        text = " ".join(words)
        value = part_format.parse(text) if len(words) == 1 or not usage else None
        if value is None:
            raise ValueError(usage or f"“{text[:20]}” does not belong behind “{word}”.")
        return make(value)

    return parse


def _fixed_parts_parser(make: Callable[..., M], kinds: Sequence[PartFormat[Any]], usage: str) -> Callable[[Words], M]:
    """Reads a word for each part."""

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
    """Reads a word for each part, and the last part from all that are left."""
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
    """Writes the fields of a move one after the other."""
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
