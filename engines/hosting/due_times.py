"""What is to happen to a match at some time, unless it changes before: calls, deadlines, the end of lobbies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.kit.contract import AnyGame
from engines.store.match_store import Change, DueRule, DueTime, MatchInfo, Status

LOBBY_SECONDS = 24 * 60 * 60
MIN_CALL_SECONDS = 60  # seconds for which nobody is called who has only just acted, however soon they like to be
MAX_CALL_DELAY = 10 * 60  # seconds after a match has changed, from when on no click puts off a call any more
LONG_DECISION_SECONDS = 60 * 60  # seconds for a decision; where there are as many, or more, somebody is reminded
REMINDER_FRACTION = 4  # the part of the time that is left then: a quarter
BRIEF_ABSENCE_SECONDS = (
    60  # seconds; an absence that is shorter puts off no deadline of so long a decision: each would be told anew
)


def due_rules_after(game: AnyGame, change: Change, state: Any) -> tuple[DueRule, ...]:
    """All that a match awaits once it is changed like that, with the state it has then."""
    info = change.info
    if info.status is not Status.RUNNING:
        return lobby_due_rules(info)
    wait = 0 if change.action == "start" else None
    mover = change.move.seat if change.move else None
    found: list[DueRule] = []
    for seat, decision in game.decisions(state).items():
        if decision.due and info.seats[seat].owner_plays:
            least = MIN_CALL_SECONDS if seat == mover else 0
            found.append(DueRule("call", info.changed, seat, decision.number, wait, least))
            found += _deadline_rules(info, seat, decision.number)
    return tuple(found)


def deadlines_after(old_deadlines: Mapping[int, DueTime], change: Change) -> dict[int, DueTime]:
    """When the time of each seat's decision runs out, once a match is changed like that. Who had some keeps it."""
    found = {}
    for each in change.due_rules:
        if each.kind == "clock":
            old = old_deadlines.get(each.seat)
            new = DueTime("clock", change.info.id, each.seat, each.decision, each.since + (each.delay or 0))
            found[each.seat] = old if old is not None and old.decision == each.decision else new
    return found


def delayed_call_time(at: int, now: int, call_delay: int, changed_at: int, deadline: int | None) -> int:
    """When a call comes that was to come `at`, of somebody who is at it now and likes it so many seconds later.

    It is not put off for ever: neither long after the match has changed, nor to the last minute of their time.
    """
    latest = changed_at + MAX_CALL_DELAY
    if deadline is not None:
        latest = min(latest, deadline - MIN_CALL_SECONDS)
    return max(at, min(now + max(call_delay, MIN_CALL_SECONDS), latest))


def stays(info: MatchInfo, kind: str, seat: int) -> bool:
    """Whether the way of a seat stays with its call though the match does not await that: in a pause."""
    return info.status is Status.PAUSED and kind == "call" and info.seats[seat].owner_plays


def lobby_due_rules(info: MatchInfo) -> tuple[DueRule, ...]:
    """What a match awaits that does not run: a lobby, its end."""
    return (DueRule("expiry", info.created, delay=LOBBY_SECONDS),) if info.status is Status.LOBBY else ()


def _deadline_rules(info: MatchInfo, seat: int, decision: int) -> tuple[DueRule, ...]:
    """What becomes of a decision that is not made: somebody is reminded of it, and then it is made for them."""
    seconds = info.house.decision_seconds
    if seconds is None:
        return ()
    clock = DueRule("clock", info.changed, seat, decision, seconds)
    reminder = DueRule("reminder", info.changed, seat, decision, seconds - seconds // REMINDER_FRACTION)
    return (reminder, clock) if seconds >= LONG_DECISION_SECONDS else (clock,)
