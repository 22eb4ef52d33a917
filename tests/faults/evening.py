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
from cogs.client import MotleyBot
from cogs.pictures.studio import Studio
from cogs.table.scheduling import computer_turns
from cogs.table.transport.backoff import install_backoff
from cogs.table.transport.response_retry import TRY_SECONDS
from engines import GAMES
from engines.hosting.matches import Matches
from engines.kit.chance import Chance
from engines.store.match_store import LIVE
from playground.page.player_actions import ActRefused, PersonActions
from playground.page.visible_message import SeenMessage
from playground.server import Playground
from playground.simulation.interactions import Interaction
from playground.world import ids
from playground.world.clock import Timer
from playground.world.world import TEXT_CHANNEL, Channel, Json, Message, User, World
from storage import Database, MatchStore, SurfaceStore
from tests.contract.helpers import HELPERS
from tests.faults import rightness
from tests.fronts import GAME_UIS
from tests.painting import describe_picture
from tests.processes.tables import offered_controls
from tests.worker_pool.at_once import ImmediatePool

EPOCH = 1_767_225_600
SEATED = {
    "wizard": ("Ada", "Bela", "Chidi"),
    "jest": ("Bela", "Chidi", "Dora"),
    "jokers": ("Chidi", "Ada"),
    "court": ("Dora", "Ada"),
    "jesters": ("Ada", "Dora"),
}
COMPUTERS = {"wizard": 1, "court": 1}
CLICK_PAUSES = 0.3, 3.0  # seconds from one click at a table to the next
ANSWER_SECONDS = 3.0  # seconds in which a click has to be answered
MAX_TRIES = 3  # of an answer in those seconds, at most; where faults hit them all, nothing could be done
KEPT_MESSAGES = 3  # messages for oneself that somebody leaves standing in a channel
ERROR_LOGGERS = ("cogs.table.transport.error_reports", "asyncio", "discord.client")  # loggers whose errors are ours


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
    description: str
    told_at: float | None = None  # when the bot was told of it
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
    bot: MotleyBot
    database: Path
    clock: LoopClock
    rng: Random
    log: list[str]
    tables: dict[str, Table] = field(default_factory=dict)  # by game
    clicks: dict[int, Click] = field(default_factory=dict)  # those that are not answered yet
    counts: Counter[str] = field(default_factory=Counter)
    unanswered: list[str] = field(default_factory=list)  # which should have been
    wrong_answers: list[str] = field(default_factory=list)
    play_event: asyncio.Event = field(default_factory=asyncio.Event)
    still_tables: set[str] = field(default_factory=set)  # of these tables nobody asks for another
    channel_count: int = 0
    _was_slow: tuple[float, float] = (0.0, 0.0)  # when, and by how much
    slowest: float = 0.0  # seconds that it took until all was right

    # Where things stand

    @property
    def world(self) -> World:
        """What there is."""
        return self.playground.simulation.world

    @property
    def time(self) -> float:
        """Seconds."""
        return asyncio.get_running_loop().time()

    def find_person(self, name: str) -> User:
        """Somebody, by name."""
        return next(user for user in self.world.people() if user.name == name)

    def clickable_hands(self, name: str, match: str) -> Iterator[Message]:
        """What somebody has before them of that match and can click on, the newest of each place."""
        user = self.find_person(name).id
        for channel, messages in self.world.messages.items():
            if channel == user + ids.DM_OFFSET:
                mine = [m for m in messages.values() if m.visible_to is None]
            else:
                mine = [m for m in messages.values() if m.visible_to == user]
            for message in reversed(mine):
                found = offered_controls(SeenMessage(message.data))
                if found and f":{match}:" in found[0][0]:
                    yield message
                    break

    async def find_wrong(self, *, stored: bool = False) -> list[str]:
        """What of all tables is not as it should be, as far as the bot knows, or as it has stored."""
        known = None if stored else self.bot.surfaces
        return await rightness.find_wrong(
            self.world, self.clock, self._match_ids, self.database, self._copy_path, known
        )

    async def find_mistaken(self) -> list[str]:
        """What a bot would take messages for that show something else, if this one died just now."""
        return await rightness.find_mistaken(
            self.clock, self._match_ids, self.bot.surfaces, self.database, self._copy_path
        )

    @property
    def _match_ids(self) -> list[str]:
        return [table.match for table in self.tables.values()]

    @property
    def _copy_path(self) -> Path:
        return self.database.with_name("copy.db")

    # What people do

    def perform(self, who: str, do: str, /, **details: Any) -> Interaction | Json:
        """Have somebody do something."""
        stage = PersonActions(self.playground.simulation)
        return stage.perform({"person": str(self.find_person(who).id), "do": do, **details})

    async def start_interaction(self, who: str, do: str, what: str, /, **details: Any) -> Interaction | None:
        """A click or command, until it is answered or nobody waits for it any longer; None where it cannot be made."""
        try:
            done = self.perform(who, do, **details)
        except ActRefused:
            return None
        assert isinstance(done, Interaction)
        self.clicks[done.id] = Click(done, f"{who} {what}")
        await done.settled_event.wait()
        self._judge_click(self.clicks.pop(done.id))
        return done

    async def press_control(self, name: str, message: Message, custom_id: str, *values: str) -> Interaction | None:
        """A click on a message, or a choice from a list of it."""
        more: Json = {"values": list(values)} if values else {}
        where = {"channel_id": str(message.channel_id), "message_id": str(message.id)}
        do = "select" if values else "click"
        return await self.start_interaction(name, do, custom_id, custom_id=custom_id, unchecked=True, **where, **more)

    async def run_command(self, who: str, command: str, channel: int, /, **options: Any) -> Interaction | None:
        """A command, in a channel."""
        root, part = command.split()
        given = [
            {"name": key, "type": 4 if isinstance(value, int) else 3, "value": value} for key, value in options.items()
        ]
        nested = [{"name": part, "type": 1, "options": given}]
        return await self.start_interaction(
            who, "command", f"/{command}", channel_id=str(channel), name=root, options=nested
        )

    async def open_table(self, game: str) -> None:
        """A table in a channel of its own: people sit down, computers too, and it begins."""
        self.channel_count += 1
        channel = Channel(self.world.snowflakes.next_id(), TEXT_CHANNEL, f"parlour-{self.channel_count}")
        self.world.add_channel(channel)
        host, *others = SEATED[game]
        opened = await self.run_command(host, f"{game} new", channel.id, **HELPERS[game].short_options)
        if opened is None or opened.original is None:
            return  # whether that may be is judged as of any click
        lobby = opened.original
        match = next(b.custom_id for b in SeenMessage(lobby.data).buttons if b.custom_id[0] == "t").split(":")[1]
        for name in others:
            await self.press_control(name, lobby, f"t:{match}:join")
        for _ in range(COMPUTERS.get(game, 0)):
            await self.press_control(host, lobby, f"t:{match}:computer-normal")
        await self.press_control(host, lobby, f"t:{match}:start")
        self.tables[game] = Table(match, game, (host, *others), channel.id, lobby)
        self.counts["tables"] += 1

    async def play_forever(self, game: str) -> None:
        """People at that table, for ever; where a match has ended they begin another."""
        rng = Random(f"{self.rng.random()} {game}")
        while True:
            await asyncio.sleep(rng.uniform(*CLICK_PAUSES))
            await self.play_event.wait()
            await self._click_somewhere(self.tables[game], rng)

    async def _click_somewhere(self, table: Table, rng: Random) -> None:
        """Somebody at a table clicks on something, mostly on what may lead to a move."""
        offers = [
            (name, hand, one)
            for name in table.people
            for hand in self.clickable_hands(name, table.match)
            for one in offered_controls(SeenMessage(hand.data))
        ]
        name = rng.choice(table.people)
        if offers and rng.random() < 0.9:
            name, hand, (custom_id, values) = rng.choice(offers)
            await self.press_control(name, hand, custom_id, *values)
        elif rng.random() < 0.7:
            action = rng.choice(("hand", "hand", "hand", "more", "status", "words"))
            await self.press_control(name, self.newest_table(table) or table.lobby, f"t:{table.match}:{action}")
        else:
            where = rng.choice((table.channel, self.find_person(name).id + ids.DM_OFFSET))
            await self.run_command(name, f"{table.game} {rng.choice(('hand', 'status'))}", where, match=table.match)
        self._dismiss_old(self.find_person(name).id)

    def newest_table(self, table: Table) -> Message | None:
        """The newest message at which everybody can ask for their hand."""
        for channel in (table.lobby.id, table.channel):
            for message in reversed(self.world.messages.get(channel, {}).values()):
                if message.visible_to is None and f"t:{table.match}:hand" in str(message.data["components"]):
                    assert isinstance(message, Message)
                    return message
        return None

    def _dismiss_old(self, user: int) -> None:
        """Somebody dismisses what was said to them alone some time ago."""
        for messages in self.world.messages.values():
            own = [each for each in messages.values() if each.visible_to == user]
            for message in own[:-KEPT_MESSAGES]:
                self.world.remove_message(message)

    async def rematch_ended(self) -> None:
        """Where a match has ended, the same people begin another."""
        for game, table in [*self.tables.items()]:
            assert not self.unanswered, self.unanswered
            if (await self.bot.matches.get_snapshot(table.match)).info.status not in LIVE:
                await self.open_table(game)

    async def retake_seat(self, name: str, table: Table) -> None:
        """Somebody takes the seat that they had, if it is not theirs any more."""
        info = (await self.bot.matches.get_snapshot(table.match)).info
        if info.status in LIVE and info.seat_of(self.find_person(name).id) is None:
            await self.press_control(name, self.newest_table(table) or table.lobby, f"t:{table.match}:seat")

    async def request_statuses(self) -> None:
        """At every table somebody asks how the match stands."""
        for table in self.tables.values():
            for name in table.people:
                where = self.find_person(name).id + ids.DM_OFFSET
                if where in self.world.channels:
                    await self.run_command(name, f"{table.game} status", where, match=table.match)

    @asynccontextmanager
    async def nobody_clicking(self) -> AsyncIterator[None]:
        """Nobody clicks, and no computer moves."""
        self.play_event.clear()
        await asyncio.gather(*(each.interaction.settled_event.wait() for each in self.clicks.values()))
        yield
        self.play_event.set()

    # What becomes of clicks

    @property
    def request_delay(self) -> float:
        """Seconds that Discord takes for every request, lately."""
        if (now := self.playground.simulation.faults.slow_ms / 1000) or self.time - self._was_slow[0] > ANSWER_SECONDS:
            self._was_slow = self.time, now
        return self._was_slow[1]

    def record_told(self, interaction_id: int) -> None:
        """The bot is told of a click."""
        click = self.clicks.get(interaction_id)
        if click is not None and click.told_at is None:
            click.told_at = self.time

    def record_request(self, entry: Json) -> None:
        """The bot has asked for something, and this is what became of it."""
        parts = entry["path"].split("/")
        if parts[1:2] == ["interactions"] and parts[-1] == "callback":
            click = self.clicks.get(int(parts[2]))
            if click is not None:
                click.tries.append((self.time, entry.get("cut") or str(entry["status"])))
        self.counts[f"status {entry.get('cut') or entry['status']}"] += 1

    def _judge_click(self, click: Click) -> None:
        done, made = click.interaction, click.interaction.created_at - EPOCH
        self.counts["clicks"] += 1
        if done.status == "answered":
            self._judge_text(click)
            return
        hit = [when - made for when, what in click.tries if what in ("before", "after") or int(what) >= 429]
        if click.told_at is None or click.told_at - made > ANSWER_SECONDS - 1:
            self.counts["clicks that the bot was not told of in time"] += 1
        elif self.request_delay and click.told_at - made + self.request_delay > ANSWER_SECONDS:
            self.counts["clicks for which Discord was too slow"] += 1
        elif len(hit) >= max_tries_within(self.request_delay):
            self.counts["clicks whose every answer was hit"] += 1
        else:
            tries = [(round(when - made, 2), what) for when, what in click.tries]
            self.unanswered.append(
                f"{click.description} at {made:.1f}, told after {click.told_at - made:.2f} s: {tries}"
            )

    def _judge_text(self, click: Click) -> None:
        said = click.interaction.original
        if said is not None and "went wrong" in SeenMessage(said.data).text:
            self.wrong_answers.append(f"{click.description}: {SeenMessage(said.data).text}")


def max_tries_within(slow: float) -> int:
    """How many tries of an answer Discord takes in time, where each takes it so many seconds."""
    return min(MAX_TRIES, ceil((ANSWER_SECONDS - slow) / TRY_SECONDS - 1e-6))


@contextmanager
def collect_errors() -> Iterator[list[str]]:
    """Errors that the bot logs of itself."""
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.name.startswith(ERROR_LOGGERS) and not record.getMessage().startswith("Attempting a reconnect"):
                lines.append(self.format(record))

    handler = Kept(logging.ERROR)
    logging.getLogger().addHandler(handler)
    try:
        yield lines
    finally:
        logging.getLogger().removeHandler(handler)


@contextmanager
def _use_loop_time(clock: LoopClock) -> Iterator[pytest.MonkeyPatch]:
    """discord.py reads the loop's time where it would read the wall's."""

    def utcnow() -> datetime:
        return datetime.fromtimestamp(clock.now(), UTC)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(discord.utils, "utcnow", utcnow)
        patched.setattr(Studio, "render", describe_picture)
        yield patched


def _pause_computers(here: Evening, patched: pytest.MonkeyPatch) -> None:
    """Computers move only while people do."""

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds)
        await here.play_event.wait()

    patched.setattr(computer_turns, "sleep", sleep)


@asynccontextmanager
async def start_evening(seed: int, folder: Path) -> AsyncIterator[Evening]:
    """The bot is connected, and five tables are being played at."""
    clock, rng, database = LoopClock(), Random(seed), folder / "motley.db"
    with _use_loop_time(clock) as patched, collect_errors() as log:
        async with (
            Playground(clock=clock) as playground,
            Database.open(database, clock=lambda: int(clock.now())) as opened,
        ):
            _point_discord_at(playground, patched)
            lots, numbers = Random(seed), count()
            patched.setattr(secrets, "token_hex", lambda size: lots.randbytes(size).hex())
            matches = Matches(
                MatchStore(opened),
                GAMES,
                lambda: int(clock.now()),
                new_chance=lambda: Chance(lots.randbytes(16).hex()),
                new_id=lambda: f"match{next(numbers):03d}",
            )
            async with MotleyBot(
                matches, SurfaceStore(opened), GAME_UIS, ImmediatePool(), lambda: int(clock.now())
            ) as bot:
                here = Evening(playground, bot, database, clock, rng, log)
                _pause_computers(here, patched)
                running = asyncio.create_task(bot.start(playground.simulation.token), name="bot")
                _attach_listeners(here)
                tasks = []
                try:
                    await playground.simulation.bot_ready.wait()
                    await bot.wait_until_ready()
                    here.play_event.set()
                    for game in SEATED:
                        await here.open_table(game)
                    tasks = [asyncio.create_task(here.play_forever(game), name=f"play {game}") for game in SEATED]
                    yield here
                finally:
                    for task in tasks:
                        task.cancel()
                    ended = await asyncio.gather(*tasks, return_exceptions=True)
                    await bot.close()
                    running.cancel()
                    await asyncio.gather(running, return_exceptions=True)
                    await _wait_for_heartbeats()
                broken = [each for each in ended if not isinstance(each, asyncio.CancelledError)]
                assert not broken, broken


async def _wait_for_heartbeats() -> None:
    """Wait for the threads by which discord.py keeps sessions alive: one may just be about to use this loop."""
    for thread in threading.enumerate():
        if isinstance(thread, KeepAliveHandler):
            await asyncio.to_thread(thread.join)


def _point_discord_at(playground: Playground, patched: pytest.MonkeyPatch) -> None:
    """discord.py talks to this playground, and is as patient as in the bot's program."""
    patched.setattr(Route, "BASE", Route.BASE)
    patched.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    patched.setitem(vars(discord.client), "ExponentialBackoff", ExponentialBackoff)
    patched.setitem(vars(discord.http), "Ratelimit", Ratelimit)
    program.use_api(playground.api_url)
    install_backoff()


def _attach_listeners(here: Evening) -> None:
    """Hear of what the bot is told, and of what it asks."""
    state, log = here.bot._connection, here.playground.simulation.request_log
    parse = state.parsers["INTERACTION_CREATE"]

    def parsed(data: Any) -> None:
        here.record_told(int(data["id"]))
        parse(data)

    state.parsers["INTERACTION_CREATE"] = parsed
    told = log.on_entry

    def heard(entry: Json) -> None:
        here.record_request(entry)
        told(entry)

    log.on_entry = heard
