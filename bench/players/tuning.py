"""Tunes the weights of a game's policy, by matches between policies with slightly different weights.

`python -m bench.players.tuning wizard --seats 3 4 5 6 --minutes 10 --to numbers.toml` starts from the present weights
and writes better ones. Each step shifts all of them at random, both ways. The two policies share the seats of a few
matches, then swap seats in the same deals. The weights move along the shifts that won (an evolution strategy with
mirrored samples). The result is their mean over the later half of the steps. Measure it with `bench.players.ladder` on
other deals.

A game that can be tuned has `players/<key>/numbers.toml`, with weights and tables of weights that may take any value,
and `tuned` in its package, which builds a player model from such a table.
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
from players.player_model import PlayerModel

PAIR_COUNT = 16  # of shifts in a step
MATCH_COUNT = 2  # for each shift, both ways
RELATIVE_SHIFT = 0.15  # size of a shift as a part of the weight
MIN_SHIFT = 0.05  # the least size of a shift
STEP_SIZE = 0.05  # of the weights, in shifts; for good weights, larger steps follow noise
INERTIA = 0.8

AnyPlayerModel = PlayerModel[Any, Any, Any]


class NumberTable:
    """Converts a table of weights to a flat list, and back."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.paths = [*_number_paths(table)]
        self.row = [float(_value_at(table, name)) for name in self.paths]

    def to_table(self, row: Sequence[float]) -> dict[str, Any]:
        """Return the table with these weights."""
        table: dict[str, Any] = {}
        for name, number in zip(self.paths, row, strict=True):
            if len(name) == 1:
                table[name[0]] = number
            else:
                table.setdefault(name[0], {})[name[1]] = number
        return table

    def to_toml(self, row: Sequence[float]) -> str:
        """Return the table as TOML."""
        table = self.to_table(row)
        lines = [f"{name} = {number:.4f}" for name, number in table.items() if not isinstance(number, dict)]
        for name, inner in table.items():
            if isinstance(inner, dict):
                lines += ["", f"[{name}]", *(f"{key} = {number:.4f}" for key, number in inner.items())]
        return "\n".join(lines) + "\n"


def points_ahead(game: AnyGame, one: AnyPlayerModel, other: AnyPlayerModel, seats: int, seed: int) -> float:
    """Return how many points `one` is ahead at a shared table, in the same deals with both seatings."""
    own = set(Random(seed).sample(range(seats), seats // 2))
    return fmean(
        _points_ahead_in_match(game, [one if (seat in own) == is_own else other for seat in range(seats)], one, seed)
        for is_own in (True, False)
    )


def tuning_step(
    game: AnyGame, numbers: NumberTable, row: Sequence[float], velocities: list[float], seats: int, rng: Random
) -> list[float]:
    """Return the weights after one step; `velocities` is how each is moving."""
    tuned = importlib.import_module(f"players.{game.key}").tuned_model
    reach = [max(MIN_SHIFT, RELATIVE_SHIFT * abs(number)) for number in row]
    tried: list[tuple[list[float], float]] = []
    for _ in range(PAIR_COUNT):
        shift = [rng.gauss(0, 1) for _ in row]
        seeds = [rng.getrandbits(64) for _ in range(MATCH_COUNT)]
        up, down = (tuned(numbers.to_table(_shift_row(row, reach, shift, way))) for way in (1, -1))
        tried.append((shift, fmean(points_ahead(game, up, down, seats, seed) for seed in seeds)))
    spread = stdev(found for _, found in tried) or 1.0
    for place in range(len(row)):
        pull = fmean(shift[place] * found / spread for shift, found in tried)
        velocities[place] = INERTIA * velocities[place] + pull
    return _shift_row(row, reach, velocities, STEP_SIZE)


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.tuning", description="Tune a policy's weights.")
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument(
        "--seats", type=int, nargs="+", required=True, help="the number of seats for each step, in turn"
    )
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path, required=True, help="the file to write")
    arguments = parser.parse_args()
    game, rng = GAMES[arguments.game], Random(arguments.seed)
    home = Path(str(players.__file__)).parent / game.key
    numbers = NumberTable(tomllib.loads((home / "numbers.toml").read_text(encoding="utf-8")))
    rows, pace = [numbers.row], [0.0] * len(numbers.row)
    end = monotonic() + 60 * arguments.minutes
    while monotonic() < end:
        rows.append(tuning_step(game, numbers, rows[-1], pace, arguments.seats[len(rows) % len(arguments.seats)], rng))
        late = rows[len(rows) // 2 :]
        arguments.to.write_text(numbers.to_toml([fmean(each) for each in zip(*late, strict=True)]), encoding="utf-8")
    print(f"{len(rows) - 1} steps")


def _number_paths(table: Mapping[str, Any]) -> Iterable[tuple[str, ...]]:
    """Yield the path of each weight in the table."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from ((name, key) for key in value)
        else:
            yield (name,)


def _value_at(table: Any, name: Sequence[str]) -> Any:
    for key in name:
        table = table[key]
    return table


def _shift_row(row: Sequence[float], reach: Sequence[float], shift: Sequence[float], direction: float) -> list[float]:
    return [number + direction * far * part for number, far, part in zip(row, reach, shift, strict=True)]


def _points_ahead_in_match(game: AnyGame, models: Sequence[AnyPlayerModel], one: AnyPlayerModel, seed: int) -> float:
    """Return by how many points the seats of `one` are ahead of the others' on average."""
    state, rng = game.start(len(models), game.options(), Chance(f"{seed:032x}")), Random(seed)
    while due := [seat for seat, decision in game.decisions(state).items() if decision.due]:
        game.play(state, due[0], models[due[0]].choose_in_playout(state, due[0], rng))
    outcome = game.outcome(state)
    assert outcome is not None
    own, others = (
        fmean(points for mind, points in zip(models, outcome.points, strict=True) if (mind is one) == is_own)
        for is_own in (True, False)
    )
    return own - others


if __name__ == "__main__":
    main()
