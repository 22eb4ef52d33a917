"""`python -m bench [game …]`: print a row a game, then pictures and storage; exit with 1 where a floor is missed."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Sequence
from random import Random
from statistics import median

from bench import pictures, storage
from bench.entries import ENTRIES, Entry
from bench.measure import around_a_move, random_match
from bench.rivals import hearts
from engines import GAMES
from engines.game import AnyGame

ROUNDS = 300
RIVALS_A_ROUND = 3  # games of hearts before a match of ours, and as many after it
AROUND = 10
COLUMNS = ("game", "moves/s", "hearts/s", "ratio", "floor", "copy", "dump", "load", "replay")


def main(keys: Sequence[str]) -> int:
    """Measure the games named, or all that have a row."""
    rows = [_row(GAMES[key], ENTRIES[key]) for key in keys or ENTRIES]
    print("Random play; copy, dump, load and a replayed move as multiples of a move.\n")
    print(_line(COLUMNS))
    missed = 0
    for row, fast in rows:
        missed += not fast
        print(_line(row) + ("" if fast else "   below its floor"))
    if not keys:
        _print("Pictures, against drawing them plainly in RGB", pictures.measure())
        _print("Committing moves, against a transaction each", asyncio.run(storage.measure()))
    return 1 if missed else 0


def _print(title: str, figures: list[tuple[str, float, str]]) -> None:
    """Figures that have no floor."""
    print(f"\n{title}\n")
    for name, figure, unit in figures:
        print(f"{name:<54}{figure:>10,.2f}  {unit}")


def _row(game: AnyGame, entry: Entry) -> tuple[list[str], bool]:
    """The game's figures, and whether it reaches its floor. The two run in turns, so that both meet the same noise."""
    rng = Random(1)
    own: list[float] = []
    rival: list[float] = []
    ratios: list[float] = []
    gc.disable()  # as timeit does: a collection would fall on either of the two by chance
    for _ in range(ROUNDS):
        gc.collect(0)
        around = [hearts(rng) for _ in range(RIVALS_A_ROUND)]
        own.append(random_match(game, entry, rng))
        around += [hearts(rng) for _ in range(RIVALS_A_ROUND)]
        rival.append(median(around))
        ratios.append(rival[-1] / own[-1])
    gc.enable()
    move, ratio = median(own), median(ratios)
    handling = [around_a_move(game, entry, rng) for _ in range(AROUND)]
    multiples = {what: median(times[what] for times in handling) / move for what in handling[0]}
    figures = [f"{1 / move:,.0f}", f"{1 / median(rival):,.0f}", f"{ratio:.2f}", f"{entry.floor:.2f}"]
    return [game.title, *figures, *(f"{multiples[what]:.1f}" for what in COLUMNS[5:])], ratio >= entry.floor


def _line(cells: Sequence[str]) -> str:
    return f"{cells[0]:<12}" + "".join(f"{cell:>10}" for cell in cells[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
