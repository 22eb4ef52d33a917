"""Trains the networks for one number of seats: `python -m bench.players.wizard.training 4 --minutes 20 --to FILE`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import cos, pi
from pathlib import Path

from bench.players.wizard.features import Choices
from bench.players.wizard.networks import Network, expected_points
from bench.players.wizard.odds import Array, np
from bench.players.wizard.simulation import Exploration, Players, RoundResults, Sample, Table, Valuer, play_rounds
from players.wizard.networks import WEIGHT_BITS

DECISIONS = 30_000  # in a batch of rounds
BATCH = 1024
CARD_STEPS, BID_STEPS = 60, 24  # of training for each batch of rounds
CARD_MEMORY, BID_MEMORY = 1_500_000, 400_000  # decisions
FIRST_RATE, LAST_RATE = 2e-3, 5e-5
REPORT = 150  # batches
WARM_UP = 0.08  # the part of the training in which the rule of thumb plays


class Memory:
    """The newest decisions."""

    def __init__(self, size: int) -> None:
        self._size, self._inputs, self._results, self._next, self.count = size, None, None, 0, 0

    def add(self, sample: Sample) -> None:
        """Add decisions, in place of the oldest."""
        inputs = np.concatenate([sample.seats, sample.moves], axis=1)
        if self._inputs is None:
            self._inputs = np.empty((self._size, inputs.shape[1]), np.float16)
            self._results = np.empty((self._size, 4), np.float32)
        at = (self._next + np.arange(len(inputs))) % self._size
        self._inputs[at] = inputs
        self._results[at] = np.stack([sample.bids, sample.met, sample.missed, sample.others], axis=1)
        self._next = int(at[-1] + 1) % self._size
        self.count = min(self._size, self.count + len(inputs))

    def draw(self, rng: Array, count: int) -> tuple[Array, Sample]:
        """Return decisions by chance, as inputs and results."""
        at = rng.integers(0, self.count, count)
        results = self._results[at]
        return self._inputs[at].astype(np.float32), Sample(None, None, *results.T)


def bid_valuer(network: Network) -> Valuer:
    def value(choices: Choices) -> Array:
        return expected_points(network.values(choices), choices.keys)

    return value


def card_valuer(network: Network) -> Valuer:
    def value(choices: Choices) -> Array:
        return expected_points(network.values(choices), 5 * choices.seats[choices.rows, 8])

    return value


def measure(rng: Array, seats: int, rows: int, bids: Valuer | None, cards: Valuer | None) -> tuple[float, float, float]:
    """Return, for one learner among rules of thumb, the points ahead a match, its standard error, and bids met in self-play."""
    ahead, square, met = 0.0, 0.0, []
    for size in range(1, 60 // seats + 1):
        learners = np.arange(rows)[:, None] % seats == np.arange(seats)
        rule = play(rng, seats, size, rows, learners, bids, cards, Exploration())
        points = rule.points
        own = (points * learners).sum(axis=1)
        lead = own - (points.sum(axis=1) - own) / (seats - 1)
        ahead += lead.mean()
        square += lead.var() / rows
        everybody = np.ones((rows, seats), bool)
        met.append((play(rng, seats, size, rows, everybody, bids, cards, Exploration()).needs == 0).mean())
    return ahead, square**0.5, float(np.mean(met))


def play(
    rng: Array,
    seats: int,
    size: int,
    rows: int,
    learners: Array,
    bids: Valuer | None,
    cards: Valuer | None,
    exploration: Exploration,
    *,
    is_recording: bool = False,
) -> RoundResults:
    table = Table(rng, rows, seats, size)
    return play_rounds(rng, table, Players(learners, bids, cards, exploration), is_recording=is_recording)


def train(seats: int, seed: int, batches: int, to: Path) -> None:
    rng = np.random.default_rng([seed, seats])
    networks: list[Network] = []
    memories = Memory(CARD_MEMORY), Memory(BID_MEMORY)
    losses: list[list[float]] = [[], []]
    for number in range(batches):
        part = number / batches
        rate = LAST_RATE + (FIRST_RATE - LAST_RATE) * (1 + cos(pi * part)) / 2
        size = int(rng.integers(1, 60 // seats + 1))
        rows = max(400, min(4000, DECISIONS // (seats * size)))
        learners = rng.random((rows, seats)) < rng.choice((0.2, 0.5), (rows, 1))
        learners[rng.random(rows) < 0.5] = True
        bids, cards = (None, None)
        if networks and part > WARM_UP:
            cards, bids = card_valuer(networks[0]), bid_valuer(networks[1])
        exploration = Exploration(0.3 - 0.2 * part, 0.04 - 0.03 * part, 10.0 - 4 * part)
        found = play(rng, seats, size, rows, learners, bids, cards, exploration, is_recording=True)
        for which, sample in enumerate((found.card_sample, found.bid_sample)):
            if sample is not None:
                memories[which].add(sample)
        if not networks:
            if not all(memory.count for memory in memories):
                continue
            networks = [Network(rng, memory.draw(rng, 1)[0].shape[1]) for memory in memories]
        for which, steps in enumerate((CARD_STEPS, BID_STEPS)):
            for _ in range(steps):
                inputs, results = memories[which].draw(rng, BATCH)
                losses[which].append(networks[which].train(inputs, results, rate))
        if number % REPORT == REPORT - 1:
            state = measure(np.random.default_rng(99), seats, 300, bid_valuer(networks[1]), card_valuer(networks[0]))
            lost = [float(np.mean(each[-500:])) for each in losses]
            print(f"{number + 1} ahead {state[0]:.1f} ± {state[1]:.1f} met {state[2]:.3f} losses {lost}", flush=True)
            save_weights(networks, to)
    state = measure(np.random.default_rng(98), seats, 1500, bid_valuer(networks[1]), card_valuer(networks[0]))
    print(f"end ahead {state[0]:.1f} ± {state[1]:.1f} met {state[2]:.3f}", flush=True)
    save_weights(networks, to)


def save_weights(networks: Sequence[Network], to: Path) -> None:
    """Write the average weights of the networks of cards and of bids, as `players/wizard/networks.py` reads them."""
    cards, bids = ([_round_weights(weight) for weight in network.average] for network in networks)
    to.write_bytes(np.concatenate([*bids, *cards]).tobytes())


def _round_weights(weights: Array) -> Array:
    """Return the weights as 16-bit integers, the lowest byte first."""
    most = 2**15 - 1
    return np.clip(np.round(weights * 2**WEIGHT_BITS), -most, most).astype("<i2").ravel()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("seats", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batches", type=int, default=1000)
    parser.add_argument("--to", type=Path, required=True)
    said = parser.parse_args()
    train(said.seats, said.seed, said.batches, said.to)


if __name__ == "__main__":
    main()
