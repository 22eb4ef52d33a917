"""Countdowns to a deadline, and notes about players whose time ran out. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from engines.hosting.match import MatchSnapshot


def countdown(snapshot: MatchSnapshot, seat: int | None = None) -> str:
    """Return the time left for a seat's decision, or for the next one due, as Discord's countdown: `⏳ in 3 hours`.

    Empty if there is no deadline.
    """
    at = snapshot.deadline(seat)
    return "" if at is None else f"⏳ <t:{at}:R>"


def add_timeout_notes(
    snapshot: MatchSnapshot,
    lines: Iterable[tuple[int, str | None]],
    names: Callable[[], Sequence[str]],
    timeout_text: str,
) -> list[str]:
    """Return the news lines that are not empty; each comes with the number of its move.

    If the computer made a move because a player's time ran out, `timeout_text` follows that move's lines.
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
