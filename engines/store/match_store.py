"""The stored values of a match, and the storage protocol for matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal, Protocol

from engines.store.partition import ALL_SERVERS, Partition
from engines.store.rows import RowWrite
from engines.store.server_settings import ServerSettings
from engines.store.table_options import DEFAULT_TABLE_OPTIONS, TableOptions
from engines.store.undoing import NOTHING_UNDONE, Undo, Undoing, moves_in_force, parse_undo


class Status(StrEnum):
    """The status of a match."""

    LOBBY = "lobby"  # people may join
    RUNNING = "running"
    PAUSED = "paused"  # a seat is empty because somebody left or was removed
    OVER = "over"  # played to its end
    ENDED = "ended"  # ended by the players without a result
    CANCELLED = "cancelled"  # the lobby was closed by its host
    EXPIRED = "expired"  # the lobby was not started in time
    RESET = "reset"  # ended by an admin
    ASIDE = "aside"  # damaged: its record and its checkpoint disagree. It is stored for inspection and cannot be played


NO_LAST_CUT_YET, HAS_CUT_LAST = 1, 2  # of a seat whose user wants to cut after everybody else
RECENT_CLICKS = 40  # recent clicks of a match that are known to be handled; duplicates arrive within minutes
LIVE = frozenset({Status.LOBBY, Status.RUNNING, Status.PAUSED})
CLOSED = frozenset(Status) - LIVE - {Status.ASIDE}
"""The statuses in which the secret of a deal is open. A damaged match stays sealed until an admin ends it."""
FORCED = "forced"  # in place of a computer's level: a move that was made automatically
FORGOTTEN_NAME = "Somebody"  # the name of a forgotten person; their id is negative and different in every match


Departure = Literal["", "left", "removed"]


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat: its user, the name to show, and whether they left.

    If `level` is set, the computer plays: for a user who left and may come back, for an away user who still owns the
    seat, or as a computer player with user 0. `missed` counts the deadlines missed in a row. `cut` is what its user
    adds to the seed of the deal: the digits they chose, or else the id of the click by which they joined. `last_cut` is
    0, or NO_LAST_CUT_YET or HAS_CUT_LAST for a user who cuts after everybody else. `rest_until` is the
    second until which its user rests, 0 if they do not. It is stored with the person, not with the seat.
    """

    user: int
    name: str
    gone: Departure = ""
    level: str = ""
    missed: int = 0
    cut: str = ""
    last_cut: int = 0
    rest_until: int = 0

    @property
    def has_owner(self) -> bool:
        """Whether a person owns the seat."""
        return self.user > 0 and not self.gone

    @property
    def is_away(self) -> bool:
        """Whether the computer plays for the seat's owner until they are back."""
        return self.has_owner and bool(self.level)

    @property
    def owner_plays(self) -> bool:
        """Whether its owner plays."""
        return self.has_owner and not self.level

    @property
    def is_resting(self) -> bool:
        """Whether the owner plays, but rests now. A rest stays until its end is noticed."""
        return self.owner_plays and self.rest_until > 0

    @property
    def is_empty(self) -> bool:
        """Whether nobody plays there, so that the match has to wait."""
        return bool(self.gone) and not self.level


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match is played, as ids of the platform that shows it. `thread` is 0 if there is none."""

    guild: int
    channel: int
    thread: int = 0


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """A match without its game state. `revision` counts all changes, `moves` those of the game.

    In a lobby the seats are the people who joined, in order. `options` is JSON; times are Unix seconds, 0 for never.
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
    votes: tuple[int, ...] = ()  # users who voted to end the paused match
    reason: str = ""  # a sentence that says why it is paused, ended or set aside
    created: int = 0
    changed: int = 0
    chosen: int = 0  # when the options last changed in the lobby
    called: int = 0  # when its players were last called to a rematch
    follows: str = ""  # the match of which this one is the rematch
    table_options: TableOptions = DEFAULT_TABLE_OPTIONS  # the chosen table options
    seal: str = ""  # the seal of its deal; "" if an older version opened it
    banks: tuple[int, ...] = ()  # seconds in each seat's bank, at the start of its running clock; see `time_banks`
    practice: bool = False  # it does not count: it is not rated, and its result is not counted
    decision_offset: int = 0  # added to the game's decision numbers, because they repeat after an undo
    undoing: Undoing = NOTHING_UNDONE
    damage: str = ""  # what could not be read, for the log; such a match is set aside
    is_newer: bool = False  # a newer version chose the table options; such a match stays exactly as it is

    def seat_of(self, user: int) -> int | None:
        """Return the seat that this user owns, if any."""
        for number, seat in enumerate(self.seats):
            if seat.user == user and seat.has_owner:
                return number
        return None

    @property
    def voter_count(self) -> int:
        """The number of people who decide whether the match ends: those who play and those who voted."""
        return sum(seat.owner_plays or (seat.has_owner and seat.user in self.votes) for seat in self.seats)

    def would_end_with(self, user: int) -> bool:
        """Whether the match ends once that person also votes, with more than half of the votes."""
        after = replace(self, votes=(*self.votes, user))
        return 2 * len(after.votes) > after.voter_count


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a record, or an undo (`undo 41`): its number in the match (from 1), its author, the seat's
    decision, the notation.

    For a computer's move, `level` is set and `user` is 0, or the user whose deadline passed. For a forced move that
    was made automatically, `level` is FORCED.
    """

    number: int
    seat: int
    decision: int
    notation: str
    user: int
    level: str = ""

    @property
    def is_forced(self) -> bool:
        """Whether it was the only legal move and was made automatically."""
        return self.level == FORCED

    @property
    def undo(self) -> Undo | None:
        """What it takes back, if it is no move of the game."""
        return parse_undo(self.notation)


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
    "suspend",
    "resume",
    "vote end",
    "end",
    "cancel",
    "expire",
    "idle",
    "replace",
    "cut",
    "cut last",
    "reset",
    "call",
    "carry over",
    "set aside",
    "forget",
    "ask take back",
    "agree take back",
    "refuse take back",
    "lapse take back",
    "take back",
]
"""An action in the history of a match."""


UNDOING: frozenset[ActionKind] = frozenset({"take back", "agree take back"})
LAPSE_REQUEST: ActionKind = "lapse take back"
DueKind = Literal["call", "reminder", "clock", "expiry", "break", "take back", "ask"]  # `break` ends a rest
LAPSE: DueKind = "take back"  # the end of a request: the stored name is older than other requests
PING_KINDS: frozenset[DueKind] = frozenset({"call", "ask"})  # kinds that ping their seat, as its owner prefers
DECISION_KINDS: tuple[DueKind, ...] = ("call", "clock", "reminder")  # kinds that are about a decision of the game


@dataclass(frozen=True, slots=True)
class DueRule:
    """Something that becomes due for a match: for a seat's decision, for a lobby or a practice match (`expiry`), for a
    person who rests (`break`), or for a request to the players.

    A seat gets a turn ping (`call`), a reminder before its deadline (`reminder`), and at the deadline (`clock`) the
    computer decides. When the rest of a seat's owner ends (`break`), the seat's pages change; `decision` is then the
    second of that end. A request lapses (LAPSE, of no seat), and those who have to answer get a ping (`ask`);
    `decision` then names the move. For a practice match, it is the revision since which nothing has happened.

    It is due `delay` seconds after `since`. None means the owner's preferred delay, but at least `min_delay`; owners
    who never want pings get none.
    """

    kind: DueKind
    since: int
    seat: int = -1  # -1: none
    decision: int = 0
    delay: int | None = None
    min_delay: int = 0


@dataclass(frozen=True, slots=True)
class DueTime:
    """Something due for a match at a Unix second. See `DueRule`."""

    kind: DueKind
    match: str
    seat: int
    decision: int
    at: int


@dataclass(frozen=True, slots=True)
class Change:
    """A change that is committed atomically. `info.revision` is one more than the revision it is based on.

    A move has `move`, `events` (a JSON list) and `checkpoint`. A start or a migration to new rules also has `base`: the
    checkpoint on which the moves after `info.moves` are replayed. A start also has the `seed`, and if its deal is
    sealed the `cuts` from which the seed follows: one word for each seat, with spaces between them.

    `action` and `by` (a user; 0 for the bot itself) go into the match's history, except for `play`. `due_rules` is
    everything that is due from now on; items that were due before keep their time. All traces of `forgotten_user` are
    erased: their actions get the anonymous author `by`. `click` identifies the click or command behind the change (0:
    none). It is stored with the move or in the history, so that a duplicate changes nothing.

    `reply_surface` is the message, by kind and seat, with which a process that does not own the server is answering;
    the owner leaves it alone until that is done, or for some seconds. If `seats_changed` is false, the seats have not
    changed and need no update.

    `old_deadlines` are those from which the banks were computed. If the stored ones differ, because an outage postponed
    them, the change is refused with WriteConflict. None: there are no banks.

    An undo has `move` and `checkpoint`; `undone` are the moves that it takes back. `rest` is for how many seconds
    time rested until now; by so much everything is postponed that is due for a decision. `rows` are what features
    write.
    """

    info: MatchInfo
    action: ActionKind
    by: int = 0
    move: Move | None = None
    events: str = "[]"
    checkpoint: str | None = None
    base: str | None = None
    seed: str | None = None
    cuts: str = ""
    due_rules: tuple[DueRule, ...] = ()
    forgotten_user: int = 0
    click: int = 0
    reply_surface: tuple[str, int] | None = None
    seats_changed: bool = True
    old_deadlines: frozenset[DueTime] | None = None
    undone: tuple[Move, ...] = ()
    rest: int = 0
    rows: tuple[RowWrite, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A stored match. `base` was its checkpoint after `base_moves` moves; `moves` are those made since.

    `deadlines` are the deadlines of open decisions, `lapse` is the end of the open request.
    """

    info: MatchInfo
    seed: str
    base: str
    base_moves: int
    checkpoint: str
    moves: tuple[Move, ...]
    deadlines: tuple[DueTime, ...] = ()
    lapse: DueTime | None = None

    def in_force(self) -> list[Move]:
        """Return the moves without those that were taken back. Raises ValueError if an undo does not fit them."""
        numbers = moves_in_force([move.notation for move in self.moves], self.base_moves + 1)
        return [self.moves[number - self.base_moves - 1] for number in numbers]


@dataclass(frozen=True, slots=True)
class SavedDeal:
    """The stored part of a sealed deal. Nobody may see the secret while the match is live.

    `cuts` is as in `Change`; it is empty before the start, and if an older version started the match.
    """

    secret: str = field(repr=False)
    cuts: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """An entry in the history of a match: an action, its author (0: the bot), its reason, its time, and its click.

    The reason of a forced move that was made automatically is FORCED.
    """

    action: str
    by: int
    reason: str
    at: int
    click: int = 0  # only shown to people who request their own data


class StoreFailure(Exception):
    """Nothing was written, unless it is UncertainWrite. The message is a sentence for a player."""


class UncertainWrite(StoreFailure):
    """It is unknown whether the write happened, but it was all or nothing. Any later read shows which."""


class WriteConflict(StoreFailure):
    """Somebody else has changed the match since; nothing was written."""


class RowTaken(StoreFailure):
    """There is a row with this key already, and the write asked for a free one."""


class NotLeaseHolder(StoreFailure):
    """Another process owns that server, or is about to; nothing was written or requested."""

    def __init__(self) -> None:
        super().__init__("Nothing has changed. Please try again in a moment.")


class DamagedMatch(Exception):
    """Stored data cannot be read or is inconsistent. The message is for the log and contains no secrets."""


@dataclass(frozen=True, slots=True)
class TableLimits:
    """How many lobbies may be open in a server: per host and in total.

    `tables_per_person` and `tables_per_server` also count running matches; None means no limit. `matches_per_person`
    counts the lobbies and the running matches of a host in all servers.
    """

    per_person: int = 3
    per_server: int = 25
    tables_per_person: int | None = None
    tables_per_server: int | None = None
    matches_per_person: int = 10

    def for_server(self, server: ServerSettings) -> TableLimits:
        """Return the limits for a server, whose own limits may only be lower."""
        return TableLimits(
            min(self.per_person, server.own_lobbies or self.per_person),
            min(self.per_server, server.lobbies or self.per_server),
            server.own_tables,
            server.tables,
            self.matches_per_person,
        )


class TableLimitReached(StoreFailure):
    """There are as many open lobbies as allowed; nothing was written.

    `is_host_limit`: the host's own limit was reached. `counts_running`: running matches count as well.
    `is_everywhere`: the tables in all servers count.
    """

    def __init__(self, *, is_host_limit: bool, counts_running: bool = False, is_everywhere: bool = False) -> None:
        super().__init__("There are too many open tables on this server. Start or cancel one of them first.")
        self.is_host_limit = is_host_limit
        self.counts_running = counts_running
        self.is_everywhere = is_everywhere


class MatchStorage(Protocol):
    """Durable storage of matches. When a method returns, its change is complete; otherwise it raises StoreFailure.

    A write with an unknown result (the connection was cut) raises UncertainWrite. By the next successful read, it has
    either happened or never will. Other processes may write to the same store; reads return everything that was
    committed.
    """

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write to this store."""

    async def insert(
        self,
        info: MatchInfo,
        by: int,
        limits: TableLimits | None = None,
        due_rules: Sequence[DueRule] = (),
        click: int = 0,
        secret: str = "",
    ) -> int | None:
        """Insert a new match, with the secret of its deal if that is sealed.

        A practice match takes the place of its host's older ones, so those do not count towards the limits of running
        matches. Sealed matches do: an undo made them practice, and nothing takes their place.

        Raises TableLimitReached at the limits, and WriteConflict if a lobby already follows that match or that click
        has opened one. Return when its first item is due.
        """

    async def commit(self, change: Change) -> int | None:
        """Commit a change. Raises WriteConflict if the match no longer has the revision or the deadlines that the
        change is based on.

        Return when the first new item is due.
        """

    async def revision(self, match: str) -> int | None:
        """Return the revision of a match as quickly as possible, or None if there is no match."""

    async def recent_clicks(self, match: str) -> tuple[int, tuple[int, ...]]:
        """Return a match's revision and, from the same moment, the recent clicks that changed it, in ascending order.

        There are at most RECENT_CLICKS for moves and RECENT_CLICKS for other actions.
        """

    async def match_opened_by(self, click: int) -> str | None:
        """Return the match that was opened by this click, if any."""

    async def server_settings(self, guild: int) -> ServerSettings:
        """Return the settings of a server for its tables."""

    async def change_server_settings(
        self, guild: int, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change the settings and return the new ones. Concurrent changes all count. `change` must not fail."""

    async def set_aside(self, info: MatchInfo) -> None:
        """Mark a damaged match as set aside, with the reason, and change nothing else. Raises WriteConflict."""

    async def load_info(self, match: str) -> MatchInfo | None:
        """Load a match without its game state. `damage` says what cannot be read; an unknown status becomes ASIDE."""

    async def load(self, match: str) -> SavedMatch | None:
        """Load a started match with its game state. None for a lobby or no match. Also raises DamagedMatch."""

    async def load_deal(self, match: str) -> SavedDeal | None:
        """Return the sealed deal of a match, or None if it has none."""

    async def count_matches(self, guild: int) -> Mapping[Status, int]:
        """Return how many matches of a server are stored, by status."""

    async def newest_matches(self, guild: int, statuses: frozenset[Status], limit: int, game: str = "") -> list[str]:
        """Return the ids of a server's matches with one of the statuses, the last changed first, up to a limit.

        With a game's key, return those of that game.
        """

    async def load_history(self, match: str) -> list[Action]:
        """Return all actions of a match, oldest first; of its moves, only those that everyone may know."""

    async def live_matches_after(self, after: str, limit: int, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return the ids of live matches of these servers after a given id, in order, up to a limit."""

    async def matches_awaiting_computers(self, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return the ids of running matches of these servers that may wait only for computers or forced moves."""

    async def load_due(self, until: int, partition: Partition = ALL_SERVERS) -> tuple[list[DueTime], int | None]:
        """Return what is due by that second in these servers, oldest first, and the time of the next due item."""

    async def mark_done(self, due: DueTime, epoch: int | None = None) -> None:
        """Mark an item as done; nothing more is due for that decision. Raises NotLeaseHolder as `SurfaceStorage.put`
        does."""

    async def record_alive(self, at: int, partition: Partition = ALL_SERVERS) -> None:
        """Record that the bot was reachable for these servers at that second."""

    async def postpone_deadlines(
        self, since: int | None, until: int, partition: Partition = ALL_SERVERS
    ) -> dict[str, bool]:
        """Postpone what ends by itself in these servers, and reminders of it, by the length of an outage.

        Also record that the bot is reachable for them. A `since` of None means the last recorded time of each
        partition. Return the postponed matches, and whether the delay is long enough to show it to people.
        """

    async def put_times_right(self, now: int, partition: Partition = ALL_SERVERS) -> list[str]:
        """Put times right that lie over a minute in the future in these servers, because a wrong clock wrote them.

        What is due then comes as long after `now` as it should have come after its own beginning. Return the matches.
        Each of them gets a new revision, so that every process loads it again.
        """

    async def load_deadlines(self, match: str) -> list[DueTime]:
        """Return the deadlines of a match's open decisions."""

    async def load_lapse(self, match: str) -> DueTime | None:
        """Return when a match's open request lapses; None without a request."""

    async def rest_until(self, user: int) -> int:
        """Return the second until which a person rests, or 0 if they do not."""

    async def change_rest(self, user: int, until: int, now: int) -> list[str]:
        """Store until when a person rests; 0 ends it. Move what is due for them, in the same transaction.

        Return the live matches in which they have a seat. Each of them gets a new revision, so that every process
        loads it again.
        """

    async def end_expired_rests(self, now: int) -> list[str]:
        """End the rests that were to end by that second, and return the live matches of these people, as above."""

    async def postpone_call(self, match: str, seat: int, since: int, step_text: str | None = None) -> int | None:
        """Restart the delay of a seat's pending turn ping. Return its new time, or None if there is none.

        A given `step_text` is stored with the decision, whether or not a ping is pending.
        """

    async def load_move_steps(self, match: str) -> dict[int, str]:
        """Return each seat's step towards its move, as `postpone_call` reported it, without seats that have not begun.

        A pause keeps the steps of people who stay.
        """

    async def find(
        self,
        *,
        statuses: frozenset[Status] = LIVE,
        guild: int | None = None,
        user: int | None = None,
        follows: str | None = None,
    ) -> list[MatchInfo]:
        """Return matches with one of the statuses, newest first: of a guild, of a user with a seat, after a match, or
        all."""
