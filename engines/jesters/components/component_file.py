"""Reads the lists of components from a TOML text, and reports errors with their line and reason."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from engines.jesters.components.component_types import (
    SYMBOLS,
    Component,
    Effect,
    Extra,
    FameForColour,
    FameForSymbol,
    Favorite,
    Gift,
    JestCard,
    Opposite,
    Performance,
    Recolour,
    Reroll,
    Task,
)
from engines.jesters.requirements.evaluation import COLOURS

SIMPLE_REQUIREMENTS: Final = ("sum >= 9", "each 1/3 2/4 2/5 1/6", "3 different", "run of 2", "2 dice sum <= 6")  # S20
COMPONENT_COUNTS: Final = {"performances": 38, "favorites": 5, "jest_cards": 50, "gifts": 25}

Problem = tuple[str, int | None, str]
"""The list, the place in it (None: the whole list), and what is wrong."""


class BadComponents(ValueError):
    """A text of components is wrong. The message has the line and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Components(BaseModel):
    """All components. Each is at the index of its id minus 1."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    performances: tuple[Performance, ...]
    favorites: tuple[Favorite, ...]
    jest_cards: tuple[JestCard, ...]
    gifts: tuple[Gift, ...]


def parse_components(text: str) -> Components:
    """Parse the components in a text. Raises BadComponents for the first faulty line."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(str(error), text) from None
    lines = LineIndex(text)
    try:
        found = Components.model_validate(raw)
    except ValidationError as error:
        refused = [_as_problem(problem) for problem in error.errors(include_url=False)]
        raise _topmost_error(refused, lines) from None
    problems = [*_find_problems(found)]
    if problems:
        raise _topmost_error(problems, lines)
    return found


class LineIndex:
    """The lines of a TOML text where each list and each entry begins, which tomllib does not report."""

    _TOKEN = re.compile(
        r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|\n|[^\s"\'#\[\]{}=,]+|[\[\]{}=,]',
        re.DOTALL,
    )

    def __init__(self, text: str) -> None:
        self._lists: dict[str, int] = {}
        self._entries: dict[str, list[int]] = {}
        self._last_line = text.count("\n") + 1
        self._scan(text)

    def line_of(self, key: str, place: int | None) -> int:
        """Return the line of an entry, or of its list. If the list is missing, return the last line."""
        entries = self._entries.get(key, [])
        if place is not None and place < len(entries):
            return entries[place]
        return self._lists.get(key, self._last_line)

    def _scan(self, text: str) -> None:
        """Read the text token by token. Entries begin after the list's bracket or a comma directly inside it."""
        line, depth, key, word, begins = 1, 0, "", "", False
        for found in self._TOKEN.finditer(text):
            token = found.group()
            if token != "\n" and not token.startswith("#"):
                if begins and token != "]":
                    self._entries[key].append(line)
                begins = False
                if depth == 0 and token == "=":
                    key = word.strip("\"'")
                    self._lists[key], self._entries[key] = line, []
                depth += (token in "[{") - (token in "]}")
                begins = key in self._lists and depth == 1 and token in "[,"
                word = token
            line += token.count("\n")


def _syntax_error(message: str, text: str) -> BadComponents:
    """Return the error for invalid TOML."""
    found = re.search(r"at line (\d+)", message)
    return BadComponents(int(found[1]) if found else text.count("\n") + 1, message)


def _topmost_error(problems: Iterable[Problem], lines: LineIndex) -> BadComponents:
    """Return the error for the topmost problem."""
    return min(
        (BadComponents(lines.line_of(key, place), f"{key}: {reason}") for key, place, reason in problems),
        key=lambda refusal: refusal.line,
    )


def _as_problem(problem: ErrorDetails) -> Problem:
    """Describe a validation error of a model: `fame: Input should be less than or equal to 9, not 12`."""
    key, *location = problem["loc"]
    place = location[0] if location and isinstance(location[0], int) else None
    fields = "".join(f"{part}: " for part in location if isinstance(part, str))
    return str(key), place, fields + problem["msg"].removeprefix("Value error, ")


# --- rules for whole lists


def _find_problems(found: Components) -> Iterator[Problem]:
    yield from _numbering_problems(found)
    yield from _name_problems(found)
    yield from _performance_problems(found.performances)
    yield from _favorite_problems(found.favorites)
    yield from _gift_problems(found.gifts)


def _numbering_problems(found: Components) -> Iterator[Problem]:
    """Check that each list has the right number of entries, numbered from 1."""
    for key, count in COMPONENT_COUNTS.items():
        parts: Sequence[Component] = getattr(found, key)
        if len(parts) != count:
            yield key, None, f"{len(parts)} entries, not {count}"
        for place, part in enumerate(parts):
            if part.id != place + 1:
                yield key, place, f"id {part.id} where {place + 1} should be next"


def _name_problems(found: Components) -> Iterator[Problem]:
    """Check that no two Performances or Favorites have the same name."""
    names: set[str] = set()
    for key in ("performances", "favorites"):
        tasks: Sequence[Task] = getattr(found, key)
        for place, task in enumerate(tasks):
            if task.name in names:
                yield key, place, f"the name {task.name!r} appears twice"
            names.add(task.name)


def _performance_problems(performances: Sequence[Performance]) -> Iterator[Problem]:
    """S20: check that requirements are unique, that the simple ones exist, and that symbols are evenly distributed
    (±1)."""
    texts = [str(performance.requirement) for performance in performances]
    for place, text in enumerate(texts):
        if text in texts[:place]:
            yield "performances", place, f"the requirement {text!r} appears twice"
    for text in SIMPLE_REQUIREMENTS:
        if text not in texts:
            yield "performances", None, f"{text!r} is missing"
    yield from _spread_problems(
        "performances", [symbol for performance in performances for symbol in performance.symbols]
    )


def _favorite_problems(favorites: Sequence[Favorite]) -> Iterator[Problem]:
    """S20: check that each of the ten symbols appears once."""
    symbols: set[int] = set()
    for place, favorite in enumerate(favorites):
        for symbol in favorite.symbols:
            if symbol in symbols:
                yield "favorites", place, f"the symbol {SYMBOLS[symbol]} appears twice"
            symbols.add(symbol)


def _gift_problems(gifts: Sequence[Gift]) -> Iterator[Problem]:
    """S22: check that exactly these Gifts exist, with evenly distributed symbols."""
    left = _expected_effects()
    for place, gift in enumerate(gifts):
        if not left[gift.effect]:
            yield "gifts", place, f"one {gift.effect} too many"
        left[gift.effect] -= 1
    yield from _spread_problems("gifts", [gift.symbol for gift in gifts])


def _expected_effects() -> Counter[Effect]:
    """S22: return the effects of the 25 Gifts."""
    colours = range(len(COLOURS))
    return Counter(
        [
            *(effect(colour) for effect in (Opposite, Recolour, FameForColour) for colour in colours),
            *(FameForSymbol(symbol) for symbol in range(len(SYMBOLS))),
            *(Extra(), Extra(), Reroll()),
        ]
    )


def _spread_problems(key: str, symbols: Sequence[int]) -> Iterator[Problem]:
    """Check that every symbol appears equally often, plus or minus one."""
    counts = [symbols.count(symbol) for symbol in range(len(SYMBOLS))]
    most, least = counts.index(max(counts)), counts.index(min(counts))
    if counts[most] - counts[least] > 1:
        yield key, None, f"{SYMBOLS[most]} {counts[most]} times, {SYMBOLS[least]} {counts[least]} times"
