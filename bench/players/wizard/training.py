"""Trains the networks of Wizard's learned player: `python -m bench.players.wizard.training 4 --to FILE`.

Rounds are played, with a move by chance now and then; the networks learn how rounds ended for the seats that decided;
the next rounds are played with these networks. At first the rule of thumb plays. In half of the rounds it also has
some of the seats later on, so that the networks do not only know themselves.

The seed gives the same weights again on the same machine with the same numpy. `measure` uses other deals.
"""

from __future__ import annotations

import argparse
from math import cos, pi, sqrt
from pathlib import Path
from typing import NamedTuple

from bench.players.networks import save_weights
from bench.players.wizard.networks import Network, expected_points
from bench.players.wizard.simulation import Exploration, Players, Sample, deal_rounds, play_rounds
from players.wizard.batch_features import Choices
from players.wizard.batch_odds import Array, np
from players.wizard.batch_rounds import Valuer

DECISIONS = 30_000  # in a batch of rounds
BATCH = 1024  # decisions in a step of training
CARD_STEPS, BID_STEPS = 60, 24  # of training for each batch of rounds
CARD_MEMORY, BID_MEMORY = 1_500_000, 400_000  # decisions
FIRST_RATE, LAST_RATE = 2e-3, 5e-5  # of Adam
WARM_UP = 0.08  # the part of the training in which the rule of thumb plays
REPORT = 150  # batches from one measurement to the next
REPORT_ROUNDS, FINAL_ROUNDS = 300, 1500  # by number of cards, in a measurement
MEASURING_SEED = 98
NO_EXPLORATION = Exploration()


class Memory:
    """The newest decisions."""

    def __init__(self, size: int, inputs: int) -> None:
        self._inputs = np.empty((size, inputs), np.float16)
        self._results = np.empty((size, 4), np.float32)
        self._size, self._next, self._count = size, 0, 0

    def add(self, sample: Sample) -> None:
        """Add decisions, in place of the oldest."""
        at = (self._next + np.arange(len(sample.met))) % self._size
        self._inputs[at] = np.concatenate([sample.seats, sample.moves], axis=1)
        self._results[at] = np.stack([sample.bids, sample.met, sample.missed, sample.others], axis=1)
        self._next = int(at[-1] + 1) % self._size
        self._count = min(self._size, self._count + len(at))

    def draw(self, rng: Array, count: int) -> tuple[Array, Sample]:
        """Return decisions by chance, as inputs and results."""
        at = rng.integers(0, self._count, count)
        return self._inputs[at].astype(np.float32), Sample(None, None, *self._results[at].T)


class Learner:
    """A network, the decisions from which it learns, and how often it does."""

    def __init__(self, rng: Array, sample: Sample, memory: int, steps: int) -> None:
        inputs = sample.seats.shape[1] + sample.moves.shape[1]
        self.network, self._memory, self._steps = Network(rng, inputs), Memory(memory, inputs), steps

    def learn(self, rng: Array, sample: Sample | None, rate: float) -> float:
        """Add decisions, and train. Return the mean loss."""
        if sample is not None:
            self._memory.add(sample)
        return sum(self.network.train(*self._memory.draw(rng, BATCH), rate) for _ in range(self._steps)) / self._steps


class Strength(NamedTuple):
    """The points ahead a match of one learner among rules of thumb, their standard error, and bids met in self-play."""

    ahead: float
    error: float
    met: float

    def __str__(self) -> str:
        return f"{self.ahead:.1f} ± {self.error:.1f} ahead, {self.met:.3f} of bids met"


def train(seats: int, seed: int, batches: int, to: Path) -> None:
    """Train the networks, print their strength now and then, and write the weights."""
    rng = np.random.default_rng([seed, seats])
    cards: Learner | None = None
    bids: Learner | None = None
    valuers: tuple[Valuer | None, Valuer | None] = None, None
    for number in range(batches):
        part = number / batches
        size = int(rng.integers(1 if cards else 2, 60 // seats + 1))
        rows = max(400, min(4000, DECISIONS // (seats * size)))
        learners = rng.random((rows, seats)) < rng.choice((0.2, 0.5), (rows, 1))
        learners[rng.random(rows) < 0.5] = True
        exploration = Exploration(0.3 - 0.2 * part, 0.04 - 0.03 * part, 10.0 - 4 * part)
        found = play_rounds(
            rng, deal_rounds(rng, rows, seats, size), Players(learners, *valuers, exploration), is_recording=True
        )
        assert found.bid_sample is not None
        if cards is None or bids is None:
            assert found.card_sample is not None
            cards = Learner(rng, found.card_sample, CARD_MEMORY, CARD_STEPS)
            bids = Learner(rng, found.bid_sample, BID_MEMORY, BID_STEPS)
        rate = LAST_RATE + (FIRST_RATE - LAST_RATE) * (1 + cos(pi * part)) / 2
        losses = cards.learn(rng, found.card_sample, rate), bids.learn(rng, found.bid_sample, rate)
        if part > WARM_UP:
            valuers = value_bids(bids.network), value_cards(cards.network)
        if number % REPORT == REPORT - 1:
            print(f"{number + 1}: {measure(seats, REPORT_ROUNDS, *valuers)}, losses {losses}", flush=True)
    assert cards is not None
    assert bids is not None
    save_weights((bids.network, cards.network), to)
    print(measure(seats, FINAL_ROUNDS, value_bids(bids.network), value_cards(cards.network)))


def value_bids(network: Network) -> Valuer:
    """Return a function that gives the expected points of bids."""
    return lambda choices: expected_points(network.values(choices), choices.keys)


def value_cards(network: Network) -> Valuer:
    """Return a function that gives the expected points of cards."""

    def value(choices: Choices) -> Array:
        assert choices.bids is not None
        return expected_points(network.values(choices), choices.bids[choices.rows])

    return value


def measure(seats: int, rows: int, bids: Valuer | None, cards: Valuer | None) -> Strength:
    """Measure the strength in rounds of all sizes."""
    rng = np.random.default_rng([MEASURING_SEED, seats])
    ahead, variance, shares_met = 0.0, 0.0, []
    for size in range(1, 60 // seats + 1):
        one = np.arange(rows)[:, None] % seats == np.arange(seats)
        points = play_rounds(rng, deal_rounds(rng, rows, seats, size), Players(one, bids, cards, NO_EXPLORATION)).points
        own = (points * one).sum(axis=1)
        lead = own - (points.sum(axis=1) - own) / (seats - 1)
        ahead += float(lead.mean())
        variance += float(lead.var()) / rows
        players = Players(np.ones((rows, seats), bool), bids, cards, NO_EXPLORATION)
        shares_met.append(float((play_rounds(rng, deal_rounds(rng, rows, seats, size), players).needs == 0).mean()))
    return Strength(ahead, sqrt(variance), sum(shares_met) / len(shares_met))


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.wizard.training", description="Train the networks.")
    parser.add_argument("seats", type=int, choices=range(3, 7))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batches", type=int, default=500)
    parser.add_argument("--to", type=Path, required=True, help="the file to write")
    arguments = parser.parse_args()
    train(arguments.seats, arguments.seed, arguments.batches, arguments.to)


if __name__ == "__main__":
    main()
