"""Timings of one game: seconds a move in random play, and what is done with a state around a move.

They are processor time of this thread, so that other programs disturb them as little as can be.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from statistics import fmean
from time import thread_time
from typing import Any

from bench.entries import Entry
from engines import record
from engines.chance import Chance
from engines.game import AnyGame

SAMPLE = 500
"""The least number of moves that one timing spans, the rival's like ours.

A match of Wizard makes as many. One of Jest is over in 24, and one of hearts in 52, so soon that reading the clock and
finding the caches full of the other program would tell.
"""


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect no garbage meanwhile, as timeit does: that would fall on either of two by chance."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def matches_a_sample(game: AnyGame, entry: Entry, rng: Random) -> int:
    """How many random matches make a sample."""
    state = game.start(entry.seats, _options(game, entry), _chance(rng))
    return -(-SAMPLE // entry.drive(game, state, rng.random))


def random_play(game: AnyGame, entry: Entry, rng: Random, matches: int) -> float:
    """Seconds a move, over so many random matches with all their deals, every move listed, checked and played."""
    options, chances = _options(game, entry), [_chance(rng) for _ in range(matches)]
    moves = 0
    start = thread_time()
    for chance in chances:
        state = game.start(entry.seats, options, chance)
        moves += entry.drive(game, state, rng.random)
    return (thread_time() - start) / moves


def around_a_move(game: AnyGame, entry: Entry, rng: Random) -> dict[str, float]:
    """Seconds for a copy, a dump and a load of a state (means over a random match), and for a replayed move."""
    options, chance = _options(game, entry), _chance(rng)
    seed = chance.seed
    state = game.start(entry.seats, options, chance)
    timed: dict[str, list[float]] = {"copy": [], "dump": [], "load": []}
    made: list[record.Made] = []
    while decisions := game.decisions(state):
        seat = next(seat for seat, decision in decisions.items() if decision.due)
        move = rng.choice(game.moves(state, seat))
        made.append(record.Made(seat, game.write(move)))
        game.play(state, seat, move)
        if len(made) % 8 == 1:
            for what, seconds in _handling(game, state).items():
                timed[what].append(seconds)
    text = game.settings.dump_json(options).decode()
    whole = record.Record(game.key, game.version, entry.seats, text, seed, tuple(made), game.outcome(state))
    means = {what: fmean(times) for what, times in timed.items()}
    return means | {"replay": _seconds(lambda: record.replay(whole)) / len(made)}


def _handling(game: AnyGame, state: Any) -> dict[str, float]:
    """Seconds to copy this state, to write it as JSON, and to read that."""
    text = game.checkpoints.dump_json(state)
    return {
        "copy": _seconds(lambda: game.copy(state)),
        "dump": _seconds(lambda: game.checkpoints.dump_json(state)),
        "load": _seconds(lambda: game.checkpoints.validate_json(text)),
    }


def _options(game: AnyGame, entry: Entry) -> Any:
    return game.settings.validate_python(dict(entry.options))


def _chance(rng: Random) -> Chance:
    return Chance(f"{rng.getrandbits(128):032x}")


def _seconds(action: Callable[[], object]) -> float:
    start = thread_time()
    action()
    return thread_time() - start
