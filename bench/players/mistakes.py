"""Finds the costliest mistakes of computer players: what their moves lose against a search of many times the budget.

`python -m bench.players.mistakes jest --decisions 300 --times 50` takes decisions from matches among *normal* players,
asks *normal* and *hard* for their moves, and compares these and all candidates in the same sampled worlds, with that
many times the simulations of *hard* (of a hint, if the game has no *hard*). It prints the mean loss for each kind of
decision, and the costliest moves. The best of many moves looks better than it is by chance, so a move that is as good
as the best still seems to lose a little; moves count as mistakes only if they lose more than two standard errors.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from statistics import fmean
from typing import Any

from bench.players.decisions import PlayedDecision, iter_decisions
from bench.players.ladder import parse_options
from engines import GAMES
from engines.kit.contract import AnyGame
from players import Level, available_levels, make_player
from players.advice import MIN_STANDARD_ERRORS, hint_budget
from players.levels import player_model_of
from players.search import compare_moves

LEVELS_JUDGED: tuple[Level, ...] = ("normal", "hard")


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A level's move in a decision, the best one, and by how much it is behind, in the unit of the model."""

    decision: PlayedDecision
    level: Level
    move: str
    best: str
    behind: float
    error: float

    @property
    def is_mistake(self) -> bool:
        """Whether it certainly loses something."""
        return self.behind > MIN_STANDARD_ERRORS * self.error


def judge_moves(game: AnyGame, first_seed: int, options: dict[str, Any], times: int) -> Iterator[list[JudgedMove]]:
    """Judge the moves of all levels in one decision after another, without end."""
    model = player_model_of(game)
    budget = model.budget or hint_budget(model)
    levels = [level for level in LEVELS_JUDGED if level in available_levels(game)]
    for number, decision in enumerate(iter_decisions(game, first_seed, options)):
        view, moves = decision.view, decision.moves
        chosen = {
            level: make_player(game, level).choose_move(view, moves, Random(f"{level} {number}")) for level in levels
        }
        worthy = list(model.candidate_moves(view, moves, Random(f"candidates {number}"))[: 2 * budget.max_candidates])
        worthy += [move for move in chosen.values() if move not in worthy]
        simulations = int(times * budget.simulations * model.simulation_share(view))
        values = compare_moves(model, view, worthy, Random(f"long search {number}"), max(2, simulations // len(worthy)))
        yield [
            JudgedMove(
                decision, level, game.format_move(move), game.format_move(values[0].move), value.behind, value.error
            )
            for level, move in chosen.items()
            for value in values
            if value.move == move
        ]


def summarize(judged: Sequence[JudgedMove], scale: float) -> Iterator[str]:
    """Yield a row for each level and kind of decision: the mean loss, the share of mistakes and their mean loss."""
    groups: dict[tuple[Level, str], list[JudgedMove]] = defaultdict(list)
    for each in judged:
        groups[each.level, each.decision.kind].append(each)
    for (level, kind), those in sorted(groups.items()):
        mistakes = [each.behind for each in those if each.is_mistake]
        mean = fmean(each.behind for each in those) * scale
        loss = f", mistakes lose {fmean(mistakes) * scale:.2f}" if mistakes else ""
        yield f"{level}, {kind}: {mean:.2f} behind in {len(those)}, {len(mistakes) / len(those):.1%} mistakes{loss}"


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.mistakes", description="Find costly moves.")
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--decisions", type=int, default=300)
    parser.add_argument("--first", type=int, default=70001, help="the seed of the first match")
    parser.add_argument("--times", type=int, default=50, help="times the budget of a decision")
    parser.add_argument("--show", type=int, default=10, help="the costliest moves to print for each level")
    parser.add_argument("--option", action="append", default=[], help="name=value, may be repeated")
    arguments = parser.parse_args()
    options = parse_options(arguments.option)
    game = GAMES[arguments.game]
    scale = player_model_of(game).unit.scale
    judged: list[JudgedMove] = []
    for number, those in enumerate(
        islice(judge_moves(game, arguments.first, options, arguments.times), arguments.decisions), 1
    ):
        judged += those
        if number % 50 == 0:
            print(f"after {number} decisions:", *summarize(judged, scale), sep="\n", flush=True)
    print("in all:", *summarize(judged, scale), sep="\n")
    for level in LEVELS_JUDGED:
        mistakes = sorted((each for each in judged if each.level == level and each.is_mistake), key=lambda m: -m.behind)
        for each in mistakes[: arguments.show]:
            place = f"{each.decision.kind}, {each.decision.name}"
            print(f"{level}: {place}: {each.move} instead of {each.best}, {each.behind * scale:.2f} behind")


if __name__ == "__main__":
    main()
