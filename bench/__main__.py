"""`python -m bench [game …]`: a row a game, then everything else; exits with 1 where a limit is missed."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Sequence
from random import Random
from statistics import median

from bench.bot import clicks, cost, growth, lag, load, memory, pictures, start
from bench.kit.entries import load_entry
from bench.kit.figures import Row
from bench.kit.hearts import YARDSTICK_RUNS, hearts_move_seconds, time_hearts
from bench.kit.measure import make_sample, time_random_play, time_state_handling, without_garbage_collection
from bench.players import bars, worlds
from bench.storage import forgetting, group_commit, loading, moving, postgres
from engines import GAMES
from engines.kit.contract import AnyGame

ROUND_COUNT = 300
COLUMNS = ("game", "moves/s", "hearts/s", "ratio", "floor", "due", "copy", "dump", "load", "replay")
TABLES: dict[str, Callable[[], Iterable[Row]]] = {
    "Drawing what could lie behind a view, once that is prepared": lambda: worlds.measure_sampling(hearts_move_seconds),
    "Computers that play: few deals; missed is what even the upper end of an interval misses": lambda: bars.measure(
        hearts_move_seconds
    ),
    "Pictures, against drawing them plainly in RGB": pictures.measure_pictures,
    "A move in processor time of the whole bot, against a plain bot's click": cost.measure_costs,
    "The event loop while every worker searches, against while none does": lag.measure_lag,
    "64 tables of six, a move every three seconds, with Discord's limits in force": load.measure_load,
    "Starting with many live matches, against starting with none": start.measure_start,
    "From a click to its answer over loopback, against a plain bot": clicks.measure_clicks,
    "Committing moves, against a transaction each": group_commit.measure_storage,
    "Committing moves on PostgreSQL, where there is one": postgres.measure_postgres,
    "A match touched for the first time, read and replayed": lambda: loading.measure_loading(hearts_move_seconds),
    "Moving from a file to PostgreSQL and back, where there is one": moving.measure_moving,
    "How cost grows with what there is more of": growth.measure_growth,
    "Forgetting somebody, match by match, and playing meanwhile": forgetting.measure_forgetting,
    "Memory after many matches": memory.measure_memory,
}
"""What is measured beside the games, by its heading."""


def main(keys: Sequence[str]) -> int:
    """Measure the games named, or all of them and everything else."""
    rows = [_game_row(GAMES[key]) for key in keys or GAMES]
    print("Random play; asking who is due, copy, dump, load and a replayed move as multiples of a move.\n")
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
    """The game's figures, and whether it reaches its floor. The two run in turns, so that both meet the same noise."""
    entry, rng = load_entry(game), Random(1)
    samples = [make_sample(game, entry, number) for number in range(ROUND_COUNT)]
    rounds: list[tuple[float, float]] = []
    with without_garbage_collection():
        for matches in samples:
            gc.collect(0)
            before, own, after = time_hearts(rng), time_random_play(game, entry, matches), time_hearts(rng)
            rounds.append(((before + after) / 2, own))
    quiet = sorted(rounds, key=sum)[: ROUND_COUNT // 2]  # when other programs left the caches and the clock rate alone
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
