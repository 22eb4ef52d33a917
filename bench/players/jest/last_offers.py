"""Fits which card Jest's policy shows in the last round: `[last_offer]` in `players/jest/numbers.toml`.

`python -m bench.players.jest.last_offers --seats 4 --offers 500 --deals 300` takes such offers from matches of *normal*
without variety, and searches for how much better it is to show the higher card than the lower one. It prints how far
the shown card falls behind the better one on average, in points where a win counts twenty: for a card by chance, for
the present numbers, and for others close to them. Then one player with each of these meets others with the present
ones, and it prints the share of wins and the points ahead, with 95% intervals.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from statistics import fmean
from typing import NamedTuple

from bench.players.decisions import iter_decisions
from bench.players.ladder import Interval, PolicyChooser, play_match
from engines.jest import JEST
from engines.jest.model import Move
from engines.jest.moves import OFFER_MOVES
from engines.jest.view import View
from players.jest import PLAYER_MODEL
from players.jest.known import knowledge_from_view
from players.jest.numbers import LastOfferWeights, load_weights
from players.jest.policy import hand_gains, last_offer_preference
from players.search import compare_moves

STEPS = {"even": (-0.5, 0.5), "spread": (-0.5, 1.0), "taken": (-0.6, 0.6)}
"""By how much other numbers differ from the present ones."""


class SearchedOffer(NamedTuple):
    """What the lower and the higher card add to one's own Jest and to the others', and by how much it is better to show
    the higher one."""

    own: list[float]
    theirs: list[list[float]]
    better: float

    def loss(self, weights: LastOfferWeights) -> float:
        """Return how far the card that these numbers choose falls behind the better one."""
        chosen = self.better if last_offer_preference(self.own, self.theirs, weights) > 0 else -self.better
        return max(0.0, -chosen)


@dataclass(frozen=True, slots=True)
class LastOfferChooser:
    """Plays the policy, but makes offers of the last round by these numbers."""

    weights: LastOfferWeights

    def choose_move(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Choose one of the moves."""
        if not _is_last_offer(view):
            return PLAYER_MODEL.choose_move(view, moves, rng)
        low, high = view.hand
        return OFFER_MOVES[low if last_offer_preference(*_gains(view), self.weights) > 0 else high]


def search_offers(seats: int, worlds: int, first_seed: int) -> Iterator[SearchedOffer]:
    """Yield offers of the last round without end, each tried in so many worlds."""
    for decision in iter_decisions(JEST, first_seed, {}):
        view = decision.view
        if view.seats == seats and _is_last_offer(view):
            low, high = (OFFER_MOVES[card] for card in view.hand)
            found = compare_moves(PLAYER_MODEL, view, (low, high), Random(decision.name), worlds)
            behind = {value.move: value.behind for value in found}
            # An offer names the card that it hides.
            yield SearchedOffer(*_gains(view), behind[high] - behind[low])


def play_against_present(weights: LastOfferWeights, seats: int, seed: int) -> tuple[float, float]:
    """Return the share of wins and the points ahead of one player with these numbers, over the same deal from every
    seat."""
    one, others = LastOfferChooser(weights), PolicyChooser(PLAYER_MODEL)
    found = [play_match(JEST, one, others, own, seats, {}, seed) for own in range(seats)]
    return fmean(match.share for match in found), fmean(match.ahead for match in found)


def weights_nearby() -> Iterator[tuple[str, LastOfferWeights]]:
    """Yield the present numbers and others close to them, each with what is different."""
    present = load_weights().last_offer
    yield "the present numbers", present
    for name, steps in STEPS.items():
        for step in steps:
            value = getattr(present, name) + step
            yield f"{name} = {value:g}", present.model_copy(update={name: value})


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.jest.last_offers", description="Fit last offers.")
    parser.add_argument("--seats", type=int, choices=JEST.seats, default=4)
    parser.add_argument("--offers", type=int, default=500)
    parser.add_argument("--worlds", type=int, default=300)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--first", type=int, default=310001, help="the seed of the first deal")
    arguments = parser.parse_args()
    offers = [*islice(search_offers(arguments.seats, arguments.worlds, arguments.first), arguments.offers)]
    print(f"a card by chance is {fmean(abs(each.better) for each in offers) / 2:.2f} behind")
    seeds = range(arguments.first + 100_000, arguments.first + 100_000 + arguments.deals)
    for name, weights in weights_nearby():
        loss = fmean(each.loss(weights) for each in offers)
        found = [play_against_present(weights, arguments.seats, seed) for seed in seeds]
        share, ahead = (Interval.from_values(values) for values in zip(*found, strict=True))
        print(f"{name}: {loss:.2f} behind; share {share}, ahead by {ahead}", flush=True)


def _is_last_offer(view: View) -> bool:
    return view.phase == "offer" and view.round == view.rounds


def _gains(view: View) -> tuple[list[float], list[list[float]]]:
    """Return what the lower and the higher card add to one's own Jest, and to those of the others."""
    known = knowledge_from_view(view)
    return hand_gains(known.jests, known.seat, known.hand, known.trophies, known.cards_to_come)


if __name__ == "__main__":
    main()
