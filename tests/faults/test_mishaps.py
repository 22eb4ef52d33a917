"""Discord misbehaves while five games are played: after each mishap everything is right, and every click is answered.

MOTLEY_MISHAPS says how many, MOTLEY_HOURS how many hours are played instead (a day in
`make soak`). What happens, when, and to whom, is drawn by a seed; a failure prints it, and MOTLEY_SEED repeats that
run (or several, with a space between), and nothing else; the short form is always the same. Threads are as quick as
they are: what people click meanwhile may differ a little.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from random import Random

import pytest

from cogs.table.surfaces.stale_tracking import SAVE_DELAY
from tests.faults.mishaps import BLOCKS, DURATIONS, MISHAPS, UNTOLD_MISHAPS
from tests.faults.playground_run import PlaygroundRun, max_tries_within, start_playground_run
from tests.faults.skipped_time import run_skipping

SEEDS = [int(seed) for seed in os.environ.get("MOTLEY_SEED", "").split()]
HOURS = float(os.environ.get("MOTLEY_HOURS", "24" if os.environ.get("MOTLEY_SOAK") else "0"))
WANTED = int(os.environ.get("MOTLEY_MISHAPS", "1"))
LONG = HOURS or "MOTLEY_MISHAPS" in os.environ
USUAL = 1916  # the seed if nobody asked for more: the same short run every time
MOST = len(MISHAPS)  # of a run
RIGHT = 15.0  # seconds after its end in which everything is right again
RIGHT_AFTER_BLOCK = RIGHT + 60.0  # the same if it was a block of the whole application
LOOK = 1.0  # seconds between two looks
AGAIN = "MOTLEY_SEED={} .venv/bin/python -m pytest tests/faults"


async def cause_mishaps(run: PlaygroundRun, rng: Random, kinds: list[str]) -> float:
    """Cause these at once for some seconds, while people click; return how long it took until all was right."""
    run.counts.update(kinds)
    async with AsyncExitStack() as stack:
        for kind in kinds:
            await stack.enter_async_context(MISHAPS[kind](run, rng))
        await asyncio.sleep(rng.choice(DURATIONS))
    ended = run.time
    await asyncio.sleep(rng.uniform(0, RIGHT / 3))
    async with run.nobody_clicking():
        if UNTOLD_MISHAPS.intersection(kinds):
            ended = run.time
            await run.request_statuses()
        seconds = await _wait_until_right(run, kinds, ended)
        await _wait_until_stored(run, kinds)
    assert not run.unanswered, f"{kinds} left clicks without an answer: {run.unanswered}"
    assert not run.wrong_answers, f"{kinds}: people were told that something went wrong: {run.wrong_answers}"
    assert not run.log, f"{kinds}: {run.log}"
    return seconds


async def _wait_until_right(run: PlaygroundRun, kinds: list[str], ended: float) -> float:
    """How long it takes until people see what they should; whenever the bot dies meanwhile, they will."""
    most = RIGHT_AFTER_BLOCK if BLOCKS.intersection(kinds) else RIGHT
    while True:
        wrong = await run.find_wrong()
        assert not (mistaken := await run.find_mistaken()), f"After a crash, of {kinds}: {mistaken}"
        if not wrong:
            return run.time - ended
        assert run.time - ended < most, f"{most} s after its end, of {kinds}: {wrong}"
        await asyncio.sleep(LOOK)


async def _wait_until_stored(run: PlaygroundRun, kinds: list[str]) -> None:
    """What is stored is what people see and nothing else, each message some seconds after its last edit.

    Some are edited again meanwhile, since an edit was cut short.
    """
    wrong_since: dict[str, float] = {}
    while wrong := await run.find_wrong(stored=True):
        wrong_since = {each: wrong_since.get(each, run.time) for each in wrong}
        late = run.time - min(wrong_since.values()) >= 2 * SAVE_DELAY
        assert not late, f"Not stored in {2 * SAVE_DELAY} s, of {kinds}: {wrong}"
        await asyncio.sleep(LOOK)


async def play_run(seed: int, folder: Path, many: int) -> Counter[str]:
    rng = Random(seed)
    async with start_playground_run(seed, folder) as run:
        kinds = [kind for _ in range(-(-many // len(MISHAPS))) for kind in rng.sample([*MISHAPS], len(MISHAPS))][:many]
        while kinds:
            now = [kinds.pop() for _ in range(min(len(kinds), rng.choice((1, 1, 1, 2))))]
            seconds = await cause_mishaps(run, rng, now)
            run.slowest = max(run.slowest, seconds)
            await run.rematch_ended()
            await asyncio.sleep(rng.uniform(0, 20))
        run.counts["simulated seconds"] = int(run.time)
        print(f"Run {seed}: all right again after {run.slowest:.1f} s at most; {dict(run.counts)}", flush=True)
        return run.counts


@pytest.mark.timeout(100_000)
def test_after_each_mishap_everything_is_right_and_every_click_is_answered(tmp_path: Path) -> None:
    counted, number = Counter[str](), 0
    while number == 0 or _has_more(number, counted["simulated seconds"]):
        seed = SEEDS[number] if SEEDS else random.randrange(10**9) if LONG else USUAL
        folder = tmp_path / str(number)
        folder.mkdir()
        many = MOST if HOURS or SEEDS else min(MOST, WANTED - number * MOST)
        try:
            counted += run_skipping(partial(play_run, seed, folder, many))
        except Exception as error:
            raise AssertionError(f"Run {seed}, to be repeated by {AGAIN.format(seed)}: {error}") from error
        number += 1
    print(dict(counted))
    assert counted["clicks"] > 0


def test_a_slow_discord_takes_fewer_tries_in_time() -> None:
    assert [max_tries_within(slow) for slow in (0, 0.2, 0.7, 1.5, 2.2)] == [3, 3, 3, 2, 1]


def _has_more(runs: int, seconds: int) -> bool:
    if SEEDS:
        return runs < len(SEEDS)
    return seconds < HOURS * 3600 if HOURS else runs * MOST < WANTED


USUAL = 1916


def hand_message_id(run: PlaygroundRun, game: str) -> int:
    found = run.newest_table(run.tables[game])
    assert found is not None
    return found.id


def request_statuses(run: PlaygroundRun, *channels: int) -> list[int]:
    paths = {f"/channels/{channel}" for channel in channels}
    entries = run.playground.simulation.request_log.entries_since(0)
    return [each["status"] for each in entries if each["method"] == "GET" and each["path"] in paths]


def test_a_thread_deleted_without_a_session_is_missed_and_a_quiet_one_is_not(tmp_path: Path) -> None:
    async def delete_thread() -> None:
        async with start_playground_run(USUAL, tmp_path) as run:
            await asyncio.sleep(20)  # some turns are taken
            async with run.nobody_clicking():
                await asyncio.sleep(RIGHT)
                thread, channel, quiet, busy = (run.tables[game] for game in ("wizard", "jest", "jokers", "court"))
                run.perform("Ada", "archive", channel_id=quiet.lobby.id)
                await asyncio.sleep(1)
                before = hand_message_id(run, "jokers")
                run.playground.simulation.gateway.invalidate_sessions()
                run.perform("Ada", "delete_channel", channel_id=thread.lobby.id)
                run.perform("Ada", "delete_channel", channel_id=channel.channel)
                run.playground.simulation.faults.start_server_errors(2, 503, "^/channels/[0-9]+$")
                assert await run.find_wrong() != []
                await asyncio.sleep(RIGHT)
                assert await run.find_wrong() == []
                assert run.log == []
                assert hand_message_id(run, "jokers") == before
                assert sorted(request_statuses(run, thread.lobby.id, quiet.lobby.id))[:2] == [200, 404]
                assert request_statuses(run, channel.channel)[-1:] == [404]
                assert request_statuses(run, busy.channel, busy.lobby.id) == []

    run_skipping(delete_thread)
