"""Measures how late the event loop is while every worker searches for *hard*, compared with idle workers.

A loop in this process, with a bot's worker pool, wakes every five milliseconds and notes its delay. Turns of a fifth of
a second alternate between as many searches as there are workers, and none, so that both meet the same noise. The
quieter half of the pairs of turns counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from itertools import cycle
from random import Random
from statistics import fmean, quantiles
from time import perf_counter
from typing import Any

from bench.kit.figures import Figure
from engines import GAMES
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from players import available_levels
from worker_pool.pool import WorkerPool

TURNS = 100
SECONDS = 0.2  # per turn
SLEEP_SECONDS = 0.005  # seconds between two wake-ups
MOVES_PLAYED = 12  # moves before the timed decision
MAX_LAG = 2.0  # milliseconds of additional delay at p99


def measure_lag(turns: int = TURNS, seconds: float = SECONDS) -> list[Figure]:
    """Measure the loop's delay at p99 in milliseconds, with idle workers and with busy ones."""
    pairs, workers, choices_made = asyncio.run(time_lags(turns, seconds))
    quiet = sorted(pairs, key=lambda pair: sum(map(fmean, pair)))[: max(1, turns // 2)]
    calm, more = (_p99([lag for pair in quiet for lag in pair[which]]) for which in (0, 1))
    choices = f"{choices_made / (turns * seconds):.0f} choices a second by {workers} worker{'s' if workers > 1 else ''}"
    return [
        Figure("idle workers: delay at p99", calm, "ms"),
        Figure("busy workers: delay at p99", more, f"ms; {choices}"),
        Figure("additional delay", more - calm, "ms", MAX_LAG),
    ]


async def time_lags(turns: int, seconds: float) -> tuple[list[tuple[list[float], list[float]]], int, int]:
    """Return by turn the delay of each wake-up in seconds, without work and with it; workers and choices."""
    pairs = []
    choices_made = 0
    async with AsyncExitStack() as stack:
        thinkers = await stack.enter_async_context(WorkerPool())
        decisions = cycle(hard_decisions())
        await asyncio.gather(
            *(_choose_once(thinkers, decisions, number) for number in range(thinkers.max_workers))
        )  # now they have started
        for _ in range(turns):
            idle = await _measure_lags(seconds)
            until = perf_counter() + seconds
            at_work = [
                asyncio.create_task(_choose_until(thinkers, decisions, number, until))
                for number in range(thinkers.max_workers)
            ]
            pairs.append((idle, await _measure_lags(seconds)))
            choices_made += sum(await asyncio.gather(*at_work))
        return pairs, thinkers.max_workers, choices_made


async def _choose_until(
    worker_pool: WorkerPool, decisions: Iterator[tuple[AnyGame, Any]], number: int, until: float
) -> int:
    """Let a worker choose again and again, for a match of its own; return how many times."""
    choices_made = 0
    while perf_counter() < until:
        await _choose_once(worker_pool, decisions, number)
        choices_made += 1
    return choices_made


async def _choose_once(worker_pool: WorkerPool, decisions: Iterator[tuple[AnyGame, Any]], number: int) -> None:
    game, view = next(decisions)
    await worker_pool.choose_move(f"match {number}", game, view, "hard", "a seed")


async def _measure_lags(seconds: float) -> list[float]:
    """Wake up again and again, and return the delays."""
    found, until = [], perf_counter() + seconds
    while (start := perf_counter()) < until:
        await asyncio.sleep(SLEEP_SECONDS)
        found.append(perf_counter() - start - SLEEP_SECONDS)
    return found


def hard_decisions() -> list[tuple[AnyGame, Any]]:
    """Return a view from a random match of every game with *hard*, for the seat whose turn it is."""
    found: list[tuple[AnyGame, Any]] = []
    for game in GAMES.values():
        if "hard" in available_levels(game):
            state, rng = game.start(game.seats[-1], game.options(), Chance("1a" * 16)), Random(1)
            moved = 0
            while moved < MOVES_PLAYED or len(game.moves(state, _seat_to_act(game, state))) < 2:
                seat = _seat_to_act(game, state)
                game.play(state, seat, rng.choice(game.moves(state, seat)))
                moved += 1
            found.append((game, game.view(state, _seat_to_act(game, state))))
    return found


def _seat_to_act(game: AnyGame, state: Any) -> int:
    return next(seat for seat, decision in game.decisions(state).items() if decision.due)


def _p99(lags: list[float]) -> float:
    return quantiles(lags, n=100)[-1] * 1000


if __name__ == "__main__":
    for figure in measure_lag():
        print(figure)
