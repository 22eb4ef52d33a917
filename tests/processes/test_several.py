"""Several processes of one bot, on one PostgreSQL and one playground: they begin, ask and end together."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import monotonic

import pytest

from playground.page.client import PlaygroundClient
from playground.server import Playground
from playground.world import ids
from playground.world.world import Json
from tests.processes import playing
from tests.processes.bot_process import ROOT, BotProcess, visited_playground
from tests.processes.tables import is_kind
from tests.processes.test_postgres import PostgresMatch

SERVERS = {"The Jesters' Inn": "jokers", "The Old Mill": "wizard", "Harbour Lights": "jest", "Moonrakers": "court"}
RATES = 55, 20, 5  # requests a second; Discord takes 50
SECONDS = 10
PARDONED = 0.01  # of all requests, that Discord may have answered with 429
APART = 5000  # milliseconds
PAUSE = 5.0  # seconds that a restart may cost players, on an idle machine; a process that hangs costs seven
QUICK = 0.5  # seconds in which the slowest click is answered there,
STARTED = 6.5  # and in which a process has started and has its share
UP = 120.0  # seconds for all to be there on a busy machine
NEAR = 3000  # milliseconds after an end of a process in which it may be noticed


async def make_process(playground: Playground, folder: Path, address: str, name: str, version: str = "") -> BotProcess:
    (folder / name).mkdir()
    bot = BotProcess(playground, folder / name / "none.db")
    bot.environment |= {"MOTLEY_API": await playground.open_process_api(name), "MOTLEY_DATABASE": address}
    bot.environment |= {"MOTLEY_SHARDS": "auto", "PYTHONPATH": str(ROOT)}
    if version:
        bot.program = ["-m", "tests.processes.other_version", version]
    return bot


async def wait_until(condition: Callable[[], bool], what: str, seconds: float = 60) -> None:
    until = monotonic() + seconds
    while not condition():  # the log tells nobody
        assert monotonic() < until, f"never came: {what}"
        await asyncio.sleep(0.05)


def session_starts(playground: Playground, process: str = "") -> dict[int, list[tuple[str, int]]]:
    """For each shard which processes began a session of it, and when, in milliseconds; or when that process did."""
    found: dict[int, list[tuple[str, int]]] = {}
    for entry in playground.simulation.request_log.entries_since(0):
        if entry["method"] == "READY" and process in ("", entry["process"]):
            found.setdefault(entry["shard"][0], []).append((entry["process"], entry["at_ms"]))
    return found


def count_sessions(playground: Playground, process: str = "") -> int:
    return sum(map(len, session_starts(playground, process).values()))


def has_its_share(playground: Playground, process: str, before: int) -> bool:
    return count_sessions(playground, process) >= before + 2


def registered_versions(playground: Playground) -> list[str]:
    log = playground.simulation.request_log.entries_since(0)
    return [each["process"] for each in log if f"{each['method']} {each['path'][-9:]}" == "PUT /commands"]


async def test_four_processes_start_in_turns_and_the_newest_registers_commands(tmp_path: Path, address: str) -> None:
    async with visited_playground(guilds=4, shards=8, concurrency=2, rate_limited=True) as (playground, visitor):
        make = partial(make_process, playground, tmp_path, address)
        newest = await make("newest", "1.10")
        others = [await make(f"{number}", version) for number, version in enumerate(("1.9", "1.9", "1.10"))]
        await newest.start()
        await wait_until(lambda: registered_versions(playground) == ["newest"], "the commands")
        for bot in others:
            await bot.start()
        await wait_until(lambda: len(session_starts(playground)) == 8, "a session of each shard", 90)
        await visitor.wait_bot_ready()
        for bucket in range(2):
            own_sessions = [those for shard, those in session_starts(playground).items() if shard % 2 == bucket]
            times = sorted(at for those in own_sessions for _, at in those)
            assert min(late - early for early, late in pairwise(times)) >= APART
        left = playground.simulation.start_limit.limit_object()["remaining"]
        assert left == 1000 - count_sessions(playground), "Discord refused none"
        assert registered_versions(playground) == ["newest"], "the others are older, or have the same"
        await asyncio.gather(*(bot.kill() for bot in (newest, *others)))
    for bot in (newest, *others):
        assert not any("Traceback" in line or "ERROR" in line for line in bot.log_lines), bot.log_lines


async def test_few_requests_above_the_limit_are_refused_and_none_is_lost(address: str) -> None:
    async with Playground(guilds=4) as playground:
        doors = [await playground.open_process_api(str(number)) for number in range(len(RATES))]
        askers = []
        for door, rate in zip(doors, RATES, strict=True):
            arguments = (address, door, playground.simulation.token, str(rate), str(SECONDS))
            command = (sys.executable, "-m", "tests.processes.request_load", *arguments)
            askers.append(await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=PIPE))
        async with asyncio.timeout(60):
            reports = [json.loads((await asker.communicate())[0]) for asker in askers]
        log = playground.simulation.request_log.entries_since(0)
        requests = [entry for entry in log if entry["path"].endswith("/typing")]
    assert [each["answered"] for each in reports] == [rate * SECONDS for rate in RATES]
    refused_by = [entry["process"] for entry in requests if entry["status"] == 429]
    assert len(refused_by) <= PARDONED * len(requests), (refused_by, len(requests))
    seconds = (requests[-1]["at_ms"] - requests[0]["at_ms"]) / 1000
    assert len(requests) / seconds > 25, (
        f"{len(requests)} requests took {seconds:.1f} s: more of what there was could be used"
    )
    print(f"{len(requests)} requests in {seconds:.1f} s, of which {len(refused_by)} were turned down")


class Witness(PlaygroundClient):
    """People, of whose clicks it is noted when each was made, and whether it was answered in time."""

    clicks: list[tuple[float, bool]]

    async def post_json(self, path: str, body: Json) -> Json:
        start = asyncio.get_running_loop().time()
        answer = await super().post_json(path, body)
        if "responded" in answer:
            self.clicks.append((asyncio.get_running_loop().time() - start, bool(answer["responded"])))
        return answer


def log_time(playground: Playground) -> int:
    return int(playground.simulation.clock.now() * 1000)


def edit_times(playground: Playground, table: PostgresMatch, until: int) -> list[int]:
    """When messages of that server were posted or edited by the bot itself, in milliseconds."""
    world = playground.simulation.world
    guild = world.channels[int(table.lobby.channel_id)].guild_id
    inside = [channel.id for channel in world.channels.values() if channel.guild_id == guild]
    paths = tuple(f"/channels/{channel}/messages" for channel in inside)
    log = [each for each in playground.simulation.request_log.entries_since(0) if each["at_ms"] <= until]
    return [each["at_ms"] for each in log if each["path"].startswith(paths) and each["method"] in {"POST", "PATCH"}]


def longest_pauses(times: list[int], around: list[int]) -> tuple[float, float]:
    """The longest pause between two of these times, in seconds: where one of the others fell in it or just before, and
    else.
    """
    found = {True: 0.0, False: 0.0}
    for early, late in pairwise(times):
        near = any(early - NEAR < at < late for at in around)
        found[near] = max(found[near], (late - early) / 1000)
    return found[True], found[False]


async def play_timed(playground: Playground, table: PostgresMatch, move_times: list[int]) -> None:
    """Move after move, a few a second, until the match is over or it is told to end; when each was made."""
    while await table.make_move():
        move_times.append(log_time(playground))
        await asyncio.sleep(0.15)


async def test_restarts_cost_a_pause_at_most(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "NEW_OPTIONS", {})  # long matches
    async with (
        Playground(guilds=4, shards=8, concurrency=8, rate_limited=False) as playground,
        Witness.connect(playground.base_url) as visitor,
    ):
        visitor.clicks = []
        playground.simulation.request_log._entries = deque()  # all of them, however many
        bots = [await make_process(playground, tmp_path, address, f"{number}") for number in range(3)]
        for bot in bots:
            await bot.start()
        await visitor.wait_bot_ready(UP)
        await wait_until(lambda: len(session_starts(playground)) == 8, "a session of each shard")
        PostgresMatch.address = address
        start_match = partial(PostgresMatch.start_match, visitor, tmp_path)
        tables = [await start_match(game, f"{server}/games") for server, game in SERVERS.items()]
        move_times: list[list[int]] = [[] for _ in tables]
        tasks = [asyncio.create_task(play_timed(playground, *each)) for each in zip(tables, move_times, strict=True)]
        await wait_until(lambda: all(move_times), "a move of each match")
        ends, starts = [], []
        for number, bot in enumerate(bots):
            await asyncio.sleep(2)
            ends.append(log_time(playground))
            before = count_sessions(playground, str(number))
            async with asyncio.timeout(30):
                assert await bot.kill(signal.SIGTERM) == 0
            start = monotonic()
            await bot.start()
            await wait_until(partial(has_its_share, playground, str(number), before), f"the share of {number}")
            starts.append(monotonic() - start)
            await asyncio.sleep(1)
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        wrong = [each for each in results if isinstance(each, Exception)]
        edits = [edit_times(playground, table, moves[-1]) for table, moves in zip(tables, move_times, strict=True)]
        noticed, usual = zip(*(longest_pauses(times, ends) for times in edits), strict=True)
        slowest = max(seconds for seconds, _ in visitor.clicks)
        longer = max(1.0, slowest / QUICK, max(starts) / STARTED)  # on this machine, with all that it does just now
        unanswered = [seconds for seconds, answered in visitor.clicks if not answered]
        print(
            f"{sum(map(len, move_times))} moves, {len(visitor.clicks)} clicks, the slowest answered in {slowest:.2f} s"
        )
        print(f"pauses of {noticed} s, of {usual} s when nobody ends")
        await asyncio.sleep(5)
        twice = []
        for channel, messages in playground.simulation.world.messages.items():
            everybodys = [m.data for m in messages.values() if m.visible_to is None and m.data["components"]]
            own_messages = [m for m in everybodys if m["author"]["id"] == str(ids.BOT)]
            for match in (table.match for table in tables):
                hands = [m["id"] for m in own_messages if is_kind(m, match, "hand") and f"m:{match}" in str(m)]
                twice += [(match, channel, hands)] if len(hands) > 1 else []
        await asyncio.gather(*(bot.kill() for bot in bots))
    assert not wrong, wrong
    assert not unanswered
    assert max(noticed) <= max(usual) + PAUSE * longer, (noticed, usual, longer)
    assert not twice
    for bot in bots:
        assert not any("Traceback" in line or "ERROR" in line for line in bot.log_lines), bot.log_lines
