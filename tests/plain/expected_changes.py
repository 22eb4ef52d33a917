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

from cogs.table.state.block_list import PERSON_TEXT, SERVER_TEXT, SHUT_OUT_TEXT
from engines.features.registry import TABLE_OPTIONS
from engines.kit.contract import AnyGame
from engines.kit.errors import BadNotation
from engines.kit.options import PRESET, change_option, format_value, game_options
from engines.kit.seats import LETTERS
from engines.store.match_store import LIVE, Status
from engines.store.owner_storage import Block
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from engines.store.table_options import TableOptions, format_table_options
from players import available_levels
from tests.engines import model, take_back_model
from tests.engines.model import SeatModel, TableModel, Tables
from tests.features.parsing import is_about_finished, parse
from tests.game_uis import GAME_UIS
from tests.games import GAMES
from tests.plain.payloads import Json

MANAGE_SERVER = 1 << 5
Servers = Mapping[int, ServerSettings]
Blocks = frozenset[Block]
CONFIRM_SECONDS = 15 * 60  # seconds for which the question whether somebody is to be forgotten may be answered
NEW_PREFIX = "new "  # how the ids begin of those matches that come about


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
class Verdicts:
    now: int
    seed: str
    servers: Servers = field(default_factory=dict)
    rooms: Mapping[int, int] = field(default_factory=dict)  # channels, each with its server
    voice_channels: Mapping[int, int] = field(default_factory=dict)  # threads, each with its channel
    blocks: Blocks = frozenset()

    def possible_outcomes(self, tables: Tables, acts: Sequence[Act]) -> Iterator[tuple[Tables, Servers, Blocks]]:
        """All that may have become of matches, of servers' settings and of blocks, when these were asked at once."""
        for order in permutations(acts):
            found: list[tuple[Verdicts, Tables]] = [(self, tables)]
            for act in order:
                known, found = found, []
                for judge, before in known:
                    if judge.refusal_text(act):
                        found.append((judge, before))
                        continue
                    found += [(judge._with_settings(act), after) for after in judge._after_act(before, act)]
                    found += judge._after_blocking(before, act)
            yield from ((after, judge.servers, judge.blocks) for judge, after in found)

    # Blocks

    def refusal_text(self, act: Act) -> str:
        """What somebody is told who may do nothing at all, or nothing there; empty for everybody else."""
        if act.guild is None and _is_about_own_data(act.data):
            return ""
        if Block(0, act.user) in self.blocks:
            return PERSON_TEXT
        if act.guild is not None and Block(act.guild, 0) in self.blocks:
            return SERVER_TEXT
        if act.guild is not None and Block(act.guild, act.user) in self.blocks:
            return SHUT_OUT_TEXT
        return ""

    def _is_shut_out(self, user: int, table: TableModel) -> bool:
        """Whether somebody may do nothing at a table, from any place."""
        return not self.blocks.isdisjoint((Block(table.place[0], 0), Block(table.place[0], user)))

    def _after_blocking(self, tables: Tables, act: Act) -> Iterator[tuple[Verdicts, Tables]]:
        """What managers make of it who shut somebody out, or let them in again."""
        if act.kind != 2 or act.guild is None or not act.rights & MANAGE_SERVER or act.data["name"] != "admin":
            return
        inner: Json = next((each for each in act.data.get("options", ()) if each.get("type") == 1), {"name": ""})
        given = {each["name"]: each.get("value") for each in inner.get("options", ())}
        block = Block(act.guild, int(given.get("player") or 0))
        if inner["name"] == "shut-out" and block.user and block.user != act.user:
            yield self.with_block(block), after_block(tables, block)
        elif inner["name"] == "let-in":
            yield replace(self, blocks=self.blocks - {block}), tables

    def with_block(self, block: Block) -> Verdicts:
        return replace(self, blocks=self.blocks | {block})

    def _with_settings(self, act: Act) -> Verdicts:
        kind, _, setting = str(act.data.get("custom_id", "")).partition(":")
        if kind != "h" or act.guild is None or not act.rights & MANAGE_SERVER:
            return self
        rooms = [room for room, guild in self.rooms.items() if guild == act.guild]
        values = _selected_values(act.data)
        after = model.choose_setting(self._server_settings(act.guild), rooms, setting, values, GAMES)
        return self if after is None else replace(self, servers={**self.servers, act.guild: after})

    def _server_settings(self, guild: int) -> ServerSettings:
        return self.servers.get(guild, DEFAULT_SERVER_SETTINGS)

    def _after_act(self, tables: Tables, act: Act) -> list[Tables]:
        if "custom_id" in act.data:
            custom_id = str(act.data["custom_id"])
            control = parse(custom_id)
            if control is not None and control.match in tables and self._is_shut_out(act.user, tables[control.match]):
                return [tables]
            is_here = control is not None and control.rest != "here" and not is_about_finished(control)
            if control is not None and control.match in tables and is_here:
                tables = _with_table(tables, control.match, model.come_back(tables[control.match], act.user))
            if control is not None and control.kind == "breaks":  # who is on a break already is not known here
                return [tables, _after_break(tables, act.user)]
            if control is not None and control.kind == "i":
                return [tables, *self._after_open(tables, act, control.rest.removeprefix("table:"))]
            after = self._after_click(tables, act, custom_id, _selected_values(act.data))
            asks = control is not None and control.kind == "takebacks" and control.rest.startswith(("take", "practice"))
            return [tables, after] if asks else [after]  # who wants no requests is not known here
        if act.kind != 2:
            return [tables]
        own = {match: table for match, table in tables.items() if not self._is_shut_out(act.user, table)}
        present = {match: model.come_back(table, act.user) for match, table in own.items()}
        back = [_with_table(tables, match, after) for match, after in present.items() if after]
        return [after for before in (tables, *back) for after in (before, *self._after_command(before, act))]

    # Clicks, of which each has one outcome

    def _after_click(self, tables: Tables, act: Act, custom_id: str, values: list[str]) -> Tables:
        if sure := fullmatch(r"q:sure:([0-9]{1,12})", custom_id):
            if not 0 <= self.now - int(sure[1]) <= CONFIRM_SECONDS:
                return tables
            levels = {each: "normal" if "normal" in available_levels(t.game) else "" for each, t in tables.items()}
            return {each: model.forget(table, act.user, levels[each]) for each, table in tables.items()}
        kind, _, rest = custom_id.partition(":")
        match, _, rest = rest.partition(":")
        table, one = tables.get(match), values[0] if len(values) == 1 else ""
        if table is None or not (act.guild == table.place[0] or any(act.user == each.user for each in table.chairs)):
            return tables
        after: TableModel | None = None
        if kind in "msf" and (found := fullmatch(r"(\d{1,6}):(.+)", rest, 16)):
            notation = (
                found[2] if kind == "m" else one if kind == "s" else one.removeprefix("=") if one[:1] == "=" else ""
            )
            if kind == "m" or fullmatch(r"\d{1,2}", found[2]):
                after = model.play(table, act.user, int(found[1]), notation)
        elif kind == "t":
            return self._after_table_action(tables, act, match, rest, one)
        elif kind == "takebacks" and (found := fullmatch(r"(take|practice|agree|refuse):([0-9a-f]{8})", rest)):
            after = self._after_take_back(match, table, act.user, found[1], found[2])
        elif kind == "v" and fullmatch(r"[a-z_]{1,20}(=[A-Za-z0-9_ -]{1,40})?", rest):
            option, _, value = rest.partition("=")
            server = self._server_settings(table.place[0])
            after = model.choose_option(table, act.user, option, value or " ".join(values), self.now, server)
        elif kind == "b" and fullmatch("[0-9a-f]{8}", rest):
            after = model.start(table, act.user, self.seed, self.now, rest == options_stamp(table))
        elif kind == "a" and fullmatch(r"reset:\d{1,20}", rest) and _may_manage(act, table):
            after = model.reset(table)
        return _with_table(tables, match, after)

    def _after_table_action(self, tables: Tables, act: Act, match: str, action: str, one: str) -> Tables:
        table, user = tables[match], act.user
        if found := fullmatch(r"(take-back|practice|agree|refuse)=([0-9a-f]{8})", action):
            return _with_table(tables, match, self._after_take_back(match, table, user, found[1], found[2]))
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
            case ["computer", level] if level in available_levels(table.game):
                after = model.add_computers(table, user, level, self._server_settings(table.place[0]))
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
                server = self._server_settings(table.place[0])
                after = model.hand_over(tables, match, user, int(one), server) if one.isdecimal() else None
            case ["here"]:
                after = model.come_back(table, user)
            case ["again"]:
                return self._after_rematch(tables, match, user)
            case _:
                after = None
        return _with_table(tables, match, after)

    def _after_take_back(self, match: str, table: TableModel, user: int, action: str, stamp: str) -> TableModel | None:
        if action in ("agree", "refuse"):
            if table.request is None or stamp != take_back_model.request_stamp(match, table):
                return None
            return take_back_model.answer(table, user, table.request.move, agrees=action == "agree")
        if table.seat_of(user) is None or stamp != take_back_model.view_stamp(match, table, user):
            return None
        accepts = action == "practice"
        return take_back_model.take_back(table, user, self.now, accepts_practice=accepts)

    def _after_rematch(self, tables: Tables, match: str, user: int) -> Tables:
        old = tables[match]
        if old.status is not Status.OVER or old.seat_of(user) is None:
            return tables
        following = [each for each, table in tables.items() if table.follows == match and table.status in LIVE]
        if following:
            table = tables[following[0]]
            return _with_table(tables, following[0], model.join(table, user))
        chairs = (SeatModel(user), *(chair for chair in old.chairs if not chair.user))
        options = model.set_rules(old.game, old.options, self._server_settings(old.place[0]))
        new = TableModel(old.game, options, old.place, user, chairs, self.now, old.table_options, follows=match)
        after = self._after_opening(tables, new)
        if after is tables:
            return tables
        others = any(chair.is_present and chair.user != user for chair in old.chairs)
        return _with_table(after, match, model.call_again(old, self.now) if others else None)

    def _after_opening(self, tables: Tables, table: TableModel, within: int = 0) -> Tables:
        new = NEW_PREFIX + str(sum(each.startswith(NEW_PREFIX) for each in tables))
        opened_tables = model.open_lobby(tables, table, self._server_settings(table.place[0]), within=within)
        return _with_table(tables, new, opened_tables)

    # Commands: they may be refused, or mean one of several things

    def _after_command(self, tables: Tables, act: Act) -> Iterator[Tables]:
        inner: Json = next((each for each in act.data.get("options", ()) if each.get("type") == 1), {"name": ""})
        root, part = act.data["name"], inner["name"]
        given = {each["name"]: each.get("value") for each in inner.get("options", ())}
        match_name = str(given.get("match") or "").strip().lower()[:8]
        if (root, part) == ("motley", "break"):
            yield _after_break(tables, act.user)
        for match, table in tables.items():
            if match_name not in ("", match) or self._is_shut_out(act.user, table):
                continue
            if table.seat_of(act.user) is not None:
                for after in self._after_seat_command(table, act, root, part, given):
                    yield _with_table(tables, match, after)
            if root == "admin" and _may_manage(act, table):
                yield _with_table(tables, match, _after_admin_command(table, part, given))
        game = GAMES.get(root)
        if game is not None and part == "new" and act.guild is not None and act.own:
            yield from self._after_new(tables, act, act.guild, game, given)

    def _after_open(self, tables: Tables, act: Act, game: str) -> Iterator[Tables]:
        """The button of the first screen opens a table like the game's command without options."""
        if game in GAMES and act.guild is not None and act.own:
            yield from self._after_new(tables, act, act.guild, GAMES[game], {})

    def _after_new(
        self, tables: Tables, act: Act, guild: int, game: AnyGame, given: Mapping[str, Any]
    ) -> Iterator[Tables]:
        own = {o.name: _meant_value(o.values, given[o.name]) for o in game_options(game) if o.name in given}
        offered = [option for option in TABLE_OPTIONS if option.applies_to(game)]  # the command has no others
        table_options = {o.name: _meant_value(o.values, given[o.name]) for o in offered if o.name in given}
        try:
            base = model.set_rules(game, game.options(), self._server_settings(guild))
            base = change_option(game, base, PRESET, given[PRESET]) if game.presets and PRESET in given else base
            options = game.validate_options(replace(base, **own))
        except ValueError:
            return
        if not all(option.accepts(table_options.get(option.name, option.default)) for option in TABLE_OPTIONS):
            return
        place, seats = (guild, act.channel), (SeatModel(act.user),)
        wanted = TableOptions(self._server_settings(guild).clock, known=TABLE_OPTIONS).set_values(table_options)
        table = TableModel(game, options, place, act.user, seats, self.now, wanted)
        yield self._after_opening(tables, table, self.voice_channels.get(act.channel, 0))

    def _after_seat_command(
        self, table: TableModel, act: Act, root: str, part: str, given: Mapping[str, Any]
    ) -> Iterator[TableModel | None]:
        if (root, part) == ("motley", "leave") and table.status is Status.LOBBY:
            yield model.leave(table, act.user)
        elif (root, part) == ("motley", "stop"):
            yield model.vote_end(table, act.user)
        elif (root, part) == ("motley", "options") and {"option", "value"} <= given.keys():
            server = self._server_settings(table.place[0])
            yield model.choose_option(table, act.user, str(given["option"]), str(given["value"]), self.now, server)
        elif root == table.game.key and (typed := _typed_move(root, part, given).strip()):
            yield from _after_move(table, act.user, typed)


def _is_about_own_data(data: Json) -> bool:
    """Whether a command or a control is about one's own data, which nobody is refused in direct messages."""
    parts = {each.get("name") for each in data.get("options", ())}
    is_command = data.get("name") == "motley" and bool(parts & {"privacy", "my-data", "forget-me"})
    return is_command or str(data.get("custom_id", "")).startswith("q:")


def after_block(tables: Tables, block: Block) -> Tables:
    """Every match in which somebody sits who is shut out, or that is played on a blocked server."""
    after: dict[str, TableModel] = dict(tables)
    for match, table in tables.items():
        if table.status not in LIVE or block.guild not in (0, table.place[0]):
            continue
        level = "normal" if "normal" in available_levels(table.game) else ""
        changed = model.shut_out(table, block.user, level) if block.user else model.suspend(table)
        after[match] = changed or table
    return after


def _after_break(tables: Tables, user: int) -> Tables:
    """Every match in which a person sits has a new revision, because due times have moved."""
    return {
        match: table.changed() if table.status in LIVE and table.seat_of(user) is not None else table
        for match, table in tables.items()
    }


def _after_admin_command(table: TableModel, part: str, given: Mapping[str, Any]) -> TableModel | None:
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


def options_stamp(table: TableModel) -> str:
    """What somebody who confirms a start has read of the options."""
    return blake2b(
        table.game.options_adapter.dump_json(table.options) + format_table_options(table.table_options).encode(),
        digest_size=4,
    ).hexdigest()


def _after_move(table: TableModel, user: int, typed: str) -> Iterator[TableModel | None]:
    """The move that is written; for words, any legal one, of their verb if they begin with one."""
    seat, game = table.seat_of(user), table.game
    try:
        game.parse_move(typed)
    except BadNotation:
        if seat is None or table.status is not Status.RUNNING or seat not in game.decisions(table.state):
            return
    else:
        yield model.play(table, user, None, typed)
        return
    verb = typed.split()[0].lower()
    for move in game.moves(table.state, seat):
        notation = game.format_move(move)
        if verb not in game.notation.verbs or notation.split()[0] == verb:
            yield model.play(table, user, None, notation)


def _typed_move(key: str, part: str, given: Mapping[str, Any]) -> str:
    if part == "move":
        return str(given.get("move", ""))
    verb = next((each for each in GAME_UIS[key].cog_class.verbs if each.name.rstrip("_") == part), None)
    return "" if verb is None else " ".join([verb.name, *(str(given.get(o.rstrip("_"), "")) for o in verb.options)])


def _meant_value(values: Sequence[Any], given: Any) -> Any:
    return next((value for value in values if format_value(value) == given), given)


def _selected_values(data: Json) -> list[str]:
    return [str(value) for value in data["values"]] if isinstance(data.get("values"), list) else []


def _may_manage(act: Act, table: TableModel) -> bool:
    return act.guild == table.place[0] and bool(act.rights & MANAGE_SERVER)


def _with_table(tables: Tables, match: str, after: TableModel | None) -> Tables:
    return tables if after is None else {**tables, match: after}
