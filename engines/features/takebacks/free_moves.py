"""Whether a player can take a move back without asking the others."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove

WORLDS = 16  # sampled worlds in which a move must be legal so that it tells nothing about the hand


def is_free(game: AnyGame, before: Any, move: Any, after: Any, seat: int, reveals: Collection[int]) -> bool:
    """Whether a seat may take back one move without asking the others.

    `before` and `after` are the states around that move, and `reveals` is what the game says of it. It is free if it
    reveals nothing, shows nobody a part of the mover's hand, and the match still waits for nobody but that seat. A
    sealed choice is free as well: others still choose, and cannot see what this seat chose.
    """
    if reveals:
        return False
    due = [other for other, decision in game.decisions(after).items() if decision.due]
    if due == [seat]:
        return not shows_hand(game, before, seat, move)
    return _is_sealed(game, before, after, seat)


def shows_hand(game: AnyGame, state: Any, seat: int, move: Any) -> bool:
    """Whether a legal move tells people who watch that the seat could make it, as a card that it plays does.

    They knew it if the move is legal in every world behind their view. Of those, `WORLDS` are sampled.
    """
    sample = game.sampler(game.view(state, None))
    return not all(_is_legal(game, sample(Chance(f"{number:032x}")), seat, move) for number in range(WORLDS))


def _is_legal(game: AnyGame, state: Any, seat: int, move: Any) -> bool:
    try:
        game.check(state, seat, move)
    except IllegalMove:
        return False
    return True


def _is_sealed(game: AnyGame, before: Any, after: Any, seat: int) -> bool:
    """Whether others decide at the same time, and see the same after any other choice of this seat."""
    others = [other for other in game.decisions(before) if other != seat]
    if not others:
        return False
    readers = (None, *others)
    seen = [game.view(after, reader) for reader in readers]
    states = [game.state_after(before, seat, move) for move in game.moves(before, seat)]
    return all([game.view(state, reader) for reader in readers] == seen for state in states)
