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
from engines.store.match_store import LATELY, Change, Due, Info, Move, Seat, Status

T = TypeVar("T")
MISSES = 3  # decisions in a row whose time runs out; then the computer keeps the seat until its owner is back


class Refused(Exception):
    """Something that cannot be done; the message is a sentence for the one who asked. Nothing has changed.

    With `names` it has names or words of people in it, and nothing that is meant as markdown.
    """

    def __init__(self, sentence: str = "", *, names: bool = False) -> None:
        super().__init__(sentence)
        self.names = names


class BeingUpdated(Refused):
    """A match of a game, or of rules, that are newer than this bot: left exactly as it is."""

    def __init__(self, info: Info) -> None:
        super().__init__(
            f"Match `{info.id}` was begun by a newer version of me: I am being updated. Nothing of it is lost; "
            "please try again in a few minutes."
        )


class Stale(Refused):
    """A choice for a decision that is no longer open. Nothing has changed."""

    def __init__(self) -> None:
        super().__init__("That choice is no longer open. Here is how things stand now.")


@dataclass(frozen=True, slots=True)
class Told:
    """An event, and the number of the move that brought it."""

    move: int
    event: Event


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Look:
    """A match at one moment, for showing it. The state is never changed once it is in here."""

    info: Info
    game: AnyGame
    options: Any
    state: Any  # None before the start
    told: tuple[Told, ...] = ()
    movers: tuple[int, ...] = ()  # the seat of every move since `told` begins, oldest first
    computed: frozenset[int] = frozenset()  # the numbers of those of them that computers made
    late: frozenset[int] = frozenset()  # the numbers of those that they made because somebody's time had run out
    clocks: Mapping[int, Due] = field(default_factory=dict)  # when the time of each seat's decision runs out
    _known: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, what: Hashable, work: Callable[[], T]) -> T:
        """What the work makes of this moment, for the first who asks for `what`; whoever asks again gets the same."""
        if what not in self._known:
            self._known[what] = work()
        found: T = self._known[what]
        return found

    def knows(self, what: Hashable) -> bool:
        """Whether somebody has asked for that already."""
        return what in self._known

    def decisions(self) -> Mapping[int, Decision]:
        """Who may act now; nobody unless the match runs."""
        running = self.info.status is Status.RUNNING
        return self.once("decisions", lambda: self.game.decisions(self.state)) if running else {}

    def due(self) -> tuple[int, ...]:
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

    def last_move(self, seat: int | None = None) -> int:
        """The number of the newest move, of any seat, or by whoever plays at that one; 0 where there is none."""
        first = self.info.moves - len(self.movers)
        if seat is None:
            return self.info.moves if self.movers else 0
        own = (first + i + 1 for i in reversed(range(len(self.movers))) if self.movers[i] == seat)
        return next((number for number in own if number not in self.late), 0)

    def runs_out(self, seat: int | None = None) -> int | None:
        """When the time for a seat's decision runs out, or for any that the match waits for; None: never."""
        times = [due.at for each, due in self.clocks.items() if seat in (None, each)]
        return min(times, default=None) if self.info.status is Status.RUNNING else None

    def mover(self, move: int) -> int:
        """The seat that made one of these moves."""
        return self.movers[move - 1 - self.info.moves + len(self.movers)]

    def news(self, seat: int | None, after: int) -> list[Told]:
        """What that seat may learn of the events that came with moves after the given one, oldest first."""
        return [told for told in self.told if told.move > after and told.event.seen_by(seat)]


@dataclass(slots=True)
class Match:
    """The object behind one match id. One at a time changes it, from reading it to having committed the change."""

    game: AnyGame
    info: Info
    options: Any
    state: Any = None
    told: list[Told] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    computed: set[int] = field(default_factory=set)
    late: set[int] = field(default_factory=set)
    clocks: dict[int, Due] = field(default_factory=dict)
    clicks: deque[int] = field(default_factory=lambda: deque(maxlen=2 * LATELY))  # by which it was changed lately
    asked: int = 0  # when it was last asked for
    wanted: int = 0  # how many are changing it or wait for that
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _looked: ReferenceType[Look] | None = field(default=None, init=False, repr=False, compare=False)

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Change it as the only one."""
        self.wanted += 1
        try:
            async with self.lock:
                yield
        finally:
            self.wanted -= 1

    def look(self) -> Look:
        """The match as it is now: the same object, with what it knows, while somebody has it and nothing changes."""
        known = None if self._looked is None else self._looked()
        if known is not None and known.info is self.info and known.clocks is self.clocks:  # with either, all else does
            return known
        told, movers = tuple(self.told), tuple(self.movers)
        computed, late = frozenset(self.computed), frozenset(self.late)
        look = Look(self.info, self.game, self.options, self.state, told, movers, computed, late, self.clocks)
        self._looked = ref(look)
        return look

    def add(self, move: Move) -> None:
        """Note a move that was made."""
        self.movers.append(move.seat)
        if move.level:
            self.computed.add(move.number)
            if move.user:
                self.late.add(move.number)

    def after(self, clock: int, **changes: Any) -> Info:
        """The header with some fields changed, one revision on."""
        return replace(self.info, revision=self.info.revision + 1, changed=clock, **changes)

    def draft(self, user: int, decision: int | None, notation: str, clock: int) -> tuple[Change, Any, list[Event]]:
        """Work a move out on a copy: the change to commit, the state after it, its events.

        `decision` None means whichever is open. Raises Refused, Stale and IllegalMove.
        """
        seat = self._seat(user)
        return self._worked_out(seat, user, "", decision, notation, clock, _in_time(self.info, seat))

    def draft_for(self, seat: int, decision: int, notation: str, clock: int) -> tuple[Change, Any, list[Event]]:
        """The same for a seat at which the computer plays."""
        level = self._running().seats[seat].level
        if not level:
            raise Refused("A person plays there.")
        return self._worked_out(seat, 0, level, decision, notation, clock, self.info.seats)

    def draft_late(self, due: Due, level: str, notation: str, clock: int) -> tuple[Change, Any, list[Event]]:
        """The same, by the computer, for a person whose time has run out."""
        seat = self._running().seats[due.seat]
        if not seat.present:
            raise Refused("No person plays there.")
        if self.clocks.get(due.seat) != due or clock < due.at:
            raise Refused("There is time left.")
        seats = _missed(self.info, due.seat, level)
        return self._worked_out(due.seat, seat.user, level, due.decision, notation, clock, seats)

    def _worked_out(
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
            raise Stale
        if open_now is None:
            raise Refused("It is not your turn.")
        move = self.game.read(notation)
        self.game.check(self.state, seat, move)
        state = self.game.copy(self.state)
        events = self.game.play(state, seat, move)
        row = Move(self.info.moves + 1, seat, open_now.number, self.game.write(move), user, level)
        status = Status.OVER if self.game.outcome(state) is not None else Status.RUNNING
        change = Change(
            self.after(clock, moves=row.number, status=status, seats=seats),
            "play",
            user,
            move=row,
            events=self.game.events.dump_json(events).decode(),
            checkpoint=self.game.checkpoints.dump_json(state).decode(),
            seated=seats != self.info.seats,
        )
        return change, state, events

    def _seat(self, user: int) -> int:
        """The seat of a user who wants to act."""
        seat = self.info.seat_of(user)
        if seat is None:
            raise Refused("You are not sitting at this table. You are welcome to watch.")
        self._running()
        return seat

    def _running(self) -> Info:
        if self.info.status is not Status.RUNNING:
            raise Refused(standing(self.info), names=True)
        return self.info


def with_seat(info: Info, number: int, seat: Seat) -> tuple[Seat, ...]:
    """The seats with another one in the place of one."""
    return (*info.seats[:number], seat, *info.seats[number + 1 :])


def _in_time(info: Info, number: int) -> tuple[Seat, ...]:
    """The seats once whoever holds that one has moved: they are there."""
    return with_seat(info, number, replace(info.seats[number], level="", missed=0))


def _missed(info: Info, number: int, level: str) -> tuple[Seat, ...]:
    """The seats once the time of one has run out: after some times in a row the computer keeps it."""
    missed = info.seats[number].missed + 1
    kept = level if missed >= MISSES else ""
    return with_seat(info, number, replace(info.seats[number], missed=missed, level=kept))


def standing(info: Info) -> str:
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
