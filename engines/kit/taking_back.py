"""Taking a move back: whether the others need not be asked, and words for what a move revealed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from engines.kit.contract import AnyGame


def is_free(game: AnyGame, before: Any, after: Any, seat: int, reveals: Collection[int]) -> bool:
    """Whether a seat may take back one move without asking the others.

    `before` and `after` are the states around that move alone, and `reveals` is what the game says of it. It is free if
    it reveals nothing, and the match still waits for nobody but that seat. A sealed choice is free as well: others
    still choose, and cannot see what this seat chose.
    """
    if reveals:
        return False
    due = [other for other, decision in game.decisions(after).items() if decision.due]
    return due == [seat] or _is_sealed(game, before, after, seat)


def _is_sealed(game: AnyGame, before: Any, after: Any, seat: int) -> bool:
    """Whether others decide at the same time, and see the same after any other choice of this seat."""
    others = [other for other in game.decisions(before) if other != seat]
    if not others:
        return False
    readers = (None, *others)
    seen = [game.view(after, reader) for reader in readers]
    states = [game.state_after(before, seat, move) for move in game.moves(before, seat)]
    return all([game.view(state, reader) for reader in readers] == seen for state in states)


def join_phrases(phrases: Iterable[str]) -> str:
    """Return one or more phrases as a list in a sentence: `the 2 of clubs, a joker and the ace of hearts`."""
    *others, last = phrases
    return f"{', '.join(others)} and {last}" if others else last
