"""`python -m bench [game …]`: run all benchmarks, or those of the named games; exit code 1 if a limit is missed."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Sequence
from random import Random
from statistics import median

from bench.bot import clicks, clips, cost, growth, lag, load, memory, pictures, start
from bench.kit.entries import load_entry
from bench.kit.figures import Row
from bench.kit.hearts import YARDSTICK_RUNS, hearts_move_seconds, time_hearts
from bench.kit.measure import make_sample, time_random_play, time_state_handling, without_garbage_collection
from bench.players import bars, sampling
from bench.storage import forgetting, group_commit, loading, moving, postgres
from engines import GAMES
from engines.kit.contract import AnyGame

ROUND_COUNT = 300
COLUMNS = ("game", "moves/s", "hearts/s", "ratio", "floor", "due", "copy", "dump", "load", "replay")
TABLES: dict[str, Callable[[], Iterable[Row]]] = {
    "Sampling a state behind a prepared view": lambda: sampling.measure_sampling(hearts_move_seconds),
    "Strength of computers: few deals; a row is missed if even the upper end of its interval is": lambda: bars.measure(
        hearts_move_seconds
    ),
    "Pictures, compared with drawing them plainly in RGB": pictures.measure_pictures,
    "Clips of whole matches, compared with Pillow's own way of writing them": clips.measure_clips,
    "Processor time of a move in the whole bot, compared with a click on a plain bot": cost.measure_costs,
    "The event loop with all workers busy, compared with none": lag.measure_lag,
    "64 tables of six, a move every three seconds, with Discord's limits in force": load.measure_load,
    "Startup with many live matches, compared with none": start.measure_start,
    "From a click to its answer over loopback, compared with a plain bot": clicks.measure_clicks,
    "Committing moves, compared with a transaction each": group_commit.measure_storage,
    "Committing moves on PostgreSQL, if available": postgres.measure_postgres,
    "Loading and replaying a match for the first time": lambda: loading.measure_loading(hearts_move_seconds),
    "Moving from a file to PostgreSQL and back, if available": moving.measure_moving,
    "How cost grows with size": growth.measure_growth,
    "Forgetting a person match by match while others play": forgetting.measure_forgetting,
    "Memory after many matches": memory.measure_memory,
}
"""All benchmarks that are not about one game, by heading."""


def main(keys: Sequence[str]) -> int:
    """Run the benchmarks of the named games, or of all games and everything else."""
    rows = [_game_row(GAMES[key]) for key in keys or GAMES]
    print("Random play; due seats, copy, dump, load and a replayed move as multiples of a move.\n")
    print(_format_line(COLUMNS))
    missed = 0
    for row, fast in rows:
        missed += not fast
        print(_format_line(row) + ("" if fast else "   below its floor"))
    for heading, measure in () if keys else TABLES.items():
        print("", heading, "", sep="\n")
        for figure in measure():
            print(figure, flush=True)
            missed += figure.is_missed
    return 1 if missed else 0


def _game_row(game: AnyGame) -> tuple[list[str], bool]:
    """Return the game's figures, and whether it reaches its floor.

    The game and its rival take turns, so that both meet the same noise.
    """
    entry, rng = load_entry(game), Random(1)
    samples = [make_sample(game, entry, number) for number in range(ROUND_COUNT)]
    rounds: list[tuple[float, float]] = []
    with without_garbage_collection():
        for matches in samples:
            gc.collect(0)
            before, own, after = time_hearts(rng), time_random_play(game, entry, matches), time_hearts(rng)
            rounds.append(((before + after) / 2, own))
    quiet = sorted(rounds, key=sum)[: ROUND_COUNT // 2]  # rounds in which other programs disturbed least
    ratio = median(rival / own for rival, own in quiet)
    rival, move = (median(times) for times in zip(*quiet, strict=True))
    handling = [time_state_handling(game, entry, rng) for _ in range(YARDSTICK_RUNS)]
    multiples = {what: median(times[what] for times in handling) / move for what in handling[0]}
    floor = "" if entry.floor is None else f"{entry.floor:.2f}"
    figures = [f"{1 / move:,.0f}", f"{1 / rival:,.0f}", f"{ratio:.2f}", floor]
    return [game.title, *figures, *(f"{multiples[what]:.1f}" for what in COLUMNS[5:])], ratio >= (entry.floor or 0)


def _format_line(cells: Sequence[str]) -> str:
    return f"{cells[0]:<30}" + "".join(f"{cell:>10}" for cell in cells[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
