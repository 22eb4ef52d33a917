"""What may become of all matches when somebody asks for something, from whatever place: by the rules and their seats.

It reads what Discord tells the bot with eyes of its own, and asks the plain model of matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import permutations
from re import fullmatch
from typing import Any

from cogs.table.pages import custom_ids
from engines.kit.contract import BadNotation
from engines.kit.options import options_of, text
from engines.kit.seats import LETTERS
from engines.store.match_store import LIVE, Status
from engines.store.server_settings import UNTOUCHED, Server
from engines.store.table_options import HOUSE, USUAL, house_options
from players import levels
from tests.engines import model
from tests.engines.model import Chair, Table, Tables
from tests.fronts import FRONTS
from tests.games import GAMES
from tests.plain.payloads import Json

MANAGE_SERVER = 1 << 5
Servers = Mapping[int, Server]
SURE = 15 * 60  # seconds for which the question whether somebody is to be forgotten may be answered
NEW = "new "  # how the ids begin of those matches that come about


@dataclass(frozen=True, slots=True)
class Act:
    """An interaction: who, where, what kind, its data, the message that was clicked, and what they may do there."""

    user: int
    channel: int
    guild: int | None
    kind: int
    data: Json
    source: Json | None = None
    rights: int = 0
    own: int = 0  # what the bot may do there


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges at one moment: the time, and the seed of whatever is dealt."""

    now: int
    seed: str
    servers: Servers = field(default_factory=dict)
    rooms: Mapping[int, int] = field(default_factory=dict)  # channels, each with its server
    inside: Mapping[int, int] = field(default_factory=dict)  # threads, each with its channel

    def after(self, tables: Tables, acts: Sequence[Act]) -> Iterator[tuple[Tables, Servers]]:
        """All that may have become of the matches, and of the servers' settings, when these were asked at once."""
        for order in permutations(acts):
            found: list[tuple[Judge, Tables]] = [(self, tables)]
            for act in order:
                found = [(judge._arranged(act), after) for judge, before in found for after in judge._one(before, act)]
            yield from ((after, judge.servers) for judge, after in found)

    def _arranged(self, act: Act) -> Judge:
        """With the settings of the server as they are after that."""
        kind, _, setting = str(act.data.get("custom_id", "")).partition(":")
        if kind != "h" or act.guild is None or not act.rights & MANAGE_SERVER:
            return self
        rooms = [room for room, guild in self.rooms.items() if guild == act.guild]
        after = model.arranged(self._server(act.guild), rooms, setting, _values(act.data))
        return self if after is None else replace(self, servers={**self.servers, act.guild: after})

    def _server(self, guild: int) -> Server:
        return self.servers.get(guild, UNTOUCHED)

    def _one(self, tables: Tables, act: Act) -> list[Tables]:
        if "custom_id" in act.data:
            custom_id = str(act.data["custom_id"])
            control = custom_ids.read(custom_id)
            if control is not None and control.match in tables and control.rest != "here":
                tables = _with(tables, control.match, model.back(tables[control.match], act.user))
            return [self._click(tables, act, custom_id, _values(act.data))]
        if act.kind != 2:
            return [tables]
        back = [_with(tables, match, after) for match in tables if (after := model.back(tables[match], act.user))]
        return [after for before in (tables, *back) for after in (before, *self._command(before, act))]

    # Clicks, of which each has one outcome

    def _click(self, tables: Tables, act: Act, custom_id: str, values: list[str]) -> Tables:
        if sure := fullmatch(r"q:sure:([0-9]{1,12})", custom_id):
            return self._forgotten(tables, act.user) if 0 <= self.now - int(sure[1]) <= SURE else tables
        kind, _, rest = custom_id.partition(":")
        match, _, rest = rest.partition(":")
        table, one = tables.get(match), values[0] if len(values) == 1 else ""
        if table is None or not (act.guild == table.place[0] or any(act.user == each.user for each in table.chairs)):
            return tables
        after: Table | None = None
        if kind in "msf" and (found := fullmatch(r"(\d{1,6}):(.+)", rest, 16)):
            made = found[2] if kind == "m" else one if kind == "s" else one.removeprefix("=") if one[:1] == "=" else ""
            if kind == "m" or fullmatch(r"\d{1,2}", found[2]):
                after = model.play(table, act.user, int(found[1]), made)
        elif kind == "t":
            return self._at_table(tables, act, match, rest, one)
        elif kind == "v" and fullmatch(r"[a-z_]{1,20}(=[A-Za-z0-9_-]{1,20})?", rest):
            option, _, value = rest.partition("=")
            after = model.choose(table, act.user, option, value or one, self.now) if value or values[1:] == [] else None
        elif kind == "b" and fullmatch("[0-9a-f]{8}", rest):
            after = model.start(table, act.user, self.seed, self.now, rest == stamp(table))
        elif kind == "a" and fullmatch(r"reset:\d{1,20}", rest) and _manages(act, table):
            after = model.reset(table)
        return _with(tables, match, after)

    def _at_table(self, tables: Tables, act: Act, match: str, action: str, one: str) -> Tables:
        table, user = tables[match], act.user
        match action.split("-"):
            case ["join"]:
                after = model.join(table, user)
            case ["leave"]:
                after = model.leave(table, user)
            case ["leave", "on"]:
                after = model.leave(table, user, "normal")
            case ["leave", "ask"]:
                after = model.leave(table, user) if table.status is Status.LOBBY else None
            case ["start"]:
                after = model.start(table, user, self.seed, self.now)
            case ["computer", level] if level in levels(table.game):
                after = model.add_computers(table, user, level, self._server(table.place[0]))
            case ["no", "computer"]:
                after = model.remove_computer(table, user)
            case ["cancel"]:
                after = model.cancel(table, user)
            case ["seat"]:
                after = model.take_seat(table, user)
            case ["stop"]:
                after = model.vote_end(table, user)
            case ["stop", "ask"]:  # who would end it alone is asked first
                voted = model.vote_end(table, user)
                after = voted if voted is None or voted.status is not Status.ENDED or table.votes else None
            case ["host"]:
                server = self._server(table.place[0])
                after = model.hand_over(tables, match, user, int(one), server) if one.isdecimal() else None
            case ["here"]:
                after = model.back(table, user)
            case ["again"]:
                return self._again(tables, match, user)
            case _:
                after = None
        return _with(tables, match, after)

    def _forgotten(self, tables: Tables, user: int) -> Tables:
        """Whoever says twice that they want it is nobody, at every table."""
        levelled = {match: "normal" if "normal" in levels(table.game) else "" for match, table in tables.items()}
        return {match: model.forget(table, user, levelled[match]) for match, table in tables.items()}

    def _again(self, tables: Tables, match: str, user: int) -> Tables:
        """At the table that follows that match; whoever opens it calls the others."""
        old = tables[match]
        if old.status is not Status.OVER or old.seat_of(user) is None:
            return tables
        following = [each for each, table in tables.items() if table.follows == match and table.status in LIVE]
        if following:
            table = tables[following[0]]
            return _with(tables, following[0], model.join(table, user))
        chairs = (Chair(user), *(chair for chair in old.chairs if not chair.user))
        after = self._opened(
            tables, Table(old.game, old.options, old.place, user, chairs, self.now, old.house, follows=match)
        )
        others = any(chair.here and chair.user != user for chair in old.chairs)
        return _with(after, match, model.call(old, self.now) if others else None) if after is not tables else tables

    def _opened(self, tables: Tables, table: Table, within: int = 0) -> Tables:
        new = NEW + str(sum(each.startswith(NEW) for each in tables))
        return _with(tables, new, model.opened(tables, table, self._server(table.place[0]), within=within))

    # Commands: they may be refused, or mean one of several things

    def _command(self, tables: Tables, act: Act) -> Iterator[Tables]:
        root, part, given = _read(act.data)
        named = str(given.get("match") or "").strip().lower()[:8]
        for match, table in tables.items():
            if named not in ("", match):
                continue
            if table.seat_of(act.user) is not None:
                yield from (_with(tables, match, after) for after in self._seated(table, act, root, part, given))
            if root == "admin" and _manages(act, table):
                yield _with(tables, match, _looked_after(table, part, given))
        game = GAMES.get(root)
        if game is not None and part == "new" and act.guild is not None and act.own:
            own = {o.name: _meant(o.values, given[o.name]) for o in options_of(game) if o.name in given}
            house = {o.name: _meant(o.values, given[o.name]) for o in house_options() if o.name in given}
            try:
                options = game.valid(replace(game.options(), **own))
            except ValueError:
                return
            if not all(option.takes(house.get(option.name, option.default)) for option in house_options()):
                return
            place = (act.guild, act.channel)
            wanted = replace(USUAL, **{"clock": self._server(act.guild).clock, **house})
            table = Table(game, options, place, act.user, (Chair(act.user),), self.now, wanted)
            yield self._opened(tables, table, self.inside.get(act.channel, 0))

    def _seated(self, table: Table, act: Act, root: str, part: str, given: Mapping[str, Any]) -> Iterator[Table | None]:
        """What somebody who sits there may have done by that command."""
        if (root, part) == ("motley", "leave") and table.status is Status.LOBBY:
            yield model.leave(table, act.user)
        elif (root, part) == ("motley", "stop"):
            yield model.vote_end(table, act.user)
        elif (root, part) == ("motley", "options") and {"option", "value"} <= given.keys():
            yield model.choose(table, act.user, str(given["option"]), str(given["value"]), self.now)
        elif root == table.game.key and (typed := _typed(root, part, given).strip()):
            yield from _moves(table, act.user, typed)


def _looked_after(table: Table, part: str, given: Mapping[str, Any]) -> Table | None:
    """What an admin's command makes of a match."""
    seat = LETTERS.find(str(given.get("seat", "")).strip().upper() or "?")
    match part:
        case "remove-player":
            return model.remove(table, int(given.get("player", 0)))
        case "give-seat":
            return model.give_seat(table, seat, "normal") if seat >= 0 else None
        case "give-back":
            return model.give_back(table, seat) if seat >= 0 else None
        case _:
            return None


def stamp(table: Table) -> str:
    """What somebody who confirms a start has read of the options."""
    return blake2b(
        table.game.settings.dump_json(table.options) + HOUSE.dump_json(table.house), digest_size=4
    ).hexdigest()


def _moves(table: Table, user: int, typed: str) -> Iterator[Table | None]:
    """The move that is written; where words are, any legal one, of the verb where they begin with one."""
    seat, game = table.seat_of(user), table.game
    try:
        game.read(typed)
    except BadNotation:
        if seat is None or table.status is not Status.RUNNING or seat not in game.decisions(table.state):
            return
    else:
        yield model.play(table, user, None, typed)
        return
    verb = typed.split()[0].lower()
    for move in game.moves(table.state, seat):
        notation = game.write(move)
        if verb not in game.notation.verbs or notation.split()[0] == verb:
            yield model.play(table, user, None, notation)


def _typed(key: str, part: str, given: Mapping[str, Any]) -> str:
    """What such a command says of a move."""
    if part == "move":
        return str(given.get("move", ""))
    verb = next((each for each in FRONTS[key].cog.verbs if each.name.rstrip("_") == part), None)
    return "" if verb is None else " ".join([verb.name, *(str(given.get(o.rstrip("_"), "")) for o in verb.options)])


def _read(data: Json) -> tuple[str, str, Mapping[str, Any]]:
    inner: Json = next((each for each in data.get("options", ()) if each.get("type") == 1), {"name": ""})
    return data["name"], inner["name"], {each["name"]: each.get("value") for each in inner.get("options", ())}


def _meant(values: Sequence[Any], given: Any) -> Any:
    return next((value for value in values if text(value) == given), given)


def _values(data: Json) -> list[str]:
    return [str(value) for value in data["values"]] if isinstance(data.get("values"), list) else []


def _manages(act: Act, table: Table) -> bool:
    return act.guild == table.place[0] and bool(act.rights & MANAGE_SERVER)


def _with(tables: Tables, match: str, after: Table | None) -> Tables:
    return tables if after is None else {**tables, match: after}
