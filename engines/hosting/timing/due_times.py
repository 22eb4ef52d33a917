"""Computes what is due for a match and when: turn pings, deadlines, ends of rests and the expiry of lobbies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engines.hosting.timing.running_time import decision_start
from engines.kit.contract import AnyGame, Decision
from engines.store.match_store import LAPSE, Change, DueKind, DueRule, DueTime, MatchInfo, Status
from engines.store.table_options import LIVE_SECONDS, TableOptions

LOBBY_SECONDS = 24 * 60 * 60
PRACTICE_SECONDS = 24 * 60 * 60  # seconds without any change, after which a practice match ends
MIN_CALL_SECONDS = 60  # seconds after an action before a player may be pinged, whatever delay they chose
MAX_CALL_DELAY = 10 * 60  # seconds after the last change of a match; after that, clicks no longer delay a ping
LONG_DECISION_SECONDS = 60 * 60  # seconds; decisions with at least this much time get a reminder
REMINDER_FRACTION = 4  # the reminder comes when a quarter of the time is left
# Seconds. A shorter absence does not postpone the deadlines of long decisions, because each player would get a notice.
BRIEF_ABSENCE_SECONDS = 60
FUTURE_SECONDS = 60  # seconds; a stored time that lies further in the future was written by a wrong clock
RETURN_SECONDS = 15  # seconds that an open decision has at least after an outage, which may be noticed late
NOTICEABLE_FRACTION = 20  # a fraction of the decision time; a smaller extension is not shown
ASK_CALL_SECONDS = 10  # seconds after which a player is pinged who has to answer a request soon
ASK_NUMBERS = 1_000_000_000  # numbers from here on stand for requests
MIN_CALL_LEAD = 10  # seconds that a turn ping leaves its player at least; a later one is not sent


@dataclass(frozen=True, slots=True)
class PendingDue:
    """Something stored that is still to come for a seat: since when it counts, and its time.

    The turn ping of a player who wants none has no time.
    """

    kind: DueKind
    since: int
    at: int | None


def due_rules_after(game: AnyGame, change: Change, state: Any) -> tuple[DueRule, ...]:
    """Return everything due for a match after this change. `state` is the game state after it."""
    info = change.info
    if info.status is not Status.RUNNING:
        return (*lobby_due_rules(info), *_practice_rules(info))
    wait = 0 if change.action == "start" else None
    mover = change.move.seat if change.move else None
    found, born = request_rules(info), decision_start(info)
    forced = forced_seats(
        game, info, state
    )  # nobody is pinged for a move that is made automatically, and no clock runs
    for seat, decision in open_decisions(game, info, state).items():
        if decision.due and info.seats[seat].owner_plays and seat not in forced:
            least = MIN_CALL_SECONDS if seat == mover else 0
            start = rest_end(born, info.seats[seat].rest_until, info.table_options)
            found.append(DueRule("call", start, seat, decision.number, wait, least))
            found += _deadline_rules(info, seat, decision.number, born, start - born)
    return (*found, *_rest_rules(info), *_practice_rules(info))


def rest_end(since: int, rest_until: int, table_options: TableOptions) -> int:
    """Return when the clock and the pings of a decision begin that came up at `since`.

    That is at once, or when its player no longer rests. A table limits how long a decision may rest, counted from the
    moment at which it came up, however often its player rests.
    """
    limit = table_options.rest_seconds
    return max(since, rest_until if limit is None else min(rest_until, since + limit))


def due_after_rest(
    pending: Sequence[PendingDue], table_options: TableOptions, old_end: int, new_end: int, now: int
) -> list[PendingDue]:
    """Return what is due for one seat at a new time, because its player rests until another time than before.

    A clock that rests until after now starts again from the beginning. Nothing else gets less time. A short clock never
    rests, and neither does the bank of a seat.
    """
    if table_options.has_short_clock:
        return []
    clock = next((each for each in pending if each.kind == "clock"), None)
    found = []
    for each in pending:
        if each.kind == "call":
            moved = _call_after_rest(each, clock.since if clock else min(each.since, now), table_options, new_end, now)
        else:
            old_start, seconds = rest_end(each.since, old_end, table_options), _seconds_until(each.kind, table_options)
            is_resting = old_start > now
            if is_resting and each.at is not None:  # an undo may have left its clock less than all its time
                seconds = min(seconds, each.at - old_start)
            at = rest_end(each.since, new_end, table_options) + seconds
            moved = replace(each, at=at if is_resting or each.at is None else max(each.at, at))
        if moved != each:
            found.append(moved)
    return found


def _call_after_rest(
    call: PendingDue, rest_start: int, table_options: TableOptions, new_end: int, now: int
) -> PendingDue:
    """Return a turn ping after a rest was changed. It counts from the end of the rest, or from the last activity."""
    start = rest_end(rest_start, new_end, table_options)
    since = start if call.since > now else max(call.since, start)
    return replace(call, since=since, at=None if call.at is None else since + call.at - call.since)


def _seconds_until(kind: DueKind, table_options: TableOptions) -> int:
    """Return how many seconds after the start of a clock its deadline or the reminder of it comes."""
    seconds = table_options.decision_seconds or 0
    return seconds - seconds // REMINDER_FRACTION if kind == "reminder" else seconds


def open_decisions(game: AnyGame, info: MatchInfo, state: Any) -> Mapping[int, Decision]:
    """Return who may act in a state, by seat."""
    found = game.decisions(state)
    if not info.decision_offset:
        return found
    return {seat: replace(each, number=full_number(info, seat, each.number)) for seat, each in found.items()}


def full_number(info: MatchInfo, seat: int, number: int) -> int:
    """Return the number under which a match knows a seat's decision that has this number in the game.

    The game's numbers repeat after an undo. With the offset, a number never comes up twice for a seat, unless the
    decision is the same: those that stay open through an undo keep theirs.
    """
    offsets = (each.offset for each in info.undoing.kept if (each.seat, each.number) == (seat, number))
    return number + next(offsets, info.decision_offset)


def own_number(info: MatchInfo, seat: int, number: int) -> int:
    """Return the number in the game of a seat's decision, the reverse of `full_number`."""
    numbers = (each.number for each in info.undoing.kept if (each.seat, each.number + each.offset) == (seat, number))
    return next(numbers, number - info.decision_offset)


def clock_seconds(info: MatchInfo, seat: int, decision: int) -> int | None:
    """Return for how many seconds the clock of a seat's decision runs once it has started; None without a clock."""
    if info.table_options.move_seconds:
        return info.banks[seat]
    restarted = info.undoing.clock_of(seat, own_number(info, seat, decision))
    return info.table_options.decision_seconds if restarted is None else restarted.seconds


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
    """Return what is due for a match that is not running: a lobby's expiry, and the rests of those who joined."""
    if info.status is not Status.LOBBY:
        return ()
    return (DueRule("expiry", info.created, delay=LOBBY_SECONDS), *_rest_rules(info))


def request_rules(info: MatchInfo) -> list[DueRule]:
    """Return the end of the open request, and the pings of those who have to answer it.

    If there is little time, they are pinged soon; otherwise as for a turn.
    """
    request = info.undoing.open_request
    if request is None:
        return []
    left = request.until - info.changed
    delay = ASK_CALL_SECONDS if left < MAX_CALL_DELAY else None
    asks = [DueRule("ask", info.changed, seat, ask_number(request.move), delay) for seat in request.waiting]
    return [DueRule(LAPSE, info.changed, decision=request.move, delay=left), *asks]


def ask_number(move: int) -> int:
    """Return what stands for a decision's number in the ping about a request; no decision has this number."""
    return ASK_NUMBERS + move


def _practice_rules(info: MatchInfo) -> tuple[DueRule, ...]:
    """Return the end of a started practice match. Every change of the match postpones it."""
    if not info.practice or info.status not in (Status.RUNNING, Status.PAUSED):
        return ()
    return (DueRule("expiry", info.changed, decision=info.revision, delay=PRACTICE_SECONDS),)


def _rest_rules(info: MatchInfo) -> tuple[DueRule, ...]:
    """Return the ends of the rests of the people at the table."""
    return tuple(
        DueRule("break", seat.rest_until, number, seat.rest_until, 0)
        for number, seat in enumerate(info.seats)
        if seat.has_owner and seat.rest_until
    )


def _deadline_rules(info: MatchInfo, seat: int, decision: int, born: int, rest: int) -> tuple[DueRule, ...]:
    """Return the reminder and the deadline of a decision that came up at `born` and rests for so many seconds."""
    seconds = clock_seconds(info, seat, decision)
    if seconds is None:
        return ()
    clock = DueRule("clock", born, seat, decision, rest + seconds)
    reminder = DueRule("reminder", born, seat, decision, rest + seconds - seconds // REMINDER_FRACTION)
    is_long = seconds >= LONG_DECISION_SECONDS and not info.table_options.move_seconds
    return (reminder, clock) if is_long else (clock,)


def forced_seats(game: AnyGame, info: MatchInfo, state: Any) -> frozenset[int]:
    """Return the seats of people whose decision is made automatically: it is due, and everybody can see that it has one
    legal move. That is so with the table option *autoplay* alone.

    A computer's seat is none of them, because it moves anyway.
    """
    if info.status is not Status.RUNNING or not info.table_options.autoplay:
        return frozenset()
    due = [seat for seat, each in game.decisions(state).items() if each.due and info.seats[seat].owner_plays]
    if not due:
        return frozenset()
    view = game.view(state, None)  # a spectator's, so that nothing is revealed
    return frozenset(seat for seat in due if game.is_forced(view, seat))
