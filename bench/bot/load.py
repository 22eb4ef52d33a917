"""Sixty-four tables of six on one bot, with Discord's limits in force: a move every three seconds at each of them.

The playground keeps the limits as Discord does (50 requests a second in all, five edits in five seconds a channel, with
429 for what is too much), and the bot's own discord.py stands in between, as ever. The people act in this process, the
bot is one of its own; both have the machine's processors to share, and what each of them used is told. Who plays does
so from the file: whoever is due clicks at their time, whatever their hand shows by then.
"""

from __future__ import annotations

import asyncio
import json
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

from bench.kit.figures import Figure
from engines import GAMES
from engines.kit.contract import AnyGame
from playground.page.player_actions import Stage
from playground.server import Playground
from playground.simulation.interactions import Interaction
from playground.world import ids
from playground.world.world import Channel, Member, Message, User

ROOT = Path(__file__).resolve().parents[1]
TABLES, SEATS = 64, 6
GAME = next(game for game in GAMES.values() if SEATS in game.seats)
AT_ONCE = 3  # tables at which people sit down at the same time
PACE = 3.0  # seconds from move to move at a table
SECONDS = 30.0  # for which they play
AFTER = 10.0  # seconds after the last move in which everything is to be right
QUIET, LONGEST = 6.0, 60.0  # with no request for so long the bot is at rest; it is waited for no longer
MOST_SECONDS, MOST_WRONG = 1.0, 0.0
CONTROL = re.compile(r"[a-z]:([^:]+):(\d+)")  # of a custom_id: the match, and the number of the decision
CALM = {"MOTLEY_LOBBIES_PER_SERVER": "1000", "MOTLEY_LOG_LEVEL": "ERROR"}


@dataclass(slots=True)
class Told:
    """What became of it all."""

    waits: list[float] = field(default_factory=list)  # until the next player's hand was right; of every move
    wrong: int = 0  # messages that changed later than they should
    surfaces: int = 0
    requests: int = 0  # that count, while they played
    refused: int = 0  # of all requests, because there were too many
    moves: int = 0
    processor: float = 0.0  # the share of one that the bot used while they played
    people: float = 0.0  # and that this process used


def measure(tables: int = TABLES, seconds: float = SECONDS) -> list[Figure]:
    """How long the next players wait, and what is wrong ten seconds after the last move."""
    told = asyncio.run(played(tables, seconds))
    *_, last = quantiles(told.waits, n=20)
    rate = f"{told.requests / seconds:.0f} requests a second that count, {told.refused} refused"
    shares = f"{told.processor:.2f} of a processor, people and playground {told.people:.2f}"
    return [
        Figure("moves a second", told.moves / seconds, f"of {tables / PACE:.1f}; {rate}"),
        Figure("the bot used", told.processor, shares),
        Figure("the next player's hand is right after, at p95", last, "s", MOST_SECONDS),
        Figure("messages that are wrong ten seconds after", told.wrong, f"of {told.surfaces}", MOST_WRONG),
    ]


async def played(tables: int, seconds: float) -> Told:
    """Have them all play."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        world = await stack.enter_async_context(_world(folder / "load.db"))
        door = asyncio.Semaphore(AT_ONCE)
        started = await asyncio.gather(*(_begin(world, number, door) for number in range(tables)))
        await world.rest()
        world.playground.house.pace.enforced = True
        raw = stack.enter_context(closing(sqlite3.connect(f"file:{world.database}?mode=ro", uri=True)))
        told, before = Told(), world.counted
        bot, own, start = world.used(), time.process_time(), perf_counter()
        ends = [_play(world, raw, match, people, told, start, i, seconds) for i, (match, people) in enumerate(started)]
        await asyncio.gather(*ends)
        took = perf_counter() - start
        told.requests = world.counted - before
        told.processor, told.people = (world.used() - bot) / took, (time.process_time() - own) / took
        await asyncio.sleep(AFTER)
        then = world.shown()
        await world.rest()
        now = world.shown()
        told.surfaces = len(now)
        told.wrong = sum(then.get(key) != message for key, message in now.items())
        told.refused = world.refused
    return told


class World:
    """The playground with many people, and the bot in it."""

    def __init__(self, playground: Playground, database: Path, process: int) -> None:
        self.playground = playground
        self.database = database
        self._process = process
        self._stage = Stage(playground.house)
        self._seen: dict[tuple[int, str, str], float] = {}  # when a hand first offered a decision
        self._news: dict[tuple[int, str, str], asyncio.Event] = {}
        self.counted = self.refused = 0
        self._last = perf_counter()
        playground.house.world.watch(self._changed)
        noted = playground.house.log.on_entry

        def entry(each: dict[str, Any]) -> None:
            noted(each)
            self._request(each)

        playground.house.log.on_entry = entry

    async def act(self, do: str, person: int, channel: int, **details: Any) -> Interaction:
        """Somebody does something; what has come of it once the bot has answered."""
        asked = {"do": do, "person": str(person), "channel_id": str(channel), **details}
        done = self._stage.act(asked)
        assert isinstance(done, Interaction)
        await done.settled.wait()
        return done

    async def offered(self, person: int, match: str, decision: int, within: float) -> float:
        """When that person's hand offered the decision."""
        key = (person + ids.DM_OFFSET, match, str(decision))
        if key not in self._seen:
            news = self._news.setdefault(key, asyncio.Event())
            try:
                async with asyncio.timeout(within):
                    await news.wait()
            except TimeoutError:
                return perf_counter()
        return self._seen[key]

    def note(self, person: int, match: str, decision: int) -> None:
        """Nobody waits any longer for that person to be offered the decision."""
        self._note((person + ids.DM_OFFSET, match, str(decision)))

    def hand(self, person: int, match: str) -> Message:
        """The newest message about the match in somebody's direct messages."""
        there = self.playground.house.world.messages[person + ids.DM_OFFSET].values()
        return next(each for each in reversed(there) if f":{match}:" in json.dumps(each.data["components"]))

    async def rest(self) -> None:
        """Wait until the bot has asked for nothing for a while."""
        end = perf_counter() + LONGEST
        while (quiet := perf_counter() - self._last) < QUIET and perf_counter() < end:  # noqa: ASYNC110  # rest is no event
            await asyncio.sleep(QUIET - quiet + 0.01)

    def shown(self) -> dict[int, str]:
        """Every message of the bot's, as it stands."""
        channels = self.playground.house.world.messages.values()
        return {
            key: json.dumps(each.data["components"]) for there in channels for key, each in there.items() if each.data
        }

    def used(self) -> float:
        """Seconds of the processor that the bot has used."""
        return time.clock_gettime(~self._process << 3 | 2) if sys.platform == "linux" else 0.0

    def _changed(self, kind: str, subject: Message | Channel | None) -> None:
        if not isinstance(subject, Message) or kind == "message_delete":
            return
        for match, decision in set(_offers(subject.data["components"])):
            self._note((subject.channel_id, match, decision))

    def _note(self, key: tuple[int, str, str]) -> None:
        if key not in self._seen:
            self._seen[key] = perf_counter()
            if news := self._news.pop(key, None):
                news.set()

    def _request(self, entry: dict[str, Any]) -> None:
        if entry["direction"] != "bot→server":
            return
        self._last = perf_counter()
        self.refused += entry["status"] == 429
        self.counted += not entry["path"].startswith(("/interactions/", "/webhooks/"))


@asynccontextmanager
async def _world(database: Path) -> AsyncIterator[World]:
    async with Playground() as playground:
        house = playground.house
        house.pace.enforced = False  # while they sit down
        settings = {
            "DISCORD_TOKEN": house.token,
            "MOTLEY_API": playground.api,
            "MOTLEY_DATABASE": str(database),
            **CALM,
        }
        bot = await asyncio.create_subprocess_exec(
            sys.executable, "bot.py", cwd=ROOT, env={**os.environ, **settings}, stderr=asyncio.subprocess.DEVNULL
        )
        try:
            await house.bot_ready.wait()
            yield World(playground, database, bot.pid)
        finally:
            bot.terminate()
            await bot.wait()


async def _begin(world: World, number: int, door: asyncio.Semaphore) -> tuple[str, list[int]]:
    """A table of six that has started: the match and its people."""
    async with door:
        return await _seated(world, number)


async def _seated(world: World, number: int) -> tuple[str, list[int]]:
    people = [_person(world, number, seat) for seat in range(SEATS)]
    asked = {"name": GAME.key, "options": [{"name": "new", "type": 1, "options": []}]}
    lobby = (await world.act("command", people[0], ids.GAMES, **asked)).original
    assert lobby is not None
    match = next(match for match in re.findall(r"t:([^:]+):join", json.dumps(lobby.data["components"])))
    for person in people[1:]:
        await _press(world, person, lobby, f"t:{match}:join")
    await _press(world, people[0], lobby, f"t:{match}:start")
    return match, people


def _person(world: World, number: int, seat: int) -> int:
    person = ids.GRETA + 1000 * (1 + number * SEATS + seat)
    inn = world.playground.house.world
    inn.users[person] = User(person, f"guest{number}_{seat}", f"Guest {number}.{seat}")
    inn.home.members[person] = Member(person, ids.made_at(person))
    return person


async def _press(world: World, person: int, message: Message, custom_id: str) -> None:
    where = {"message_id": str(message.id), "custom_id": custom_id, "unchecked": True}
    await world.act("click", person, message.channel_id, **where)


async def _play(
    world: World,
    raw: sqlite3.Connection,
    match: str,
    people: list[int],
    told: Told,
    start: float,
    number: int,
    seconds: float,
) -> None:
    """Play at one table until the time is over; the tables take turns."""
    rng, watching = Random(number), list[asyncio.Task[None]]()
    at = start + PACE * (number % TABLES) / TABLES
    order = _order(raw, match)
    while at < start + seconds:
        await asyncio.sleep(at - perf_counter())
        at += PACE
        state = _state(raw, GAME, match)
        before = GAME.decisions(state)
        due = [seat for seat, decision in before.items() if decision.due]
        if not due:
            break
        seat = rng.choice(due)
        move = GAME.write(rng.choice(GAME.moves(state, seat)))
        clicked = perf_counter()
        world.note(order[seat], match, before[seat].number)  # a hand that was not right by now never will be
        await _press(world, order[seat], world.hand(order[seat], match), f"m:{match}:{before[seat].number}:{move}")
        told.moves += 1
        after = GAME.decisions(_state(raw, GAME, match))
        for following, decision in after.items():
            if decision.due and (following not in before or before[following].number != decision.number):
                wait = _waited(world, order[following], match, decision.number, clicked, told)
                watching.append(asyncio.create_task(wait, name=f"wait {match}"))
    await asyncio.gather(*watching)


async def _waited(world: World, person: int, match: str, decision: int, clicked: float, told: Told) -> None:
    told.waits.append(await world.offered(person, match, decision, LONGEST) - clicked)


def _state(raw: sqlite3.Connection, game: AnyGame, match: str) -> Any:
    (checkpoint,) = raw.execute("SELECT checkpoint FROM states WHERE match = ?", (match,)).fetchone()
    return game.checkpoints.validate_json(checkpoint)


def _order(raw: sqlite3.Connection, match: str) -> list[int]:
    return [user for (user,) in raw.execute("SELECT user FROM seats WHERE match = ? ORDER BY seat", (match,))]


def _offers(components: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """The matches and decisions of a message's controls."""
    for component in components:
        if found := CONTROL.match(component.get("custom_id", "")):
            yield found[1], found[2]
        yield from _offers(component.get("components", []))


if __name__ == "__main__":
    for figure in measure():
        print(figure)
