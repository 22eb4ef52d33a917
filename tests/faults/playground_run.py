"""A run at the playground: the whole bot on real sockets, five games, people who click; all in skipped time.

What people see of a match must be what a bot would draw that is started now, on a copy of the data. What the bot knows
of its messages is in its memory: of mere edits the store is told some seconds later.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
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

from cogs.client import BotStores, MotleyBot
from cogs.games import GAME_UIS
from cogs.pictures.studio import Studio
from cogs.system_clock import SystemClock
from cogs.table.pages.match_pages import PageContext
from cogs.table.pages.screen_layout import Reader
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.transport.discord_internals import install_backoff, use_api
from cogs.table.transport.interaction_response import TRY_SECONDS
from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.kit.chance import Chance
from engines.store.match_store import LIVE, Status
from engines.store.surface_storage import Surface
from playground.page.player_actions import ActRefused, PersonActions
from playground.page.visible_message import SeenMessage
from playground.server import Playground
from playground.simulation.interactions import Interaction
from playground.world import ids
from playground.world.clock import Clock, Timer
from playground.world.world import TEXT_CHANNEL, Channel, Json, Message, User, World
from storage import Database, MatchStore, SurfaceStore
from tests.contract.helpers import HELPERS
from tests.described_pictures import describe_picture
from tests.log_checks import collect_log
from tests.messages import kind_of
from tests.processes import tables
from tests.processes.tables import offered_controls
from tests.worker_pool.immediate_pool import ImmediatePool

EPOCH = 1_767_225_600
SEATED: dict[str, tuple[str, ...]] = {"wizard": ("Ada", "Bela", "Chidi"), "jest": ("Bela", "Chidi", "Dora")}
SEATED |= {"jokers": ("Chidi", "Ada"), "court": ("Dora", "Ada"), "jesters": ("Ada", "Dora")}
COMPUTERS = {"wizard": 1, "court": 1}
CLICK_PAUSES = 0.3, 3.0  # seconds from one click at a table to the next
ANSWER_SECONDS = 3.0  # seconds in which a click has to be answered
MAX_TRIES = 3  # of an answer in those seconds, at most; if faults hit them all, nothing can be done
MOST_MESSAGES = 3  # messages for oneself that somebody leaves standing in a channel
ERROR_LOGGERS = ("cogs.table.transport.error_reports", "asyncio", "discord.client")  # loggers whose errors are ours


class LoopClock:
    """The loop's time, as the playground tells it."""

    def now(self) -> float:
        return EPOCH + asyncio.get_running_loop().time()

    def call_later(self, delay: float, action: Any) -> Timer:
        return asyncio.get_running_loop().call_later(delay, action)


class ComputerClock(SystemClock):
    """Computers move only while people do."""

    def __init__(self, play_event: asyncio.Event) -> None:
        self._play_event = play_event

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        await self._play_event.wait()


@dataclass
class Click:
    interaction: Interaction
    description: str
    told_at: float | None = None  # when the bot was told of it
    tries: list[tuple[float, str]] = field(default_factory=list)  # its first answers: when, and what became of each


@dataclass
class Table:
    match: str
    game: str
    people: tuple[str, ...]
    channel: int
    lobby: Message


@dataclass
class PlaygroundRun:
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

    channel_count: int = 0
    _was_slow: tuple[float, float] = (0.0, 0.0)  # when, and by how much
    slowest: float = 0.0  # seconds that it took until all was right

    # Where things stand

    @property
    def world(self) -> World:
        return self.playground.simulation.world

    @property
    def time(self) -> float:
        return asyncio.get_running_loop().time()

    def find_person(self, name: str) -> User:
        return next(user for user in self.world.people() if user.name == name)

    def clickable_hands(self, name: str, match: str) -> Iterator[Message]:
        """What somebody has before them of that match and can click on, the newest of each place."""
        user = self.find_person(name).id
        for channel, messages in self.world.messages.items():
            reader = None if channel == user + ids.DM_OFFSET else user
            for message in reversed([m for m in messages.values() if m.visible_to == reader]):
                found = offered_controls(SeenMessage(message.data))
                if found and f":{match}:" in found[0][0]:
                    yield message
                    break

    async def find_wrong(self, *, stored: bool = False) -> list[str]:
        """What of all tables is not as it should be, as far as the bot knows, or as it has stored."""
        known = None if stored else self.bot.surfaces
        return await find_wrong(self.world, self.clock, *self._what_to_look_at, known)

    async def find_mistaken(self) -> list[str]:
        """What a bot would take messages for that show something else, if this one died just now."""
        return await find_mistaken(self.clock, self.bot.surfaces, *self._what_to_look_at)

    @property
    def _what_to_look_at(self) -> tuple[list[str], Path, Path]:
        return [each.match for each in self.tables.values()], self.database, self.database.with_name("copy.db")

    # What people do

    def perform(self, name: str, do: str, /, **details: Any) -> Interaction | Json:
        stage = PersonActions(self.playground.simulation)
        return stage.perform({"person": str(self.find_person(name).id), "do": do, **details})

    async def start_interaction(self, name: str, do: str, description: str, /, **details: Any) -> Interaction | None:
        """A click or command, until it is answered or nobody waits for it any longer; None if it cannot be made."""
        try:
            interaction = self.perform(name, do, **details)
        except ActRefused:
            return None
        assert isinstance(interaction, Interaction)
        self.clicks[interaction.id] = Click(interaction, f"{name} {description}")
        await interaction.settled_event.wait()
        self._judge_click(self.clicks.pop(interaction.id))
        return interaction

    async def press_control(self, name: str, message: Message, custom_id: str, *values: str) -> Interaction | None:
        more: Json = {"values": list(values)} if values else {}
        place = {"channel_id": str(message.channel_id), "message_id": str(message.id)}
        do = "select" if values else "click"
        return await self.start_interaction(name, do, custom_id, custom_id=custom_id, unchecked=True, **place, **more)

    async def run_command(self, name: str, command: str, channel: int, /, **options: Any) -> Interaction | None:
        root, part = command.split()
        kinds = {key: 4 if isinstance(value, int) else 3 for key, value in options.items()}
        given = [{"name": key, "type": kinds[key], "value": value} for key, value in options.items()]
        command_options = [{"name": part, "type": 1, "options": given}]
        place = {"channel_id": str(channel), "name": root, "options": command_options}
        return await self.start_interaction(name, "command", f"/{command}", **place)

    async def open_table(self, game: str) -> None:
        self.channel_count += 1
        channel = Channel(self.world.snowflakes.next_id(), TEXT_CHANNEL, f"parlour-{self.channel_count}")
        self.world.add_channel(channel)
        host, *others = SEATED[game]
        interaction = await self.run_command(host, f"{game} new", channel.id, **HELPERS[game].short_options)
        if interaction is None or interaction.original is None:
            return  # whether that may be is judged as of any click
        lobby = interaction.original
        match = next(b.custom_id for b in SeenMessage(lobby.data).buttons if kind_of(b.custom_id) == "t").split(":")[1]
        for name in others:
            await self.press_control(name, lobby, f"t:{match}:join")
        for _ in range(COMPUTERS.get(game, 0)):
            await self.press_control(host, lobby, f"t:{match}:computer-normal")
        await self.press_control(host, lobby, f"t:{match}:start")
        self.tables[game] = Table(match, game, (host, *others), channel.id, lobby)
        self.counts["tables"] += 1

    async def play_forever(self, game: str) -> None:
        rng = Random(f"{self.rng.random()} {game}")
        while True:
            await asyncio.sleep(rng.uniform(*CLICK_PAUSES))
            await self.play_event.wait()
            await self._click_somewhere(self.tables[game], rng)

    async def _click_somewhere(self, table: Table, rng: Random) -> None:
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
            channel = rng.choice((table.channel, self.find_person(name).id + ids.DM_OFFSET))
            await self.run_command(name, f"{table.game} {rng.choice(('hand', 'status'))}", channel, match=table.match)
        for messages in self.world.messages.values():  # somebody dismisses what was said to them alone some time ago
            own = [each for each in messages.values() if each.visible_to == self.find_person(name).id]
            for message in own[:-MOST_MESSAGES]:
                self.world.remove_message(message)

    def newest_table(self, table: Table) -> Message | None:
        """The newest message at which everybody can ask for their hand."""
        for channel in (table.lobby.id, table.channel):
            for message in reversed(self.world.messages.get(channel, {}).values()):
                if message.visible_to is None and f"t:{table.match}:hand" in str(message.data["components"]):
                    assert isinstance(message, Message)
                    return message
        return None

    async def rematch_ended(self) -> None:
        for game, table in [*self.tables.items()]:
            assert not self.unanswered, self.unanswered
            if (await self.bot.matches.cache.get_snapshot(table.match)).info.status not in LIVE:
                await self.open_table(game)

    async def retake_seat(self, name: str, table: Table) -> None:
        info = (await self.bot.matches.cache.get_snapshot(table.match)).info
        if info.status in LIVE and info.seat_of(self.find_person(name).id) is None:
            await self.press_control(name, self.newest_table(table) or table.lobby, f"t:{table.match}:seat")

    async def request_statuses(self) -> None:
        for table in self.tables.values():
            for name in table.people:
                channel = self.find_person(name).id + ids.DM_OFFSET
                if channel in self.world.channels:
                    await self.run_command(name, f"{table.game} status", channel, match=table.match)

    @asynccontextmanager
    async def nobody_clicking(self) -> AsyncIterator[None]:
        self.play_event.clear()
        await asyncio.gather(*(each.interaction.settled_event.wait() for each in self.clicks.values()))
        yield
        self.play_event.set()

    # What becomes of clicks

    @property
    def request_delay(self) -> float:
        if (now := self.playground.simulation.faults.slow_ms / 1000) or self.time - self._was_slow[0] > ANSWER_SECONDS:
            self._was_slow = self.time, now
        return self._was_slow[1]

    def _judge_click(self, click: Click) -> None:
        interaction, created = click.interaction, click.interaction.created_at - EPOCH
        self.counts["clicks"] += 1
        if interaction.status == "answered":
            text = SeenMessage(interaction.original.data).text if interaction.original is not None else ""
            self.wrong_answers += [f"{click.description}: {text}"] if "went wrong" in text else []
            return
        hit = [when - created for when, event in click.tries if event in ("before", "after") or int(event) >= 429]
        if click.told_at is None or click.told_at - created > ANSWER_SECONDS - 1:
            self.counts["clicks that the bot was not told of in time"] += 1
        elif self.request_delay and click.told_at - created + self.request_delay > ANSWER_SECONDS:
            self.counts["clicks for which Discord was too slow"] += 1
        elif len(hit) >= max_tries_within(self.request_delay):
            self.counts["clicks whose every answer was hit"] += 1
        else:
            tries = [(round(when - created, 2), event) for when, event in click.tries]
            delay = click.told_at - created
            self.unanswered.append(f"{click.description} at {created:.1f}, told after {delay:.2f} s: {tries}")


def max_tries_within(slow: float) -> int:
    """How many tries of an answer Discord takes in time, if each takes it so many seconds."""
    return min(MAX_TRIES, ceil((ANSWER_SECONDS - slow) / TRY_SECONDS - 1e-6))


def _is_ours(record: logging.LogRecord) -> bool:
    return record.name.startswith(ERROR_LOGGERS) and not record.getMessage().startswith("Attempting a reconnect")


@asynccontextmanager
async def start_playground_run(
    seed: int, folder: Path, prepare: Callable[[Playground], None] = lambda playground: None
) -> AsyncIterator[PlaygroundRun]:
    """Five tables of one bot, with people who click. `prepare` gets the playground before anything is played."""
    clock, rng, database = LoopClock(), Random(seed), folder / "motley.db"

    def now() -> int:
        return int(clock.now())

    async with AsyncExitStack() as stack:
        patched = stack.enter_context(pytest.MonkeyPatch.context())
        log = stack.enter_context(collect_log(_is_ours, logging.ERROR))
        patched.setattr(discord.utils, "utcnow", lambda: datetime.fromtimestamp(clock.now(), UTC))
        patched.setattr(Studio, "render", describe_picture)
        playground = await stack.enter_async_context(Playground(clock=clock))
        prepare(playground)
        file = await stack.enter_async_context(Database.open(database, clock=now))
        patched.setattr(Route, "BASE", Route.BASE)
        patched.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
        patched.setitem(vars(discord.client), "ExponentialBackoff", ExponentialBackoff)
        patched.setitem(vars(discord.http), "Ratelimit", Ratelimit)
        use_api(playground.api_url)
        install_backoff()
        lots, numbers = Random(seed), count()
        patched.setattr(secrets, "token_hex", lambda size: lots.randbytes(size).hex())
        sources = MatchSources(
            new_id=lambda: f"match{next(numbers):03d}", new_chance=lambda: Chance(lots.randbytes(16).hex())
        )
        matches = Matches(MatchStore(file), GAMES, now, sources=sources, features=FEATURES)
        bot = MotleyBot(BotStores(matches, SurfaceStore(file)), GAME_UIS, ImmediatePool(), SystemClock())
        await stack.enter_async_context(bot)
        run = PlaygroundRun(playground, bot, database, clock, rng, log)
        bot.computers._services = replace(bot.computers._services, clock=ComputerClock(run.play_event))
        running = asyncio.create_task(bot.start(playground.simulation.token), name="bot")
        _attach_listeners(run)
        tasks = []
        try:
            ready = asyncio.create_task(playground.simulation.bot_ready.wait())
            await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED)
            if running.done():  # with an error, which says more than a test that runs out of time
                running.result()
            await bot.wait_until_ready()
            run.play_event.set()
            for game in SEATED:
                await run.open_table(game)
            tasks = [asyncio.create_task(run.play_forever(game), name=f"play {game}") for game in SEATED]
            yield run
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            await bot.close()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            for thread in threading.enumerate():  # by which discord.py keeps sessions alive: one may use this loop
                if isinstance(thread, KeepAliveHandler):
                    await asyncio.to_thread(thread.join)
        broken = [each for each in ended if not isinstance(each, asyncio.CancelledError)]
        assert not broken, broken


def _attach_listeners(run: PlaygroundRun) -> None:
    state, log = run.bot._connection, run.playground.simulation.request_log
    parse = state.parsers["INTERACTION_CREATE"]

    def parsed(data: Any) -> None:
        click = run.clicks.get(int(data["id"]))
        if click is not None and click.told_at is None:
            click.told_at = run.time
        parse(data)

    state.parsers["INTERACTION_CREATE"] = parsed
    listener = log.on_entry

    def on_entry(entry: Json) -> None:
        parts, became = entry["path"].split("/"), entry.get("cut") or str(entry["status"])
        click = run.clicks.get(int(parts[2])) if parts[1:2] == ["interactions"] and parts[-1] == "callback" else None
        if click is not None:
            click.tries.append((run.time, became))
        run.counts[f"status {became}"] += 1
        listener(entry)

    log.on_entry = on_entry


FAREWELL_TEXT = "You are no longer at this table"


async def find_wrong(
    world: World, clock: Clock, matches: Collection[str], database: Path, copy: Path, known: SurfaceCache | None = None
) -> list[str]:
    """All that people see of these and should not, or should see and do not, in words.

    What shows it is `known`, or what is stored of it.
    """
    tables.copy_database(database, copy)
    found: list[str] = []
    async with Database.open(copy, clock=lambda: int(clock.now())) as file:
        bot_matches, stored = (
            Matches(MatchStore(file), GAMES, lambda: int(clock.now()), features=FEATURES),
            SurfaceStore(file),
        )
        fresh, stored_surfaces = (
            tables.FreshPages(SurfaceCache(stored, lambda: int(clock.now())), bot_matches),
            known or stored,
        )
        for match in matches:
            snapshot = await bot_matches.cache.get_snapshot(match)
            record = await bot_matches.records.build_record(match) if snapshot.info.status is Status.OVER else ""
            features, reading = await fresh.features_of(snapshot), await fresh.readers_of(snapshot)
            setting = replace(
                tables.page_setting(world, snapshot, await stored_surfaces.surfaces_of(match), features), record=record
            )
            check = _MatchCheck(world, snapshot, await stored_surfaces.surfaces_of(match), setting, reading)
            amiss = (*check.find_missing(), *check.wrong_surfaces(), *tables.wrong_calls(world, snapshot))
            found += [f"{snapshot.info.game} {match}: {each}" for each in amiss]
    return found


async def find_mistaken(
    clock: Clock, known: SurfaceCache, matches: Collection[str], database: Path, copy: Path
) -> list[str]:
    """What a bot that is started now, as after a crash, would take messages of these for that show something else.

    It may doubt them, and edit them again.
    """
    before = {match: await _known_digests(known, match) for match in matches}
    tables.copy_database(database, copy)
    found: list[str] = []
    async with Database.open(copy, clock=lambda: int(clock.now())) as file:
        started = SurfaceCache(SurfaceStore(file), lambda: int(clock.now()))
        for match in matches:
            possible = before[match].items() | (await _known_digests(known, match)).items()  # what is written just now
            messages = {message for message, _ in possible}
            taken = {each for each in (await _known_digests(started, match)).items() if each[0] in messages and each[1]}
            found += [f"{match}: {each} is taken for that, of {possible}" for each in taken - possible]
    return found


async def _known_digests(displays: SurfaceCache, match: str) -> dict[int, str]:
    return {surface.message: surface.digest for surface in await displays.surfaces_of(match)}


class _MatchCheck:
    def __init__(
        self,
        world: World,
        snapshot: MatchSnapshot,
        stored: Sequence[Surface],
        setting: PageContext,
        readers: Sequence[Reader],
    ) -> None:
        self._world, self._look, self._kept, self._readers = world, snapshot, stored, readers
        self._homeless = snapshot.info.place.channel not in world.channels
        self._setting = setting

    def find_missing(self) -> Iterator[str]:
        info = self._look.info
        due = {("lobby", -1)}
        if self._look.state is not None:
            due.add(("table", -1))
        if info.status in LIVE:
            users, shared = self._world.users, self._world.shared_guilds
            reachable = [
                seat.has_owner and not users[seat.user].dms_closed and shared(seat.user) for seat in info.seats
            ]
            due |= {("hand", i) for i, stored in enumerate(reachable) if stored}
        stored = {(each.kind, each.seat) for each in self._kept}
        if due - stored:
            yield f"{sorted(due - stored)} is not shown"
        if strays := {(kind, seat) for kind, seat in stored - due if kind != "hand" or not info.seats[seat].has_owner}:
            yield f"{strays} is shown"

    def wrong_surfaces(self) -> Iterator[str]:
        for surface in self._kept:
            for each in self._wrong_surface(surface):
                yield f"{surface.kind} {surface.seat} {each}"

    def _wrong_surface(self, surface: Surface) -> Iterator[str]:
        if self._homeless and surface.kind != "hand":
            if not surface.lost and surface.kind == "table" and self._look.info.status in LIVE:
                yield "is not known to be lost, as its channel is"
            return
        page = tables.draw_surface(self._look, surface, self._setting, self._readers)
        message = self._world.messages.get(surface.channel, {}).get(surface.message)
        parts = [] if message is None else tables.message_skeleton(message.data["components"])
        excused = tables.differ_only_in_time(parts, tables.page_skeleton(page))
        if surface.lost or surface.nonce or surface.old or (surface.digest != page.digest and not excused):
            yield f"is kept as {surface}"
        if message is None:
            if self._look.info.status in LIVE:  # anyone who deletes a result wants it gone
                yield "does not stand there"
        elif not excused and tables.shows_something_else(message, page, self._look, surface):
            yield f"shows something else: {SeenMessage(message.data).text[:300]}"
        own = {str(each.message) for each in self._kept}
        for number, each in tables.similar_messages(self._world, surface).items():
            if number not in own and FAREWELL_TEXT not in SeenMessage(each).text:  # to who has left, and may be back
                yield f"stands there elsewhere, too: {SeenMessage(each).text[:300]}"
