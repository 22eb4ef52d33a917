"""Counts the bids that are met if all seats play alike: `python -m bench.players.wizard.bids_met normal --seats 4`."""

from __future__ import annotations

import argparse
from math import sqrt
from random import Random
from statistics import fmean, stdev

from bench.players.ladder import Chooser, make_chooser
from engines.kit.chance import Chance
from engines.wizard import WIZARD


def share_met(player: Chooser, seats: int, seed: int) -> float:
    """Return the share of the bids of a match that were met."""
    state, rng = WIZARD.start(seats, WIZARD.options(), Chance(f"{seed:032x}")), Random(seed)
    while WIZARD.decisions(state):
        seat = state.turn
        move = player.choose_move(WIZARD.view(state, seat), WIZARD.moves(state, seat), rng)
        WIZARD.play(state, seat, move)
    return fmean(score.bid == score.taken for row in state.sheet for score in row)


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.wizard.bids_met", description="Count met bids.")
    parser.add_argument("player", help="as for bench.players.ladder")
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first deal")
    arguments = parser.parse_args()
    player = make_chooser(WIZARD, arguments.player)
    found = [
        share_met(player, arguments.seats, seed) for seed in range(arguments.first, arguments.first + arguments.deals)
    ]
    print(f"{fmean(found):.3f} ± {stdev(found) / sqrt(len(found)):.3f} of the bids are met, {arguments.deals} deals")


if __name__ == "__main__":
    main()
