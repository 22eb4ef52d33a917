"""What a player may take back, and whom they have to ask. Pure functions of a stored match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engines.hosting.match import MatchHistory, RequestRefused, StaleDecision, status_sentence
from engines.hosting.match_loading import replay_history
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from engines.kit.taking_back import is_free
from engines.store.match_store import Change, DueTime, MatchInfo, Move, SavedMatch, Status
from engines.store.take_backs import NO_TAKE_BACKS, ClockRest, TakeBack, TakeBacks

DAY = 24 * 60 * 60
LAPSE_SECONDS = 60  # seconds after which a request lapses, unless players have a day or longer for a decision
NOTHING_MADE = "You have made no move that could be taken back."
CAME_TO_LIGHT = "That cannot be taken back, because something hidden came to light. {}"
MOVED_SINCE = "{} has moved since, so your move stands."
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
    """

    row: Move
    undone: tuple[Move, ...]
    history: MatchHistory
    is_free: bool
    is_practice: bool
    seats: tuple[int, ...]


def lapse_seconds(info: MatchInfo) -> int:
    """Return for how many seconds a request stays open."""
    seconds = info.house.decision_seconds
    return DAY if seconds is None or seconds >= DAY else LAPSE_SECONDS


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
    if not free and not only and not is_alone:
        _require_nothing_against(game, info, seat, states, tail, reveals)
    row = Move(info.moves + 1, seat, tail[0].decision, str(TakeBack(tail[0].number, only)), user)
    base = game.checkpoint_adapter.validate_json(saved.base)
    undone = tuple(tail[:1] if only else tail)
    history = replay_history(game, base, (*saved.moves, row))
    seats = tuple(number for number, each in enumerate(info.seats) if each.owner_plays and number != seat)
    is_practice = is_alone and not free and not only
    return TakeBackPlan(row, undone, history, free or only or is_alone or not seats, is_practice, seats)


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


def _require_nothing_against(
    game: AnyGame,
    info: MatchInfo,
    seat: int,
    states: Sequence[Any],
    tail: Sequence[Move],
    reveals: Sequence[frozenset[int]],
) -> None:
    """Refuse if somebody else has moved since, or if something hidden came to light."""
    for row in tail:
        name = info.seats[row.seat].name
        if row.user and row.level and not row.is_forced:
            raise RequestRefused(RAN_OUT.format(name), has_names=True)
        if row.user and row.seat != seat and not row.is_forced:
            raise RequestRefused(MOVED_SINCE.format(name), has_names=True)
    for state, row, shown in zip(states, tail, reveals, strict=False):
        if shown:
            move = game.parse_move(row.notation)
            raise RequestRefused(CAME_TO_LIGHT.format(game.describe_reveal(state, row.seat, move, seat)))


def clocks_after(
    game: AnyGame, info: MatchInfo, state: Any, after: Any, deadlines: Mapping[int, DueTime], now: int
) -> tuple[ClockRest, ...]:
    """Return how long the open decisions have after a take-back from one state to another.

    A decision that was open keeps its time. One that comes back has all its time, but only once: after that it has what
    was left when it was made again.
    """
    seconds = info.house.decision_seconds
    if seconds is None or info.house.move_seconds:
        return ()
    before, found = game.decisions(state), []
    for seat, decision in game.decisions(after).items():
        old = before.get(seat)
        if old is not None and old.number == decision.number and seat in deadlines:
            found.append(ClockRest(seat, decision.number, max(0, deadlines[seat].at - now)))
        elif decision.due:
            earlier = info.take_backs.clock_of(seat, decision.number)
            found.append(earlier or ClockRest(seat, decision.number, seconds))
    return tuple(found)


def settle_take_backs(before: MatchInfo, deadlines: Mapping[int, DueTime], change: Change) -> Change:
    """Return the change with what becomes of requests and clocks through it.

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
    move = change.move
    if move is not None and move.take_back is None:
        new = _with_time_left(new, move, info, deadlines)
    return change if new == old else replace(change, info=replace(info, take_backs=new))


def _is_past(before: MatchInfo, change: Change) -> bool:
    request, seats = change.info.take_backs.request, change.info.seats
    if change.move is not None and change.move.take_back is None:
        return True
    assert request is not None
    return any(
        (before.seats[seat].user, before.seats[seat].owner_plays) != (seats[seat].user, seats[seat].owner_plays)
        for seat in (request.seat, *request.seats)
    )


def _with_time_left(take_backs: TakeBacks, move: Move, info: MatchInfo, deadlines: Mapping[int, DueTime]) -> TakeBacks:
    """Return them with the time that a move left of a deadline that was restarted."""
    clock, due = take_backs.clock_of(move.seat, move.decision - info.decision_offset), deadlines.get(move.seat)
    if clock is None or due is None:
        return take_backs
    left = replace(clock, seconds=max(0, due.at - info.changed))
    return replace(take_backs, clocks=tuple(left if each is clock else each for each in take_backs.clocks))


def require_current(info: MatchInfo, moves: int | None) -> None:
    """Refuse a request that was offered before another move or take-back; None is about the present."""
    if moves is not None and moves != info.moves:
        raise StaleDecision
