"""What is to happen to a match at some time, unless the match changes before: people are called, lobbies close."""

from __future__ import annotations

from typing import Any

from engines.game import AnyGame
from engines.store import Awaited, Change, Info, Status

LOBBY_SECONDS = 24 * 60 * 60
AT_EASE = 60  # seconds for which nobody is called who has only just acted, however soon they like to be


def awaited(game: AnyGame, change: Change, state: Any) -> tuple[Awaited, ...]:
    """All that a match awaits once it is changed like that, with the state it has then."""
    info = change.info
    if info.status is not Status.RUNNING:
        return opened(info)
    wait = 0 if change.action == "start" else None
    mover = change.move.seat if change.move else None
    return tuple(
        Awaited("call", info.changed, seat, decision.number, wait, AT_EASE if seat == mover else 0)
        for seat, decision in game.decisions(state).items()
        if decision.due and info.seats[seat].here
    )


def opened(info: Info) -> tuple[Awaited, ...]:
    """What a match awaits that does not run: a lobby, its end."""
    return (Awaited("expiry", info.created, wait=LOBBY_SECONDS),) if info.status is Status.LOBBY else ()
