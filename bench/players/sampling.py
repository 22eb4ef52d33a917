"""Times the sampling of a state behind a prepared view, in moves of hearts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from statistics import fmean
from time import thread_time
from typing import Any

from bench.kit.entries import Entry, load_entry, setup_of
from bench.kit.figures import Figure
from bench.kit.measure import without_garbage_collection
from engines import GAMES
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame

MOVES_BETWEEN_VIEWS = 5  # moves of a random match from one view to the next
DRAW_COUNT = 20  # states per view
VIEW_COUNT = 60  # at most


def measure_sampling(hearts: Callable[[], float]) -> Iterator[Figure]:
    """Measure every game; `hearts` returns the seconds that a move of the reference takes now."""
    for game in GAMES.values():
        entry = load_entry(game)
        before, seconds = hearts(), time_sampling(game, entry)
        move = (before + hearts()) / 2
        text = f"moves of hearts: {seconds * 1e6:.0f} µs to {move * 1e6:.2f}"
        yield Figure(f"{game.title}: a state", seconds / move, text, entry.draw)


def time_sampling(game: AnyGame, entry: Entry, views: int = VIEW_COUNT, draws: int = DRAW_COUNT) -> float:
    """Return the mean seconds per state over the views of due seats in a random match."""
    chance, times = Chance(f"{1:032x}"), []
    for view in _sample_views(game, entry, views):
        draw = game.sampler(view)
        draw(chance)
        with without_garbage_collection():
            start = thread_time()
            for _ in range(draws):
                draw(chance)
            times.append((thread_time() - start) / draws)
    return fmean(times)


def _sample_views(game: AnyGame, entry: Entry, limit: int) -> list[Any]:
    """Return views from all parts of a match of as many players as possible."""
    _, options = setup_of(game, entry)
    state, rng = game.start(game.seats[-1], options, Chance(f"{1:032x}")), Random(1)
    found, move_count = [], 0
    while due := [seat for seat, decision in game.decisions(state).items() if decision.due]:
        if move_count % MOVES_BETWEEN_VIEWS == 0:
            found.append(game.view(state, due[0]))
        game.play(state, due[0], rng.choice(game.moves(state, due[0])))
        move_count += 1
    return Random(2).sample(found, min(len(found), limit))
