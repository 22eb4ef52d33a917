"""Measures *hard* among *normals* in the simulation in C: `python -m bench.players.court.strength 4 --deals 40`.

Each deal is played from every seat, to 400 turns, and counts as one value of the 95% intervals, as on the ladder. Then
matches without a limit are played among *hards*, and among *normals*.
"""

from __future__ import annotations

import argparse
from statistics import fmean, median

from bench.players.court.simulation import Play, Simulation
from bench.players.ladder import Interval
from bench.players.networks import np
from engines.court import COURT
from players.court import PLAYER_MODEL
from players.court.networks import read_network_weights
from players.court.player_model import SIMULATION_SHARES
from players.networks import WEIGHT_BITS

FIRST_SEED = 1 << 42  # not one of training


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.court.strength", description="Measure hard.")
    parser.add_argument("seats", type=int, choices=COURT.seats)
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--matches", type=int, default=41, help="among equals")
    parser.add_argument("--simulations", type=int, help="instead of those of hard; 0 for no search")
    arguments = parser.parse_args()
    seats = range(arguments.seats)
    simulation = Simulation(arguments.seats)
    simulation.set_weights(np.array(read_network_weights(arguments.seats), np.float32) / 2**WEIGHT_BITS)
    simulations = int(PLAYER_MODEL.budget.simulations * SIMULATION_SHARES[arguments.seats])
    simulations = simulations if arguments.simulations is None else arguments.simulations
    search = simulations, PLAYER_MODEL.budget.max_candidates
    shares, turns = [], []
    for deal in range(arguments.deals):
        matches = [
            simulation.play_match(FIRST_SEED + deal, Play(4, 400, [own], False, 0.0, 0, *search)) for own in seats
        ]
        shares.append(fmean(float(match.shares[own]) for own, match in enumerate(matches)))
        turns += [match.turns for match in matches]
    print(f"share {Interval.from_values(shares)} in {arguments.deals} deals, {median(turns):.0f} turns", flush=True)
    for name, learned in (("hards", seats), ("normals", ())):
        lengths = [
            simulation.play_match(FIRST_SEED + match, Play(4, 0, learned, False, 0.0, 0, *search)).turns
            for match in range(arguments.matches)
        ]
        print(f"{median(lengths):.0f} turns among {name}, at most {max(lengths)}", flush=True)


if __name__ == "__main__":
    main()
