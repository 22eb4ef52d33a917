"""Formats views as text boards: lines up to WIDTH, seats as letters, cards and moves as in the notation.

A board starts with a title. It has one row per seat, marked with `>` if the match waits for that seat, and ends with
the seat's own secrets.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from textwrap import TextWrapper

from engines.kit.seats import letter

WIDTH = 100
NOTHING = "-"
"""Stands for something that is not there, or not there yet."""
UNKNOWN = "?"
"""Stands for something that is hidden from the seat."""

_WRAPPER = TextWrapper(WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
_GLUE = "\N{NO-BREAK SPACE}"
_NUMBER = re.compile(r"-?[0-9]+")


def board(*lines: str | Iterable[str]) -> str:
    """Return a board of these lines and groups of lines, without the empty ones."""
    groups = [[line] if isinstance(line, str) else line for line in lines]
    return "\n".join([line.rstrip() for group in groups for line in group if line])


def title_line(game: str, *parts: str, seat: int | None) -> str:
    """Return the first line: the game, its situation, and the viewer."""
    return ", ".join((game, *filter(None, parts), f"seen by {'a spectator' if seat is None else letter(seat)}"))


def labeled_line(label: str, words: Iterable[str], *, between: str = " ") -> list[str]:
    """Return `label: words`, wrapped over several lines if needed, without breaking a word group."""
    whole = between.join(word.replace(" ", _GLUE) for word in words)
    return [row.replace(_GLUE, " ") for row in _WRAPPER.wrap(f"{label}: {whole or NOTHING}")]


def seat_table(heads: Sequence[str], rows: Sequence[Sequence[str]], due: Collection[int]) -> list[str]:
    """Return one row per seat below these heads, with its letter and a mark if it is due."""
    marked = [(f"{'>' if seat in due else ' '} {letter(seat)}", *row) for seat, row in enumerate(rows)]
    return table(("", *heads), marked)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows in columns below their heads, with numbers aligned to the right."""
    columns = [[head, *cells] for head, *cells in zip(heads, *rows, strict=True)]
    return ["  ".join(cells).rstrip() for cells in zip(*map(_align_column, columns), strict=True)]


def _align_column(column: list[str]) -> list[str]:
    width = max(map(len, column))
    numbers = all(cell == NOTHING or _NUMBER.fullmatch(cell) for cell in column[1:])
    return [cell.rjust(width) if numbers else cell.ljust(width) for cell in column]


def label_by_seat(things: Iterable[str], first: int = 0) -> list[str]:
    """Return `A 10H`, `B wizard`, …: one entry per seat, starting from a given seat."""
    return [f"{letter(seat)} {thing}" for seat, thing in enumerate(things, first)]


def text_or_dash(thing: object) -> str:
    """Return the text, or the sign for something missing."""
    return NOTHING if thing is None else str(thing)
