"""What is to happen to a match at some time, unless it changes before: calls, deadlines, the end of lobbies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.kit.contract import AnyGame
from engines.store.match_store import Awaited, Change, Due, Info, Status

LOBBY_SECONDS = 24 * 60 * 60
AT_EASE = 60  # seconds for which nobody is called who has only just acted, however soon they like to be
PUT_OFF = 10 * 60  # seconds after a match has changed, from when on no click puts off a call any more
LONG = 60 * 60  # seconds for a decision; where there are as many, or more, somebody is reminded
LEFT = 4  # the part of the time that is left then: a quarter
BRIEF = 60  # seconds; an absence that is shorter puts off no deadline of so long a decision: each would be told anew


def awaited(game: AnyGame, change: Change, state: Any) -> tuple[Awaited, ...]:
    """All that a match awaits once it is changed like that, with the state it has then."""
    info = change.info
    if info.status is not Status.RUNNING:
        return opened(info)
    wait = 0 if change.action == "start" else None
    mover = change.move.seat if change.move else None
    found: list[Awaited] = []
    for seat, decision in game.decisions(state).items():
        if decision.due and info.seats[seat].present:
            least = AT_EASE if seat == mover else 0
            found.append(Awaited("call", info.changed, seat, decision.number, wait, least))
            found += _timed(info, seat, decision.number)
    return tuple(found)


def clocks(before: Mapping[int, Due], change: Change) -> dict[int, Due]:
    """When the time of each seat's decision runs out, once a match is changed like that. Who had some keeps it."""
    found = {}
    for each in change.awaited:
        if each.kind == "clock":
            old = before.get(each.seat)
            new = Due("clock", change.info.id, each.seat, each.decision, each.since + (each.wait or 0))
            found[each.seat] = old if old is not None and old.decision == each.decision else new
    return found


def put_off(at: int, now: int, call: int, changed: int, runs_out: int | None) -> int:
    """When a call comes that was to come `at`, of somebody who is at it now and likes it so many seconds later.

    It is not put off for ever: neither long after the match has changed, nor to the last minute of their time.
    """
    latest = changed + PUT_OFF
    if runs_out is not None:
        latest = min(latest, runs_out - AT_EASE)
    return max(at, min(now + max(call, AT_EASE), latest))


def stays(info: Info, kind: str, seat: int) -> bool:
    """Whether the way of a seat stays with its call though the match does not await that: in a pause."""
    return info.status is Status.PAUSED and kind == "call" and info.seats[seat].present


def opened(info: Info) -> tuple[Awaited, ...]:
    """What a match awaits that does not run: a lobby, its end."""
    return (Awaited("expiry", info.created, wait=LOBBY_SECONDS),) if info.status is Status.LOBBY else ()


def _timed(info: Info, seat: int, decision: int) -> tuple[Awaited, ...]:
    """What becomes of a decision that is not made: somebody is reminded of it, and then it is made for them."""
    seconds = info.house.seconds
    if seconds is None:
        return ()
    clock = Awaited("clock", info.changed, seat, decision, seconds)
    reminder = Awaited("reminder", info.changed, seat, decision, seconds - seconds // LEFT)
    return (reminder, clock) if seconds >= LONG else (clock,)
