"""Measures who foretells the winner better, the network or *normal*: `python -m bench.players.court.foresight 4`.

The learned player plays one seat without a search, *normal* the others. At the start of each turn, the network and
*normal*'s odds say how likely this seat is to win, from its own hand. The mean log loss is printed by quarter of the
match, and that of knowing only how often such a seat wins.
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
from players.court.policy import choose_move

QUARTERS = 4
FIRST_SEED = 70_001


class Foretold(NamedTuple):
    """A match: what the network and the odds said at each turn, and the share of the win that the seat got."""

    network: list[float]
    odds: list[float]
    share: float


def play_match(seats: int, seed: int, turns: int = 400) -> Foretold:
    """Play a match, with the learned player in a seat that depends on the seed."""
    state, own = COURT.start(seats, Options(turns=turns), Chance(f"{seed:032x}")), seed % seats
    network: list[float] = []
    odds: list[float] = []
    while decisions := COURT.decisions(state):
        if not state.owed and state.phase == "move":
            evaluator = Evaluator(state, own, turn_started=True)
            network.append(evaluator.chance(evaluator.table, tuple(state.hands[own])))
            odds.append(odds_share(state, own))
        (seat,) = decisions
        COURT.play(state, seat, (best_learned if seat == own else choose_move)(state, seat, state.hands[seat]))
    outcome = COURT.outcome(state)
    assert outcome is not None
    return Foretold(network, odds, (own in outcome.winners) / len(outcome.winners))


def odds_share(state: State, own: int) -> float:
    """Return a seat's share of everybody's odds, with all hands known, as *normal* sees them."""
    odds = Odds(state, turn_started=True)
    known = zip(state.mages, state.banners, state.health, state.hands, strict=True)
    values = [exp(odds.log_odds_with_hand(seat, *each)) for seat, each in enumerate(known)]
    return values[own] / sum(values)


def loss_by_quarter(chances: Sequence[float], share: float) -> list[float]:
    """Return the mean log loss of the quarters of a match."""
    losses = [log_loss(each, share) for each in chances]
    cuts = [len(losses) * quarter // QUARTERS for quarter in range(QUARTERS + 1)]
    return [fmean(losses[first : max(end, first + 1)]) for first, end in pairwise(cuts)]


def log_loss(chance: float, share: float) -> float:
    """Return the log loss of a chance to win when this share was won."""
    return -share * log(chance) - (1 - share) * log(1 - chance)


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.court.foresight", description="Measure foresight.")
    parser.add_argument("seats", type=int, choices=COURT.seats)
    parser.add_argument("--matches", type=int, default=200)
    said = parser.parse_args()
    matches = [play_match(said.seats, seed) for seed in range(FIRST_SEED, FIRST_SEED + said.matches)]
    mean = fmean(match.share for match in matches)
    for name, told in (("network", [each.network for each in matches]), ("odds", [each.odds for each in matches])):
        quarters = [loss_by_quarter(each, match.share) for each, match in zip(told, matches, strict=True)]
        print(f"{name:<10}{' '.join(f'{fmean(each):.3f}' for each in zip(*quarters, strict=True))} by quarter")
    print(f"{log_loss(mean, mean):.3f} if only the share of {mean:.2f} is known")


if __name__ == "__main__":
    main()
