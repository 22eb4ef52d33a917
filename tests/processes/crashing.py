"""Matches of all games on a bot that dies all the time, and a book of what it has acknowledged, called, and shown.

Whatever people do follows from what the database says of their table, so that it goes on wherever a death has left it.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from cogs.table.pages import custom_ids
from engines.store.match_store import LIVE
from playground.page.client import Outcome, Player, SeenMessage, TurnedDown, Visitor
from playground.world.ids import BOT
from playground.world.messages import walk
from playground.world.world import EPHEMERAL, Json
from tests.processes.forks import SPEED
from tests.processes.tables import MOVING, Tables, late, offered

SILENT = 4096
PRIVATE = re.compile(r"(?<=/webhooks/)\d+/([^/]+)/messages/@original$")
CONTENT = re.compile(r'"content": "([^"]*)')
FIRST = re.compile(r"(?<=/interactions/)(\d+)/[^/]+/callback$")
LATER, UPDATED = 6, 7  # what Discord is answered first: that the clicked message will be redrawn, or is
ANSWER = 10.0  # seconds for which an answer that was put off is waited for
LATE = 5 * SPEED  # by the bot's clock: what is due by then has happened

SEVERAL = """
SELECT match, seat FROM seats WHERE user IN (
    SELECT user FROM seats JOIN matches USING (match) WHERE status = 'running' AND user > 0
    GROUP BY user HAVING COUNT(*) > 1
)
"""  # the seats of those who sit at several tables

PEOPLE = {
    "wizard": ("Ada", "Bela"),
    "jest": ("Bela", "Chidi"),
    "jokers": ("Chidi", "Ada"),
    "court": ("Dora", "Ada"),
    "jesters": ("Dora", "Emil"),  # Emil's direct messages are closed
}
SEATS = {"wizard": 3, "jest": 3, "court": 3}  # with computers; elsewhere people are by themselves
NEW: dict[str, dict[str, Any]] = {
    "wizard": {"clock": "5 minutes", "rounds": 4},
    "jest": {"clock": "1 hour"},
    "jokers": {"clock": "5 minutes"},
    "court": {"clock": "24 hours", "banners": 2},
    "jesters": {"clock": "5 minutes"},
}


class Bot(Protocol):
    """One process, or several, as those see it who look at what it keeps."""

    @property
    def dead(self) -> bool:
        """Whether nothing of it runs."""
        ...

    def now(self) -> int:
        """Its clock."""
        ...

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """What its database says."""
        ...


class Asked(NamedTuple):
    """A move that somebody asks for, or has made."""

    match: str
    user: int
    decision: int
    notation: str


class Called(NamedTuple):
    """A hand that was heard: it calls somebody to a decision."""

    channel: str
    match: str
    decision: int


class Runs(NamedTuple):
    """Time that runs out: of a seat's decision, at that second of the bot's clock."""

    match: str
    seat: int
    decision: int
    at: int


class Witness(Visitor):
    """Hears what makes itself heard, and counts how often each message is changed."""

    def __init__(self, *how: Any) -> None:
        super().__init__(*how)
        self.heard: Counter[Called] = Counter()
        self.again: Counter[Called] = Counter()  # where a hand was there before: nothing but a call is heard then
        self.first: dict[str, str] = {}  # by the number of an interaction: what Discord was answered first
        self.answered: dict[str, str] = {}  # by the token of an interaction: what its message became in the end
        self.edits: dict[str, list[str]] = {}  # what messages were changed to since the bot was last started

    def told(self, words: str) -> int:
        """How many messages say so."""
        every = (message for there in self.messages.values() for message in there.values())
        return sum(words in SeenMessage(message).text for message in every)

    def _take(self, frame: Json) -> None:
        if frame["type"] == "message_create" and not frame["message"]["flags"] & (SILENT | EPHEMERAL):
            self._hear(frame["message"])
        if frame["type"] == "request" and frame["log"]["status"] in (200, 204):
            self.first |= dict.fromkeys(FIRST.findall(frame["log"]["path"]), frame["log"]["body"])
        if frame["type"] == "request" and frame["log"]["method"] == "PATCH" and frame["log"]["status"] == 200:
            path, body = frame["log"]["path"], frame["log"]["body"]
            if answer := PRIVATE.search(path):
                self.answered[answer[1]] = body
            self.edits.setdefault(path.rpartition("/")[2], []).append(body)
        super()._take(frame)

    def _hear(self, message: Json) -> None:
        there = message["channel_id"]
        controls = [custom_ids.read(each.get("custom_id") or "") for each in walk(message["components"])]
        decisions = {(c.match, c.decision) for c in controls if c is not None and c.kind in MOVING}
        for match, decision in decisions:
            known = any(f":{match}:" in str(each["components"]) for each in self.messages.get(there, {}).values())
            self.heard[Called(there, match, decision)] += 1
            self.again[Called(there, match, decision)] += known


@dataclass
class Crashing(Tables):
    """Five tables, one a game, at which a new match is begun when one is over."""

    bot: Bot = field(kw_only=True)
    witness: Witness = field(kw_only=True)
    asked: Counter[Asked] = field(default_factory=Counter)
    acknowledged: Counter[Asked] = field(default_factory=Counter)
    asleep: set[str] = field(default_factory=set)  # the games at which nobody moves just now
    news: dict[str, tuple[int, int]] = field(default_factory=dict)  # what messages showed when the bot was started
    several: set[tuple[str, int]] = field(default_factory=set)  # the seats of those who sat at several tables then
    reminded: set[str] = field(default_factory=set)  # matches where people are called once more, to be reminded
    timed: dict[tuple[str, int, int], int] = field(default_factory=dict)  # when time was last known to run out

    # What people do

    async def play(self, seconds: float, enough: Callable[[], bool] = lambda: False) -> None:
        """Whoever plays a game does what comes next at its table."""
        matches, self.matches = self.matches, dict.fromkeys(PEOPLE, ())  # tasks are by the game, here
        await super().play(seconds, enough)
        self.matches = matches

    def running(self) -> dict[str, str]:
        """The matches that have begun, and their games."""
        return dict(self.bot.rows("SELECT match, game FROM matches WHERE status = 'running'"))

    async def press(self, match: str, game: str) -> None:
        """Somebody presses something for a move, if there is anything."""
        with suppress(TurnedDown, TimeoutError, KeyError):
            await self._move(match, [self.visitor.player(name) for name in PEOPLE[game]])

    async def _play(self, match: str) -> None:
        while True:
            with suppress(TurnedDown, TimeoutError, KeyError):  # redrawn in between; the bot is out; not there yet
                await self._next(match)
            await asyncio.sleep(0.02)

    def place(self, game: str) -> str:
        """Where a game is played."""
        return "games"

    async def _next(self, game: str) -> None:
        names = PEOPLE[game]
        newest = "SELECT match, status FROM matches WHERE game = ? ORDER BY created DESC, match LIMIT 1"
        found = self.bot.rows(newest, game)
        if not found or found[0][1] not in LIVE:
            await self.visitor.player(names[0]).command(f"{game} new", self.place(game), **NEW[game])
        elif found[0][1] == "lobby":
            await self._gather(game, found[0][0])
        elif game not in self.asleep:
            await self._move(found[0][0], [self.visitor.player(name) for name in names])

    async def _gather(self, game: str, match: str) -> None:
        """Join, seat computers, or start."""
        host, *others = map(self.visitor.player, PEOPLE[game])
        lobby = self._message(match, "lobby")
        seated = [user for (user,) in self.bot.rows("SELECT user FROM seats WHERE match = ?", match)]
        missing = [player for player in others if int(player.id) not in seated]
        if missing:
            await missing[0].forge(lobby, custom_ids.table(match, "join"))
        elif len(seated) < SEATS.get(game, 0):
            await host.forge(lobby, custom_ids.table(match, "computer-easy"))
        else:
            await host.forge(lobby, custom_ids.table(match, "start"))

    async def _move(self, match: str, players: Sequence[Player]) -> None:
        offers = []
        for player in players:
            hand = await self._hand(player, match)
            offers += [(player, hand, one) for one in (offered(hand) if hand else ())]
        if offers:
            player, hand, (custom_id, values) = self.chance.choice(offers)
            assert hand is not None
            await self._click(player, hand, custom_id, values)

    async def _hand(self, player: Player, match: str) -> SeenMessage | None:
        """Their hand; on demand, where direct messages are closed."""
        user = self.playground.house.world.users[int(player.id)]
        if not user.dms_closed:
            return player.newest("dm", lambda m: not m.ephemeral and any(f":{match}:" in i for i, _ in offered(m)))
        if self.chance.random() < 0.8:  # mostly they let their time run out
            return None
        shown = await player.forge(self._message(match, "table"), custom_ids.table(match, "hand"))
        return shown.message

    async def _click(self, player: Player, hand: SeenMessage, custom_id: str, values: tuple[str, ...]) -> None:
        wanted = move(int(player.id), custom_id, values)
        if wanted is not None:
            self.asked[wanted] += 1
        done = await (player.select(hand, custom_id, *values) if values else player.click(hand, custom_id))
        self.clicks += 1
        if wanted is not None and await self._acknowledges(done):
            self.acknowledged[wanted] += 1

    async def _acknowledges(self, done: Outcome) -> bool:
        """Whether the answer to a click on a move says that it was made: at once, or when it comes."""
        if done.responded and done.response_type == UPDATED:
            first, number = self.witness.first, done.interaction_id  # the message itself may show what came after it
            with suppress(TimeoutError):
                await self.visitor.until(lambda: number in first, "the answer in the log", ANSWER)
            return number in first and not _on_top(first[number]).startswith("**")
        interaction = self.playground.house.interactions.find(int(done.interaction_id))
        if interaction is None or done.response_type != LATER:
            return False
        answered, token = self.witness.answered, interaction.token
        with suppress(TimeoutError):
            await self.visitor.until(lambda: token in answered or self.bot.dead, "an answer that was put off", ANSWER)
        return _on_top(answered.get(token, "")).startswith("-# ")

    def _message(self, match: str, kind: str) -> SeenMessage:
        """A message of the bot's. Raises KeyError where there is none yet."""
        sql = "SELECT channel, message FROM surfaces WHERE match = ? AND kind = ?"
        ((channel, message),) = self.bot.rows(sql, match, kind) or [(0, 0)]
        return SeenMessage(self.visitor.messages[str(channel)][str(message)])

    # What must hold after each death

    def check(self) -> list[str]:
        """What has been lost or doubled, in words; the bot does not run."""
        sql = "SELECT match, seat, decision, notation, user, level, at FROM moves ORDER BY match, number"
        moves = self.bot.rows(sql)
        made = Counter(Asked(m, user, d, n) for m, _, d, n, user, level, _ in moves if user and not level)
        found = [f"acknowledged and lost: {each}" for each in self.acknowledged - made]
        found += [f"made more often than it was asked for: {each}" for each in made - self.asked]
        instead = [(m, seat, d, at) for m, seat, d, _, user, level, at in moves if user and level]
        found += [f"made twice by the clock: {e}" for e, n in Counter(e[:3] for e in instead).items() if n > 1]
        found += [f"made too soon by the clock: {e}" for e in instead if e[3] < self.timed.get(e[:3], 0)]
        self.reminded |= {match for (match,) in self.bot.rows("SELECT match FROM due WHERE kind = 'reminder'")}
        found += [
            f"called {n} times: {each}"
            for each, n in self.witness.again.items()
            if n > 1 + (each.match in self.reminded)
        ]
        return found

    def note_clocks(self) -> None:
        """Take down when time runs out; each as late as it was ever told."""
        for match, seat, decision, at in self.clocks():
            self.timed[match, seat, decision] = at

    def clocks(self) -> list[Runs]:
        """When the time of every open decision runs out."""
        sql = "SELECT match, seat, decision, at FROM due WHERE kind = 'clock' AND at IS NOT NULL"
        return [Runs(*row) for row in self.bot.rows(sql)]

    def moved(self, before: Sequence[Runs], alive: int) -> list[str]:
        """Deadlines that came nearer, or were put off by more than the bot can have been away."""
        now, gone = {each[:3]: each.at for each in self.clocks()}, self.bot.now() - alive
        return [
            f"{each} has become {now[each[:3]]}; away for {gone} s"
            for each in before
            if each[:3] in now and not 0 <= now[each[:3]] - each.at <= gone
        ]

    def late(self) -> int:
        """How many moves were made for people whose time had run out."""
        ((found,),) = self.bot.rows("SELECT COUNT(*) FROM moves WHERE user > 0 AND level <> ''")
        return int(found)

    def alive(self) -> int:
        """When it was last noted that the bot is there."""
        found = self.bot.rows("SELECT value FROM notes WHERE key = 'alive'")
        return int(found[0][0]) if found else 0

    # What must hold when all is shown

    async def wrong(self, database: Path, copy: Path) -> list[str]:
        """All that is not as it should be, or not yet."""
        self.matches |= self._live()
        found = await super().wrong(database, copy)
        return [*found, *self._overdue(), *self._strays()]

    def excused(self, stands: Sequence[object], wanted: Sequence[object]) -> bool:
        """Deadlines that a short absence puts off are not told anew."""
        return late(stands, wanted)

    def settled(self) -> None:
        """All was right: whatever is over by now need not be looked at any more."""
        self.matches = self._live()

    def _live(self) -> dict[str, tuple[str, ...]]:
        rows = self.bot.rows("SELECT match FROM matches WHERE status IN ('lobby', 'running', 'paused')")
        return {match: () for (match,) in rows}

    def started(self) -> None:
        """The bot is about to be started: from now on redraws count."""
        self.news, self.several = self._news(), set(self.bot.rows(SEVERAL))
        self.witness.edits.clear()

    def redrawn(self) -> list[str]:
        """Messages that were changed more often since the start than there was something new to show."""
        now, found, several = self._news(), [], self.several.union(self.bot.rows(SEVERAL))
        for message, match, kind, seat in self.bot.rows("SELECT message, match, kind, seat FROM surfaces"):
            (revision, table), (before, there) = now[match], self.news.get(match, (0, 0))
            edits = self.witness.edits.get(str(message), [])
            more = kind == "hand" and (match, seat) in several  # by its other tables, it says to which it belongs
            if len(edits) > 1 + revision - before + (table != there) + more:
                found.append(f"{kind} {seat} of {match}, from revision {before} to {revision}, was changed to {edits}")
        return found

    def _news(self) -> dict[str, tuple[int, int]]:
        """By match: its revision, and where its table is."""
        tables = dict(self.bot.rows("SELECT match, message FROM surfaces WHERE kind = 'table'"))
        matches = self.bot.rows("SELECT match, revision FROM matches")
        return {match: (revision, tables.get(match, 0)) for match, revision in matches}

    def _overdue(self) -> Iterator[str]:
        """Calls and deadlines that should have come by now; calls that are noted and were not heard."""
        now = self.bot.now()
        for match, kind, seat, decision, at, done, user in self.bot.rows(
            "SELECT match, kind, seat, decision, at, done, user FROM due JOIN seats USING (match, seat) "
            "WHERE decision >= 0"
        ):
            if at is not None and at < now - LATE:
                yield f"{match}: the {kind} of {seat} for decision {decision} is late by {now - at} s"
            if kind == "call" and done and not self.playground.house.world.users[user].dms_closed:
                called = Called(self.visitor.player(self._name(user)).channel("dm"), match, decision)
                if not self.witness.heard[called]:
                    yield f"{match}: {seat} was to be called to {decision} and was not"

    def _strays(self) -> Iterator[str]:
        """Messages of the bot's with controls for a move, or with a mention, that nothing in the database knows."""
        known = {
            str(message)
            for (message,) in self.bot.rows("SELECT message FROM surfaces UNION SELECT message FROM mentions")
        }
        for there in self.playground.house.world.messages.values():
            for message in there.values():
                if message.author_id != BOT or message.visible_to is not None or str(message.id) in known:
                    continue
                said = SeenMessage(message.data)
                if offered(said) or "your turn" in said.content or said.content == "…":
                    yield f"nobody knows of message {message.id}: {said.text[:200]}"

    def _name(self, user: int) -> str:
        return self.playground.house.world.users[user].name


def _on_top(body: str) -> str:
    """What stands on top of a page that was sent: a refusal, in bold, or what it is of."""
    found = CONTENT.search(body)
    return found[1] if found else ""


def move(user: int, custom_id: str, values: tuple[str, ...]) -> Asked | None:
    """The move that a click makes, if it makes one."""
    control = custom_ids.read(custom_id)
    if control is None:
        return None
    notation = ""
    if control.kind == "m":
        notation = control.rest
    elif control.kind == "s":
        notation = values[0]
    elif control.kind == "f":
        notation = custom_ids.made(values[0])
    return Asked(control.match, user, control.decision, notation) if notation else None
