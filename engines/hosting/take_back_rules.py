"""What a player may take back, and whom they have to ask. Pure functions of a stored match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from engines.hosting.match import MatchHistory, MatchSnapshot, RequestRefused, StaleDecision, status_sentence
from engines.hosting.match_loading import replay_history
from engines.hosting.timing.due_times import full_number, own_number
from engines.hosting.timing.running_time import clock_stopped
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from engines.kit.taking_back import is_free
from engines.store.match_store import Change, DueTime, MatchInfo, Move, SavedMatch, Status
from engines.store.take_backs import NO_TAKE_BACKS, ClockRest, KeptDecision, TakeBack, TakeBackRequest

DAY = 24 * 60 * 60
LAPSE_SECONDS = 60  # seconds after which a request lapses, unless players have a day or longer for a decision
NOTHING_MADE = "You have made no move that could be taken back."
CAME_TO_LIGHT = "That cannot be taken back, because something hidden came to light. {}"
MOVED_SINCE = "{} has moved since, so your move stands."
CHOOSE_AGAIN = (
    "Nobody else knows that you changed that choice, and they would see that you take it back. "
    "Choose again on your hand instead."
)
RAN_OUT = "{}'s time has run out since, and the computer moved, so your move stands."
NEVER = "Nobody takes moves back at this table. Its host chose that before the start."
FREE_ONLY = (
    "At this table you can take a move back only if the others have seen nothing new and it is still your turn, or if "
    "your choice is sealed. Its host chose that before the start."
)


@dataclass(frozen=True, slots=True)
class TakeBackLimits:
    """How often a person may ask the others: about one move, and in one match."""

    per_decision: int = 1
    per_match: int = 2


@dataclass(frozen=True, slots=True)
class TakeBackPlan:
    """What a take-back would do: its row, the moves that it takes back, and the match after it.

    If it is free, nobody has to agree; otherwise `seats` do. `is_practice`: the match no longer counts after it.
    `is_sealed`: others choose at the same time, and have seen no more of the move than that it was made.
    """

    row: Move
    undone: tuple[Move, ...]
    history: MatchHistory
    is_free: bool
    is_practice: bool
    seats: tuple[int, ...]
    is_sealed: bool = False


def lapse_seconds(info: MatchInfo) -> int:
    """Return for how many seconds a request stays open."""
    seconds = info.house.decision_seconds
    return DAY if seconds is None or seconds >= DAY else LAPSE_SECONDS


def lapse_time(request: TakeBackRequest, info: MatchInfo) -> int:
    """Return when a request lapses, also if a wrong clock wrote that: no later than if it was made with the newest
    change, whose time was put right."""
    return min(request.until, info.changed + lapse_seconds(info))


def plan_take_back(game: AnyGame, info: MatchInfo, saved: SavedMatch, user: int) -> TakeBackPlan:
    """Return what it would do if this person took back their newest move. Raises RequestRefused, saying why not."""
    seat = info.seat_of(user)
    if seat is None:
        raise RequestRefused("You are not sitting at this table.")
    if info.status is not Status.RUNNING:
        raise RequestRefused(status_sentence(info), has_names=True)
    if info.house.takebacks == "never":
        raise RequestRefused(NEVER)
    in_force = saved.in_force()
    place = next((i for i in reversed(range(len(in_force))) if _is_own(in_force[i], seat, user)), None)
    if place is None:
        raise RequestRefused(NOTHING_MADE)
    tail = in_force[place:]
    is_alone = [number for number, each in enumerate(info.seats) if each.has_owner] == [seat]
    states = _states_around(game, saved, in_force, place)
    around = zip(states[:-1], tail, strict=True)
    reveals = [game.reveals(state, row.seat, game.parse_move(row.notation)) for state, row in around]
    shown = frozenset().union(*reveals)
    newest = game.parse_move(tail[0].notation)
    free = all(row.seat == seat for row in tail) and is_free(game, states[0], newest, states[-1], seat, shown)
    only = not free and _stays_sealed(game, states, tail, reveals)
    others = (None, *(number for number in range(len(info.seats)) if number != seat))
    if (free or only) and not _is_seen(game, states[0], states[1], others):
        raise RequestRefused(CHOOSE_AGAIN)  # everybody is told of a take-back, and so of the choice before
    if not free and not only and not is_alone:
        _require_nothing_against(game, info, seat, states, tail, reveals)
    row = Move(info.moves + 1, seat, tail[0].decision, str(TakeBack(tail[0].number, only)), user)
    base = game.checkpoint_adapter.validate_json(saved.base)
    undone = tuple(tail[:1] if only else tail)
    history = replay_history(game, base, (*saved.moves, row))
    seats = tuple(number for number, each in enumerate(info.seats) if each.owner_plays and number != seat)
    is_practice = is_alone and not free and not only
    due = [number for number, each in game.decisions(states[-1]).items() if each.due]
    is_sealed = only or (free and due != [seat])
    return TakeBackPlan(row, undone, history, free or only or is_alone or not seats, is_practice, seats, is_sealed)


def _is_own(row: Move, seat: int, user: int) -> bool:
    """Whether a person chose this move at their seat."""
    return (row.seat, row.user, row.level) == (seat, user, "")


def _states_around(game: AnyGame, saved: SavedMatch, in_force: Sequence[Move], place: int) -> list[Any]:
    """Return the states before each of the moves from that place on, and the last state."""
    state = game.checkpoint_adapter.validate_json(saved.base)
    states = []
    for number, row in enumerate(in_force):
        if number >= place:
            states.append(game.copy(state))
        game.play(state, row.seat, game.parse_move(row.notation))
    return [*states, state]


def _stays_sealed(
    game: AnyGame, states: Sequence[Any], tail: Sequence[Move], reveals: Sequence[frozenset[int]]
) -> bool:
    """Whether the first move is a sealed choice that can be taken back alone, because the others' choices stay."""
    own = tail[0]
    if len(tail) < 2 or any(reveals) or any(row.seat == own.seat for row in tail[1:]):
        return False
    if not is_free(game, states[0], game.parse_move(own.notation), states[1], own.seat, frozenset()):
        return False
    state = game.copy(states[0])
    try:
        for row in tail[1:]:
            move = game.parse_move(row.notation)
            game.check(state, row.seat, move)
            game.play(state, row.seat, move)
    except IllegalMove:
        return False
    decision = game.decisions(states[0])[own.seat]
    return {**game.decisions(states[-1]), own.seat: decision} == {**game.decisions(state)}


def _is_seen(game: AnyGame, before: Any, after: Any, readers: Iterable[int | None]) -> bool:
    """Whether any of these readers sees a difference between two states."""
    return any(game.view(before, reader) != game.view(after, reader) for reader in readers)


def _require_nothing_against(
    game: AnyGame,
    info: MatchInfo,
    seat: int,
    states: Sequence[Any],
    tail: Sequence[Move],
    reveals: Sequence[frozenset[int]],
) -> None:
    """Refuse if somebody else has moved since, or if something hidden came to light.

    It rather names somebody of whom the asker can see that they moved.
    """
    around = zip(tail, states, states[1:], strict=False)
    seen = [row for row, before, after in around if _is_seen(game, before, after, (seat,))]
    for row in (*seen, *tail):
        name = info.seats[row.seat].name
        if row.user and row.level and not row.is_forced:
            raise RequestRefused(RAN_OUT.format(name), has_names=True)
        if row.user and row.seat != seat and not row.is_forced:
            raise RequestRefused(MOVED_SINCE.format(name), has_names=True)
    for state, row, shown in zip(states, tail, reveals, strict=False):
        if shown:
            move = game.parse_move(row.notation)
            raise RequestRefused(CAME_TO_LIGHT.format(game.describe_reveal(state, row.seat, move, seat)))


def kept_decisions(game: AnyGame, info: MatchInfo, state: Any, plan: TakeBackPlan) -> tuple[KeptDecision, ...]:
    """Return the decisions that are open before a take-back and after it, with nothing else to see and to choose.

    They keep their numbers, and with them everything that is stored under a number: deadlines, pings, steps, advice and
    controls. That a sealed choice is open again is nothing to see.
    """
    after, before = plan.history.state, game.decisions(state)
    return tuple(
        KeptDecision(seat, decision.number, full_number(info, seat, decision.number) - decision.number)
        for seat, decision in game.decisions(after).items()
        if before.get(seat) == decision
        and game.moves(state, seat) == game.moves(after, seat)
        and (plan.is_sealed or game.view(state, seat) == game.view(after, seat))
    )


def clocks_after(
    game: AnyGame,
    info: MatchInfo,
    state: Any,
    after: Any,
    deadlines: Mapping[int, DueTime],
    kept: Sequence[KeptDecision],
    now: int,
) -> tuple[ClockRest, ...]:
    """Return how long the open decisions have after a take-back from one state to another.

    The clocks ran until `now`. A decision that was open keeps its time; those that are `kept` have their deadlines. One
    that comes back has all its time, but only once: after that it has what was left when it was made again. Clocks with
    move seconds have banks instead, see `time_banks`.
    """
    seconds = info.house.decision_seconds
    if seconds is None or info.house.move_seconds:
        return ()
    before, found = game.decisions(state), []
    for seat, decision in game.decisions(after).items():
        old, earlier = before.get(seat), info.take_backs.clock_of(seat, decision.number)
        if any((each.seat, each.number) == (seat, decision.number) for each in kept):
            found += [earlier] if earlier else []
        elif old is not None and old.number == decision.number and seat in deadlines:
            left = seconds_left(deadlines[seat], earlier.seconds if earlier else seconds, now)
            found.append(ClockRest(seat, decision.number, left))
        elif decision.due:
            found.append(earlier or ClockRest(seat, decision.number, seconds))
    return tuple(found)


def seconds_left(due: DueTime, seconds: int, now: int) -> int:
    """Return what is left of a clock of so many seconds, whose deadline may be later because of a rest. At least one
    second, because a clock without any would run out before anybody sees it."""
    return max(1, min(seconds, due.at - now))


def settle_requests(before: MatchInfo, change: Change) -> Change:
    """Return the change with what becomes of requests through it.

    A request lapses with the next move, with a pause, and if somebody whom it concerns changes. Somebody new at a seat
    has asked nothing yet.
    """
    old = change.info.take_backs
    if old == NO_TAKE_BACKS:
        return change
    new, info = old, change.info
    if old.request is not None and (_is_past(before, change) or info.status is not Status.RUNNING):
        new = replace(new, request=None)
    if any(was.user != now.user for was, now in zip(before.seats, info.seats, strict=False)) and old.asked:
        users = [(was.user == now.user) for was, now in zip(before.seats, info.seats, strict=True)]
        new = replace(new, asked=tuple(asked if same else () for asked, same in zip(old.asked, users, strict=True)))
    return change if new == old else replace(change, info=replace(info, take_backs=new))


def settle_restarted_clocks(
    before: MatchInfo, deadlines: Mapping[int, DueTime], change: Change, rest_began: int | None = None
) -> Change:
    """Return the change with the time that a move leaves of a deadline that a take-back restarted."""
    move, info = change.move, change.info
    if move is None or move.take_back is not None:
        return change
    clock = info.take_backs.clock_of(move.seat, own_number(before, move.seat, move.decision))
    due = deadlines.get(move.seat)
    if clock is None or due is None:
        return change
    stopped = clock_stopped(info.changed, rest_began)
    left = replace(clock, seconds=seconds_left(due, clock.seconds, stopped))
    clocks = tuple(left if each is clock else each for each in info.take_backs.clocks)
    return replace(change, info=replace(info, take_backs=replace(info.take_backs, clocks=clocks)))


def _is_past(before: MatchInfo, change: Change) -> bool:
    request, seats = change.info.take_backs.request, change.info.seats
    if change.move is not None and change.move.take_back is None:
        return True
    assert request is not None
    return any(
        (before.seats[seat].user, before.seats[seat].owner_plays) != (seats[seat].user, seats[seat].owner_plays)
        for seat in (request.seat, *request.seats)
    )


def require_current(snapshot: MatchSnapshot, user: int, seen: str | None) -> None:
    """Refuse a request that was offered when its player saw something else; None is about the present."""
    seat = snapshot.info.seat_of(user)
    if seen is not None and seat is not None and seen != view_stamp(snapshot, seat):
        raise StaleDecision


def view_stamp(snapshot: MatchSnapshot, seat: int) -> str:
    """Return a short stamp of what a seat's player sees, and so of what they can take back. It never comes up again
    after a take-back.

    It must not depend on anything else, such as the number of all moves: that counts choices which only others know.
    """
    return _stamp(snapshot.info, seat, snapshot.view(seat) if snapshot.state is not None else None)


def request_stamp(info: MatchInfo) -> str:
    """Return a short stamp of the request to take a move back, from what everybody knows of it."""
    request = info.take_backs.request
    return "" if request is None else _stamp(info, request.seat, request.until, sum(map(len, info.take_backs.asked)))


def _stamp(info: MatchInfo, *seen: object) -> str:
    return blake2b(repr((info.id, info.decision_offset, *seen)).encode(), digest_size=4).hexdigest()
