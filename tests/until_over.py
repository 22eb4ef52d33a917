"""The end of a match that tests play: it must come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engines.kit.contract import AnyGame, Decision

MAX_MOVES = 5000
"""Moves of a match. The longest golden record has some 700."""


def until_over(game: AnyGame, state: Any) -> Iterator[Mapping[int, Decision]]:
    """The open decisions of a state on which the caller makes one move after the other, until the match is over.

    Raises AssertionError for a match that does not end.
    """
    for _ in range(MAX_MOVES):
        decisions = game.decisions(state)
        if not decisions:
            return
        yield decisions
    assert not game.decisions(state), f"A match of {game.title} is not over after {MAX_MOVES} moves."
