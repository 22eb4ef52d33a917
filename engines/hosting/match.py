"""One match in memory: its header, its game state, and what may be asked of it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from weakref import ReferenceType, ref

from engines.kit.contract import AnyGame, Decision, Event, Outcome
from engines.store.match_store import RECENT_CLICKS, Change, DueTime, MatchInfo, Move, Seat, Status

T = TypeVar("T")
MAX_MISSED = 3  # decisions in a row whose time runs out; then the computer keeps the seat until its owner is back


class RequestRefused(Exception):
    """Something that cannot be done; the message is a sentence for the one who asked. Nothing has changed.

    With `names` it has names or words of people in it, and nothing that is meant as markdown.
    """

    def __init__(self, sentence: str = "", *, has_names: bool = False) -> None:
        super().__init__(sentence)
        self.has_names = has_names


class NewerMatch(RequestRefused):
    """A match of a game, or of rules, that are newer than this bot: left exactly as it is."""

    def __init__(self, info: MatchInfo) -> None:
        super().__init__(
            f"Match `{info.id}` was begun by a newer version of me: I am being updated. Nothing of it is lost; "
            "please try again in a few minutes."
        )


class StaleDecision(RequestRefused):
    """A choice for a decision that is no longer open. Nothing has changed."""

    def __init__(self) -> None:
        super().__init__("That choice is no longer open. Here is how things stand now.")


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """An event, and the number of the move that brought it."""

    move: int
    event: Event


@dataclass(frozen=True, slots=True, weakref_slot=True)
class MatchSnapshot:
    """A match at one moment, for showing it. The state is never changed once it is in here."""

    info: MatchInfo
    game: AnyGame
    options: Any
    state: Any  # None before the start
    events: tuple[MatchEvent, ...] = ()
    movers: tuple[int, ...] = ()  # the seat of every move since `told` begins, oldest first
    computer_moves: frozenset[int] = frozenset()  # the numbers of those of them that computers made
    timeout_moves: frozenset[int] = (
        frozenset()
    )  # the numbers of those that they made because somebody's time had run out
    deadlines: Mapping[int, DueTime] = field(default_factory=dict)  # when the time of each seat's decision runs out
    _computed_values: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def compute_once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """What the work makes of this moment, for the first who asks for `what`; whoever asks again gets the same."""
        if key not in self._computed_values:
            self._computed_values[key] = compute()
        found: T = self._computed_values[key]
        return found

    def has_computed(self, key: Hashable) -> bool:
        """Whether somebody has asked for that already."""
        return key in self._computed_values

    def decisions(self) -> Mapping[int, Decision]:
        """Who may act now; nobody unless the match runs."""
        running = self.info.status is Status.RUNNING
        return self.compute_once("decisions", lambda: self.game.decisions(self.state)) if running else {}

    def due_seats(self) -> tuple[int, ...]:
        """The seats that the match waits for, in order."""
        return tuple(sorted(seat for seat, decision in self.decisions().items() if decision.due))

    def view(self, seat: int | None) -> Any:
        """What that seat (None: a spectator) may know of the game."""
        return self.game.view(self.state, seat)

    def moves(self, seat: int) -> Sequence[Any]:
        """The seat's legal moves; none unless it may act."""
        return self.game.moves(self.state, seat) if seat in self.decisions() else ()

    def outcome(self) -> Outcome | None:
        """How it ended, once it was played to its end."""
        return self.game.outcome(self.state) if self.info.status is Status.OVER else None

    def last_move_number(self, seat: int | None = None) -> int:
        """The number of the newest move, of any seat, or by whoever plays at that one; 0 where there is none."""
        first = self.info.moves - len(self.movers)
        if seat is None:
            return self.info.moves if self.movers else 0
        own = (first + i + 1 for i in reversed(range(len(self.movers))) if self.movers[i] == seat)
        return next((number for number in own if number not in self.timeout_moves), 0)

    def deadline(self, seat: int | None = None) -> int | None:
        """When the time for a seat's decision runs out, or for any that the match waits for; None: never."""
        times = [due.at for each, due in self.deadlines.items() if seat in (None, each)]
        return min(times, default=None) if self.info.status is Status.RUNNING else None

    def mover_of(self, move: int) -> int:
        """The seat that made one of these moves."""
        return self.movers[move - 1 - self.info.moves + len(self.movers)]

    def visible_events(self, seat: int | None, after: int) -> list[MatchEvent]:
        """What that seat may learn of the events that came with moves after the given one, oldest first."""
        return [told for told in self.events if told.move > after and told.event.is_visible_to(seat)]


@dataclass(slots=True)
class Match:
    """The object behind one match id. One at a time changes it, from reading it to having committed the change."""

    game: AnyGame
    info: MatchInfo
    options: Any
    state: Any = None
    events: list[MatchEvent] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    computer_moves: set[int] = field(default_factory=set)
    timeout_moves: set[int] = field(default_factory=set)
    deadlines: dict[int, DueTime] = field(default_factory=dict)
    clicks: deque[int] = field(
        default_factory=lambda: deque(maxlen=2 * RECENT_CLICKS)
    )  # by which it was changed lately
    last_requested: int = 0  # when it was last asked for
    pending_changes: int = 0  # how many are changing it or wait for that
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _last_snapshot: ReferenceType[MatchSnapshot] | None = field(default=None, init=False, repr=False, compare=False)

    @asynccontextmanager
    async def lock_for_change(self) -> AsyncIterator[None]:
        """Change it as the only one."""
        self.pending_changes += 1
        try:
            async with self.lock:
                yield
        finally:
            self.pending_changes -= 1

    def take_snapshot(self) -> MatchSnapshot:
        """The match as it is now: the same object, with what it knows, while somebody has it and nothing changes."""
        last = None if self._last_snapshot is None else self._last_snapshot()
        if (
            last is not None and last.info is self.info and last.deadlines is self.deadlines
        ):  # with either, all else does
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
        )
        self._last_snapshot = ref(snapshot)
        return snapshot

    def add_move(self, move: Move) -> None:
        """Note a move that was made."""
        self.movers.append(move.seat)
        if move.level:
            self.computer_moves.add(move.number)
            if move.user:
                self.timeout_moves.add(move.number)

    def next_info(self, clock: int, **changes: Any) -> MatchInfo:
        """The header with some fields changed, one revision on."""
        return replace(self.info, revision=self.info.revision + 1, changed=clock, **changes)

    def draft_move(self, user: int, decision: int | None, notation: str, clock: int) -> tuple[Change, Any, list[Event]]:
        """Work a move out on a copy: the change to commit, the state after it, its events.

        `decision` None means whichever is open. Raises Refused, Stale and IllegalMove.
        """
        seat = self._acting_seat(user)
        return self._draft_change(seat, user, "", decision, notation, clock, _seats_after_move(self.info, seat))

    def draft_computer_move(
        self, seat: int, decision: int, notation: str, clock: int
    ) -> tuple[Change, Any, list[Event]]:
        """The same for a seat at which the computer plays."""
        level = self._require_running().seats[seat].level
        if not level:
            raise RequestRefused("A person plays there.")
        return self._draft_change(seat, 0, level, decision, notation, clock, self.info.seats)

    def draft_timeout_move(
        self, due: DueTime, level: str, notation: str, clock: int
    ) -> tuple[Change, Any, list[Event]]:
        """The same, by the computer, for a person whose time has run out."""
        seat = self._require_running().seats[due.seat]
        if not seat.owner_plays:
            raise RequestRefused("No person plays there.")
        if self.deadlines.get(due.seat) != due or clock < due.at:
            raise RequestRefused("There is time left.")
        seats = _seats_after_timeout(self.info, due.seat, level)
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
    ) -> tuple[Change, Any, list[Event]]:
        open_now = self.game.decisions(self.state).get(seat)
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
        return change, state, events

    def _acting_seat(self, user: int) -> int:
        """The seat of a user who wants to act."""
        seat = self.info.seat_of(user)
        if seat is None:
            raise RequestRefused("You are not sitting at this table. You are welcome to watch.")
        self._require_running()
        return seat

    def _require_running(self) -> MatchInfo:
        if self.info.status is not Status.RUNNING:
            raise RequestRefused(status_sentence(self.info), has_names=True)
        return self.info


def replace_seat(info: MatchInfo, number: int, seat: Seat) -> tuple[Seat, ...]:
    """The seats with another one in the place of one."""
    return (*info.seats[:number], seat, *info.seats[number + 1 :])


def _seats_after_move(info: MatchInfo, number: int) -> tuple[Seat, ...]:
    """The seats once whoever holds that one has moved: they are there."""
    return replace_seat(info, number, replace(info.seats[number], level="", missed=0))


def _seats_after_timeout(info: MatchInfo, number: int, level: str) -> tuple[Seat, ...]:
    """The seats once the time of one has run out: after some times in a row the computer keeps it."""
    missed = info.seats[number].missed + 1
    kept = level if missed >= MAX_MISSED else ""
    return replace_seat(info, number, replace(info.seats[number], missed=missed, level=kept))


def status_sentence(info: MatchInfo) -> str:
    """Why nothing can be played now, in a sentence."""
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
            said = f"This match was closed before it started. {info.reason}"
            return said if info.reason else "The host cancelled this match before it started."
        case Status.EXPIRED:
            return "Nobody started this match within a day, so it was closed."
        case Status.ENDED:
            return f"The match was ended without a result. {info.reason}".strip()
        case Status.RESET:
            return f"The match was reset by an admin. {info.reason}".strip()
        case Status.ASIDE:
            return "This match is damaged and was set aside. An admin can see it with /admin show."
