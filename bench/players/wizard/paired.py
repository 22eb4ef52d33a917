"""Compares two players of Wizard round by round, in the same deals: `python -m bench.players.wizard.paired hard normal
--seats 3 --deals 40 --first 60001`.

In each match all seats play *others*. Then each of its rounds is played again with *one* in a seat, which is another
one in each round and deal. The value of a deal is by how much that changes the points ahead of the others' mean, in all
rounds together. Its mean is that of the ladder, because rounds do not depend on earlier ones and equal players are not
ahead of each other. But its interval is narrower, because the luck of the deal counts in both, and a deal costs one
match of *one* instead of one for each seat.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from random import Random
from statistics import fmean, quantiles
from time import process_time
from typing import NamedTuple

from bench.players.ladder import Chooser, Interval, make_chooser
from engines.kit.chance import Chance
from engines.wizard import WIZARD
from engines.wizard.model import State


class PairedDeal(NamedTuple):
    """The points gained in a deal, and the processor seconds of each decision of *one* that had a choice."""

    gain: float
    seconds: list[float]


def play_paired_deal(one: Chooser, others: Chooser, seats: int, seed: int) -> PairedDeal:
    """Play a match, and each of its rounds again with *one* in a seat."""
    state = WIZARD.start(seats, WIZARD.options(), Chance(f"{seed:032x}"))
    gain, seconds = 0.0, list[float]()
    while WIZARD.decisions(state):
        start, own = WIZARD.copy(state), (seed + state.round) % seats
        before = _play_round(state, [others] * seats, own, [])
        after = _play_round(start, [one if seat == own else others for seat in range(seats)], own, seconds)
        gain += after - before
    return PairedDeal(gain, seconds)


def _play_round(state: State, players: Sequence[Chooser], own: int, seconds: list[float]) -> float:
    """Play a round to its end. Return the points of a seat ahead of the others' mean."""
    number, rng = state.round, Random(state.round)
    while len(state.sheet) < number:
        seat = state.turn
        view, moves = WIZARD.view(state, seat), WIZARD.moves(state, seat)
        start = process_time()
        move = players[seat].choose_move(view, moves, rng)
        if seat == own and len(moves) > 1:
            seconds.append(process_time() - start)
        WIZARD.play(state, seat, move)
    points = [score.points for score in state.sheet[number - 1]]
    return points[own] - (sum(points) - points[own]) / (len(points) - 1)


def play_paired_deals(one: str, others: str, seats: int, seeds: Sequence[int]) -> Iterator[PairedDeal]:
    """Play the deals one by one."""
    choosers = make_chooser(WIZARD, one), make_chooser(WIZARD, others)
    return (play_paired_deal(*choosers, seats, seed) for seed in seeds)


def main() -> None:
    """Run the command line (see the module). Print what is known after each deal."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.wizard.paired", description="Compare two players.")
    parser.add_argument("one", help="as for bench.players.ladder")
    parser.add_argument("others")
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first deal")
    arguments = parser.parse_args()
    seeds, gains, seconds = range(arguments.first, arguments.first + arguments.deals), list[float](), list[float]()
    for deal in play_paired_deals(arguments.one, arguments.others, arguments.seats, seeds):
        gains.append(deal.gain)
        seconds += deal.seconds
        ahead, most = Interval.from_values(gains), quantiles(seconds, n=20)[-1]
        print(
            f"{ahead.mean:.1f} ({ahead.low:.1f} to {ahead.high:.1f}) points a match, {fmean(seconds) * 1000:.0f} ms a "
            f"decision, median {quantiles(seconds, n=2)[0] * 1000:.0f}, 95 of 100 within {most * 1000:.0f}, "
            f"{len(gains)} deals",
            flush=True,
        )


if __name__ == "__main__":
    main()
