"""Discord misbehaves while five games are played: after each mishap everything is right, and every click is answered.

MOTLEY_MISHAPS says how many, MOTLEY_HOURS how many hours are played instead (a day in
`make soak`). What happens, when, and to whom, is drawn by a seed; a failure prints it, and MOTLEY_SEED repeats that
evening (or several, with a space between), and nothing else; the short form is always the same. Threads are as quick as
they are: what people click meanwhile may differ a little.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from cogs.table.surfaces.stale_tracking import SAVE_DELAY
from tests.faults.evening import Evening, max_tries_within, start_evening
from tests.faults.mishaps import DURATIONS, MISHAPS, UNTOLD_MISHAPS
from tests.faults.skipping import run_skipping

SEEDS = [int(seed) for seed in os.environ.get("MOTLEY_SEED", "").split()]
HOURS = float(os.environ.get("MOTLEY_HOURS", "24" if os.environ.get("MOTLEY_SOAK") else "0"))
WANTED = int(os.environ.get("MOTLEY_MISHAPS", "1"))
LONG = HOURS or "MOTLEY_MISHAPS" in os.environ
USUAL = 1916  # the seed where nobody asked for more: the same little evening every time
MOST = len(MISHAPS)  # of an evening
RIGHT = 15.0  # seconds after its end in which everything is right again
LOOK = 1.0  # seconds between two looks
AGAIN = "MOTLEY_SEED={} .venv/bin/python -m pytest tests/faults"


async def cause_mishaps(here: Evening, rng: Random, kinds: list[str]) -> float:
    """These befall the bot at the same time, while people click, and for some seconds; how long until all was right."""
    here.counts.update(kinds)
    async with AsyncExitStack() as stack:
        for kind in kinds:
            await stack.enter_async_context(MISHAPS[kind](here, rng))
        await asyncio.sleep(rng.choice(DURATIONS))
    ended = here.time
    await asyncio.sleep(rng.uniform(0, RIGHT / 3))
    async with here.nobody_clicking():
        if UNTOLD_MISHAPS.intersection(kinds):
            ended = here.time
            await here.request_statuses()
        took = await _wait_until_right(here, kinds, ended)
        await _wait_until_stored(here, kinds)
    assert not here.unanswered, f"{kinds} left clicks without an answer: {here.unanswered}"
    assert not here.wrong_answers, f"{kinds}: people were told that something went wrong: {here.wrong_answers}"
    assert not here.log, f"{kinds}: {here.log}"
    return took


async def _wait_until_right(here: Evening, kinds: list[str], ended: float) -> float:
    """How long it takes until people see what they should; whenever the bot dies meanwhile, they will."""
    while True:
        wrong = await here.find_wrong()
        assert not (mistaken := await here.find_mistaken()), f"After a crash, of {kinds}: {mistaken}"
        if not wrong:
            return here.time - ended
        assert here.time - ended < RIGHT, f"{RIGHT} s after its end, of {kinds}: {wrong}"
        await asyncio.sleep(LOOK)


async def _wait_until_stored(here: Evening, kinds: list[str]) -> None:
    """What is stored is what people see and nothing else, each message some seconds after its last edit.

    Some are edited once more meanwhile, since an edit was cut short.
    """
    since: dict[str, float] = {}
    while wrong := await here.find_wrong(stored=True):
        since = {each: since.get(each, here.time) for each in wrong}
        assert here.time - min(since.values()) < 2 * SAVE_DELAY, (
            f"Not stored in {2 * SAVE_DELAY} s, of {kinds}: {wrong}"
        )
        await asyncio.sleep(LOOK)


async def run_evening(seed: int, folder: Path, many: int) -> Counter[str]:
    """So many mishaps of one evening, all kinds alike; what was counted."""
    rng = Random(seed)
    async with start_evening(seed, folder) as here:
        kinds = [kind for _ in range(-(-many // len(MISHAPS))) for kind in rng.sample([*MISHAPS], len(MISHAPS))][:many]
        while kinds:
            now = [kinds.pop() for _ in range(min(len(kinds), rng.choice((1, 1, 1, 2))))]
            took = await cause_mishaps(here, rng, now)
            here.slowest = max(here.slowest, took)
            await here.rematch_ended()
            await asyncio.sleep(rng.uniform(0, 20))
        here.counts["simulated seconds"] = int(here.time)
        print(f"Evening {seed}: all right again after {here.slowest:.1f} s at most; {dict(here.counts)}", flush=True)
        return here.counts


def run_evening_told(seed: int, folder: Path, many: int) -> Counter[str]:
    try:
        return run_skipping(lambda: run_evening(seed, folder, many))
    except Exception as error:
        raise AssertionError(f"Evening {seed}, to be repeated by {AGAIN.format(seed)}: {error}") from error


@pytest.mark.timeout(100_000)
def test_after_each_mishap_everything_is_right_and_every_click_is_answered(tmp_path: Path) -> None:
    counted, number = Counter[str](), 0
    while number == 0 or _has_more(number, counted["simulated seconds"]):
        seed = SEEDS[number] if SEEDS else random.randrange(10**9) if LONG else USUAL
        folder = tmp_path / str(number)
        folder.mkdir()
        counted += run_evening_told(seed, folder, MOST if HOURS or SEEDS else min(MOST, WANTED - number * MOST))
        number += 1
    print(dict(counted))
    assert counted["clicks"] > 0


def test_a_slow_discord_takes_fewer_tries_in_time() -> None:
    assert [max_tries_within(slow) for slow in (0, 0.2, 0.7, 1.5, 2.2)] == [3, 3, 3, 2, 1]


def _has_more(evenings: int, seconds: int) -> bool:
    """Whether another evening is asked for."""
    if SEEDS:
        return evenings < len(SEEDS)
    return seconds < HOURS * 3600 if HOURS else evenings * MOST < WANTED
