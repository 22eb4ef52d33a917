"""`python -m bench [game …]`: a row a game, then searches, pictures, storage; exits with 1 where a limit is missed."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Sequence
from random import Random
from statistics import median

from bench import pictures, splits, storage
from bench.entries import ENTRIES, Entry
from bench.figures import Figure
from bench.measure import around_a_move, matches_a_sample, random_play, uncollected
from bench.rivals import hearts
from engines import GAMES
from engines.game import AnyGame

ROUNDS = 300
AROUND = 10
COLUMNS = ("game", "moves/s", "hearts/s", "ratio", "floor", "copy", "dump", "load", "replay")


def main(keys: Sequence[str]) -> int:
    """Measure the games named, or all that have a row and everything else."""
    rows = [_row(GAMES[key], ENTRIES[key]) for key in keys or ENTRIES]
    print("Random play; copy, dump, load and a replayed move as multiples of a move.\n")
    print(_line(COLUMNS))
    missed = 0
    for row, fast in rows:
        missed += not fast
        print(_line(row) + ("" if fast else "   below its floor"))
    if not keys:
        with uncollected():
            missed += _print("Searching a hand of Jokers, against playing a trick of Wizard", splits.measure())
        missed += _print("Pictures, against drawing them plainly in RGB", pictures.measure())
        missed += _print("Committing moves, against a transaction each", asyncio.run(storage.measure()))
    return 1 if missed else 0


def _print(title: str, figures: list[Figure]) -> int:
    """Print figures; how many of them are over their limit."""
    print(f"\n{title}\n")
    for figure in figures:
        print(figure)
    return sum(figure.missed for figure in figures)


def _row(game: AnyGame, entry: Entry) -> tuple[list[str], bool]:
    """The game's figures, and whether it reaches its floor. The two run in turns, so that both meet the same noise."""
    rng = Random(1)
    matches = matches_a_sample(game, entry, rng)
    rounds: list[tuple[float, float]] = []
    with uncollected():
        for _ in range(ROUNDS):
            gc.collect(0)
            before, own, after = hearts(rng), random_play(game, entry, rng, matches), hearts(rng)
            rounds.append(((before + after) / 2, own))
    quiet = sorted(rounds, key=sum)[: ROUNDS // 2]  # when other programs left the caches and the clock rate alone
    ratio = median(rival / own for rival, own in quiet)
    rival, move = (median(times) for times in zip(*quiet, strict=True))
    handling = [around_a_move(game, entry, rng) for _ in range(AROUND)]
    multiples = {what: median(times[what] for times in handling) / move for what in handling[0]}
    figures = [f"{1 / move:,.0f}", f"{1 / rival:,.0f}", f"{ratio:.2f}", f"{entry.floor:.2f}"]
    return [game.title, *figures, *(f"{multiples[what]:.1f}" for what in COLUMNS[5:])], ratio >= entry.floor


def _line(cells: Sequence[str]) -> str:
    return f"{cells[0]:<30}" + "".join(f"{cell:>10}" for cell in cells[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
