"""Measures who foretells the winner better, the network or *normal*: `python -m bench.players.court.foresight 4`.

Learned players play among themselves without a search. At the start of each turn, every seat's value from its own hand
counts as its share of all seats' values. The mean log loss of the winner's share is printed by quarter of the match,
for the network, for *normal*'s odds, and for guessing.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise
from math import exp, log
from statistics import fmean
from typing import NamedTuple

from engines.court import COURT
from engines.court.model import Options, State
from engines.kit.chance import Chance
from players.court.learned import Evaluator, best_learned
from players.court.odds import Odds

QUARTERS = 4
FIRST_SEED = 70_001


class Foretold(NamedTuple):
    """The log losses of a match, turn by turn."""

    network: list[float]
    odds: list[float]


def foretell_match(seats: int, seed: int) -> Foretold:
    """Play a match, and return how well its winner was foretold."""
    known: list[tuple[list[float], list[float]]] = []
    state = COURT.start(seats, Options(turns=400), Chance(f"{seed:032x}"))
    while decisions := COURT.decisions(state):
        if not state.owed and state.phase == "move":
            known.append((network_values(state), odds_values(state)))
        (seat,) = decisions
        COURT.play(state, seat, best_learned(state, seat, state.hands[seat]))
    outcome = COURT.outcome(state)
    assert outcome is not None
    network, odds = zip(*known, strict=True)
    return Foretold(*([log_loss(values, outcome.winners) for values in each] for each in (network, odds)))


def network_values(state: State) -> list[float]:
    """Return each seat's chance to win as the network sees it, with its own hand."""
    evaluators = [Evaluator(state, seat, turn_started=True) for seat in range(len(state.mages))]
    return [each.chance(each.table, tuple(state.hands[each.seat])) for each in evaluators]


def odds_values(state: State) -> list[float]:
    """Return each seat's odds as *normal* sees them, with its own hand."""
    odds = Odds(state, turn_started=True)
    known = zip(state.mages, state.banners, state.health, state.hands, strict=True)
    return [exp(odds.log_odds_with_hand(seat, *each)) for seat, each in enumerate(known)]


def log_loss(values: Sequence[float], winners: Sequence[int]) -> float:
    """Return the log loss of the winners' shares of the values."""
    return -fmean(log(values[winner] / sum(values)) for winner in winners)


def by_quarter(losses: Sequence[float]) -> list[float]:
    """Return the mean losses of the quarters of a match."""
    cuts = [len(losses) * quarter // QUARTERS for quarter in range(QUARTERS + 1)]
    return [fmean(losses[first : max(end, first + 1)]) for first, end in pairwise(cuts)]


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.court.foresight", description="Measure foresight.")
    parser.add_argument("seats", type=int, choices=COURT.seats)
    parser.add_argument("--matches", type=int, default=100)
    arguments = parser.parse_args()
    found = [foretell_match(arguments.seats, seed) for seed in range(FIRST_SEED, FIRST_SEED + arguments.matches)]
    for name in Foretold._fields:
        quarters = zip(*(by_quarter(getattr(match, name)) for match in found), strict=True)
        print(f"{name:<10}{' '.join(f'{fmean(each):.3f}' for each in quarters)} by quarter")
    print(f"{log(arguments.seats):.3f} by guessing")


if __name__ == "__main__":
    main()
