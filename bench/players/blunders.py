"""Counts the blunders of *easy*, and what they cost, in matches among *easy* alone.

`python -m bench.players.blunders wizard --seats 4 --matches 10` prints, by kind of decision: how many had a choice, in
how many of them *easy* made a move that the policy does not hold for about as good as its own, and what such a blunder
costs on average and at the 95th percentile, in the unit of the game's search. `--show 3` prints the costliest ones.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import dataclass, field
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from engines import GAMES
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from players import make_player
from players.levels import player_model_of
from players.search import compare_moves

SAMPLE = 40  # blunders of each kind whose cost is measured
WORLDS = 64  # in which each is compared with the policy's move


class Blunder(NamedTuple):
    """A move of *easy* that the policy would not have made, and the policy's own."""

    view: Any
    made: Any
    policy: Any


@dataclass(slots=True)
class DecisionCount:
    """The decisions of one kind that had a choice, and the blunders among them."""

    decisions: int = 0
    blunders: list[Blunder] = field(default_factory=list)


def count_blunders(
    game: AnyGame, seats: int, options: dict[str, Any], matches: int, first_seed: int = 1
) -> dict[str, DecisionCount]:
    """Play matches among *easy* and return the decisions by kind."""
    model, easy = player_model_of(game), make_player(game, "easy")
    found: dict[str, DecisionCount] = defaultdict(DecisionCount)
    valid = game.validate_setup(seats, game.options_adapter.validate_python(options))
    for seed in range(first_seed, first_seed + matches):
        state, rng = game.start(seats, valid, Chance(f"{seed:032x}")), Random(seed)
        while due := [seat for seat, decision in game.decisions(state).items() if decision.due]:
            seat, kind = due[0], game.decisions(state)[due[0]].kind
            view, moves = game.view(state, seat), game.moves(state, seat)
            move = easy.choose_move(view, moves, rng)
            if len(moves) > 1:
                found[kind].decisions += 1
                good = model.equal_moves(view, moves, rng)
                if move not in good:
                    found[kind].blunders.append(Blunder(view, move, good[0]))
            game.play(state, seat, move)
    return found


def measure_costs(game: AnyGame, blunders: list[Blunder], seed: int) -> list[tuple[float, Blunder]]:
    """Return some of the blunders with their costs in the unit of the game's search, the costliest first."""
    model, rng = player_model_of(game), Random(seed)
    some = rng.sample(blunders, min(SAMPLE, len(blunders)))
    costs = []
    for each in some:
        values = compare_moves(model, each.view, (each.policy, each.made), rng, WORLDS)
        behind = {value.move: value.behind for value in values}
        costs.append(((behind[each.made] - behind[each.policy]) * model.unit.scale, each))
    return sorted(costs, key=lambda cost: -cost[0])


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.blunders", description="Count easy's blunders.")
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first match")
    parser.add_argument("--show", type=int, default=0, help="how many of the costliest blunders to print")
    parser.add_argument("--option", action="append", default=[], help="name=value, may be repeated")
    arguments = parser.parse_args()
    game = GAMES[arguments.game]
    options = {
        name: int(value) if value.isdigit() else value for name, value in (o.split("=") for o in arguments.option)
    }
    for kind, count in count_blunders(game, arguments.seats, options, arguments.matches, arguments.first).items():
        costs = measure_costs(game, count.blunders, arguments.first)
        share = len(count.blunders) / count.decisions
        line = f"{kind}: {share:.0%} of {count.decisions} decisions"
        if costs:
            mean, high = fmean(cost for cost, _ in costs), costs[len(costs) // 20][0]
            line += f", at a cost of {mean:.1f} on average and {high:.1f} at the 95th percentile"
        print(line, flush=True)
        for cost, each in costs[: arguments.show]:
            print(f"  {cost:.1f}: {game.format_move(each.made)} for {game.format_move(each.policy)}\n{each.view}")


if __name__ == "__main__":
    main()
