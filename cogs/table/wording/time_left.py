"""What pages say of time: how much is left, and whose has run out. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from engines.hosting.match import MatchSnapshot


def countdown(snapshot: MatchSnapshot, seat: int | None = None) -> str:
    """How much time is left for a seat's decision, or for any, as Discord counts it: `⏳ in 3 hours`; empty: no end."""
    at = snapshot.deadline(seat)
    return "" if at is None else f"⏳ <t:{at}:R>"


def add_timeout_notes(
    snapshot: MatchSnapshot,
    lines: Iterable[tuple[int, str | None]],
    names: Callable[[], Sequence[str]],
    timeout_text: str,
) -> list[str]:
    """Lines of news, by the number of their move, as far as they say something.

    Where the computer made a move for somebody whose time had run out, that is said after it, in the words of `late`.
    """
    said: list[str] = []
    for move, group in groupby(lines, key=lambda line: line[0]):
        said += [line for _, line in group if line]
        if (
            move in snapshot.timeout_moves
            and (ran_out := timeout_text.format(names()[snapshot.mover_of(move)])) not in said[-1:]
        ):
            said.append(ran_out)
    return said
