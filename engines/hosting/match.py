"""One match in memory: its header, its game state, and questions about it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from weakref import ReferenceType, ref

from engines.hosting.timing.due_times import clock_seconds, forced_seats, open_decisions
from engines.hosting.timing.running_time import time_runs
from engines.kit.contract import AnyGame, Decision, Event, Outcome
from engines.store.match_store import FORCED, RECENT_CLICKS, Change, DueTime, MatchInfo, Move, Seat, Status
from engines.store.undoing import TableRequest

T = TypeVar("T")
TIME_RESTS = "The players have to decide something first. Until then, the computer makes no moves."
NOBODY_PLAYS = "Nobody was left to play."
MAX_MISSED = 3  # deadlines missed in a row before the player is away and the computer plays on


class RequestRefused(Exception):
    """A request was refused. The message is a sentence for the person who asked. Nothing has changed.

    `has_names`: the message contains names or words of people, and no intended markdown.
    """

    def __init__(self, sentence: str = "", *, has_names: bool = False) -> None:
        super().__init__(sentence)
        self.has_names = has_names


class NewerMatch(RequestRefused):
    """A match needs a newer version of the bot. It stays exactly as it is."""

    def __init__(self, info: MatchInfo) -> None:
        super().__init__(
            f"Match `{info.id}` was started by a newer version of me, and I am being updated. Nothing is lost: "
            "please try again in a few minutes."
        )


class StaleDecision(RequestRefused):
    """A choice for a decision that is no longer open. Nothing has changed."""

    def __init__(self) -> None:
        super().__init__("That choice is no longer open. Here is how things stand now.")


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """An event and the number of the move that caused it."""

    move: int
    event: Event


@dataclass(frozen=True, slots=True)
class UndoneMoves:
    """An undo: its own number, its seat, and the moves taken back, oldest first, with the events of the first."""

    number: int
    seat: int
    moves: tuple[int, ...]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class MatchSnapshot:
    """A match at one moment, for display. Its state never changes."""

    info: MatchInfo
    game: AnyGame
    options: Any
    state: Any  # None before the start
    events: tuple[MatchEvent, ...] = ()
    movers: tuple[int, ...] = ()  # the seat of each move since `events` begins, oldest first
    computer_moves: frozenset[int] = frozenset()  # the numbers of the moves that computers made
    timeout_moves: frozenset[int] = frozenset()  # the numbers of the moves that computers made after a deadline
    deadlines: Mapping[int, DueTime] = field(default_factory=dict)  # the deadline of each seat's decision
    forced_moves: frozenset[int] = frozenset()  # the numbers of the moves that were made automatically
    undone_moves: frozenset[int] = frozenset()  # the numbers of the moves that were taken back, and of the undos
    undos: tuple[UndoneMoves, ...] = ()  # the latest undos, oldest first
    lapse: DueTime | None = None  # the stored end of the request; None: its own
    _computed_values: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def compute_once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Compute a value for this snapshot once. Later calls with the same `key` get the same result."""
        if key not in self._computed_values:
            self._computed_values[key] = compute()
        found: T = self._computed_values[key]
        return found

    def has_computed(self, key: Hashable) -> bool:
        """Whether that value is already computed."""
        return key in self._computed_values

    def decisions(self) -> Mapping[int, Decision]:
        """Return who may act now. Empty unless the match is running."""
        if self.info.status is not Status.RUNNING:
            return {}
        return self.compute_once("decisions", lambda: open_decisions(self.game, self.info, self.state))

    def due_seats(self) -> tuple[int, ...]:
        """Return the seats that the match is waiting for, in order."""
        return tuple(sorted(seat for seat, decision in self.decisions().items() if decision.due))

    def forced_seats(self) -> frozenset[int]:
        """Return the people's seats whose decision is made automatically."""
        return self.compute_once("forced seats", lambda: forced_seats(self.game, self.info, self.state))

    def view(self, seat: int | None) -> Any:
        """Return what a seat may know of the game. A spectator's seat is None."""
        return self.compute_once(("view", seat), lambda: self.game.view(self.state, seat))

    def moves(self, seat: int) -> Sequence[Any]:
        """Return the seat's legal moves. Empty unless it may act."""
        return self.game.moves(self.state, seat) if seat in self.decisions() else ()

    def outcome(self) -> Outcome | None:
        """Return the outcome, if the match was played to its end."""
        return self.game.outcome(self.state) if self.info.status is Status.OVER else None

    def last_move_number(self, seat: int | None = None) -> int:
        """Return the number of the newest move that a seat or its current player chose; of all seats by default. 0 if
        there is none."""
        first = self.info.moves - len(self.movers)
        if seat is None:
            return self.info.moves if self.movers else 0
        own = (first + i + 1 for i in reversed(range(len(self.movers))) if self.movers[i] == seat)
        others = self.timeout_moves | self.forced_moves | self.undone_moves
        return next((number for number in own if number not in others), 0)

    def has_move_in_force(self, seat: int) -> bool:
        """Whether a seat has made a move, as far as the match remembers, that was not taken back."""
        first = self.info.moves - len(self.movers) + 1
        own_moves = (number for number, mover in enumerate(self.movers, first) if mover == seat)
        return any(number not in self.undone_moves for number in own_moves)

    @property
    def due_times(self) -> tuple[Mapping[int, DueTime], DueTime | None]:
        """What the shown countdowns depend on. An absence changes it without a new revision."""
        return self.deadlines, self.lapse

    def deadline(self, seat: int | None = None) -> int | None:
        """Return the deadline of a seat, or the earliest one of the match. None if there is none, or if time rests."""
        times = [due.at for each, due in self.deadlines.items() if seat in (None, each)]
        return min(times, default=None) if time_runs(self.info) else None

    def lapses_at(self, request: TableRequest) -> int:
        """Return when an open request lapses."""
        lapse = self.lapse
        return lapse.at if lapse is not None and lapse.decision == request.move else request.until

    def rests_until(self, seat: int) -> int:
        """Return when the clock and the pings of a seat's decision begin, if its player rests; 0 if not."""
        until, due = self.info.seats[seat].rest_until, self.deadlines.get(seat)
        seconds = None if due is None else clock_seconds(self.info, seat, due.decision)
        return until if due is None or seconds is None else min(until, due.at - seconds)

    def mover_of(self, move: int) -> int:
        """Return the seat that made this move."""
        return self.movers[move - 1 - self.info.moves + len(self.movers)]

    def visible_events(self, seat: int | None, after: int) -> list[MatchEvent]:
        """Return the events after the given move that the seat may see, oldest first."""
        return [each for each in self.events if each.move > after and each.event.is_visible_to(seat)]


@dataclass(frozen=True, slots=True)
class MatchHistory:
    """Where a replay of a match ends: the state, the events of the moves in force, and the undos."""

    state: Any
    events: Sequence[MatchEvent] = ()
    undone_moves: frozenset[int] = frozenset()
    undos: tuple[UndoneMoves, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchEdit:
    """The result of an edit: the change to commit and, after a move, the game's new state and events.

    `options` are the new options, if they changed. After an undo, `history` is the new past of the match.
    """

    change: Change
    state: Any = None
    events: tuple[Event, ...] = ()
    options: Any = None
    history: MatchHistory | None = None


@dataclass(slots=True)
class Match:
    """The single in-memory match behind an id. Only one caller at a time changes it, from reading to the commit."""

    game: AnyGame
    info: MatchInfo
    options: Any
    state: Any = None
    events: list[MatchEvent] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    computer_moves: set[int] = field(default_factory=set)
    timeout_moves: set[int] = field(default_factory=set)
    forced_moves: set[int] = field(default_factory=set)
    undone_moves: frozenset[int] = frozenset()
    undos: tuple[UndoneMoves, ...] = ()
    deadlines: dict[int, DueTime] = field(default_factory=dict)
    lapse: DueTime | None = None  # the stored end of the request; None: its own
    clicks: deque[int] = field(
        default_factory=lambda: deque(maxlen=2 * RECENT_CLICKS)
    )  # the clicks that changed it lately
    last_requested: int = 0  # when it was last requested
    pending_changes: int = 0  # how many callers are changing it or waiting to
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _last_snapshot: ReferenceType[MatchSnapshot] | None = field(default=None, init=False, repr=False, compare=False)

    @asynccontextmanager
    async def lock_for_change(self) -> AsyncIterator[None]:
        """Hold the lock for changing the match."""
        self.pending_changes += 1
        try:
            async with self.lock:
                yield
        finally:
            self.pending_changes -= 1

    def take_snapshot(self) -> MatchSnapshot:
        """Return a snapshot of the match. It is the same object while somebody uses it and nothing changes."""
        last = None if self._last_snapshot is None else self._last_snapshot()
        if (
            last is not None
            and last.info is self.info
            and last.deadlines is self.deadlines
            and last.lapse is self.lapse
        ):  # everything else changes together with one of these
            return last
        events, movers = tuple(self.events), tuple(self.movers)
        computer_moves, timeout_moves = frozenset(self.computer_moves), frozenset(self.timeout_moves)
        snapshot = MatchSnapshot(
            self.info,
            self.game,
            self.options,
            self.state,
            events,
            movers,
            computer_moves,
            timeout_moves,
            self.deadlines,
            frozenset(self.forced_moves),
            self.undone_moves,
            self.undos,
            self.lapse,
        )
        self._last_snapshot = ref(snapshot)
        return snapshot

    def set_history(self, history: MatchHistory) -> None:
        """Set the state, the events and the undos, as a replay found them."""
        self.state, self.events = history.state, [*history.events]
        self.undone_moves, self.undos = history.undone_moves, history.undos

    def add_move(self, move: Move) -> None:
        """Add the author of a move or of an undo."""
        self.movers.append(move.seat)
        if move.is_forced:
            self.forced_moves.add(move.number)
        elif move.level:
            self.computer_moves.add(move.number)
            if move.user:
                self.timeout_moves.add(move.number)

    def next_info(self, clock: int, **changes: Any) -> MatchInfo:
        """Return the header with some fields changed and the next revision."""
        return replace(self.info, revision=self.info.revision + 1, changed=clock, **changes)

    def draft_move(
        self, user: int, decision: int | None, notation: str, clock: int, *, is_automatic: bool = False
    ) -> MatchEdit:
        """Compute a move on a copy of the state.

        A `decision` of None means the open one. Raises RequestRefused, StaleDecision and IllegalMove.
        """
        seat = self._acting_seat(user)
        if is_automatic:
            self._require_time()
        return self._draft_change(seat, user, "", decision, notation, clock, _seats_after_move(self.info, seat))

    def draft_computer_move(self, seat: int, decision: int, notation: str, clock: int) -> MatchEdit:
        """Compute a move for a seat where the computer plays."""
        level = self._require_time().seats[seat].level
        if not level:
            raise RequestRefused("A person plays at that seat.")
        return self._draft_change(seat, 0, level, decision, notation, clock, self.info.seats)

    def draft_forced_move(self, seat: int, decision: int, clock: int) -> MatchEdit:
        """Compute the forced move of a person's seat."""
        if seat not in forced_seats(self.game, self._require_time(), self.state):
            raise StaleDecision
        (move,) = self.game.moves(self.state, seat)
        notation, user = self.game.format_move(move), self.info.seats[seat].user
        return self._draft_change(seat, user, FORCED, decision, notation, clock, self.info.seats)

    def draft_timeout_move(self, due: DueTime, level: str, notation: str, clock: int) -> MatchEdit:
        """Compute the computer's move for a person whose deadline has passed.

        With a live clock, the match ends instead if nobody plays any more.
        """
        seat = self._require_time().seats[due.seat]
        if not seat.owner_plays:
            raise RequestRefused("A computer plays at that seat.")
        if self.deadlines.get(due.seat) != due or clock < due.at:
            raise RequestRefused("There is still time left.")
        seats = _seats_after_timeout(self.info, due.seat, level)
        if is_deserted(self.info, seats):
            ended = self.next_info(clock, status=Status.ENDED, seats=seats, reason=NOBODY_PLAYS)
            return MatchEdit(Change(ended, "end"))
        return self._draft_change(due.seat, seat.user, level, due.decision, notation, clock, seats)

    def _draft_change(
        self,
        seat: int,
        user: int,
        level: str,
        decision: int | None,
        notation: str,
        clock: int,
        seats: tuple[Seat, ...],
    ) -> MatchEdit:
        open_now = open_decisions(self.game, self.info, self.state).get(seat)
        if decision is not None and (open_now is None or open_now.number != decision):
            raise StaleDecision
        if open_now is None:
            raise RequestRefused("It is not your turn.")
        move = self.game.parse_move(notation)
        self.game.check(self.state, seat, move)
        state = self.game.copy(self.state)
        events = self.game.play(state, seat, move)
        row = Move(self.info.moves + 1, seat, open_now.number, self.game.format_move(move), user, level)
        status = Status.OVER if self.game.outcome(state) is not None else Status.RUNNING
        change = Change(
            self.next_info(clock, moves=row.number, status=status, seats=seats),
            "play",
            user,
            move=row,
            events=self.game.events_adapter.dump_json(events).decode(),
            checkpoint=self.game.checkpoint_adapter.dump_json(state).decode(),
            seats_changed=seats != self.info.seats,
        )
        return MatchEdit(change, state, tuple(events))

    def _acting_seat(self, user: int) -> int:
        """Return the seat of a user who wants to act."""
        seat = self.info.seat_of(user)
        if seat is None:
            raise RequestRefused("You are not sitting at this table. You are welcome to watch.")
        self._require_running()
        return seat

    def _require_time(self) -> MatchInfo:
        """Refuse what nobody asked for while time rests."""
        if not time_runs(self._require_running()):
            raise RequestRefused(TIME_RESTS)
        return self.info

    def _require_running(self) -> MatchInfo:
        if self.info.status is not Status.RUNNING:
            raise RequestRefused(status_sentence(self.info), has_names=True)
        return self.info


def replace_seat(info: MatchInfo, number: int, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats with one of them replaced."""
    return (*info.seats[:number], seat, *info.seats[number + 1 :])


def is_deserted(info: MatchInfo, seats: Sequence[Seat]) -> bool:
    """Whether only computers play at these seats of a match with a live clock, so that one of them would win it."""
    return info.table_options.has_live_clock and not any(seat.owner_plays or seat.is_empty for seat in seats)


def _seats_after_move(info: MatchInfo, number: int) -> tuple[Seat, ...]:
    """Return the seats after the seat's owner has moved: the owner is back."""
    return replace_seat(info, number, replace(info.seats[number], level="", missed=0))


def _seats_after_timeout(info: MatchInfo, number: int, level: str) -> tuple[Seat, ...]:
    """Return the seats after a missed deadline. After several in a row, the computer plays for the owner."""
    missed = info.seats[number].missed + 1
    new_level = level if missed >= MAX_MISSED else ""
    return replace_seat(info, number, replace(info.seats[number], missed=missed, level=new_level))


def status_sentence(info: MatchInfo) -> str:
    """Explain in a sentence why nobody can play now."""
    match info.status:
        case Status.LOBBY:
            return "The match has not started yet."
        case Status.RUNNING:
            return "The match is running."
        case Status.PAUSED:
            return f"The match is paused. {info.reason}".strip()
        case Status.OVER:
            return "The match is over."
        case Status.CANCELLED:
            sentence = f"This match was cancelled before it started. {info.reason}"
            return sentence if info.reason else "The host cancelled this match before it started."
        case Status.EXPIRED:
            return "Nobody started this match within a day, so it was cancelled."
        case Status.ENDED:
            return f"The match was ended without a result. {info.reason}".strip()
        case Status.RESET:
            return f"The match was ended by an admin. {info.reason}".strip()
        case Status.ASIDE:
            return "This match is damaged and was set aside. An admin can see it with /admin show."
