"""Text boards, as which views print: lines no wider than WIDTH, seats by letter, things as notations name them.

A board begins with a title, has a row a seat in which `>` marks those that the match waits for, and ends with what the
seat itself holds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from textwrap import TextWrapper

from engines.kit.seats import letter

WIDTH = 100
NOTHING = "-"
"""In the place of what is not there, or not there yet."""
UNKNOWN = "?"
"""In the place of what is there, and hidden from the seat."""

_WRAPPER = TextWrapper(WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
_GLUE = "\N{NO-BREAK SPACE}"
_NUMBER = re.compile(r"-?[0-9]+")


def board(*lines: str | Iterable[str]) -> str:
    """The board of these lines and groups of lines; empty ones are left out."""
    groups = [[line] if isinstance(line, str) else line for line in lines]
    return "\n".join([line.rstrip() for group in groups for line in group if line])


def title_line(game: str, *parts: str, seat: int | None) -> str:
    """The first line: the game, what there is to say of the moment, and whose view it is."""
    return ", ".join((game, *filter(None, parts), f"seen by {'a spectator' if seat is None else letter(seat)}"))


def labeled_line(label: str, words: Iterable[str], *, between: str = " ") -> list[str]:
    """`label: words`, on further lines where they are many; none of them is torn apart."""
    whole = between.join(word.replace(" ", _GLUE) for word in words)
    return [row.replace(_GLUE, " ") for row in _WRAPPER.wrap(f"{label}: {whole or NOTHING}")]


def seat_table(heads: Sequence[str], rows: Sequence[Sequence[str]], due: Collection[int]) -> list[str]:
    """A row a seat below these heads, with its letter and the mark of those that are due."""
    marked = [(f"{'>' if seat in due else ' '} {letter(seat)}", *row) for seat, row in enumerate(rows)]
    return table(("", *heads), marked)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows below their heads in columns, those of numbers to the right."""
    columns = [[head, *cells] for head, *cells in zip(heads, *rows, strict=True)]
    return ["  ".join(cells).rstrip() for cells in zip(*map(_align_column, columns), strict=True)]


def _align_column(column: list[str]) -> list[str]:
    width = max(map(len, column))
    numbers = all(cell == NOTHING or _NUMBER.fullmatch(cell) for cell in column[1:])
    return [cell.rjust(width) if numbers else cell.ljust(width) for cell in column]


def label_by_seat(things: Iterable[str], first: int = 0) -> list[str]:
    """`A 10H`, `B wizard`: a thing of every seat, or of as many as there are, from that one on."""
    return [f"{letter(seat)} {thing}" for seat, thing in enumerate(things, first)]


def text_or_dash(thing: object) -> str:
    """It, or the sign for what is not there."""
    return NOTHING if thing is None else str(thing)
