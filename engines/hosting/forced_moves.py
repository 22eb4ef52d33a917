"""Forced moves: decisions of people with one legal move, as everybody can see. With the table option *autoplay* such a
move plays itself. Pure functions."""

from __future__ import annotations

from typing import Any

from engines.kit.contract import AnyGame
from engines.store.match_store import MatchInfo, Status


def forced_seats(game: AnyGame, info: MatchInfo, state: Any) -> frozenset[int]:
    """Return the seats whose decision is due and plays itself, in this state of a match.

    A computer's seat is none of them, because it moves anyway.
    """
    if info.status is not Status.RUNNING or not info.house.autoplay:
        return frozenset()
    due = [seat for seat, each in game.decisions(state).items() if each.due and info.seats[seat].owner_plays]
    if not due:
        return frozenset()
    view = game.view(state, None)  # a spectator's, so that nothing is revealed
    return frozenset(seat for seat in due if game.is_forced(view, seat))
