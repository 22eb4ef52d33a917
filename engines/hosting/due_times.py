"""Computes what is due for a match and when: turn pings, deadlines and the expiry of lobbies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.kit.contract import AnyGame
from engines.store.match_store import Change, DueRule, DueTime, MatchInfo, Status
from engines.store.table_options import LIVE_SECONDS

LOBBY_SECONDS = 24 * 60 * 60
MIN_CALL_SECONDS = 60  # seconds after an action before a player may be pinged, whatever delay they chose
MAX_CALL_DELAY = 10 * 60  # seconds after the last change of a match; after that, clicks no longer delay a ping
LONG_DECISION_SECONDS = 60 * 60  # seconds; decisions with at least this much time get a reminder
REMINDER_FRACTION = 4  # the reminder comes when a quarter of the time is left
# Seconds. A shorter absence does not postpone the deadlines of long decisions, because each player would get a notice.
BRIEF_ABSENCE_SECONDS = 60
RETURN_SECONDS = 15  # seconds that an open decision has at least after an outage, which may be noticed late
NOTICEABLE_FRACTION = 20  # a fraction of the decision time; a smaller extension is not shown
MIN_CALL_LEAD = 10  # seconds that a turn ping leaves its player at least; a later one is not sent


def due_rules_after(game: AnyGame, change: Change, state: Any) -> tuple[DueRule, ...]:
    """Return everything due for a match after this change. `state` is the game state after it."""
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
    """Return each seat's deadline after this change. A decision that is still open keeps its deadline."""
    found = {}
    for each in change.due_rules:
        if each.kind == "clock":
            old = old_deadlines.get(each.seat)
            new = DueTime("clock", change.info.id, each.seat, each.decision, each.since + (each.delay or 0))
            found[each.seat] = old if old is not None and old.decision == each.decision else new
    return found


def delayed_call_time(at: int, now: int, call_delay: int, changed_at: int, clock: tuple[int | None, int | None]) -> int:
    """Return the time of a turn ping that was due `at`, for a player who is active now and chose this delay in seconds.

    The delay is limited: the ping comes soon after the last change of the match, and before the last minute of the
    player's time, except on a live clock. `clock` is when the player's clock started and its deadline, if any.
    """
    latest = changed_at + MAX_CALL_DELAY
    started, deadline = clock
    if started is not None and deadline is not None and deadline - started >= LIVE_SECONDS:
        latest = min(latest, deadline - MIN_CALL_SECONDS)
    return max(at, min(now + max(call_delay, MIN_CALL_SECONDS), latest))


def is_late_call(due: DueTime, deadline: DueTime | None) -> bool:
    """Whether this is a turn ping that comes when its player has hardly any time left."""
    return due.kind == "call" and deadline is not None and deadline.at - due.at < MIN_CALL_LEAD


def is_noticeable(extension: int, decision_seconds: int) -> bool:
    """Whether people should see that a decision was postponed by so many seconds; on a live clock they always do."""
    return extension * NOTICEABLE_FRACTION > decision_seconds or decision_seconds < LIVE_SECONDS


def stays(info: MatchInfo, kind: str, seat: int) -> bool:
    """Whether a seat keeps its turn ping and its move step although nothing is due: during a pause."""
    return info.status is Status.PAUSED and kind == "call" and info.seats[seat].owner_plays


def lobby_due_rules(info: MatchInfo) -> tuple[DueRule, ...]:
    """Return what is due for a match that is not running: a lobby's expiry."""
    return (DueRule("expiry", info.created, delay=LOBBY_SECONDS),) if info.status is Status.LOBBY else ()


def _deadline_rules(info: MatchInfo, seat: int, decision: int) -> tuple[DueRule, ...]:
    """Return the reminder and the deadline of a decision."""
    seconds = info.banks[seat] if info.house.move_seconds else info.house.decision_seconds
    if seconds is None:
        return ()
    clock = DueRule("clock", info.changed, seat, decision, seconds)
    reminder = DueRule("reminder", info.changed, seat, decision, seconds - seconds // REMINDER_FRACTION)
    is_long = seconds >= LONG_DECISION_SECONDS and not info.house.move_seconds
    return (reminder, clock) if is_long else (clock,)
