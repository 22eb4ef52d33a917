"""Times one game: seconds per move in random play, and operations on a state.

It uses only the contract of games. Times are processor time of this thread, so that other programs disturb them little.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from statistics import fmean
from time import thread_time
from typing import Any, NamedTuple

from bench.kit.entries import Entry, setup_of
from engines.hosting.records import record
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame

SAMPLE_MOVES = 500
"""The least number of moves in one timing, the rival's like ours.

A match of Wizard has as many. A match of Jest has 24 and one of hearts 52, which is so short that reading the clock and
cold caches after the other program would show.
"""


class Sample(NamedTuple):
    """Random matches to time: each with its seed and the order of its turns, and the seed of the choices."""

    choices: int
    matches: tuple[tuple[str, tuple[int, ...]], ...]


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Turn off garbage collection inside the block, as timeit does: it would hit one of the two by chance."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def make_sample(game: AnyGame, entry: Entry, number: int) -> Sample:
    """Create the sample of that number. It is played once here, so that finding due seats is not timed."""
    draw = Random(number).random
    matches: list[tuple[str, tuple[int, ...]]] = []
    moves = 0
    while moves < SAMPLE_MOVES:
        seed = f"{number:016x}{len(matches):016x}"
        turns = _random_turns(game, entry, seed, draw)
        matches.append((seed, turns))
        moves += len(turns)
    return Sample(number, tuple(matches))


def time_random_play(game: AnyGame, entry: Entry, sample: Sample) -> float:
    """Return the seconds per move over the matches: every move is listed, checked and played, deals included."""
    seats, options = setup_of(game, entry)
    matches = [(Chance(seed), turns) for seed, turns in sample.matches]
    draw = Random(sample.choices).random
    start = thread_time()
    for chance, turns in matches:
        state = game.start(seats, options, chance)
        for seat in turns:
            legal = game.moves(state, seat)
            move = legal[int(draw() * len(legal))]
            game.check(state, seat, move)
            game.play(state, seat, move)
    return (thread_time() - start) / sum(len(turns) for _, turns in matches)


def halfway_state(game: AnyGame, entry: Entry) -> tuple[Any, int]:
    """Return a state in the middle of a random match, and the seat that is due."""
    seats, options = setup_of(game, entry)
    (seed, turns), *_ = make_sample(game, entry, 0).matches
    draw = Random(0).random
    state = game.start(seats, options, Chance(seed))
    middle = len(turns) // 2
    for seat in turns[:middle]:
        _play_random_move(game, state, seat, draw)
    return state, turns[middle]


def play_to_end(game: AnyGame, state: Any) -> Any:
    """Play the match to its end at random; the given state does not change."""
    state, draw = game.copy(state), Random(1).random
    while (seat := first_due(game, state)) is not None:
        _play_random_move(game, state, seat, draw)
    return state


def time_state_handling(game: AnyGame, entry: Entry, rng: Random) -> dict[str, float]:
    """Return the seconds for due seats, copy, dump and load of a state, and for a replayed move.

    All but the last are means over a random match.
    """
    seats, options = setup_of(game, entry)
    seed = f"{rng.getrandbits(128):032x}"
    state = game.start(seats, options, Chance(seed))
    timed: dict[str, list[float]] = {"due": [], "copy": [], "dump": [], "load": []}
    moves: list[record.RecordMove] = []
    while (seat := first_due(game, state)) is not None:
        move = rng.choice(game.moves(state, seat))
        moves.append(record.RecordMove(seat, game.format_move(move)))
        game.play(state, seat, move)
        if len(moves) % 8 == 1:
            for what, seconds in _time_handling(game, state).items():
                timed[what].append(seconds)
    text = game.options_adapter.dump_json(options).decode()
    whole = record.Record(game.key, game.version, seats, text, seed, tuple(moves), game.outcome(state))
    means = {what: fmean(times) for what, times in timed.items()}
    return means | {"replay": _time_action(lambda: record.replay(whole, {game.key: game})) / len(moves)}


def _random_turns(game: AnyGame, entry: Entry, seed: str, draw: Callable[[], float]) -> tuple[int, ...]:
    """Return the seat of each move in a random match."""
    seats, options = setup_of(game, entry)
    state = game.start(seats, options, Chance(seed))
    turns = []
    while (seat := first_due(game, state)) is not None:
        _play_random_move(game, state, seat, draw)
        turns.append(seat)
    return tuple(turns)


def _play_random_move(game: AnyGame, state: Any, seat: int, draw: Callable[[], float]) -> None:
    """Play a random move of the seat."""
    legal = game.moves(state, seat)
    game.play(state, seat, legal[int(draw() * len(legal))])


def first_due(game: AnyGame, state: Any) -> int | None:
    """Return the first seat that is due; None if the match is over."""
    for seat, decision in game.decisions(state).items():
        if decision.due:
            return seat
    return None


def _time_handling(game: AnyGame, state: Any) -> dict[str, float]:
    """Return the seconds for finding due seats, copying the state, writing it as JSON, and reading it."""
    text = game.checkpoint_adapter.dump_json(state)
    return {
        "due": _time_action(lambda: first_due(game, state)),
        "copy": _time_action(lambda: game.copy(state)),
        "dump": _time_action(lambda: game.checkpoint_adapter.dump_json(state)),
        "load": _time_action(lambda: game.checkpoint_adapter.validate_json(text)),
    }


def _time_action(action: Callable[[], object]) -> float:
    start = thread_time()
    action()
    return thread_time() - start
