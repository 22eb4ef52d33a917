"""Timings of one game: seconds a move in random play, and what is done with a state around a move.

They are processor time of this thread, so that other programs disturb them as little as can be.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import fmean
from time import thread_time
from typing import Any

from bench.entries import Entry
from engines import record
from engines.chance import Chance
from engines.game import AnyGame


def random_match(game: AnyGame, entry: Entry, rng: Random) -> float:
    """Seconds a move, over one random match with all its deals, every move listed, checked and played."""
    options, chance = _options(game, entry), _chance(rng)
    start = thread_time()
    state = game.start(entry.seats, options, chance)
    moves = entry.drive(game, state, rng.random)
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
