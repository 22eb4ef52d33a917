"""A plain model of matches: who may do what at a table and what comes of it, as simply as that can be said.

Tables are values. Whatever is refused is None; nothing has changed then.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from engines.hosting.matches.lobbies import CONFIRM_SECONDS
from engines.hosting.matches.rematches import REMATCH_CALL_SECONDS
from engines.hosting.timing.due_times import LOBBY_SECONDS
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from engines.store.match_store import FORCED, LIVE, MatchInfo, SavedMatch, Status, TableLimits
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from engines.store.table_options import CLOCK_SECONDS, DEFAULT_TABLE_OPTIONS, TableOptions, change_any_option


class SeatModel(NamedTuple):
    """Whose seat it is, how they have gone, and the level of the computer that plays there.

    And the digits with which they cut, and whether they cut last: not, they still have to, or they have.
    """

    user: int
    gone_reason: str = ""
    level: str = ""
    cut: str = ""
    last_cut: int = 0

    @property
    def is_present(self) -> bool:
        return self.user > 0 and not self.gone_reason


class MadeMove(NamedTuple):
    """A move: the seat, its decision, the notation, the user, or the computer's level."""

    seat: int
    decision: int
    notation: str
    user: int
    level: str


@dataclass(frozen=True, slots=True)
class RequestModel:
    """A request to take a move back: who asks, the move, who has to agree, who did, and how it has ended."""

    seat: int
    move: int
    seats: tuple[int, ...]
    agreed: tuple[int, ...] = ()
    ended: str = ""
    ended_by: int = -1
    until: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class TableModel:
    """All that is kept of a match but names, reasons, the time of its last change, and where its thread is."""

    game: AnyGame
    options: Any
    place: tuple[int, int]
    host: int
    chairs: tuple[SeatModel, ...]
    created: int
    table_options: TableOptions = DEFAULT_TABLE_OPTIONS
    follows: str = ""
    status: Status = Status.LOBBY
    state: Any = None
    moves: tuple[MadeMove, ...] = ()
    votes: tuple[int, ...] = ()
    revision: int = 0
    chosen_at: int = 0
    called_at: int = 0
    start: Any = None  # the state before all moves
    offset: int = 0  # of the numbers of decisions
    practice: bool = False
    request: RequestModel | None = None
    asked: tuple[tuple[int, ...], ...] = ()
    kept: tuple[tuple[int, int, int], ...] = ()  # seat, number in the game and offset of decisions that stayed open

    def seat_of(self, user: int) -> int | None:
        return next((n for n, chair in enumerate(self.chairs) if chair.is_present and chair.user == user), None)

    def full_number(self, seat: int, number: int) -> int:
        """Under which number a decision is known that has this one in the game."""
        offsets = (offset for each, own, offset in self.kept if (each, own) == (seat, number))
        return number + next(offsets, self.offset)

    def changed(self, **changes: Any) -> TableModel:
        after = replace(self, revision=self.revision + 1, **changes)
        return _settle_requests(self.chairs, after) if after.request or after.asked else after


def _settle_requests(before: tuple[SeatModel, ...], table: TableModel) -> TableModel:
    """What becomes of requests as people come and go, and as a match stops; somebody new has asked nothing yet."""
    request, asked_moves, chairs = table.request, table.asked, table.chairs
    if request is not None:
        plays = [(chair.user, chair.is_present and not chair.level) for chair in chairs]
        played = [(chair.user, chair.is_present and not chair.level) for chair in before]
        same = all(plays[seat] == played[seat] for seat in (request.seat, *request.seats))
        request = request if same and table.status is Status.RUNNING else None
    if asked_moves:
        pairs = zip(before, chairs, asked_moves, strict=True)
        asked_moves = tuple(own if was.user == now.user else () for was, now, own in pairs)
    return replace(table, request=request, asked=asked_moves)


Tables = Mapping[str, TableModel]
NOBODY = -1  # somebody who is forgotten; a store numbers them in its own way


def table_from_store(game: AnyGame, info: MatchInfo, saved: SavedMatch | None) -> TableModel:
    """What a store keeps of a match, as such a table. To have noted its thread is no change here."""
    return TableModel(
        game,
        game.options_adapter.validate_json(info.options),
        (info.place.guild, info.place.channel),
        _known_user(info.host),
        tuple(
            SeatModel(
                _known_user(seat.user), seat.gone, seat.level, seat.cut if len(seat.cut) < 9 else "", seat.last_cut
            )
            for seat in info.seats
        ),
        info.created,
        info.table_options,
        info.follows,
        info.status,
        None if saved is None else game.checkpoint_adapter.validate_json(saved.checkpoint),
        ()
        if saved is None
        else tuple(MadeMove(m.seat, m.decision, m.notation, _known_user(m.user), m.level) for m in saved.moves),
        tuple(map(_known_user, info.votes)),
        info.revision - bool(info.place.thread),
        info.chosen,
        info.called,
        None if saved is None else game.checkpoint_adapter.validate_json(saved.base),
        info.decision_offset,
        info.practice,
        None
        if (asks := info.undoing.request) is None
        else RequestModel(asks.seat, asks.move, asks.seats, asks.agreed, asks.ended, asks.ended_by, asks.until),
        info.undoing.asked,
        tuple((each.seat, each.number, each.offset) for each in info.undoing.kept),
    )


def _known_user(user: int) -> int:
    return max(user, NOBODY)


# Lobbies


def open_lobby(
    tables: Tables,
    table: TableModel,
    server: ServerSettings = DEFAULT_SERVER_SETTINGS,
    limits: TableLimits | None = None,
    within: int = 0,
) -> TableModel | None:
    """A new lobby, if one may be opened and there are not too many; with computers if the server has them."""
    if server.channels and not {table.place[1], within} & server.channels:
        return None
    if set_rules(table.game, table.options, server) != table.options:
        return None
    limits = limits or TableLimits()
    server_tables = [each for each in tables.values() if each.status in LIVE and each.place[0] == table.place[0]]
    waiting = [each for each in server_tables if each.status is Status.LOBBY]
    for counted, own, in_all in (
        (
            waiting,
            min(limits.per_person, server.own_lobbies or limits.per_person),
            min(limits.per_server, server.lobbies or 999),
        ),
        (server_tables, server.own_tables or 999, server.tables or 999),
    ):
        if sum(each.host == table.host for each in counted) >= own or len(counted) >= in_all:
            return None
    if hosted_everywhere(tables, table.host) >= limits.matches_per_person:
        return None
    people = tuple(chair for chair in table.chairs if chair.user or server.computers)
    return replace(table, chairs=people)


def hosted_everywhere(tables: Tables, host: int) -> int:
    """How many live tables a person hosts in all servers."""
    return sum(each.status in LIVE and each.host == host for each in tables.values())


def set_rules(game: AnyGame, options: Any, server: ServerSettings) -> Any:
    """The options with those that the server has set for the game."""
    presets = {**game.presets, **game.past_presets}
    return replace(options, **presets.get(dict(server.presets).get(game.key, ""), {}))


def join(table: TableModel, user: int) -> TableModel | None:
    """Take a free place, or the last computer's."""
    if table.status is not Status.LOBBY or table.seat_of(user) is not None:
        return None
    chairs, most = table.chairs, table.game.seats[-1]
    if len(chairs) == most:
        chairs = _without_last_computer(chairs)
    return table.changed(chairs=(*_reopened(chairs), SeatModel(user))) if len(chairs) < most else None


def add_computers(
    table: TableModel, user: int, level: str, server: ServerSettings = DEFAULT_SERVER_SETTINGS
) -> TableModel | None:
    if not server.computers:
        return None
    free = table.game.seats[-1] - len(table.chairs)
    if table.status is not Status.LOBBY or user != table.host or not free:
        return None
    more = max(1, table.game.seats_with(table.options)[0] - len(table.chairs))
    return table.changed(chairs=(*_reopened(table.chairs), *[SeatModel(0, level=level)] * more))


def remove_computer(table: TableModel, user: int) -> TableModel | None:
    chairs = _without_last_computer(table.chairs)
    if table.status is not Status.LOBBY or user != table.host or chairs == table.chairs:
        return None
    return table.changed(chairs=_reopened(chairs))


def cut(table: TableModel, user: int, digits: str) -> TableModel | None:
    """Somebody at the table cuts, once; the last cutter does so again after the others."""
    seat = table.seat_of(user)
    if table.status is not Status.LOBBY or seat is None or not digits.isdecimal() or len(digits) > 8:
        return None
    own = table.chairs[seat]
    if own.cut and own.last_cut != 1:
        return None
    others = table.chairs if own.last_cut else _reopened(table.chairs)
    return table.changed(
        chairs=_replace_seat(others, seat, own._replace(cut=digits, last_cut=2 if own.last_cut else 0))
    )


def cut_last(table: TableModel, user: int, wanted: bool) -> TableModel | None:
    """Somebody at the table wants the last word, or gives it up; the host may take it from them."""
    seat, last = table.seat_of(user), [chair.user for chair in table.chairs if chair.last_cut]
    if table.status is not Status.LOBBY or seat is None or wanted == bool(last):
        return None
    if last and user not in (*last, table.host):
        return None
    chairs = tuple(chair._replace(last_cut=0) for chair in table.chairs)
    return table.changed(chairs=_replace_seat(chairs, seat, chairs[seat]._replace(last_cut=1)) if wanted else chairs)


def _reopened(chairs: tuple[SeatModel, ...]) -> tuple[SeatModel, ...]:
    return tuple(chair._replace(last_cut=1) if chair.last_cut else chair for chair in chairs)


def hand_over(
    tables: Tables,
    match: str,
    user: int,
    to: int,
    server: ServerSettings = DEFAULT_SERVER_SETTINGS,
    limits: TableLimits | None = None,
) -> TableModel | None:
    """Somebody else at the table is host."""
    limits = limits or TableLimits()
    table, most = tables[match], min(limits.per_person, server.own_lobbies or limits.per_person)
    if table.status not in LIVE or user != table.host or user == to or table.seat_of(to) is None:
        return None
    going = [t for t in tables.values() if t.status in LIVE and (t.host, t.place[0]) == (to, table.place[0])]
    lobbies = [t for t in going if t.status is Status.LOBBY]
    if table.status is Status.LOBBY and (len(lobbies) >= most or len(going) >= (server.own_tables or 999)):
        return None
    if table.status is Status.LOBBY and hosted_everywhere(tables, to) >= limits.matches_per_person:
        return None
    return table.changed(host=to)


def choose_option(
    table: TableModel,
    user: int,
    option: str,
    value: str,
    now: int,
    server: ServerSettings = DEFAULT_SERVER_SETTINGS,
) -> TableModel | None:
    if table.status is not Status.LOBBY or user != table.host:
        return None
    try:
        options, table_options = change_any_option(table.game, table.options, table.table_options, option, value)
    except ValueError:
        return None
    if (options, table_options) == (table.options, table.table_options):
        return None
    names = {name for values in table.game.presets.values() for name in values}
    touched = any(getattr(options, name) != getattr(table.options, name) for name in names)
    if touched and set_rules(table.game, options, server) != options:
        return None
    return table.changed(options=options, table_options=table_options, chosen_at=now)


def cancel(table: TableModel, user: int) -> TableModel | None:
    is_host = table.status is Status.LOBBY and user == table.host
    return table.changed(status=Status.CANCELLED) if is_host else None


def expire(table: TableModel, now: int) -> TableModel | None:
    """A lobby that is a day old is closed."""
    old = table.status is Status.LOBBY and now >= table.created + LOBBY_SECONDS
    return table.changed(status=Status.EXPIRED) if old else None


def lose_channel(table: TableModel) -> TableModel | None:
    """A lobby whose channel is gone is closed."""
    return table.changed(status=Status.CANCELLED) if table.status is Status.LOBBY else None


def start(table: TableModel, user: int, seed: str, now: int, sure: bool | None = None) -> TableModel | None:
    """The host starts; `sure`: whether these very options are confirmed, None if nothing is said of them."""
    if table.status is not Status.LOBBY or user != table.host:
        return None
    if len(table.chairs) not in table.game.seats_with(table.options):
        return None
    if any(chair.last_cut == 1 for chair in table.chairs):
        return None
    others = any(chair.is_present and chair.user != user for chair in table.chairs)
    fresh = others and bool(table.chosen_at) and now <= table.chosen_at + CONFIRM_SECONDS
    if sure is False or (fresh and not sure):
        return None
    try:
        state = table.game.start(len(table.chairs), table.options, Chance(seed))
    except ValueError:
        return None
    return table.changed(status=Status.RUNNING, state=state, start=table.game.copy(state))


def call_again(table: TableModel, now: int) -> TableModel | None:
    """Those who have played are called to play again."""
    return table.changed(called_at=now) if now >= table.called_at + REMATCH_CALL_SECONDS else None


def choose_setting(
    server: ServerSettings,
    rooms: Collection[int],
    setting: str,
    values: Sequence[str],
    games: Mapping[str, AnyGame] = MappingProxyType({}),
) -> ServerSettings | None:
    """A manager of a server chooses one of its settings; `rooms` are its channels. None if that is no choice."""
    name, _, given_value = setting.partition("=")
    values = [given_value] if given_value else values
    if name == "channels":
        picked = [] if values == ["everywhere"] else values
        return replace(server, channels=frozenset(map(int, picked))) if {*picked} <= {*map(str, rooms)} else None
    value = values[0] if len(values) == 1 else ""
    if name in ("threads", "calls", "computers") and value in ("on", "off"):
        switch: dict[str, Any] = {name: value == "on"}
        return replace(server, **switch)
    if name == "clock" and value in ("none", *CLOCK_SECONDS):
        return replace(server, clock=None if value == "none" else cast("Any", value))
    game = games.get(name.removeprefix("rules_"))
    presets = () if game is None else (*game.presets, *game.past_presets)  # an older list offers those of the past
    if game is not None and name == f"rules_{game.key}" and value in ("the host decides", *presets):
        others = [each for each in server.presets if each[0] != game.key]
        own = [(game.key, value)] if value in presets else []
        return replace(server, presets=tuple(sorted([*others, *own])))
    counts = ("1", "2", "3", "5", "10", "25", "50", "100", "most")
    if name in ("own_lobbies", "lobbies", "own_tables", "tables") and value in counts:
        limit: dict[str, Any] = {name: None if value == "most" else int(value)}
        return replace(server, **limit)
    return None


# Moves


def play(table: TableModel, user: int, decision: int | None, notation: str) -> TableModel | None:
    """Somebody moves; an absent player is back with that."""
    seat = table.seat_of(user)
    after = None if seat is None else _after_move(table, seat, decision, notation, user, "")
    if seat is None or after is None:
        return None
    return replace(after, chairs=_replace_seat(after.chairs, seat, after.chairs[seat]._replace(level="")))


def play_for(table: TableModel, seat: int, decision: int, notation: str) -> TableModel | None:
    """The computer moves where it plays."""
    level = table.chairs[seat].level
    return _after_move(table, seat, decision, notation, 0, level) if level else None


def play_forced(table: TableModel, seat: int, decision: int) -> TableModel | None:
    """Somebody's move is made automatically, if everybody can see that it is the only one and the table wants that."""
    chair = table.chairs[seat]
    if table.status is not Status.RUNNING or not table.table_options.autoplay or not chair.is_present or chair.level:
        return None
    moves = table.game.moves(table.state, seat)
    if len(moves) != 1 or not table.game.is_forced(table.game.view(table.state, None), seat):
        return None
    return _after_move(table, seat, decision, table.game.format_move(moves[0]), chair.user, FORCED)


def play_planned(table: TableModel, seat: int, decision: int, notation: str) -> TableModel | None:
    """A move that somebody planned is made when its turn has come."""
    chair = table.chairs[seat]
    return (
        _after_move(table, seat, decision, notation, chair.user, "") if chair.is_present and not chair.level else None
    )


def play_expired(table: TableModel, seat: int, decision: int, notation: str, level: str) -> TableModel | None:
    """A computer moves once for somebody whose clock has run out."""
    chair = table.chairs[seat]
    if not chair.is_present or chair.level:
        return None
    return _after_move(table, seat, decision, notation, chair.user, level)


def _after_move(
    table: TableModel, seat: int, decision: int | None, notation: str, user: int, level: str
) -> TableModel | None:
    game = table.game
    if table.status is not Status.RUNNING or (awaited := game.decisions(table.state).get(seat)) is None:
        return None
    number = table.full_number(seat, awaited.number)
    if decision is not None and decision != number:
        return None
    try:
        move = game.parse_move(notation)
        game.check(table.state, seat, move)
    except IllegalMove:
        return None
    state = game.copy(table.state)
    game.play(state, seat, move)
    is_over = game.outcome(state) is not None
    entry = MadeMove(seat, number, game.format_move(move), user, level)
    status = Status.OVER if is_over else Status.RUNNING
    return table.changed(state=state, moves=(*table.moves, entry), status=status, request=None)


# Coming and going


def leave(table: TableModel, user: int, level: str = "") -> TableModel | None:
    """Out of a lobby, or out of a match in which the computer of that level, if any, plays on."""
    seat = table.seat_of(user)
    if table.status not in LIVE or seat is None:
        return None
    return _leave_lobby(table, seat) if table.status is Status.LOBBY else _vacate_seat(table, seat, "left", level)


def remove(table: TableModel, user: int) -> TableModel | None:
    """An admin takes somebody out."""
    seat = table.seat_of(user)
    if table.status not in LIVE or seat is None:
        return None
    return _leave_lobby(table, seat) if table.status is Status.LOBBY else _vacate_seat(table, seat, "removed", "")


def take_seat(table: TableModel, user: int) -> TableModel | None:
    """One's own seat again, else the first one empty, else the first where a computer plays for somebody."""
    removed = any(chair.user == user and chair.gone_reason == "removed" for chair in table.chairs)
    if table.status not in LIVE or removed or table.seat_of(user) is not None:
        return None
    left = [n for n, chair in enumerate(table.chairs) if chair.gone_reason]
    if not left:
        return None
    own = [n for n in left if table.chairs[n].user == user]
    empty = [n for n in left if not table.chairs[n].level]
    chairs = _replace_seat(table.chairs, [*own, *empty, *left][0], SeatModel(user))
    return table.changed(chairs=chairs, votes=(), status=_status_after(table, chairs))


def vote_end(table: TableModel, user: int) -> TableModel | None:
    """More than half of those who are there end a match."""
    if table.status not in (Status.RUNNING, Status.PAUSED) or table.seat_of(user) is None or user in table.votes:
        return None
    votes = (*table.votes, user)
    voters = sum(chair.is_present and (not chair.level or chair.user in votes) for chair in table.chairs)
    enough = 2 * len(votes) > voters
    return table.changed(votes=votes, status=Status.ENDED if enough else table.status)


def come_back(table: TableModel, user: int) -> TableModel | None:
    """Somebody who was away takes their seat back from the computer."""
    seat = table.seat_of(user)
    return None if seat is None or table.status not in LIVE else give_back(table, seat)


def give_seat(table: TableModel, seat: int, level: str) -> TableModel | None:
    if table.status not in (Status.RUNNING, Status.PAUSED) or seat >= len(table.chairs) or table.chairs[seat].level:
        return None
    chairs = _replace_seat(table.chairs, seat, table.chairs[seat]._replace(level=level))
    return table.changed(chairs=chairs, votes=(), status=_status_after(table, chairs))


def give_back(table: TableModel, seat: int) -> TableModel | None:
    """A seat that the computer keeps for somebody is theirs again."""
    if table.status not in (Status.RUNNING, Status.PAUSED) or seat >= len(table.chairs):
        return None
    chair = table.chairs[seat]
    return (
        table.changed(chairs=_replace_seat(table.chairs, seat, chair._replace(level="")))
        if chair.is_present and chair.level
        else None
    )


def shut_out(table: TableModel, user: int, level: str) -> TableModel | None:
    """Somebody who is shut out gets up from a lobby; in a match, the computer of that level plays on for them."""
    seat = table.seat_of(user)
    if seat is None:
        return None
    return remove(table, user) if table.status is Status.LOBBY else give_seat(table, seat, level) if level else None


def suspend(table: TableModel) -> TableModel | None:
    """The server is blocked, so nothing goes on there."""
    return table.changed(status=Status.PAUSED) if table.status is Status.RUNNING else None


def resume(table: TableModel) -> TableModel | None:
    """The server is let in again, and what was suspended goes on."""
    if table.status is not Status.PAUSED:
        return None
    return table.changed(status=Status.PAUSED if _has_empty_seat(table.chairs) else Status.RUNNING)


def reset(table: TableModel) -> TableModel | None:
    return table.changed(status=Status.RESET) if table.status in LIVE else None


def forget(table: TableModel, user: int, level: str) -> TableModel:
    """Nobody knows any more who that was: a player leaves, with the computer of that level in their seat."""
    after = table
    if user in (table.host, *table.votes, *(chair.user for chair in table.chairs)):
        after = _after_leaving(table, user, level) if table.status in LIVE else _without_user(table, user)
    moves = tuple(entry._replace(user=NOBODY) if entry.user == user else entry for entry in table.moves)
    return replace(after, moves=moves) if moves != table.moves else after


def _without_user(table: TableModel, user: int) -> TableModel:
    chairs = tuple(
        chair._replace(user=NOBODY, cut="", last_cut=0) if chair.user == user else chair for chair in table.chairs
    )
    votes = tuple(NOBODY if vote == user else vote for vote in table.votes)
    return table.changed(chairs=chairs, votes=votes, host=NOBODY if table.host == user else table.host)


def _after_leaving(table: TableModel, user: int, level: str) -> TableModel:
    """A table that goes on, likewise, unless nobody is left."""
    votes = table.votes if table.seat_of(user) is None else ()
    chairs = tuple(
        SeatModel(NOBODY, chair.gone_reason or "left", chair.level if chair.gone_reason else chair.level or level)
        if chair.user == user
        else chair
        for chair in table.chairs
    )
    people = [chair.user for chair in chairs if chair.is_present]
    if not people:
        status = Status.CANCELLED if table.status is Status.LOBBY else Status.ENDED
        return table.changed(
            chairs=chairs, votes=votes, host=NOBODY if table.host == user else table.host, status=status
        )
    host = table.host if table.host in people else people[0]
    if table.status is Status.LOBBY:
        rest = tuple(chair for chair in chairs if chair.user != NOBODY)
        return table.changed(chairs=_reopened(rest), votes=votes, host=host)
    return table.changed(chairs=chairs, votes=votes, host=host, status=_status_after(table, chairs))


def _leave_lobby(table: TableModel, seat: int) -> TableModel:
    """Somebody gets up from a lobby; with the last person it closes, and stays as it was."""
    rest = (*table.chairs[:seat], *table.chairs[seat + 1 :])
    people = [chair.user for chair in rest if chair.is_present]
    if not people:
        return table.changed(status=Status.CANCELLED)
    return table.changed(chairs=_reopened(rest), host=table.host if table.host in people else people[0])


def _vacate_seat(table: TableModel, seat: int, reason: str, level: str) -> TableModel:
    chairs = _replace_seat(table.chairs, seat, table.chairs[seat]._replace(gone_reason=reason, level=level))
    people = [chair.user for chair in chairs if chair.is_present]
    if not people:
        return table.changed(chairs=chairs, votes=(), status=Status.ENDED)
    host = table.host if table.host in people else people[0]
    return table.changed(chairs=chairs, votes=(), host=host, status=_status_after(table, chairs))


def _status_after(table: TableModel, chairs: tuple[SeatModel, ...]) -> Status:
    """With an empty seat a match is paused; one that is paused without is suspended, and stays so."""
    if table.status is Status.PAUSED and not _has_empty_seat(table.chairs):
        return Status.PAUSED
    return Status.PAUSED if _has_empty_seat(chairs) else Status.RUNNING


def _has_empty_seat(chairs: tuple[SeatModel, ...]) -> bool:
    return any(chair.gone_reason and not chair.level for chair in chairs)


def _replace_seat(chairs: tuple[SeatModel, ...], seat: int, chair: SeatModel) -> tuple[SeatModel, ...]:
    return (*chairs[:seat], chair, *chairs[seat + 1 :])


def _without_last_computer(chairs: tuple[SeatModel, ...]) -> tuple[SeatModel, ...]:
    last = max((n for n, chair in enumerate(chairs) if not chair.user), default=None)
    return chairs if last is None else (*chairs[:last], *chairs[last + 1 :])
