"""An evening at the playground: the whole bot on real sockets, five games, people who click; all in skipped time."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

import discord
import pytest
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, KeepAliveHandler
from discord.http import Ratelimit, Route

import bot as program
from cogs.client import Motley
from cogs.pictures.studio import Studio
from cogs.table.scheduling import computer_turns
from cogs.table.transport.backoff import use_patience
from cogs.table.transport.response_retry import TRY
from engines import GAMES
from engines.hosting.matches import Matches
from engines.kit.chance import Chance
from engines.store.match_store import LIVE
from playground.page.player_actions import ActRefused, Stage
from playground.page.visible_message import SeenMessage
from playground.server import Playground
from playground.simulation.interactions import Interaction
from playground.world import ids
from playground.world.clock import Timer
from playground.world.world import TEXT, Channel, Json, Message, User, World
from storage import Database, MatchStore, SurfaceStore
from tests.contract.helpers import HELPERS
from tests.faults import rightness
from tests.fronts import FRONTS
from tests.painting import paint
from tests.processes.tables import offered
from tests.thinking.at_once import AtOnce

EPOCH = 1_767_225_600
SEATED = {
    "wizard": ("Ada", "Bela", "Chidi"),
    "jest": ("Bela", "Chidi", "Dora"),
    "jokers": ("Chidi", "Ada"),
    "court": ("Dora", "Ada"),
    "jesters": ("Ada", "Dora"),
}
COMPUTERS = {"wizard": 1, "court": 1}
BETWEEN = 0.3, 3.0  # seconds from one click at a table to the next
ANSWERED = 3.0  # seconds in which a click has to be answered
TRIES = 3  # of an answer in those seconds, at most; where faults hit them all, nothing could be done
KEPT = 3  # messages for oneself that somebody leaves standing in a channel
AMISS = ("cogs.table.transport.error_reports", "asyncio", "discord.client")  # loggers whose errors are ours


class LoopClock:
    """The loop's time, as the playground tells it."""

    def now(self) -> float:
        return EPOCH + asyncio.get_running_loop().time()

    def call_later(self, delay: float, action: Any) -> Timer:
        return asyncio.get_running_loop().call_later(delay, action)


@dataclass
class Click:
    """A click or command on its way."""

    interaction: Interaction
    what: str
    told: float | None = None  # when the bot was told of it
    tries: list[tuple[float, str]] = field(default_factory=list)  # its first answers: when, and what became of each


@dataclass
class Table:
    """A match, where it is played, and by whom."""

    match: str
    game: str
    people: tuple[str, ...]
    channel: int
    lobby: Message


@dataclass
class Evening:
    """The playground, the bot, and the tables."""

    playground: Playground
    bot: Motley
    database: Path
    clock: LoopClock
    rng: Random
    log: list[str]
    tables: dict[str, Table] = field(default_factory=dict)  # by game
    clicks: dict[int, Click] = field(default_factory=dict)  # those that are not answered yet
    counted: Counter[str] = field(default_factory=Counter)
    unanswered: list[str] = field(default_factory=list)  # which should have been
    told_wrong: list[str] = field(default_factory=list)
    playing: asyncio.Event = field(default_factory=asyncio.Event)
    still: set[str] = field(default_factory=set)  # of these tables nobody asks for another
    parlours: int = 0
    _was_slow: tuple[float, float] = (0.0, 0.0)  # when, and by how much
    slowest: float = 0.0  # seconds that it took until all was right

    # Where things stand

    @property
    def world(self) -> World:
        """What there is."""
        return self.playground.house.world

    @property
    def time(self) -> float:
        """Seconds."""
        return asyncio.get_running_loop().time()

    def person(self, name: str) -> User:
        """Somebody, by name."""
        return next(user for user in self.world.people() if user.name == name)

    def hands(self, name: str, match: str) -> Iterator[Message]:
        """What somebody has before them of that match and can click on, the newest of each place."""
        user = self.person(name).id
        for channel, messages in self.world.messages.items():
            if channel == user + ids.DM_OFFSET:
                mine = [m for m in messages.values() if m.visible_to is None]
            else:
                mine = [m for m in messages.values() if m.visible_to == user]
            for message in reversed(mine):
                found = offered(SeenMessage(message.data))
                if found and f":{match}:" in found[0][0]:
                    yield message
                    break

    async def wrong(self, *, stored: bool = False) -> list[str]:
        """What of all tables is not as it should be, as far as the bot knows, or as it has stored."""
        known = None if stored else self.bot.shown
        return await rightness.wrong(self.world, self.clock, self._matches, self.database, self._copy, known)

    async def mistaken(self) -> list[str]:
        """What a bot would take messages for that show something else, if this one died just now."""
        return await rightness.mistaken(self.clock, self._matches, self.bot.shown, self.database, self._copy)

    @property
    def _matches(self) -> list[str]:
        return [table.match for table in self.tables.values()]

    @property
    def _copy(self) -> Path:
        return self.database.with_name("copy.db")

    # What people do

    def act(self, who: str, do: str, /, **details: Any) -> Interaction | Json:
        """Have somebody do something."""
        stage = Stage(self.playground.house)
        return stage.act({"person": str(self.person(who).id), "do": do, **details})

    async def ask(self, who: str, do: str, what: str, /, **details: Any) -> Interaction | None:
        """A click or command, until it is answered or nobody waits for it any longer; None where it cannot be made."""
        try:
            done = self.act(who, do, **details)
        except ActRefused:
            return None
        assert isinstance(done, Interaction)
        self.clicks[done.id] = Click(done, f"{who} {what}")
        await done.settled.wait()
        self._judge(self.clicks.pop(done.id))
        return done

    async def press(self, name: str, message: Message, custom_id: str, *values: str) -> Interaction | None:
        """A click on a message, or a choice from a list of it."""
        more: Json = {"values": list(values)} if values else {}
        where = {"channel_id": str(message.channel_id), "message_id": str(message.id)}
        do = "select" if values else "click"
        return await self.ask(name, do, custom_id, custom_id=custom_id, unchecked=True, **where, **more)

    async def command(self, who: str, command: str, channel: int, /, **options: Any) -> Interaction | None:
        """A command, in a channel."""
        root, part = command.split()
        given = [
            {"name": key, "type": 4 if isinstance(value, int) else 3, "value": value} for key, value in options.items()
        ]
        nested = [{"name": part, "type": 1, "options": given}]
        return await self.ask(who, "command", f"/{command}", channel_id=str(channel), name=root, options=nested)

    async def open(self, game: str) -> None:
        """A table in a channel of its own: people sit down, computers too, and it begins."""
        self.parlours += 1
        channel = Channel(self.world.snowflakes.next(), TEXT, f"parlour-{self.parlours}")
        self.world.add_channel(channel)
        host, *others = SEATED[game]
        opened = await self.command(host, f"{game} new", channel.id, **HELPERS[game].short)
        if opened is None or opened.original is None:
            return  # whether that may be is judged as of any click
        lobby = opened.original
        match = next(b.custom_id for b in SeenMessage(lobby.data).buttons if b.custom_id[0] == "t").split(":")[1]
        for name in others:
            await self.press(name, lobby, f"t:{match}:join")
        for _ in range(COMPUTERS.get(game, 0)):
            await self.press(host, lobby, f"t:{match}:computer-normal")
        await self.press(host, lobby, f"t:{match}:start")
        self.tables[game] = Table(match, game, (host, *others), channel.id, lobby)
        self.counted["tables"] += 1

    async def play(self, game: str) -> None:
        """People at that table, for ever; where a match has ended they begin another."""
        rng = Random(f"{self.rng.random()} {game}")
        while True:
            await asyncio.sleep(rng.uniform(*BETWEEN))
            await self.playing.wait()
            await self._step(self.tables[game], rng)

    async def _step(self, table: Table, rng: Random) -> None:
        """Somebody at a table clicks on something, mostly on what may lead to a move."""
        offers = [
            (name, hand, one)
            for name in table.people
            for hand in self.hands(name, table.match)
            for one in offered(SeenMessage(hand.data))
        ]
        name = rng.choice(table.people)
        if offers and rng.random() < 0.9:
            name, hand, (custom_id, values) = rng.choice(offers)
            await self.press(name, hand, custom_id, *values)
        elif rng.random() < 0.7:
            action = rng.choice(("hand", "hand", "hand", "more", "status", "words"))
            await self.press(name, self.table_of(table) or table.lobby, f"t:{table.match}:{action}")
        else:
            where = rng.choice((table.channel, self.person(name).id + ids.DM_OFFSET))
            await self.command(name, f"{table.game} {rng.choice(('hand', 'status'))}", where, match=table.match)
        self._tidy_up(self.person(name).id)

    def table_of(self, table: Table) -> Message | None:
        """The newest message at which everybody can ask for their hand."""
        for channel in (table.lobby.id, table.channel):
            for message in reversed(self.world.messages.get(channel, {}).values()):
                if message.visible_to is None and f"t:{table.match}:hand" in str(message.data["components"]):
                    assert isinstance(message, Message)
                    return message
        return None

    def _tidy_up(self, user: int) -> None:
        """Somebody dismisses what was said to them alone some time ago."""
        for messages in self.world.messages.values():
            own = [each for each in messages.values() if each.visible_to == user]
            for message in own[:-KEPT]:
                self.world.remove_message(message)

    async def renew(self) -> None:
        """Where a match has ended, the same people begin another."""
        for game, table in [*self.tables.items()]:
            assert not self.unanswered, self.unanswered
            if (await self.bot.matches.look(table.match)).info.status not in LIVE:
                await self.open(game)

    async def come_back(self, name: str, table: Table) -> None:
        """Somebody takes the seat that they had, if it is not theirs any more."""
        info = (await self.bot.matches.look(table.match)).info
        if info.status in LIVE and info.seat_of(self.person(name).id) is None:
            await self.press(name, self.table_of(table) or table.lobby, f"t:{table.match}:seat")

    async def look_into(self) -> None:
        """At every table somebody asks how the match stands."""
        for table in self.tables.values():
            for name in table.people:
                where = self.person(name).id + ids.DM_OFFSET
                if where in self.world.channels:
                    await self.command(name, f"{table.game} status", where, match=table.match)

    @asynccontextmanager
    async def stillness(self) -> AsyncIterator[None]:
        """Nobody clicks, and no computer moves."""
        self.playing.clear()
        await asyncio.gather(*(each.interaction.settled.wait() for each in self.clicks.values()))
        yield
        self.playing.set()

    # What becomes of clicks

    @property
    def slow(self) -> float:
        """Seconds that Discord takes for every request, lately."""
        if (now := self.playground.house.faults.slow_ms / 1000) or self.time - self._was_slow[0] > ANSWERED:
            self._was_slow = self.time, now
        return self._was_slow[1]

    def note_told(self, interaction_id: int) -> None:
        """The bot is told of a click."""
        click = self.clicks.get(interaction_id)
        if click is not None and click.told is None:
            click.told = self.time

    def note_request(self, entry: Json) -> None:
        """The bot has asked for something, and this is what became of it."""
        parts = entry["path"].split("/")
        if parts[1:2] == ["interactions"] and parts[-1] == "callback":
            click = self.clicks.get(int(parts[2]))
            if click is not None:
                click.tries.append((self.time, entry.get("cut") or str(entry["status"])))
        self.counted[f"status {entry.get('cut') or entry['status']}"] += 1

    def _judge(self, click: Click) -> None:
        done, made = click.interaction, click.interaction.made_at - EPOCH
        self.counted["clicks"] += 1
        if done.status == "answered":
            self._read(click)
            return
        hit = [when - made for when, what in click.tries if what in ("before", "after") or int(what) >= 429]
        if click.told is None or click.told - made > ANSWERED - 1:
            self.counted["clicks that the bot was not told of in time"] += 1
        elif self.slow and click.told - made + self.slow > ANSWERED:
            self.counted["clicks for which Discord was too slow"] += 1
        elif len(hit) >= tries_within(self.slow):
            self.counted["clicks whose every answer was hit"] += 1
        else:
            tries = [(round(when - made, 2), what) for when, what in click.tries]
            self.unanswered.append(f"{click.what} at {made:.1f}, told after {click.told - made:.2f} s: {tries}")

    def _read(self, click: Click) -> None:
        said = click.interaction.original
        if said is not None and "went wrong" in SeenMessage(said.data).text:
            self.told_wrong.append(f"{click.what}: {SeenMessage(said.data).text}")


def tries_within(slow: float) -> int:
    """How many tries of an answer Discord takes in time, where each takes it so many seconds."""
    return min(TRIES, ceil((ANSWERED - slow) / TRY - 1e-6))


@contextmanager
def complaints() -> Iterator[list[str]]:
    """Errors that the bot logs of itself."""
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.name.startswith(AMISS) and not record.getMessage().startswith("Attempting a reconnect"):
                lines.append(self.format(record))

    handler = Kept(logging.ERROR)
    logging.getLogger().addHandler(handler)
    try:
        yield lines
    finally:
        logging.getLogger().removeHandler(handler)


@contextmanager
def _in_its_time(clock: LoopClock) -> Iterator[pytest.MonkeyPatch]:
    """discord.py reads the loop's time where it would read the wall's."""

    def utcnow() -> datetime:
        return datetime.fromtimestamp(clock.now(), UTC)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(discord.utils, "utcnow", utcnow)
        patched.setattr(Studio, "render", paint)
        yield patched


def _wait_for_people(here: Evening, patched: pytest.MonkeyPatch) -> None:
    """Computers move only while people do."""

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds)
        await here.playing.wait()

    patched.setattr(computer_turns, "sleep", sleep)


@asynccontextmanager
async def evening(seed: int, folder: Path) -> AsyncIterator[Evening]:
    """The bot is connected, and five tables are being played at."""
    clock, rng, database = LoopClock(), Random(seed), folder / "motley.db"
    with _in_its_time(clock) as patched, complaints() as log:
        async with (
            Playground(clock=clock) as playground,
            Database.open(database, clock=lambda: int(clock.now())) as opened,
        ):
            _point_at(playground, patched)
            lots, numbers = Random(seed), count()
            patched.setattr(secrets, "token_hex", lambda size: lots.randbytes(size).hex())
            matches = Matches(
                MatchStore(opened),
                GAMES,
                lambda: int(clock.now()),
                seed=lambda: Chance(lots.randbytes(16).hex()),
                new_id=lambda: f"match{next(numbers):03d}",
            )
            async with Motley(matches, SurfaceStore(opened), FRONTS, AtOnce(), lambda: int(clock.now())) as bot:
                here = Evening(playground, bot, database, clock, rng, log)
                _wait_for_people(here, patched)
                running = asyncio.create_task(bot.start(playground.house.token), name="bot")
                _listen(here)
                tasks = []
                try:
                    await playground.house.bot_ready.wait()
                    await bot.wait_until_ready()
                    here.playing.set()
                    for game in SEATED:
                        await here.open(game)
                    tasks = [asyncio.create_task(here.play(game), name=f"play {game}") for game in SEATED]
                    yield here
                finally:
                    for task in tasks:
                        task.cancel()
                    ended = await asyncio.gather(*tasks, return_exceptions=True)
                    await bot.close()
                    running.cancel()
                    await asyncio.gather(running, return_exceptions=True)
                    await _hearts_rest()
                broken = [each for each in ended if not isinstance(each, asyncio.CancelledError)]
                assert not broken, broken


async def _hearts_rest() -> None:
    """Wait for the threads by which discord.py keeps sessions alive: one may just be about to use this loop."""
    for thread in threading.enumerate():
        if isinstance(thread, KeepAliveHandler):
            await asyncio.to_thread(thread.join)


def _point_at(playground: Playground, patched: pytest.MonkeyPatch) -> None:
    """discord.py talks to this playground, and is as patient as in the bot's program."""
    patched.setattr(Route, "BASE", Route.BASE)
    patched.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    patched.setitem(vars(discord.client), "ExponentialBackoff", ExponentialBackoff)
    patched.setitem(vars(discord.http), "Ratelimit", Ratelimit)
    program.point_at(playground.api)
    use_patience()


def _listen(here: Evening) -> None:
    """Hear of what the bot is told, and of what it asks."""
    state, log = here.bot._connection, here.playground.house.log
    parse = state.parsers["INTERACTION_CREATE"]

    def parsed(data: Any) -> None:
        here.note_told(int(data["id"]))
        parse(data)

    state.parsers["INTERACTION_CREATE"] = parsed
    told = log.on_entry

    def heard(entry: Json) -> None:
        here.note_request(entry)
        told(entry)

    log.on_entry = heard
