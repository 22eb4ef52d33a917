"""What a match needs of a store: the values that are kept, and the protocol that storage fulfils."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal, Protocol

from engines.store.partition import ALL_SERVERS, Partition
from engines.store.server_settings import ServerSettings
from engines.store.table_options import DEFAULT_TABLE_OPTIONS, TableOptions


class Status(StrEnum):
    """Where a match stands."""

    LOBBY = "lobby"  # people may join
    RUNNING = "running"
    PAUSED = "paused"  # a seat is empty: somebody left or was removed
    OVER = "over"  # played to its end
    ENDED = "ended"  # ended by the players without a result
    CANCELLED = "cancelled"  # the lobby was closed by its host
    EXPIRED = "expired"  # the lobby was not started in time
    RESET = "reset"  # ended by an admin
    ASIDE = "aside"  # its record and its checkpoint disagree: kept for inspection, not played on


RECENT_CLICKS = (
    40  # clicks of a match of which it is known that they were done; a second telling of one comes within minutes
)
LIVE = frozenset({Status.LOBBY, Status.RUNNING, Status.PAUSED})
FORGOTTEN_NAME = "Somebody"  # the name of whoever is forgotten; their number is below 0, and another one in every match


Departure = Literal["", "left", "removed"]


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there: a user, the name to show, and whether they have gone.

    With a level the computer plays there: for a user who has gone and may come back, for one who is away and holds the
    seat, or by itself, as user 0. `missed`: so many decisions in a row it made because their time ran out.
    """

    user: int
    name: str
    gone: Departure = ""
    level: str = ""
    missed: int = 0

    @property
    def has_owner(self) -> bool:
        """Whether a person holds it."""
        return self.user > 0 and not self.gone

    @property
    def is_away(self) -> bool:
        """Whether the computer keeps it for the person who holds it, until they are back."""
        return self.has_owner and bool(self.level)

    @property
    def owner_plays(self) -> bool:
        """Whether a person plays there."""
        return self.has_owner and not self.level

    @property
    def is_empty(self) -> bool:
        """Whether nobody plays there, so that the match has to wait."""
        return bool(self.gone) and not self.level


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match is played, in numbers of the one who shows it. `thread` is 0 where there is none."""

    guild: int
    channel: int
    thread: int = 0


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """All of a match but its game state. `revision` counts every change, `moves` those of the game.

    In a lobby the seats are who has joined, in that order; `options` is JSON; times are Unix seconds, 0 for never.
    """

    id: str
    game: str
    rules: int
    options: str
    status: Status
    host: int
    place: Place
    seats: tuple[Seat, ...]
    revision: int = 0
    moves: int = 0
    votes: tuple[int, ...] = ()  # users who want to end a paused match
    reason: str = ""  # why it is paused, ended or set aside, in a sentence
    created: int = 0
    changed: int = 0
    chosen: int = 0  # when the options were last changed in the lobby
    called: int = 0  # when its players were last called to play again
    follows: str = ""  # the match that is played again by this one
    house: TableOptions = DEFAULT_TABLE_OPTIONS  # what was chosen that is no rule of the game
    damage: str = ""  # what of all this could not be read, for the log; such a match is to be set aside
    is_newer: bool = False  # what was chosen is of a newer version: such a match is left exactly as it is

    def seat_of(self, user: int) -> int | None:
        """The seat that this user holds, if any."""
        for number, seat in enumerate(self.seats):
            if seat.user == user and seat.has_owner:
                return number
        return None

    @property
    def voter_count(self) -> int:
        """How many decide whether the match is ended: those who play, and whoever has voted."""
        return sum(seat.owner_plays or (seat.has_owner and seat.user in self.votes) for seat in self.seats)

    def would_end_with(self, user: int) -> bool:
        """Whether the match is ended once that person votes for it, too: by more than half."""
        after = replace(self, votes=(*self.votes, user))
        return 2 * len(after.votes) > after.voter_count


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a record: its number in the match (from 1), who made it, the seat's decision, the notation.

    Where it was the computer `level` says which, and `user` is 0; or the one whose time had run out.
    """

    number: int
    seat: int
    decision: int
    notation: str
    user: int
    level: str = ""


ActionKind = Literal[
    "new",
    "join",
    "computers",
    "hand over",
    "options",
    "start",
    "settle",
    "play",
    "leave",
    "remove",
    "take seat",
    "back",
    "give seat",
    "give back",
    "vote end",
    "end",
    "cancel",
    "expire",
    "reset",
    "call",
    "carry over",
    "set aside",
    "forget",
]
"""What is done in a match, as its history calls it."""


DueKind = Literal["call", "reminder", "clock", "expiry"]


@dataclass(frozen=True, slots=True)
class DueRule:
    """What a match awaits from a Unix second on: a seat's decision, or the start of a lobby (`expiry`).

    A seat is called to its decision (`call`), reminded of it before its time runs out (`reminder`), and then it is made
    by the computer (`clock`). It is due `wait` seconds later; None: as long after as whoever sits there likes to be
    called, but no sooner than `least`. Somebody who likes never to be called is not.
    """

    kind: DueKind
    since: int
    seat: int = -1  # -1: none
    decision: int = 0
    delay: int | None = None
    min_delay: int = 0


@dataclass(frozen=True, slots=True)
class DueTime:
    """Something that is to happen to a match at a Unix second, as `Awaited` tells."""

    kind: DueKind
    match: str
    seat: int
    decision: int
    at: int


@dataclass(frozen=True, slots=True)
class Change:
    """What is committed at once. `info.revision` is one more than that of the version it builds on.

    A play brings `move`, `events` (a JSON list) and `checkpoint`. A start, and a match carried over to new rules, bring
    `base` as well: the checkpoint that the moves after `info.moves` are replayed on; a start also brings the `seed`.
    `action` and `by` (a user; 0 for the bot itself) go into the match's history, for everything but a play.
    `awaited` is all that the match awaits now; what it awaited before keeps its time. Of the user `forgets` nothing is
    kept any more: what they did was done by `by`, who is nobody. `click` is the number of the click or command that
    asks for it (0: nobody did). It is kept with the move, or in the history: a second telling of it changes nothing.
    `holds` is the message, by kind and seat, that a process answers it with which does not look after the match: who
    does leaves it alone until that is done, or for some seconds. Where `seated` is false the seats are what they were
    in the version it builds on, and need not be looked at.
    """

    info: MatchInfo
    action: ActionKind
    by: int = 0
    move: Move | None = None
    events: str = "[]"
    checkpoint: str | None = None
    base: str | None = None
    seed: str | None = None
    due_rules: tuple[DueRule, ...] = ()
    forgotten_user: int = 0
    click: int = 0
    reply_surface: tuple[str, int] | None = None
    seats_changed: bool = True


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match as it was kept. `base` was its checkpoint after `base_moves` moves; `moves` are those made since then.

    `clocks` are when the time of open decisions runs out.
    """

    info: MatchInfo
    seed: str
    base: str
    base_moves: int
    checkpoint: str
    moves: tuple[Move, ...]
    deadlines: tuple[DueTime, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """Something that was done in a match: one of `Action`, by whom (0: the bot itself), why, when, by which click."""

    action: str
    by: int
    reason: str
    at: int
    click: int = 0  # told to nobody but those who ask for all that is kept of them


class StoreFailure(Exception):
    """Nothing was written, but for Uncertain; the message says why in a sentence fit for a player."""


class UncertainWrite(StoreFailure):
    """It was written, wholly, or it was not at all: whatever is read from the store after this tells."""


class WriteConflict(StoreFailure):
    """Somebody else has changed the match since: nothing was written."""


class NotLeaseHolder(StoreFailure):
    """Another process looks after that server, or will: nothing was written or asked for."""

    def __init__(self) -> None:
        super().__init__("Another part of me looks after that, so I have left it alone.")


class DamagedMatch(Exception):
    """Something that was kept cannot be read, or does not fit; the message is for the log, without anything hidden."""


@dataclass(frozen=True, slots=True)
class TableLimits:
    """How many lobbies may be open in a server at once: those that one person is host of, and in all.

    `own_tables` and `tables` count the matches that go on as well; None: any number.
    """

    per_person: int = 3
    per_server: int = 25
    tables_per_person: int | None = None
    tables_per_server: int | None = None

    def for_server(self, server: ServerSettings) -> TableLimits:
        """These for a server, which may allow less of its own, but no more."""
        return TableLimits(
            min(self.per_person, server.own_lobbies or self.per_person),
            min(self.per_server, server.lobbies or self.per_server),
            server.own_tables,
            server.tables,
        )


class TableLimitReached(StoreFailure):
    """There are as many open lobbies as may be; nothing was written. `person`: as many as the host may have.

    `going`: with the matches that go on.
    """

    def __init__(self, *, is_host_limit: bool, counts_running: bool = False) -> None:
        super().__init__("There are too many open tables in this server. Start or cancel one of them first.")
        self.is_host_limit = is_host_limit
        self.counts_running = counts_running


class MatchStorage(Protocol):
    """Durable storage of matches. Every method either has done all of it when it returns, or raises StoreFailure.

    A write whose end is not known (its connection was cut) raises Uncertain, and by the next read that is answered it
    has been written, or never will be. Others may write to the same store: reads tell of all that was committed.
    """

    @property
    def is_shared(self) -> bool:
        """Whether others may write to it while it is open here."""

    async def insert(
        self,
        info: MatchInfo,
        by: int,
        limits: TableLimits | None = None,
        due_rules: Sequence[DueRule] = (),
        click: int = 0,
    ) -> int | None:
        """Keep a new match. Raises Crowded beyond the limits, and Conflict where a lobby follows that match already,
        or that click has opened one.

        When the first thing is due that it awaits.
        """

    async def commit(self, change: Change) -> int | None:
        """Keep a change. Raises Conflict where the match has moved on from the revision that it builds on.

        When the first thing is due that it did not await before.
        """

    async def revision(self, match: str) -> int | None:
        """The revision of a match, as quickly as can be; None: there is none."""

    async def recent_clicks(self, match: str) -> tuple[int, tuple[int, ...]]:
        """The revision of a match, and the numbers of the clicks by which it was changed: LATELY moves' and LATELY
        others' at most, in the order of their numbers. Both of the same moment.
        """

    async def match_opened_by(self, click: int) -> str | None:
        """The match that was opened by that click, if any."""

    async def server_settings(self, guild: int) -> ServerSettings:
        """What a server has chosen for its tables."""

    async def change_server_settings(
        self, guild: int, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change that; several changes at once all count. `change` cannot fail. What it is then."""

    async def set_aside(self, info: MatchInfo) -> None:
        """Mark a damaged match as set aside, with its reason, and touch nothing else of it. Raises Conflict."""

    async def load_info(self, match: str) -> MatchInfo | None:
        """A match without its game state. What cannot be read is told by `damage`; an unknown status is ASIDE."""

    async def load(self, match: str) -> SavedMatch | None:
        """A started match with its game state; None for a lobby or where there is none. May raise Damaged, too."""

    async def load_history(self, match: str) -> list[Action]:
        """All that was done in a match, oldest first; of its moves, those of which everybody may know."""

    async def live_matches_after(self, after: str, limit: int, partition: Partition = ALL_SERVERS) -> list[str]:
        """The ids of live matches of these servers that follow that one in order, so many at most."""

    async def matches_awaiting_computers(self, partition: Partition = ALL_SERVERS) -> list[str]:
        """The ids of running matches of these servers in which nobody but a computer may be due."""

    async def load_due(self, until: int, partition: Partition = ALL_SERVERS) -> tuple[list[DueTime], int | None]:
        """What is due by that second in these servers and not done, the oldest first, and when the next is."""

    async def mark_done(self, due: DueTime, epoch: int | None = None) -> None:
        """Keep that it has happened; nothing more is due for that decision. Raises NotHeld as `Shown.put` does."""

    async def record_alive(self, at: int, partition: Partition = ALL_SERVERS) -> None:
        """Keep that the bot was there at that second for these servers."""

    async def postpone_deadlines(
        self, since: int | None, until: int, partition: Partition = ALL_SERVERS
    ) -> dict[str, bool]:
        """Have the deadlines in these servers, and the reminders of them, of that time come later by it.

        Keep that the bot is there for them. `since` None: since it was last kept for each part that it was. The matches
        whose deadlines come later, and whether by so much that people have to see it.
        """

    async def load_deadlines(self, match: str) -> list[DueTime]:
        """When the time of a match's open decisions runs out."""

    async def postpone_call(self, match: str, seat: int, since: int, step_text: str | None = None) -> int | None:
        """Have a call that is pending for that seat begin to wait anew. When it comes now; None: there is none.

        A `way` that is told is kept with the decision, whether a call is pending or not.
        """

    async def ways(self, match: str) -> dict[int, str]:
        """How far each seat has come on the way to a move, as `active` was told; without those that have not begun.

        A pause does not change it for people who stay.
        """

    async def find(
        self,
        *,
        statuses: frozenset[Status] = LIVE,
        guild: int | None = None,
        user: int | None = None,
        follows: str | None = None,
    ) -> list[MatchInfo]:
        """Matches with one of the statuses, newest first: of a guild, of a user in a seat, after a match, or all."""
