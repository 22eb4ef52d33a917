"""`python -m bench [game …]`: a row a game, then everything else; exits with 1 where a limit is missed."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Sequence
from random import Random
from statistics import median

from bench.bot import clicks, cost, growth, lag, load, memory, pictures, start
from bench.kit.entries import entry_of
from bench.kit.figures import Row
from bench.kit.measure import around_a_move, random_play, sample, uncollected
from bench.players import bars, worlds
from bench.players.rivals import hearts
from bench.storage import forgetting, group_commit, loading, moving, postgres
from engines import GAMES
from engines.kit.contract import AnyGame

ROUNDS = 300
AROUND = 10
COLUMNS = ("game", "moves/s", "hearts/s", "ratio", "floor", "due", "copy", "dump", "load", "replay")
TABLES: dict[str, Callable[[], Iterable[Row]]] = {
    "Drawing what could lie behind a view, once that is prepared": lambda: worlds.measure(yardstick),
    "Computers that play: few deals; missed is what even the upper end of an interval misses": lambda: bars.measure(
        yardstick
    ),
    "Pictures, against drawing them plainly in RGB": pictures.measure,
    "A move in processor time of the whole bot, against a plain bot's click": cost.measure,
    "The event loop while every worker searches, against while none does": lag.measure,
    "64 tables of six, a move every three seconds, with Discord's limits in force": load.measure,
    "Starting with many live matches, against starting with none": start.measure,
    "From a click to its answer over loopback, against a plain bot": clicks.measure,
    "Committing moves, against a transaction each": group_commit.measure,
    "Committing moves on PostgreSQL, where there is one": postgres.measure,
    "A match touched for the first time, read and replayed": lambda: loading.measure(yardstick),
    "Moving from a file to PostgreSQL and back, where there is one": moving.measure,
    "How cost grows with what there is more of": growth.measure,
    "Forgetting somebody, match by match, and playing meanwhile": forgetting.measure,
    "Memory after many matches": memory.measure,
}
"""What is measured beside the games, by its heading."""


def main(keys: Sequence[str]) -> int:
    """Measure the games named, or all of them and everything else."""
    rows = [_row(GAMES[key]) for key in keys or GAMES]
    print("Random play; asking who is due, copy, dump, load and a replayed move as multiples of a move.\n")
    print(_line(COLUMNS))
    missed = 0
    for row, fast in rows:
        missed += not fast
        print(_line(row) + ("" if fast else "   below its floor"))
    for heading, measure in () if keys else TABLES.items():
        print("", heading, "", sep="\n")
        for figure in measure():
            print(figure, flush=True)
            missed += figure.missed
    return 1 if missed else 0


def yardstick() -> float:
    """Seconds that a move of hearts takes just now."""
    with uncollected():
        return median(hearts(Random(number)) for number in range(AROUND))


def _row(game: AnyGame) -> tuple[list[str], bool]:
    """The game's figures, and whether it reaches its floor. The two run in turns, so that both meet the same noise."""
    entry, rng = entry_of(game), Random(1)
    samples = [sample(game, entry, number) for number in range(ROUNDS)]
    rounds: list[tuple[float, float]] = []
    with uncollected():
        for matches in samples:
            gc.collect(0)
            before, own, after = hearts(rng), random_play(game, entry, matches), hearts(rng)
            rounds.append(((before + after) / 2, own))
    quiet = sorted(rounds, key=sum)[: ROUNDS // 2]  # when other programs left the caches and the clock rate alone
    ratio = median(rival / own for rival, own in quiet)
    rival, move = (median(times) for times in zip(*quiet, strict=True))
    handling = [around_a_move(game, entry, rng) for _ in range(AROUND)]
    multiples = {what: median(times[what] for times in handling) / move for what in handling[0]}
    floor = "" if entry.floor is None else f"{entry.floor:.2f}"
    figures = [f"{1 / move:,.0f}", f"{1 / rival:,.0f}", f"{ratio:.2f}", floor]
    return [game.title, *figures, *(f"{multiples[what]:.1f}" for what in COLUMNS[5:])], ratio >= (entry.floor or 0)


def _line(cells: Sequence[str]) -> str:
    return f"{cells[0]:<30}" + "".join(f"{cell:>10}" for cell in cells[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
