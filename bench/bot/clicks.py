"""Times a click on a hand over loopback through the playground, compared with a plain bot with one button.

Every move of every game is a click on the newest hand. The answer's picture is cached if the match has shown it before.
The two bots take turns, and each is idle before it is clicked. The limits apply to the first game on the list, whose
hand is a row of cards; the other rows show the cost of larger pictures. Finally many players click at the same moment,
each at their own table, several times.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Any, Self

from bench.kit.figures import Figure
from engines import GAMES
from engines.kit.contract import AnyGame
from playground.page.client import Outcome, Player, PlaygroundClient, RequestRejected, SeenMessage
from playground.running import bot_environment
from playground.server import Playground

ROOT = Path(__file__).resolve().parents[2]
PERSON_NAMES = ("Ada", "Bela", "Chidi")
CLICKS = 40  # per game
WARMUP_CLICKS = 15  # uncounted clicks before them, because sprites are drawn only once
REST_SECONDS = 0.04  # seconds without a request, after which a bot counts as idle
CROWD_SIZE, CROWD_ROUNDS = 32, 8  # simultaneous clicks, and how often
MAX_CACHED_RATIO, MAX_FRESH_RATIO = 2.0, 3.0  # limits for our answer time as a multiple of the plain bot's
PLAIN_PROGRAM = ("-m", "tests.playground.jester_bot")
SEEDED_PROGRAM = """
import runpy, sys
from functools import cache
from itertools import count
from types import SimpleNamespace
sys.path.insert(0, "")
try:
    from engines.kit import chance
except ImportError:  # up to version 0.9
    from engines import chance
numbers = count(1)
chance.secrets = SimpleNamespace(token_hex=lambda size: format(next(numbers), f"0{2 * size}x"))
try:
    from engines.hosting.records import deal
except ImportError:  # up to version 0.9, deals are not sealed
    pass
else:
    deal.seed_of = cache(lambda secret, cuts: format(next(numbers), "032x"))
runpy.run_path("bot.py", run_name="__main__")
"""
"""A bot of this version or another one that deals matches from the seeds 1, 2, 3 and so on."""


@dataclass(frozen=True, slots=True)
class Click:
    """The answer time in seconds, and whether the picture had been shown before."""

    seconds: float
    cached: bool


@dataclass(slots=True)
class ClickTimes:
    """Answer times in seconds: the plain bot's, and ours by game."""

    plain: list[float] = field(default_factory=list)
    ours: dict[str, list[Click]] = field(default_factory=dict)


def measure_clicks(clicks: int = CLICKS, crowd: int = CROWD_SIZE) -> list[Figure]:
    """Compare our answer times with the plain bot's, one click at a time and many at once."""
    return [*_measure_single_clicks(clicks), *_measure_crowd(crowd)]


def _measure_single_clicks(clicks: int) -> list[Figure]:
    times = asyncio.run(time_clicks(clicks))
    plain = median(times.plain)
    figures = [Figure("the plain bot", plain * 1000, "ms")]
    for number, (key, found) in enumerate(times.ours.items()):
        for cached, most in ((True, MAX_CACHED_RATIO), (False, MAX_FRESH_RATIO)):
            if seconds := [click.seconds for click in found if click.cached is cached]:
                name = f"{GAMES[key].title}: a picture {'cached' if cached else 'fresh'}"
                ms = f"{median(seconds) * 1000:.1f} ms"
                figures.append(Figure(name, median(seconds) / plain, ms, None if number else most))
    every = [click.seconds for found in times.ours.values() for click in found]
    return [*figures, Figure("every game: at p99", _p99(every) / _p99(times.plain), f"{_p99(every) * 1000:.1f} ms")]


def _measure_crowd(crowd: int) -> list[Figure]:
    plain, motley = asyncio.run(time_crowd(crowd))
    ratio, worst = median(motley) / median(plain), _p99(motley) / _p99(plain)
    return [
        Figure(
            f"{crowd} clicks in flight: the plain bot", median(plain) * 1000, f"ms; at p99 {_p99(plain) * 1000:.0f}"
        ),
        Figure(f"{crowd} clicks in flight", ratio, f"{median(motley) * 1000:.0f} ms", MAX_FRESH_RATIO),
        Figure(f"{crowd} clicks in flight: at p99", worst, f"{_p99(motley) * 1000:.0f} ms"),
    ]


def _p99(seconds: list[float]) -> float:
    return quantiles(seconds, n=100)[-1]


async def time_clicks(clicks: int, warmup: int = WARMUP_CLICKS) -> ClickTimes:
    """Time clicks on both bots, as many of ours per game, after uncounted ones for warming up."""
    times = ClickTimes()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        plain = await stack.enter_async_context(run_bot(folder / "plain.db", *PLAIN_PROGRAM))
        motley = await stack.enter_async_context(run_bot(folder / "motley.db", "bot.py"))
        button = await PlainButton.open_button(plain)
        for game in GAMES.values():
            table, found = await ClickedTable.start_match(motley, game), times.ours.setdefault(game.key, [])
            for number in range(-warmup, clicks):
                plainly, click = await button.click_when_idle(), await table.click_move()
                if click is None:  # the match is over
                    table = await ClickedTable.start_match(motley, game)
                elif number >= 0:
                    times.plain.append(plainly)
                    found.append(click)
    return times


async def time_crowd(crowd: int, times: int = CROWD_ROUNDS) -> tuple[list[float], list[float]]:
    """Return the answer times of simultaneous clicks in seconds: the plain bot's, and ours over all games."""
    plainly: list[float] = []
    found: list[float] = []
    games = [*GAMES.values()]
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        plain = await stack.enter_async_context(run_bot(folder / "plain.db", *PLAIN_PROGRAM))
        ours = await stack.enter_async_context(run_bot(folder / "motley.db", "bot.py"))
        buttons = [await PlainButton.open_button(plain) for _ in range(crowd)]
        tables = [await ClickedTable.start_match(ours, games[number % len(games)]) for number in range(crowd)]
        for _ in range(times):
            await plain.wait_until_idle()
            plainly += await asyncio.gather(*(button.click_button() for button in buttons))
            ready = [one for one in [await table.next_click() for table in tables] if one]
            await ours.wait_until_idle()
            found += [click.seconds for click in await asyncio.gather(*(one.make_click() for one in ready))]
    return plainly, found


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as stored in the file."""

    status: str
    options: str
    checkpoint: str
    users: Sequence[int]  # the people in its seats

    def state(self, game: AnyGame) -> Any:
        """Load the game state."""
        return game.checkpoint_adapter.validate_json(self.checkpoint)


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot's process on its own playground, and a visitor who sees its messages."""

    playground: Playground
    client: PlaygroundClient
    database: Path
    process: int  # its process id

    async def wait_until_idle(self) -> None:
        """Wait until it has sent no request for a while."""
        last_entry = 0
        while newer := self.playground.simulation.request_log.entries_since(last_entry):
            last_entry = newer[-1]["n"]
            await asyncio.sleep(REST_SECONDS)


@asynccontextmanager
async def run_bot(database: Path, *program: str, root: Path = ROOT, python: str = sys.executable) -> AsyncIterator[Bot]:
    """Run a bot's program: of this version, or another version's folder with its Python."""
    async with Playground(rate_limited=False) as playground:
        settings = {
            **bot_environment(playground),
            "MOTLEY_API": playground.api_url,
            "MOTLEY_DATABASE": str(database),
            "MOTLEY_LOG_LEVEL": "WARNING",
            "MOTLEY_LOBBIES_PER_PERSON": "1000",
            "MOTLEY_LOBBIES_PER_SERVER": "1000",
            "MOTLEY_MATCHES_PER_PERSON": "1000",
            "MOTLEY_POSTS_PER_PERSON": "1000",
        }
        process = await asyncio.create_subprocess_exec(python, *program, cwd=root, env={**os.environ, **settings})
        try:
            async with PlaygroundClient.connect(playground.base_url) as visitor:
                await visitor.wait_bot_ready()
                yield Bot(playground, visitor, database, process.pid)
        finally:
            process.terminate()
            await process.wait()


class PlainButton:
    """The plain bot's button."""

    def __init__(self, bot: Bot, message: SeenMessage) -> None:
        self._bot = bot
        self._message = message

    @classmethod
    async def open_button(cls, bot: Bot) -> PlainButton:
        """Open a message with a button that counts its clicks."""
        return cls(bot, (await bot.client.player("Ada").run_command("plain new", "games", rounds=1)).reply)

    async def click_when_idle(self) -> float:
        """Wait until the bot is idle, then return the seconds until the message shows the next count."""
        await self._bot.wait_until_idle()
        return await self.click_button()

    async def click_button(self) -> float:
        """Return the seconds until the message shows the next count."""
        ada = self._bot.client.player("Ada")
        seconds, answer = await _time_click(ada.click(self._message, self._message.buttons[0].label))
        self._message = answer.reply
        return seconds


class ClickedTable:
    """A match that is played at random by clicks."""

    def __init__(self, bot: Bot, game: AnyGame, match: str) -> None:
        self._bot = bot
        self._game = game
        self._match = match
        self._rng = Random(game.key)
        self._pictures: set[bytes] = set()

    @classmethod
    async def start_match(cls, bot: Bot, game: AnyGame) -> Self:
        """Start a match of three, or of as many as possible."""
        ada = bot.client.player("Ada")
        lobby = (await ada.run_command(f"{game.key} new", "games")).reply
        match = next(button.custom_id for button in lobby.buttons if button.custom_id.startswith("t:")).split(":")[1]
        for name in PERSON_NAMES[1 : game.seats[-1]]:
            await bot.client.player(name).click(lobby, "Join")
        await ada.click(lobby, "Start")
        return cls(bot, game, match)

    async def click_move(self) -> Click | None:
        """Make a move by a click on the hand in a player's direct messages; None if the match is over."""
        await self._bot.wait_until_idle()
        ready = await self.next_click()
        return await ready.make_click() if ready else None

    async def next_click(self) -> PendingClick | None:
        """Return the next random move, not yet clicked."""
        stored = self._load_match()
        if stored.status != "running":
            return None
        for name in PERSON_NAMES[: self._game.seats[-1]]:
            await self.note_pictures(await self.newest_hand(self._bot.client.player(name)))
        state = stored.state(self._game)
        decisions = self._game.decisions(state)
        seat = self._rng.choice([seat for seat in decisions if decisions[seat].due])
        move = self._game.format_move(self._choose_move(state, seat))
        custom_id = f"m:{self._match}:{decisions[seat].number}:{move}"
        return PendingClick(self, self._player_of(stored.users[seat]), custom_id)

    async def newest_hand(self, player: Player) -> SeenMessage:
        """Return the player's newest hand."""
        return await player.wait_message("dm", lambda each: f":{self._match}" in str(each.data))

    async def note_pictures(self, message: SeenMessage) -> bool:
        """Note the message's picture; return whether it is new."""
        before = len(self._pictures)
        for picture in message.pictures:
            self._pictures.add(await self._bot.client.fetch_file(picture))
        return len(self._pictures) > before

    def _choose_move(self, state: Any, seat: int) -> Any:
        """Choose a random move."""
        return self._rng.choice(self._game.moves(state, seat))

    def _player_of(self, user: int) -> Player:
        return next(each for each in map(self._bot.client.player, PERSON_NAMES) if int(each.id) == user)

    def _load_match(self) -> StoredMatch:
        with closing(sqlite3.connect(f"file:{self._bot.database}?mode=ro", uri=True)) as raw:
            sql = "SELECT status, options, checkpoint FROM matches JOIN states USING (match) WHERE match = ?"
            status, options, checkpoint = raw.execute(sql, (self._match,)).fetchone()
            users = raw.execute("SELECT user FROM seats WHERE match = ? ORDER BY seat", (self._match,)).fetchall()
        return StoredMatch(status, options, checkpoint, [user for (user,) in users])


@dataclass(frozen=True, slots=True)
class PendingClick:
    """A click that will make a move."""

    table: ClickedTable
    player: Player
    custom_id: str

    async def make_click(self) -> Click:
        """Click on the newest hand: a reminder may have reposted it at any moment."""
        hand = await self.table.newest_hand(self.player)
        try:
            seconds, answer = await _time_click(self.player.forge_click(hand, self.custom_id))
        except RequestRejected:
            if (await self.table.newest_hand(self.player)).id == hand.id:
                raise
            return await self.make_click()
        return Click(seconds, cached=not await self.table.note_pictures(answer.reply))


async def _time_click(click: Awaitable[Outcome]) -> tuple[float, Outcome]:
    start = perf_counter()
    answer = await click
    return perf_counter() - start, answer
