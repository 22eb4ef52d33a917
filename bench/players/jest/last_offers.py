"""Fits which card Jest's policy shows in the last round: `[last_offer]` in `players/jest/numbers.toml`.

`python -m bench.players.jest.last_offers --seats 4 --offers 500 --deals 300` takes such offers from matches of *normal*
without variety, and searches for how much better it is to show the higher card than the lower one. It prints how far
the shown card falls behind the better one on average, in points where a win counts twenty: for a card by chance, for
the present numbers, and for others close to them. Then one player with each of these meets others with the present
ones, and it prints the share of wins and the points ahead, with 95 % intervals.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from statistics import fmean
from typing import NamedTuple

from bench.players.ladder import Interval
from engines.jest import JEST, turn
from engines.jest.model import Move, State
from engines.jest.moves import OFFER_MOVES
from engines.kit.chance import Chance
from players.jest import PLAYER_MODEL
from players.jest.evaluation import card_gains
from players.jest.known import SeatKnowledge, knowledge_from_state
from players.jest.numbers import LastOfferWeights, load_weights
from players.jest.policy import choose_move, last_offer_preference
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


def search_offers(seats: int, number: int, worlds: int, first_seed: int) -> Iterator[SearchedOffer]:
    """Yield this many offers of the last round, each tried in so many worlds."""
    seed = first_seed
    while number:
        state, rng = _start(seats, seed), Random(seed)
        while state.phase != "over" and number:
            seat = state.waiting[0]
            knowledge = knowledge_from_state(state, seat)
            if state.phase == "offer" and knowledge.is_last_round:
                low, high = (OFFER_MOVES[card] for card in knowledge.hand)
                found = compare_moves(PLAYER_MODEL, JEST.view(state, seat), (low, high), rng, worlds)
                behind = {value.move: value.behind for value in found}
                # An offer names the card that it hides.
                yield SearchedOffer(*_gains(knowledge), behind[high] - behind[low])
                number -= 1
            turn.play(state, seat, choose_move(knowledge))
        seed += 1


def play_against_present(weights: LastOfferWeights, seats: int, seed: int) -> tuple[float, float]:
    """Return the share of wins and the points ahead of one player with these numbers, over the same deal from every
    seat."""
    found = []
    for own in range(seats):
        state = _start(seats, seed)
        while state.phase != "over":
            seat = state.waiting[0]
            knowledge = knowledge_from_state(state, seat)
            by_these = seat == own and state.phase == "offer" and knowledge.is_last_round
            turn.play(state, seat, _last_offer(knowledge, weights) if by_these else choose_move(knowledge))
        outcome = JEST.outcome(state)
        assert outcome is not None
        points = outcome.points
        ahead = points[own] - (sum(points) - points[own]) / (seats - 1)
        found.append(((own in outcome.winners) / len(outcome.winners), ahead))
    return fmean(share for share, _ in found), fmean(ahead for _, ahead in found)


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
    said = parser.parse_args()
    offers = [*search_offers(said.seats, said.offers, said.worlds, said.first)]
    print(f"a card by chance is {fmean(abs(each.better) for each in offers) / 2:.2f} behind")
    seeds = range(said.first + 100_000, said.first + 100_000 + said.deals)
    for name, weights in weights_nearby():
        loss = fmean(each.loss(weights) for each in offers)
        found = [play_against_present(weights, said.seats, seed) for seed in seeds]
        share, ahead = (Interval.from_values(values) for values in zip(*found, strict=True))
        print(f"{name}: {loss:.2f} behind; share {share}, ahead by {ahead}", flush=True)


def _start(seats: int, seed: int) -> State:
    return JEST.start(seats, JEST.options(), Chance(f"{seed:032x}"))


def _gains(knowledge: SeatKnowledge) -> tuple[list[float], list[list[float]]]:
    """Return what the two cards of the hand add to the Jest of the seat, and to those of the others."""
    jests, cards = knowledge.jests, knowledge.cards_to_come
    found = [
        card_gains(jests, who, knowledge.hand, knowledge.trophies, knowledge.free_cards, cards)
        for who in range(len(jests))
    ]
    own = found.pop(knowledge.seat)
    return own, found


def _last_offer(knowledge: SeatKnowledge, weights: LastOfferWeights) -> Move:
    low, high = knowledge.hand
    return OFFER_MOVES[low] if last_offer_preference(*_gains(knowledge), weights) > 0 else OFFER_MOVES[high]


if __name__ == "__main__":
    main()
