"""Hostile and clumsy people: whatever they may send, chosen at random, in the midst of matches that are played."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Any

from engines.store.match_store import Status
from tests.engines.model import Tables
from tests.games import GAMES
from tests.messages import BUTTON, SELECT, Message, walk
from tests.plain.inn import COMMAND, COMPONENT, TYPING, Plain
from tests.plain.payloads import ALL, CHANNEL, Json, user
from tests.plain.verdicts import MANAGE_SERVER, Act
from tests.plain.wire import EPHEMERAL, INBOXES
from tests.playing import command

MODAL = 5
ELSEWHERE: Mapping[int, int] = {9102: 9101}  # another server's channel
NAMES = (
    *("**zq**", "~~zq~~||zq||", "`zq`", "# zq", "[zq](https://evil.example)", "https://evil.example/zq", "> zq"),
    *("@everyone", "@here zq", "<@1>", "<@&9001>", "<#9009>", "discord.gg/evil", "</admin reset:1>", "<t:0:R>"),
    *(
        "שלום zq",
        "\u202ezq\u202c",
        "z\u0351\u0352\u0353q\u035c\u0360" * 6,
        "\u200b\u2060",
        "مرحبا بالعالم",
        "👩‍👩‍👧‍👦" * 9,
    ),
    *("zq" * 16, "_zq_", "- zq", "1. zq", "zq\n# zq", "\\", "*", "|| ||", "A", "a:b=c/d", "🤖", "%s {0} $HOME", "';--"),
)
GARBAGE = (
    *NAMES,
    *("", " ", ":", "::::", "m", "m:", "t:", "\x00", "\ud83d", "0", "-1", "1" * 30, "٣", "²", "none", "true", "NaN"),
    *("x" * 100, "x" * 101, "é" * 4000, "🃏" * 100, "t:aaaaaaaa:start", "m:aaaaaaaa:0:play 10H", "l:9999", "r:x:99"),
    *("y:call=never", "y:words=maybe", "u:x:Z999", "b:aaaaaaaa:00000000", "a:aaaaaaaa:reset:1", "f:aaaaaaaa:0:99"),
)
ACTIONS = (
    *("join", "leave", "leave-on", "leave-ask", "start", "options", "computers", "no-computer", "computer-easy"),
    *("computer-normal", "computer-hard", "cancel-ask", "cancel", "keep", "hand", "back", "sheet", "record"),
    *("words", "return"),
    *(
        "rule",
        "rules",
        "minute",
        "status",
        "more",
        "seat",
        "stop",
        "stop-ask",
        "again",
        "settings",
        "host",
        "hint",
        "review",
        "here",
        "nonsense",
    ),
)
KINDS = "mcspofngtvbrualyhq"
CHANNELS = 8  # a list of a server's channels
SETTINGS = (
    *(f"{name}={value}" for name in ("threads", "calls", "computers") for value in ("on", "off", "maybe")),
    *("channels", "channels", "channels=everywhere", "clock", "own_lobbies", "lobbies", "own_tables", "tables", "none"),
)
CHOSEN = ("none", "5 minutes", "24 hours", "1", "3", "25", "most", "0", "everywhere")
PRIVATE = ("data", "ask", "again", "keep", *["sure"] * 4, "nonsense")


@dataclass
class Rabble:
    """Everybody who is about, and what they have seen."""

    inn: Plain
    rng: Random
    tables: Tables
    old: deque[tuple[Message, Json]] = field(default_factory=lambda: deque(maxlen=200))

    async def next(self) -> Sequence[Act]:
        """What is asked next: mostly one thing, sometimes several at once."""
        first = await self._one()
        if self.rng.random() > 0.15:
            return [first]
        again = replace(first, user=self._anybody()) if self.rng.random() < 0.3 and _public(first) else first
        return self.rng.sample(found := [first, again, await self._one()][: self.rng.choice((2, 3))], len(found))

    async def _one(self) -> Act:
        ways = {
            self._play: 30,
            self._offered: 22,
            self._late: 8,
            self._mutated: 14,
            self._table: 8,
            self._garbage: 4,
            self._commanded: 10,
            self._forged: 6,
            self._typed: 6,
            self._begun: 7,
            self._arranged: 5,
            self._modal: 2,
            self._private: 2,
        }
        (way,) = self.rng.choices([*ways], [*ways.values()])
        act = way()
        return act if act is not None else self._garbage()

    # What is right, or nearly

    def _play(self) -> Act | None:
        """A legal move, mostly by whoever may make it."""
        found = [table for table in self.tables.items() if table[1].status is Status.RUNNING]
        if not found:
            return self._begun()
        match, table = self.rng.choice(found)
        seats = [each for each in table.game.decisions(table.state).items() if table.chairs[each[0]].here]
        if not seats:
            return None
        seat, decision = self.rng.choice(seats)
        who, move = table.chairs[seat].user, self._legal(match, seat)
        if self.rng.random() < 0.15:  # the very move, made by somebody else
            who = self._anybody()
        if self.rng.random() < 0.2:
            root, given = command(table.game.key, move)
            return self._command(who, root, {**given, "match": match}, self._place(who, 0.1))
        return self._click(who, self._seen(who), f"m:{match}:{decision.number}:{move}")

    def _begun(self) -> Act:
        """A table is opened, filled, or begun."""
        lobbies = [each for each in self.tables.items() if each[1].status is Status.LOBBY]
        if not lobbies or self.rng.random() < 0.2:
            key = self.rng.choice([*GAMES])
            who = self._anybody()
            return self._command(who, f"{key} new", self._options(f"{key} new"), self._place(who, 0.1))
        match, table = self.rng.choice(lobbies)
        action = self.rng.choice(("join", "join", "computer-easy", "start", "start"))
        who = self._anybody() if action == "join" else table.host
        return self._click(who, self._seen(who), f"t:{match}:{action}")

    def _offered(self) -> Act | None:
        """A control of a message that somebody sees, with values that it offers."""
        who = self._anybody()
        message = self._seen(who)
        controls = list(_controls(message)) if message else []
        if message is None or not controls:
            return None
        data = self._used(self.rng.choice(controls))
        self.old.append((message, data))
        return self._clicked(who, message, data)

    def _late(self) -> Act | None:
        """The same as long ago, by whoever could see it."""
        if not self.old:
            return None
        message, data = self.rng.choice(self.old)
        channel = int(message["channel_id"])
        alone = message.get("by") or (channel - INBOXES if channel >= INBOXES else None)
        return self._clicked(alone or self._anybody(), message, data)

    # What is wrong

    def _mutated(self) -> Act | None:
        """A control with something else in its custom_id, or values that were never offered."""
        if not self.old:
            return None
        who, (_, data) = self._anybody(), self.rng.choice(self.old)
        message, rng = self._seen(who), self.rng
        parts = data["custom_id"].split(":")
        for _ in range(rng.choice((0, 1, 1, 2))):
            place = rng.randrange(len(parts))
            pool: tuple[Any, ...] = (*self.tables, *GARBAGE, *ACTIONS, *KINDS, *map(str, range(9)))
            parts[place] = rng.choice((rng.choice(pool), rng.choice((*self.tables, "a")), parts[place].upper()))
        data = {**data, "custom_id": ":".join(parts)}
        if rng.random() < 0.5:
            some = [self._any_move(), str(self._anybody()), "=" + self._any_move(), *rng.sample(GARBAGE, 3), 7, None]
            data["values"] = rng.sample(some, rng.choice((0, 1, 1, 1, 2, 5))) * rng.choice((1, 1, 30))
        return self._clicked(who, message, data)

    def _table(self) -> Act | None:
        """Anything that tables offer, or moves, asked by anybody of any match."""
        who, match = self._anybody(), self.rng.choice([*self.tables, "zzzzzzzz"])
        message, number = self._seen(who), self.rng.choice((0, 1, 2, 5, 999999))
        move = self._any_move()
        found = self.rng.choice(
            (
                *[f"t:{match}:{self.rng.choice(ACTIONS)}"] * 3,
                *(f"{kind}:{match}:{number}:{move}" for kind in "mcong"),
                f"v:{match}:{self.rng.choice(('clock', 'hints', 'rounds'))}={self.rng.choice(('none', 'true', '3'))}",
                f"b:{match}:{self.rng.getrandbits(32):08x}",
                f"a:{match}:{self.rng.choice(('reset', 'cancel', 'other'))}:{who}",
            )
        )
        values = None if self.rng.random() < 0.7 else [str(self._anybody())]
        return self._click(who, message, found, values)

    def _arranged(self) -> Act:
        """A setting of a server, by whoever may manage it or may not."""
        who, rng = self._anybody(), self.rng
        rooms = [*map(str, (CHANNEL, CHANNEL, *ELSEWHERE, *self.inn.wire.threads))]
        one = [rng.choice((*CHOSEN, *rooms, rng.choice(GARBAGE)))]
        values = rng.choice((None, one, one, one, rng.sample(rooms, 2), []))
        act = self._click(who, self._seen(who), f"h:{rng.choice(SETTINGS)}", values)
        return replace(act, rights=int(ALL)) if rng.random() < 0.5 else act

    def _private(self) -> Act:
        """What is kept of oneself: shown, handed out, or forgotten, asked just now, long ago, or in times to come."""
        who, now = self._anybody(), self.inn.bot.clock()
        number = self.rng.choice(("", f":{now}", f":{now - 60}", f":{now - 3600}", f":{now + 60}", ":0", ":7"))
        return self._click(who, self._seen(who), f"q:{self.rng.choice(PRIVATE)}{number}")

    def _garbage(self) -> Act:
        who = self._anybody()
        values = None if self.rng.random() < 0.5 else [self.rng.choice(GARBAGE)]
        return self._click(who, self._seen(who), self.rng.choice(GARBAGE), values)

    def _modal(self) -> Act:
        """A form, of which there is none; with far too much in it."""
        who, inputs = (
            self._anybody(),
            [{"type": 4, "custom_id": "word", "value": self.rng.choice(("x" * 6000, "", "zq"))}],
        )
        custom_id = self.rng.choice(self.old)[1]["custom_id"] if self.old else "a form"
        act = self._click(who, self._seen(who), custom_id)
        return replace(
            act, kind=MODAL, data={"custom_id": custom_id, "components": [{"type": 1, "components": inputs}]}
        )

    # Commands

    def _commanded(self) -> Act:
        """A command that there is, with options that fit or nearly."""
        who, name = self._anybody(), self.rng.choice([*self._known()])
        return self._command(who, name, self._options(name), self._place(who, 0.3))

    def _forged(self) -> Act:
        """A command of another version, or with options that there are not, or of other types."""
        who, name = self._anybody(), self.rng.choice([*self._known()])
        given = self._options(name)
        for _ in range(self.rng.choice((0, 1, 2))):
            key = self.rng.choice((*given, "x", "match"))
            if key != "player":  # whom Discord itself finds
                given[key] = self.rng.choice((*GARBAGE, 7, -(10**12), True))
        for key in [*given][: self.rng.choice((0, 0, 1))]:
            del given[key]
        root, part = name.split()
        name = self.rng.choice(
            (name, name, f"{root} gone", f"gone {part}", f"{root} {root}", f"{self._known_root()} {part}")
        )
        act = self._command(who, name, given, self._place(who, 0.5))
        if self.rng.random() < 0.1:
            act.data["options"] = []
        if self.rng.random() < 0.05:
            act.data["type"] = self.rng.choice((2, 3))
        return act

    def _typed(self) -> Act:
        """Somebody types in an option, whatever it is."""
        who, name = self._anybody(), self.rng.choice([*self._known()])
        given = self._options(name)
        key = self.rng.choice([*(each for each in given if each != "player"), "match"])
        given[key] = self.rng.choice(
            (*GARBAGE, self._any_move(), self._any_move()[:3], self.rng.choice([*self.tables]))
        )
        if self.rng.random() < 0.1:
            name = f"{name.split()[0]} gone"
        act = self._command(who, name, given, self._place(who, 0.3))
        for option in act.data["options"][0]["options"]:
            if option["name"] == key and self.rng.random() < 0.95:
                option["focused"] = True
        return replace(act, kind=TYPING)

    def _known(self) -> Mapping[str, Json]:
        return {f"{root['name']} {part['name']}": part for root in self.inn.wire.commands for part in root["options"]}

    def _known_root(self) -> str:
        return str(self.rng.choice(self.inn.wire.commands)["name"])

    def _options(self, name: str) -> dict[str, Any]:
        """Options of that command that Discord would let through."""
        return {
            option["name"]: self._value(option)
            for option in self._known()[name].get("options", ())
            if option.get("required") or self.rng.random() < 0.4
        }

    def _value(self, option: Json) -> Any:
        if option.get("choices"):
            return self.rng.choice(option["choices"])["value"]
        if option["type"] == 4:
            return self.rng.randint(option.get("min_value", -3), option.get("max_value", 99))
        if option["type"] == 6:
            return str(self._anybody())
        if option["name"] == "match":
            return self.rng.choice([*self.tables, "zzzzzzzz"])
        if option["name"] == "seat":
            return self.rng.choice("ABCDEa?")
        some = ("clock", "hints", "none", "true", "24 hours", self._any_move(), self._any_move())
        return self.rng.choice((*some, self.rng.choice(GARBAGE)))

    def _command(self, who: int, name: str, given: Mapping[str, Any], channel: int) -> Act:
        root, part = name.split()
        known = {option["name"]: option["type"] for option in self._known().get(name, {}).get("options", ())}
        typed = {key: str(value) if known.get(key) == 3 else value for key, value in given.items()}
        told = [{"name": key, "type": known.get(key, 3), "value": value} for key, value in typed.items()]
        data: Json = {"id": "1", "name": root, "type": 1, "options": [{"name": part, "type": 1, "options": told}]}
        people = {str(given[key]) for key, kind in known.items() if kind == 6 and key in given}
        names = {number: name for name, number in self.inn.wire.people.items()}
        users = {each: user(int(each), names[int(each)]) for each in people if each.isdecimal() and int(each) in names}
        data["resolved"] = {"users": users}
        return self._act(who, channel, COMMAND, data)

    # Parts

    def _click(self, who: int, message: Message | None, custom_id: str, values: list[Any] | None = None) -> Act:
        data: Json = {"custom_id": custom_id, "component_type": BUTTON if values is None else SELECT}
        return self._clicked(who, message, data if values is None else {**data, "values": values})

    def _clicked(self, who: int, message: Message | None, data: Json) -> Act:
        message = message or next(each for each in self.inn.wire.channels[CHANNEL].values() if "by" not in each)
        return self._act(who, int(message["channel_id"]), COMPONENT, data, message)

    def _act(self, who: int, channel: int, kind: int, data: Json, message: Message | None = None) -> Act:
        rights = int(ALL) if self.rng.random() < 0.2 else int(ALL) & ~MANAGE_SERVER
        own = 0 if self.rng.random() < 0.03 else int(ALL)
        return Act(who, channel, self.guild(channel), kind, data, message, rights, own)

    def guild(self, channel: int) -> int | None:
        """In which server that channel is."""
        if channel >= INBOXES:
            return None
        thread = self.inn.wire.threads.get(channel)
        return int(thread["guild_id"]) if thread else self.inn.wire.servers[channel]

    def _anybody(self) -> int:
        return self.rng.choice([*self.inn.wire.people.values()])

    def _place(self, who: int, wrong: float) -> int:
        """Where a command is given: where matches are played, or anywhere."""
        if self.rng.random() > wrong:
            return CHANNEL
        return self.rng.choice((*self.inn.wire.threads, *ELSEWHERE, self.inn.wire.inbox_of(who)))

    def _seen(self, who: int) -> Message | None:
        """A message that this person sees, most likely one of the newest."""
        wire = self.inn.wire
        places = [CHANNEL, *ELSEWHERE, *wire.threads, *[wire.inbox_of(who)] * 3]
        here = wire.channels.get(self.rng.choice(places), {}).values()
        found = [each for each in islice(reversed(here), 12) if each.get("by", who) == who]
        return self.rng.choice(found) if found else None

    def _legal(self, match: str, seat: int) -> str:
        table = self.tables[match]
        return str(table.game.write(self.rng.choice(table.game.moves(table.state, seat))))

    def _any_move(self) -> str:
        """A move that somebody may make somewhere."""
        found = [
            (match, seat)
            for match, table in self.tables.items()
            if table.status is Status.RUNNING
            for seat in table.game.decisions(table.state)
        ]
        return self._legal(*self.rng.choice(found)) if found else "pass"

    def _used(self, control: Json) -> Json:
        """A click on that control."""
        data: Json = {"custom_id": control["custom_id"], "component_type": control["type"]}
        if control["type"] == SELECT:
            lines = [each["value"] for each in control["options"]]
            least, most = control.get("min_values", 1), min(len(lines), control.get("max_values", 1))
            data["values"] = self.rng.sample(lines, self.rng.randint(least, most))
        elif control["type"] == CHANNELS:
            rooms = [*map(str, self.inn.wire.servers)]
            data["values"] = self.rng.sample(rooms, self.rng.randint(0, len(rooms)))
        return data


def _controls(message: Message) -> Iterator[Json]:
    return (each for each in walk(message["components"]) if each.get("custom_id") and not each.get("disabled"))


def _public(act: Act) -> bool:
    """Whether others can do the same."""
    return act.guild is not None and not (act.source or {}).get("flags", 0) & EPHEMERAL
