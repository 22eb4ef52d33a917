"""Timings of one game: seconds a move in random play, and what is done with a state around a move.

Games are driven by their contract alone. Times are processor time of this thread, so that other programs disturb them
as little as can be.
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
from engines.hosting import record
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame

SAMPLE_MOVES = 500
"""The least number of moves that one timing spans, the rival's like ours.

A match of Wizard makes as many. One of Jest is over in 24, and one of hearts in 52, so soon that reading the clock and
finding the caches full of the other program would tell.
"""


class Sample(NamedTuple):
    """Random matches to be timed: each with its seed and who makes which move; and the seed of what they choose."""

    choices: int
    matches: tuple[tuple[str, tuple[int, ...]], ...]


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Collect no garbage meanwhile, as timeit does: that would fall on either of two by chance."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def make_sample(game: AnyGame, entry: Entry, number: int) -> Sample:
    """The matches of that number. They are played once here, so that finding out who is due is no part of a timing."""
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
    """Seconds a move, over the matches with all their deals, every move listed, checked and played."""
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
    """The state in the middle of a random match, and who is due there."""
    seats, options = setup_of(game, entry)
    (seed, turns), *_ = make_sample(game, entry, 0).matches
    draw = Random(0).random
    state = game.start(seats, options, Chance(seed))
    middle = len(turns) // 2
    for seat in turns[:middle]:
        _play_random_move(game, state, seat, draw)
    return state, turns[middle]


def play_to_end(game: AnyGame, state: Any) -> Any:
    """That state's match at its end, if it goes on at random; the state is left as it is."""
    state, draw = game.copy(state), Random(1).random
    while (seat := first_due(game, state)) is not None:
        _play_random_move(game, state, seat, draw)
    return state


def time_state_handling(game: AnyGame, entry: Entry, rng: Random) -> dict[str, float]:
    """Seconds to ask who is due and for a copy, a dump and a load of a state, and for a move that is replayed.

    All but the last are means over a random match.
    """
    seats, options = setup_of(game, entry)
    seed = f"{rng.getrandbits(128):032x}"
    state = game.start(seats, options, Chance(seed))
    timed: dict[str, list[float]] = {"due": [], "copy": [], "dump": [], "load": []}
    made: list[record.RecordMove] = []
    while (seat := first_due(game, state)) is not None:
        move = rng.choice(game.moves(state, seat))
        made.append(record.RecordMove(seat, game.format_move(move)))
        game.play(state, seat, move)
        if len(made) % 8 == 1:
            for what, seconds in _time_handling(game, state).items():
                timed[what].append(seconds)
    text = game.options_adapter.dump_json(options).decode()
    whole = record.Record(game.key, game.version, seats, text, seed, tuple(made), game.outcome(state))
    means = {what: fmean(times) for what, times in timed.items()}
    return means | {"replay": _time_action(lambda: record.replay(whole, {game.key: game})) / len(made)}


def _random_turns(game: AnyGame, entry: Entry, seed: str, draw: Callable[[], float]) -> tuple[int, ...]:
    """Who makes each move of a random match."""
    seats, options = setup_of(game, entry)
    state = game.start(seats, options, Chance(seed))
    turns = []
    while (seat := first_due(game, state)) is not None:
        _play_random_move(game, state, seat, draw)
        turns.append(seat)
    return tuple(turns)


def _play_random_move(game: AnyGame, state: Any, seat: int, draw: Callable[[], float]) -> None:
    """Any of the seat's moves."""
    legal = game.moves(state, seat)
    game.play(state, seat, legal[int(draw() * len(legal))])


def first_due(game: AnyGame, state: Any) -> int | None:
    """The first of those for whom the match waits; None when it is over."""
    for seat, decision in game.decisions(state).items():
        if decision.due:
            return seat
    return None


def _time_handling(game: AnyGame, state: Any) -> dict[str, float]:
    """Seconds to see who is due in this state, to copy it, to write it as JSON, and to read that."""
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
