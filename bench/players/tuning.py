"""Tunes the numbers that a game's policy weighs, by matches between policies whose numbers are a little different.

`python -m bench.players.tuning wizard --seats 3 4 5 6 --minutes 10 --to numbers.toml` begins with the numbers as they are and
writes better ones. In each step all of them are shifted at random, both ways; the two policies share the seats of a
few matches, then change places in the same deals; and the numbers move along the shifts that won (an evolution
strategy with mirrored samples). What is written is their mean over the later half of the steps; what it is worth is to
be measured with `bench.players.ladder`, on other deals.

A game that is to be tuned keeps `players/<key>/numbers.toml`, of numbers and tables of numbers that make sense
whatever they are, and has `tuned` in its package, which makes a mind of such a table.
"""

from __future__ import annotations

import argparse
import importlib
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import monotonic
from typing import Any

import players
from engines import GAMES
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from players.player_model import Mind

PAIRS = 16  # of shifts, in a step
MATCHES = 2  # with which each is tried, both ways
SHIFT = 0.15  # how far numbers are shifted, in parts of them
LEAST = 0.05  # and at least so far
PACE = 0.05  # of the numbers, in shifts; where they are good already, larger steps follow noise
INERTIA = 0.8

AnyMind = Mind[Any, Any, Any]


class Numbers:
    """A table of numbers as a row of them, and back."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.names = [*_names(table)]
        self.row = [float(_found(table, name)) for name in self.names]

    def table(self, row: Sequence[float]) -> dict[str, Any]:
        """The table with these numbers."""
        table: dict[str, Any] = {}
        for name, number in zip(self.names, row, strict=True):
            if len(name) == 1:
                table[name[0]] = number
            else:
                table.setdefault(name[0], {})[name[1]] = number
        return table

    def text(self, row: Sequence[float]) -> str:
        """The table as TOML."""
        table = self.table(row)
        lines = [f"{name} = {number:.4f}" for name, number in table.items() if not isinstance(number, dict)]
        for name, inner in table.items():
            if isinstance(inner, dict):
                lines += ["", f"[{name}]", *(f"{key} = {number:.4f}" for key, number in inner.items())]
        return "\n".join(lines) + "\n"


def ahead(game: AnyGame, one: AnyMind, other: AnyMind, seats: int, seed: int) -> float:
    """By how many points one is ahead where both share a table, in the same deals in these seats and the others'."""
    own = set(Random(seed).sample(range(seats), seats // 2))
    return fmean(
        _match(game, [one if (seat in own) == there else other for seat in range(seats)], one, seed)
        for there in (True, False)
    )


def step(
    game: AnyGame, numbers: Numbers, row: Sequence[float], pace: list[float], seats: int, rng: Random
) -> list[float]:
    """The numbers after one step; `pace` is how each is moving."""
    tuned = importlib.import_module(f"players.{game.key}").tuned
    reach = [max(LEAST, SHIFT * abs(number)) for number in row]
    tried: list[tuple[list[float], float]] = []
    for _ in range(PAIRS):
        shift = [rng.gauss(0, 1) for _ in row]
        seeds = [rng.getrandbits(64) for _ in range(MATCHES)]
        up, down = (tuned(numbers.table(_shifted(row, reach, shift, way))) for way in (1, -1))
        tried.append((shift, fmean(ahead(game, up, down, seats, seed) for seed in seeds)))
    spread = stdev(found for _, found in tried) or 1.0
    for place in range(len(row)):
        pull = fmean(shift[place] * found / spread for shift, found in tried)
        pace[place] = INERTIA * pace[place] + pull
    return _shifted(row, reach, pace, PACE)


def main() -> None:
    """As the module says."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.tuning", description="Tunes a policy's numbers.")
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--seats", type=int, nargs="+", required=True, help="a number of seats for each step in turn")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path, required=True, help="the file to be written")
    said = parser.parse_args()
    game, rng = GAMES[said.game], Random(said.seed)
    home = Path(str(players.__file__)).parent / game.key
    numbers = Numbers(tomllib.loads((home / "numbers.toml").read_text(encoding="utf-8")))
    rows, pace = [numbers.row], [0.0] * len(numbers.row)
    end = monotonic() + 60 * said.minutes
    while monotonic() < end:
        rows.append(step(game, numbers, rows[-1], pace, said.seats[len(rows) % len(said.seats)], rng))
        late = rows[len(rows) // 2 :]
        said.to.write_text(numbers.text([fmean(each) for each in zip(*late, strict=True)]), encoding="utf-8")
    print(f"{len(rows) - 1} steps")


def _names(table: Mapping[str, Any]) -> Iterable[tuple[str, ...]]:
    """Where its numbers stand."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from ((name, key) for key in value)
        else:
            yield (name,)


def _found(table: Any, name: Sequence[str]) -> Any:
    for key in name:
        table = table[key]
    return table


def _shifted(row: Sequence[float], reach: Sequence[float], shift: Sequence[float], way: float) -> list[float]:
    return [number + way * far * part for number, far, part in zip(row, reach, shift, strict=True)]


def _match(game: AnyGame, minds: Sequence[AnyMind], one: AnyMind, seed: int) -> float:
    """By how many points the seats of one are ahead of the others', in the mean."""
    state, rng = game.start(len(minds), game.options(), Chance(f"{seed:032x}")), Random(seed)
    while due := [seat for seat, decision in game.decisions(state).items() if decision.due]:
        game.play(state, due[0], minds[due[0]].act(state, due[0], rng))
    outcome = game.outcome(state)
    assert outcome is not None
    own, others = (
        fmean(points for mind, points in zip(minds, outcome.points, strict=True) if (mind is one) == there)
        for there in (True, False)
    )
    return own - others


if __name__ == "__main__":
    main()
