"""Runs sixty-four tables of six on one bot with Discord's limits in force: a move every three seconds at each.

The playground enforces Discord's limits: 50 requests a second, five edits in five seconds per channel, and 429 beyond
that. The bot uses its regular discord.py. The people act in this process and the bot runs in another; they share the
machine's processors, and the use of each is printed. The people read the file: a player who is due clicks on time,
whatever their hand shows by then. Beside them, somebody watches finished matches of all games again, step by step.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter
from typing import Any

from bench.bot import replays
from bench.kit.figures import Figure
from engines import GAMES
from engines.kit.contract import AnyGame
from playground.page.player_actions import PersonActions
from playground.server import Playground
from playground.simulation.interactions import Interaction
from playground.world import ids
from playground.world.world import Channel, Member, Message, User

ROOT = Path(__file__).resolve().parents[2]
TABLE_COUNT, SEAT_COUNT = 64, 6
GAME = next(game for game in GAMES.values() if SEAT_COUNT in game.seats)
STARTING_AT_ONCE = 3  # tables that start at the same time
MOVE_SECONDS = 3.0  # seconds from move to move at a table
PLAY_SECONDS = 30.0  # seconds of play
SETTLE_SECONDS = 10.0  # seconds after the last move, after which everything must be right
QUIET_SECONDS, MAX_WAIT_SECONDS = (
    6.0,
    60.0,
)  # seconds without a request, after which the bot is idle; and the longest wait for that
MAX_SECONDS, MAX_WRONG = 1.0, 0.0
MAX_STEP_MS = 150.0  # from a click on a replay to its picture
CONTROL_PATTERN = re.compile(r"[a-z]:([^:]+):(\d+)")  # in a custom_id: the match, and the number of the decision
QUIET_SETTINGS = {
    "MOTLEY_LOBBIES_PER_SERVER": "1000",
    "MOTLEY_MATCHES_PER_PERSON": "1000",
    "MOTLEY_POSTS_PER_PERSON": "1000",
    "MOTLEY_LOG_LEVEL": "ERROR",
}


@dataclass(slots=True)
class LoadResult:
    """The result."""

    waits: list[float] = field(default_factory=list)  # seconds until the next player's hand was right, for every move
    steps: list[float] = field(default_factory=list)  # seconds until a replay showed the next moment, for every step
    wrong_surfaces: int = 0  # messages that changed later than they should
    surfaces: int = 0
    requests: int = 0  # that count against the limit, during play
    refused_requests: int = 0  # of all requests, because of too many
    moves: int = 0
    bot_cpu: float = 0.0  # the bot's use of one processor during play
    people_cpu: float = 0.0  # the same for this process


def measure_load(tables: int = TABLE_COUNT, seconds: float = PLAY_SECONDS) -> list[Figure]:
    """Measure how long the next players wait, and what is wrong ten seconds after the last move."""
    result = asyncio.run(play_tables(tables, seconds))
    *_, last = quantiles(result.waits, n=20)
    rate = f"{result.requests / seconds:.0f} requests a second that count, {result.refused_requests} refused"
    step = quantiles(result.steps, n=20)[-1] if len(result.steps) > 1 else math.inf
    shares = f"{result.bot_cpu:.2f} of a processor, people and playground {result.people_cpu:.2f}"
    return [
        Figure("moves a second", result.moves / seconds, f"of {tables / MOVE_SECONDS:.1f}; {rate}"),
        Figure("the bot used", result.bot_cpu, shares),
        Figure("the next player's hand is right after, at p95", last, "s", MAX_SECONDS),
        Figure(f"a step of {len(result.steps)} in replays, at p95", step * 1000, "ms", MAX_STEP_MS),
        Figure("wrong messages ten seconds after", result.wrong_surfaces, f"of {result.surfaces}", MAX_WRONG),
    ]


async def play_tables(tables: int, seconds: float) -> LoadResult:
    """Let all tables play."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        finished = [await replays.store_finished_match(folder / "load.db", game) for game in GAMES.values()]
        world = await stack.enter_async_context(_open_world(folder / "load.db"))
        door = asyncio.Semaphore(STARTING_AT_ONCE)
        started = await asyncio.gather(*(_start_table(world, number, door) for number in range(tables)))
        await world.wait_until_idle()
        world.playground.simulation.rate_limits.enforced = True
        raw = stack.enter_context(closing(sqlite3.connect(f"file:{world.database}?mode=ro", uri=True)))
        result, before = LoadResult(), world.counted_requests
        bot, own, start = world.cpu_seconds(), time.process_time(), perf_counter()
        ends = [
            _play_table(world, raw, match, people, result, start, i, seconds)
            for i, (match, people) in enumerate(started)
        ]
        await asyncio.gather(_watch_again(world, finished, result, start + seconds), *ends)
        duration = perf_counter() - start
        result.requests = world.counted_requests - before
        result.bot_cpu, result.people_cpu = (
            (world.cpu_seconds() - bot) / duration,
            (time.process_time() - own) / duration,
        )
        await asyncio.sleep(SETTLE_SECONDS)
        then = world.bot_messages()
        await world.wait_until_idle()
        now = world.bot_messages()
        result.surfaces = len(now)
        result.wrong_surfaces = sum(then.get(key) != message for key, message in now.items())
        result.refused_requests = world.refused_requests
    return result


class LoadWorld:
    """The playground with many people, and the bot in it."""

    def __init__(self, playground: Playground, database: Path, process: int) -> None:
        self.playground = playground
        self.database = database
        self._process = process
        self._person_actions = PersonActions(playground.simulation)
        self._offered_at: dict[tuple[int, str, str], float] = {}  # when a hand first offered a decision
        self._offer_events: dict[tuple[int, str, str], asyncio.Event] = {}
        self.counted_requests = self.refused_requests = 0
        self._last_request = perf_counter()
        playground.simulation.world.add_listener(self._on_world_change)
        noted = playground.simulation.request_log.on_entry

        def entry(each: dict[str, Any]) -> None:
            noted(each)
            self._on_request(each)

        playground.simulation.request_log.on_entry = entry

    async def perform(self, do: str, person: int, channel: int, **details: Any) -> Interaction:
        """Perform a person's action; return the interaction once the bot has answered."""
        action = {"do": do, "person": str(person), "channel_id": str(channel), **details}
        done = self._person_actions.perform(action)
        assert isinstance(done, Interaction)
        await done.settled_event.wait()
        return done

    async def wait_for_offer(self, person: int, match: str, decision: int, seconds: float) -> float:
        """Return when that person's hand offered the decision."""
        key = (person + ids.DM_OFFSET, match, str(decision))
        if key not in self._offered_at:
            offer = self._offer_events.setdefault(key, asyncio.Event())
            try:
                async with asyncio.timeout(seconds):
                    await offer.wait()
            except TimeoutError:
                return perf_counter()
        return self._offered_at[key]

    def record_offer(self, person: int, match: str, decision: int) -> None:
        """Release the waiter for this decision."""
        self._record_offer((person + ids.DM_OFFSET, match, str(decision)))

    def newest_hand(self, person: int, match: str) -> Message:
        """Return the newest message about the match in a person's direct messages."""
        messages = self.playground.simulation.world.messages[person + ids.DM_OFFSET].values()
        return next(each for each in reversed(messages) if f":{match}:" in json.dumps(each.data["components"]))

    async def wait_until_idle(self) -> None:
        """Wait until the bot has sent no request for a while."""
        end = perf_counter() + MAX_WAIT_SECONDS
        while (quiet := perf_counter() - self._last_request) < QUIET_SECONDS and perf_counter() < end:  # noqa: ASYNC110  # rest is no event
            await asyncio.sleep(QUIET_SECONDS - quiet + 0.01)

    def bot_messages(self) -> dict[int, str]:
        """Return every message of the bot as it is now."""
        channels = self.playground.simulation.world.messages.values()
        return {
            key: json.dumps(each.data["components"])
            for messages in channels
            for key, each in messages.items()
            if each.data
        }

    def cpu_seconds(self) -> float:
        """Return the processor seconds that the bot has used."""
        return time.clock_gettime(~self._process << 3 | 2) if sys.platform == "linux" else 0.0

    def _on_world_change(self, kind: str, subject: Message | Channel | None) -> None:
        if not isinstance(subject, Message) or kind == "message_delete":
            return
        for match, decision in set(_offered_decisions(subject.data["components"])):
            self._record_offer((subject.channel_id, match, decision))

    def _record_offer(self, key: tuple[int, str, str]) -> None:
        if key not in self._offered_at:
            self._offered_at[key] = perf_counter()
            if offer := self._offer_events.pop(key, None):
                offer.set()

    def _on_request(self, entry: dict[str, Any]) -> None:
        if entry["direction"] != "bot→server":
            return
        self._last_request = perf_counter()
        self.refused_requests += entry["status"] == 429
        self.counted_requests += not entry["path"].startswith(("/interactions/", "/webhooks/"))


@asynccontextmanager
async def _open_world(database: Path) -> AsyncIterator[LoadWorld]:
    async with Playground() as playground:
        house = playground.simulation
        house.rate_limits.enforced = False  # while tables start
        settings = {
            "DISCORD_TOKEN": house.token,
            "MOTLEY_API": playground.api_url,
            "MOTLEY_DATABASE": str(database),
            **QUIET_SETTINGS,
        }
        bot = await asyncio.create_subprocess_exec(
            sys.executable, "bot.py", cwd=ROOT, env={**os.environ, **settings}, stderr=asyncio.subprocess.DEVNULL
        )
        try:
            await house.bot_ready.wait()
            yield LoadWorld(playground, database, bot.pid)
        finally:
            bot.terminate()
            await bot.wait()


async def _start_table(world: LoadWorld, number: int, start_limit: asyncio.Semaphore) -> tuple[str, list[int]]:
    """Start a table of six; return the match and its people."""
    async with start_limit:
        return await _fill_table(world, number)


async def _fill_table(world: LoadWorld, number: int) -> tuple[str, list[int]]:
    people = [_add_person(world, number, seat) for seat in range(SEAT_COUNT)]
    clicks_only = [{"name": "autoplay", "type": 3, "value": "false"}]
    command = {"name": GAME.key, "options": [{"name": "new", "type": 1, "options": clicks_only}]}
    lobby = (await world.perform("command", people[0], ids.GAMES_CHANNEL, **command)).original
    assert lobby is not None
    match = next(match for match in re.findall(r"t:([^:]+):join", json.dumps(lobby.data["components"])))
    for person in people[1:]:
        await _press_button(world, person, lobby, f"t:{match}:join")
    await _press_button(world, people[0], lobby, f"t:{match}:start")
    return match, people


def _add_person(world: LoadWorld, number: int, seat: int) -> int:
    person = ids.GRETA + 1000 * (1 + number * SEAT_COUNT + seat)
    simulated = world.playground.simulation.world
    simulated.users[person] = User(person, f"guest{number}_{seat}", f"Guest {number}.{seat}")
    simulated.home_guild.members[person] = Member(person, ids.snowflake_time(person))
    return person


async def _press_button(world: LoadWorld, person: int, message: Message, custom_id: str) -> None:
    click = {"message_id": str(message.id), "custom_id": custom_id, "unchecked": True}
    await world.perform("click", person, message.channel_id, **click)


async def _play_table(
    world: LoadWorld,
    raw: sqlite3.Connection,
    match: str,
    people: list[int],
    result: LoadResult,
    start: float,
    number: int,
    seconds: float,
) -> None:
    """Play at one table until the time is over; the tables are staggered."""
    rng, watching = Random(number), list[asyncio.Task[None]]()
    at = start + MOVE_SECONDS * (number % TABLE_COUNT) / TABLE_COUNT
    order = _seated_users(raw, match)
    while at < start + seconds:
        await asyncio.sleep(at - perf_counter())
        at += MOVE_SECONDS
        state = _load_state(raw, GAME, match)
        before = GAME.decisions(state)
        due = [seat for seat, decision in before.items() if decision.due]
        if not due:
            break
        seat = rng.choice(due)
        move = GAME.format_move(rng.choice(GAME.moves(state, seat)))
        clicked = perf_counter()
        world.record_offer(order[seat], match, before[seat].number)  # a hand that is not right by now never will be
        await _press_button(
            world, order[seat], world.newest_hand(order[seat], match), f"m:{match}:{before[seat].number}:{move}"
        )
        result.moves += 1
        after = GAME.decisions(_load_state(raw, GAME, match))
        for following, decision in after.items():
            if decision.due and (following not in before or before[following].number != decision.number):
                wait = _record_wait(world, order[following], match, decision.number, clicked, result)
                watching.append(asyncio.create_task(wait, name=f"wait {match}"))
    await asyncio.gather(*watching)


async def _watch_again(world: LoadWorld, finished: list[str], result: LoadResult, until: float) -> None:
    """Step through the beginning of each of these matches in turn, by somebody who plays nowhere."""
    person, share = _add_person(world, TABLE_COUNT, 0), (until - perf_counter()) / len(finished)
    for number, match in enumerate(finished, 1):
        command = {"name": "motley", "options": [_option("replay", 1, [_option("match", 3, match)])]}
        opened = None
        while opened is None and perf_counter() < until:  # an overloaded bot answers too late
            opened = (await world.perform("command", person, ids.GAMES_CHANNEL, **command)).original
        if opened is None:
            return

        async def click(message: Message, custom_id: str) -> None:
            await _press_button(world, person, message, custom_id)

        result.steps += await replays.time_steps(opened, click, until - share * (len(finished) - number))


def _option(name: str, kind: int, value: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "value" if kind > 1 else "options": value}


async def _record_wait(
    world: LoadWorld, person: int, match: str, decision: int, clicked_at: float, result: LoadResult
) -> None:
    result.waits.append(await world.wait_for_offer(person, match, decision, MAX_WAIT_SECONDS) - clicked_at)


def _load_state(raw: sqlite3.Connection, game: AnyGame, match: str) -> Any:
    (checkpoint,) = raw.execute("SELECT checkpoint FROM states WHERE match = ?", (match,)).fetchone()
    return game.checkpoint_adapter.validate_json(checkpoint)


def _seated_users(raw: sqlite3.Connection, match: str) -> list[int]:
    return [user for (user,) in raw.execute("SELECT user FROM seats WHERE match = ? ORDER BY seat", (match,))]


def _offered_decisions(components: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield the matches and decisions of a message's controls."""
    for component in components:
        if found := CONTROL_PATTERN.match(component.get("custom_id", "")):
            yield found[1], found[2]
        yield from _offered_decisions(component.get("components", []))


if __name__ == "__main__":
    for figure in measure_load():
        print(figure)
