"""Hostile and clumsy people: whatever they may send, chosen at random, in the midst of matches that are played."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Any

from cogs.features.notes.note_pages import form_id
from cogs.features.reports import report_pages
from engines.store.match_store import Status
from tests.engines import take_back_model
from tests.engines.model import Tables
from tests.games import GAMES
from tests.messages import BUTTON, SELECT, Message, control_ids, walk_components
from tests.plain.expected_changes import MANAGE_SERVER, Act
from tests.plain.fake_discord import EPHEMERAL_FLAG
from tests.plain.payloads import ALL_PERMISSIONS, CHANNEL, Json, user_object
from tests.plain.plain_bot import COMMAND_KIND, COMPONENT_KIND, FORM_KIND, TYPING_KIND, PlainBot, form_data
from tests.playing import move_command

OTHER_CHANNELS: Mapping[int, int] = {9102: 9101}  # another server's channel
NASTY_NAMES = (
    *("**zq**", "~~zq~~||zq||", "`zq`", "# zq", "[zq](https://evil.example)", "https://evil.example/zq", "> zq"),
    *("@everyone", "@here zq", "<@1>", "<@&9001>", "<#9009>", "discord.gg/evil", "</admin reset:1>", "<t:0:R>"),
    *("שלום zq", "\u202ezq\u202c", "z\u0351\u0352\u0353q\u035c\u0360" * 6, "\u200b\u2060", "مرحبا بالعالم"),
    *("👩‍👩‍👧‍👦" * 9,),
    *("zq" * 16, "_zq_", "- zq", "1. zq", "zq\n# zq", "\\", "*", "|| ||", "A", "a:b=c/d", "🤖", "%s {0} $HOME", "';--"),
)
GARBAGE = (
    *NASTY_NAMES,
    *("", " ", ":", "::::", "m", "m:", "t:", "\x00", "\ud83d", "0", "-1", "1" * 30, "٣", "²", "none", "true", "NaN"),
    *("x" * 100, "x" * 101, "é" * 4000, "🃏" * 100, "t:aaaaaaaa:start", "m:aaaaaaaa:0:play 10H", "l:9999", "r:x:99"),
    *("y:call=never", "y:words=maybe", "u:x:Z999", "b:aaaaaaaa:00000000", "a:aaaaaaaa:reset:1", "f:aaaaaaaa:0:99"),
)
ACTIONS = (
    *("join", "leave", "leave-on", "leave-ask", "start", "options", "computers", "no-computer", "computer-easy"),
    *("computer-normal", "computer-hard", "cancel-ask", "cancel", "keep", "hand", "back", "sheet", "record"),
    *("words", "return", "rule", "rules", "minute", "status", "more", "seat", "stop", "stop-ask", "again"),
    *("settings", "host", "hint", "review", "here", "note", "note", "wrong", "guess", "replay", "nonsense"),
    *("take-back", "take-back=1", "practice=3", "agree=1", "refuse=1", "take-back=x", "agree=1234567"),
    *("take-back=00000000", "practice=0000000g", "agree=00000000", "refuse=123456789"),
)
CONTROL_KINDS = "mcspofngtvbrualyhqwexzjk"
PRACTICE_PREFIX = ":p0"  # the plain model does not know how a finished match stood before, so nobody plays from there
CHANNEL_SELECT = 8  # a list of a server's channels
SETTINGS = (
    *(f"{name}={value}" for name in ("threads", "calls", "computers") for value in ("on", "off", "maybe")),
    *("channels", "channels", "channels=everywhere", "clock", "own_lobbies", "lobbies", "own_tables", "tables", "none"),
    *("rules_wizard", "rules_wizard", "rules_court", "rules_jokers", "rules_jest", "rules_"),
)
LOBBY_OPTIONS = ("clock", "hints", "rounds", "bids", "dummy", "preset", "pace", "special_cards")
LOBBY_VALUES = ("none", "true", "3", "late", "hook", "together", "mouse")
OPTION_VALUES = (
    "none",
    "30 seconds",
    "2 minutes plus 15 seconds a move",
    "5 minutes",
    "24 hours",
    "1",
    "3",
    "25",
    "most",
    "0",
    "everywhere",
    "hook",
    "quick",
    "the host decides",
)
PRIVACY_ACTIONS = ("data", "ask", "again", "keep", *["sure"] * 4, "nonsense")


@dataclass
class HostileCrowd:
    plain_bot: PlainBot
    rng: Random
    tables: Tables
    old_messages: deque[tuple[Message, Json]] = field(default_factory=lambda: deque(maxlen=200))

    async def next_acts(self) -> Sequence[Act]:
        """What is asked next: mostly one thing, sometimes several at once."""
        first = await self._one_act()
        if self.rng.random() > 0.15:
            return [first]
        second = replace(first, user=self._any_person()) if self.rng.random() < 0.3 and _is_public(first) else first
        return self.rng.sample(found := [first, second, await self._one_act()][: self.rng.choice((2, 3))], len(found))

    async def _one_act(self) -> Act:
        weights = {
            self._legal_move_act: 30,
            self._offered_act: 22,
            self._take_back_act: 8,
            self._late_act: 8,
            self._mutated_act: 14,
            self._table_act: 8,
            self._garbage_act: 4,
            self._command_act: 10,
            self._forged_act: 6,
            self._typing_act: 6,
            self._setup_act: 7,
            self._settings_act: 5,
            self._unknown_form_act: 2,
            self._note_act: 3,
            self._privacy_act: 2,
            self._block_act: 3,
        }
        (way,) = self.rng.choices([*weights], [*weights.values()])
        act = way()
        return act if act is not None else self._garbage_act()

    # What is right, or nearly

    def _legal_move_act(self) -> Act | None:
        found = [table for table in self.tables.items() if table[1].status is Status.RUNNING]
        if not found:
            return self._setup_act()
        match, table = self.rng.choice(found)
        seats = [each for each in table.game.decisions(table.state).items() if table.chairs[each[0]].is_present]
        if not seats:
            return None
        seat, decision = self.rng.choice(seats)
        user, move = table.chairs[seat].user, self._legal_notation(match, seat)
        if self.rng.random() < 0.15:  # the very move, made by somebody else
            user = self._any_person()
        if self.rng.random() < 0.2:
            root, given = move_command(table.game.key, move)
            return self._make_command_act(user, root, {**given, "match": match}, self._any_channel(user, 0.1))
        number = table.full_number(seat, decision.number)
        return self._make_click_act(user, self._seen_message(user), f"m:{match}:{number}:{move}")

    def _take_back_act(self) -> Act | None:
        """Somebody takes back what was moved last, or asks to, or answers a request."""
        found = [table for table in self.tables.items() if table[1].status is Status.RUNNING and table[1].moves]
        if not found:
            return None
        match, table = self.rng.choice([each for each in found if each[1].request] or found)
        request = table.request
        if request is not None and not request.ended:
            user = table.chairs[self.rng.choice(request.seats)].user
            stamp = take_back_model.request_stamp(match, table)
            word = self.rng.choice(("agree", "agree", "agree", "refuse"))
        else:
            user = next((made_move.user for made_move in reversed(table.moves) if made_move.user > 0), 0)
            stamp = take_back_model.view_stamp(match, table, user)
            word = self.rng.choice(("take", "take", "practice"))
        if user <= 0 or self.rng.random() < 0.15:
            user = self._any_person()
        is_old = self.rng.random() < 0.2
        old_id = f"t:{match}:{'take-back' if word == 'take' else word}={stamp}"
        return self._make_click_act(
            user, self._seen_message(user), old_id if is_old else f"takebacks:{match}:{word}:{stamp}"
        )

    def _setup_act(self) -> Act:
        lobbies = [each for each in self.tables.items() if each[1].status is Status.LOBBY]
        if not lobbies or self.rng.random() < 0.2:
            command, user = f"{self.rng.choice([*GAMES])} new", self._any_person()
            return self._make_command_act(user, command, self._random_options(command), self._any_channel(user, 0.1))
        match, table = self.rng.choice(lobbies)
        action = self.rng.choice(("join", "join", "computer-easy", "start", "start"))
        user = self._any_person() if action == "join" else table.host
        return self._make_click_act(user, self._seen_message(user), f"t:{match}:{action}")

    def _offered_act(self) -> Act | None:
        user = self._any_person()
        message = self._seen_message(user)
        parts = [each for each in walk_components(message["components"] if message else []) if each.get("custom_id")]
        enabled = [each for each in parts if not each.get("disabled")]
        controls = [each for each in enabled if PRACTICE_PREFIX not in each["custom_id"]]
        if message is None or not controls:
            return None
        data = self._control_data(self.rng.choice(controls))
        self.old_messages.append((message, data))
        return self._make_component_act(user, message, data)

    def _late_act(self) -> Act | None:
        """The same as long ago, by somebody who could see it."""
        if not self.old_messages:
            return None
        message, data = self.rng.choice(self.old_messages)
        channel = int(message["channel_id"])
        alone = message.get("by") or self.plain_bot.wire.reader_of(channel)
        return self._make_component_act(alone or self._any_person(), message, data)

    # What is wrong

    def _mutated_act(self) -> Act | None:
        """A control with something else in its custom_id, or values that were never offered."""
        if not self.old_messages:
            return None
        user, (_, data) = self._any_person(), self.rng.choice(self.old_messages)
        message, rng = self._seen_message(user), self.rng
        parts = data["custom_id"].split(":")
        for _ in range(rng.choice((0, 1, 1, 2))):
            place = rng.randrange(len(parts))
            pool: tuple[Any, ...] = (*self.tables, *GARBAGE, *ACTIONS, *CONTROL_KINDS, *map(str, range(9)))
            parts[place] = rng.choice((rng.choice(pool), rng.choice((*self.tables, "a")), parts[place].upper()))
        data = {**data, "custom_id": ":".join(parts)}
        if rng.random() < 0.5:
            some = [self._any_move(), str(self._any_person()), "=" + self._any_move(), *rng.sample(GARBAGE, 3), 7, None]
            data["values"] = rng.sample(some, rng.choice((0, 1, 1, 1, 2, 5))) * rng.choice((1, 1, 30))
        return self._make_component_act(user, message, data)

    def _table_act(self) -> Act | None:
        user, match = self._any_person(), self.rng.choice([*self.tables, "zzzzzzzz"])
        message, number = self._seen_message(user), self.rng.choice((0, 1, 2, 5, 999999))
        move = self._any_move()
        choices = [
            *[f"t:{match}:{self.rng.choice(ACTIONS)}"] * 3,
            *(f"{kind}:{match}:{number}:{move}" for kind in "mcong"),
            f"v:{match}:{self.rng.choice(LOBBY_OPTIONS)}={self.rng.choice(LOBBY_VALUES)}",
            f"b:{match}:{self.rng.getrandbits(32):08x}",
            f"e:{match}:{number}",
            f"replays:{match}:at:n0ty{number}",
            f"clips:{match}:{self.rng.choice(('open', 'pick', 'post:0', 'post:1', 'post:77', 'other'))}",
            f"a:{match}:{self.rng.choice(('reset', 'cancel', 'other'))}:{user}",
        ]
        found = self.rng.choice(choices)
        values = None if self.rng.random() < 0.7 else [str(self._any_person())]
        return self._make_click_act(user, message, found, values)

    def _settings_act(self) -> Act:
        user, rng = self._any_person(), self.rng
        rooms = [*map(str, (CHANNEL, CHANNEL, *OTHER_CHANNELS, *self.plain_bot.wire.threads))]
        one = [rng.choice((*OPTION_VALUES, *rooms, rng.choice(GARBAGE)))]
        values = rng.choice((None, one, one, one, rng.sample(rooms, 2), []))
        act = self._make_click_act(user, self._seen_message(user), f"h:{rng.choice(SETTINGS)}", values)
        return replace(act, rights=int(ALL_PERMISSIONS)) if rng.random() < 0.5 else act

    def _privacy_act(self) -> Act:
        """What is kept of oneself: shown, handed out, or forgotten, asked just now, long ago, or in times to come."""
        user, now = self._any_person(), self.plain_bot.bot.clock.now()
        number = self.rng.choice(("", f":{now}", f":{now - 60}", f":{now - 3600}", f":{now + 60}", ":0", ":7"))
        return self._make_click_act(user, self._seen_message(user), f"q:{self.rng.choice(PRIVACY_ACTIONS)}{number}")

    def _block_act(self) -> Act:
        """Somebody is shut out or let in again, by a manager or by somebody who would like to be one."""
        user, name = (
            self._any_person(),
            f"admin {self.rng.choice(('shut-out', 'shut-out', 'let-in', 'let-in', 'let-in'))}",
        )
        act = self._make_command_act(user, name, {"player": str(self._any_person())}, self._any_channel(user, 0.2))
        return replace(act, rights=int(ALL_PERMISSIONS)) if self.rng.random() < 0.7 else act

    def _garbage_act(self) -> Act:
        user = self._any_person()
        values = None if self.rng.random() < 0.5 else [self.rng.choice(GARBAGE)]
        return self._make_click_act(user, self._seen_message(user), self.rng.choice(GARBAGE), values)

    def _note_act(self) -> Act:
        """A private note or a report, about one's own match or others', from any message."""
        user, match = self._any_person(), self.rng.choice([*self.tables, "zzzzzzzz"])
        act = self._make_click_act(user, self._seen_message(user), f"w:{match}")
        form = self.rng.choice((form_id(match), report_pages.form_id(match)))
        return replace(act, kind=FORM_KIND, data=form_data(form, self.rng.choice(GARBAGE)))

    def _unknown_form_act(self) -> Act:
        """A form, of which there is none; with far too much in it."""
        user, word = self._any_person(), self.rng.choice(("x" * 6000, "", "zq"))
        row = {"type": 1, "components": [{"type": 4, "custom_id": "word", "value": word}]}
        custom_id = self.rng.choice(self.old_messages)[1]["custom_id"] if self.old_messages else "a form"
        act = self._make_click_act(user, self._seen_message(user), custom_id)
        return replace(act, kind=FORM_KIND, data={"custom_id": custom_id, "components": [row]})

    # Commands

    def _command_act(self) -> Act:
        user, name = self._any_person(), self.rng.choice([*self._known_commands()])
        return self._make_command_act(user, name, self._random_options(name), self._any_channel(user, 0.3))

    def _forged_act(self) -> Act:
        """A command of another version, or with options that there are not, or of other types."""
        user, name = self._any_person(), self.rng.choice([*self._known_commands()])
        given = self._random_options(name)
        for _ in range(self.rng.choice((0, 1, 2))):
            key = self.rng.choice((*given, "x", "match"))
            if key != "player":  # whom Discord itself finds
                given[key] = self.rng.choice((*GARBAGE, 7, -(10**12), True))
        for key in [*given][: self.rng.choice((0, 0, 1))]:
            del given[key]
        root, part = name.split()
        other = f"{self.rng.choice(self.plain_bot.wire.commands)['name']} {part}"
        name = self.rng.choice((name, name, f"{root} gone", f"gone {part}", f"{root} {root}", other))
        act = self._make_command_act(user, name, given, self._any_channel(user, 0.5))
        if self.rng.random() < 0.1:
            act.data["options"] = []
        if self.rng.random() < 0.05:
            act.data["type"] = self.rng.choice((2, 3))
        return act

    def _typing_act(self) -> Act:
        user, name = self._any_person(), self.rng.choice([*self._known_commands()])
        given = self._random_options(name)
        key = self.rng.choice([*(each for each in given if each != "player"), "match"])
        some = (self._any_move(), self._any_move()[:3], self.rng.choice([*self.tables]))
        given[key] = self.rng.choice((*GARBAGE, *some))
        if self.rng.random() < 0.1:
            name = f"{name.split()[0]} gone"
        act = self._make_command_act(user, name, given, self._any_channel(user, 0.3))
        for option in act.data["options"][0]["options"]:
            if option["name"] == key and self.rng.random() < 0.95:
                option["focused"] = True
        return replace(act, kind=TYPING_KIND)

    def _known_commands(self) -> Mapping[str, Json]:
        return {
            f"{root['name']} {part['name']}": part for root in self.plain_bot.wire.commands for part in root["options"]
        }

    def _random_options(self, name: str) -> dict[str, Any]:
        return {
            option["name"]: self._random_value(option)
            for option in self._known_commands()[name].get("options", ())
            if option.get("required") or self.rng.random() < 0.4
        }

    def _random_value(self, option: Json) -> Any:
        if option.get("choices"):
            return self.rng.choice(option["choices"])["value"]
        if option["type"] == 4:
            return self.rng.randint(option.get("min_value", -3), option.get("max_value", 99))
        if option["type"] == 6:
            return str(self._any_person())
        if option["name"] == "match":
            return self.rng.choice([*self.tables, "zzzzzzzz"])
        if option["name"] == "seat":
            return self.rng.choice("ABCDEa?")
        some = ("clock", "hints", "none", "true", "24 hours", self._any_move(), self._any_move())
        return self.rng.choice((*some, self.rng.choice(GARBAGE)))

    def _make_command_act(self, user: int, name: str, given: Mapping[str, Any], channel: int) -> Act:
        root, part = name.split()
        known = {option["name"]: option["type"] for option in self._known_commands().get(name, {}).get("options", ())}
        typed = {key: str(value) if known.get(key) == 3 else value for key, value in given.items()}
        typed_options = [{"name": key, "type": known.get(key, 3), "value": value} for key, value in typed.items()]
        data: Json = {
            "id": "1",
            "name": root,
            "type": 1,
            "options": [{"name": part, "type": 1, "options": typed_options}],
        }
        people = {str(given[key]) for key, kind in known.items() if kind == 6 and key in given}
        names = {number: name for name, number in self.plain_bot.wire.people.items()}
        known_people = [int(each) for each in people if each.isdecimal() and int(each) in names]
        data["resolved"] = {"users": {str(each): user_object(each, names[each]) for each in known_people}}
        return self._make_act(user, channel, COMMAND_KIND, data)

    # Parts

    def _make_click_act(
        self, user: int, message: Message | None, custom_id: str, values: list[Any] | None = None
    ) -> Act:
        data: Json = {"custom_id": custom_id, "component_type": BUTTON if values is None else SELECT}
        return self._make_component_act(user, message, data if values is None else {**data, "values": values})

    def _make_component_act(self, user: int, message: Message | None, data: Json) -> Act:
        message = message or next(each for each in self.plain_bot.wire.channels[CHANNEL].values() if "by" not in each)
        return self._make_act(user, int(message["channel_id"]), COMPONENT_KIND, data, message)

    def _make_act(self, user: int, channel: int, kind: int, data: Json, message: Message | None = None) -> Act:
        rights = int(ALL_PERMISSIONS) if self.rng.random() < 0.2 else int(ALL_PERMISSIONS) & ~MANAGE_SERVER
        own = 0 if self.rng.random() < 0.03 else int(ALL_PERMISSIONS)
        thread = self.plain_bot.wire.threads.get(channel)
        guild = int(thread["guild_id"]) if thread else self.plain_bot.wire.servers.get(channel)
        return Act(user, channel, guild, kind, data, message, rights, own)

    def _any_person(self) -> int:
        return self.rng.choice([*self.plain_bot.wire.people.values()])

    def _any_channel(self, user: int, wrong: float) -> int:
        if self.rng.random() > wrong:
            return CHANNEL
        return self.rng.choice((*self.plain_bot.wire.threads, *OTHER_CHANNELS, self.plain_bot.wire.inbox_of(user)))

    def _seen_message(self, user: int) -> Message | None:
        """A message that they see and that has a control; Discord lets nobody click another."""
        wire = self.plain_bot.wire
        places = [CHANNEL, *OTHER_CHANNELS, *wire.threads, *[wire.inbox_of(user)] * 3]
        messages = wire.messages(self.rng.choice(places)).values()
        found = [each for each in islice(reversed(messages), 12) if each.get("by", user) == user and control_ids(each)]
        return self.rng.choice(found) if found else None

    def _legal_notation(self, match: str, seat: int) -> str:
        table = self.tables[match]
        return str(table.game.format_move(self.rng.choice(table.game.moves(table.state, seat))))

    def _any_move(self) -> str:
        running = [(match, table) for match, table in self.tables.items() if table.status is Status.RUNNING]
        found = [(match, seat) for match, table in running for seat in table.game.decisions(table.state)]
        return self._legal_notation(*self.rng.choice(found)) if found else "pass"

    def _control_data(self, control: Json) -> Json:
        data: Json = {"custom_id": control["custom_id"], "component_type": control["type"]}
        if control["type"] == SELECT:
            lines = [each["value"] for each in control["options"]]
            least, most = control.get("min_values", 1), min(len(lines), control.get("max_values", 1))
            data["values"] = self.rng.sample(lines, self.rng.randint(least, most))
        elif control["type"] == CHANNEL_SELECT:
            rooms = [*map(str, self.plain_bot.wire.servers)]
            data["values"] = self.rng.sample(rooms, self.rng.randint(0, len(rooms)))
        return data


def _is_public(act: Act) -> bool:
    """Whether others can do the same."""
    return act.guild is not None and not (act.source or {}).get("flags", 0) & EPHEMERAL_FLAG
