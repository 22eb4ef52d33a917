"""Checks whether hints are right: what a hint says of its move and the next best, against a longer search of the two.

`python -m bench.players.hints jokers --decisions 500 --first 60001` takes decisions from matches among *normal*
players. The longer search tries both moves in the same new worlds, with four times a hint's simulations. A hint agrees
if its figure is within two standard errors of the longer search's, where the error is that of both searches; a hint
that says "about as good" agrees if the longer search's difference is within two such errors of 0.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import hypot, sqrt
from random import Random
from statistics import fmean
from typing import Any

from bench.players.decisions import PlayedDecision, iter_decisions
from bench.players.ladder import parse_options
from engines import GAMES
from engines.kit.contract import AnyGame
from players.advice import MIN_STANDARD_ERRORS, advise, hint_budget
from players.levels import player_model_of
from players.search import compare_moves

LONGER = 4  # times the simulations of a hint, for the two moves that it compares


@dataclass(frozen=True, slots=True)
class JudgedHint:
    """A hint's figure (0: about as good) and what the longer search found, in the unit of the model."""

    decision: PlayedDecision
    said: float
    found: float
    error: float  # the standard error of both searches together

    @property
    def agrees(self) -> bool:
        """Whether they differ by no more than their error explains."""
        return abs(self.said - self.found) <= MIN_STANDARD_ERRORS * self.error


def judge_hints(game: AnyGame, first_seed: int, options: dict[str, Any], longer: int = LONGER) -> Iterator[JudgedHint]:
    """Judge the hints that compare two moves, one after another without end."""
    model = player_model_of(game)
    budget = hint_budget(model)
    for number, decision in enumerate(iter_decisions(game, first_seed, options)):
        hint = advise(model, decision.view, decision.moves, f"hint {number}", budget)
        if hint.gain is None:
            continue
        worlds = max(2, int(longer * budget.simulations * model.simulation_share(decision.view)) // 2)
        pair = (hint.move, hint.compared_to)
        worse = compare_moves(model, decision.view, pair, Random(f"longer search {number}"), worlds)[-1]
        found = worse.behind if worse.move == hint.compared_to else -worse.behind
        yield JudgedHint(decision, hint.gain, found, hypot(hint.error, worse.error))


def summarize(hints: list[JudgedHint], scale: float) -> str:
    """Return the rows of a table: how many agree, and both figures on average, with `scale` units for a value of 1."""
    rows = []
    for name, those in (
        ("all", hints),
        ("with a figure", [each for each in hints if each.said]),
        ("about as good", [each for each in hints if not each.said]),
    ):
        if those:
            share = fmean(each.agrees for each in those)
            half = 1.96 * sqrt(share * (1 - share) / len(those))
            predicted = scale * fmean(each.said for each in those)
            found = scale * fmean(each.found for each in those)
            rows.append(
                f"{name}: {share:.3f} ± {half:.3f} of {len(those)} agree, said {predicted:.2f}, found {found:.2f}"
            )
    return "\n".join(rows)


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.hints", description="Check hints.")
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--decisions", type=int, default=500)
    parser.add_argument("--first", type=int, default=60001, help="the seed of the first match")
    parser.add_argument("--longer", type=int, default=LONGER, help="times the simulations of a hint")
    parser.add_argument("--option", action="append", default=[], help="name=value, may be repeated")
    arguments = parser.parse_args()
    options = parse_options(arguments.option)
    game, hints = GAMES[arguments.game], []
    unit = player_model_of(game).unit
    for hint in islice(judge_hints(game, arguments.first, options, arguments.longer), arguments.decisions):
        hints.append(hint)
        if not hint.agrees:
            scale = unit.scale
            figures = f"said {hint.said * scale:.1f}, found {hint.found * scale:.1f} ± {hint.error * scale:.1f}"
            print(f"{hint.decision.kind}, {hint.decision.name}: {figures} {unit.plural}", flush=True)
        if len(hints) % 50 == 0:
            print(f"after {len(hints)}:\n{summarize(hints, unit.scale)}", flush=True)
    print(summarize(hints, unit.scale))


if __name__ == "__main__":
    main()
