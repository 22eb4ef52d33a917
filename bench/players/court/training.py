"""Trains the Court's networks: `python -m bench.players.court.training 4 --to players/court/weights/4.bin`.

Matches are played, first by *normal* alone and then also by the learned player with the network so far. The network
learns its seat's chance to win from what the seat knows at the start of its turns and after them, and plays the next
matches. Matches are long and end by luck, so most of what it learns is its own guess at the seat's later turns
(temporal differences, Sutton 1988). Half of the matches start from a random position, and some moves are random:
matches among equals see little of what else may happen.

The seed gives the same weights again on the same machine with the same numpy and compiler. Other matches measure the
strength.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import cos, pi, sqrt
from pathlib import Path
from statistics import fmean, median, stdev
from typing import NamedTuple

from bench.players.court.simulation import Match, Play, Simulation
from bench.players.networks import Array, Network, np, save_weights
from engines.court import COURT
from players.court.networks import layer_sizes

ROUNDS = 8  # of playing and learning
MATCHES = {2: 6000, 3: 4000, 4: 2500}  # in a round, by number of seats; twice as many in the first one
MEASURED = 600  # matches after each round
MEMORY = 4  # rounds from which the network learns, apart from the first one
FIRST_LAMBDAS, LAMBDAS = (1.0, 0.95, 0.9, 0.85, 0.8, 0.8, 0.8, 0.8), (0.9, 0.8, 0.8, 0.8)
"""By sweep over the samples of a round: how much the later guesses count instead of the next one."""
STEPS = 600  # of training in a sweep
BATCH = 1024  # samples in a step
FIRST_RATE, LAST_RATE = 2e-3, 1e-4  # of Adam
GOALS, CAPS = (4, 4, 4, 4, 4, 3, 3, 2), (0, 0, 400, 400, 100)
LUCK = (0.0, 0.0, 0.05, 0.1)
BYSTANDERS = 7
MEASURING_SEED = 1 << 40
ENDED = -1  # instead of the next sample


class Samples(NamedTuple):
    """What seats knew, the seat's next sample (`ENDED`: none), and its share of the win."""

    inputs: Array
    following: Array
    shares: Array


def make_samples(matches: Sequence[tuple[Match, Sequence[int]]]) -> Samples:
    """Return the samples of these seats of the matches."""
    inputs, following, shares, start = [], [], [], 0
    for match, seats in matches:
        for seat in seats:
            at = np.flatnonzero(match.seats == seat)
            if not len(at):
                continue
            in_turn = match.in_turn[at]
            places = np.where(in_turn, np.arange(len(at)), len(at))
            later = np.append(np.minimum.accumulate(places[::-1])[::-1][1:], len(at))  # the next sample in turn
            inputs.append(match.inputs[at])
            following.append(np.where(later < len(at), later + start, ENDED))
            shares.append(np.full(len(at), match.shares[seat], np.float32))
            start += len(at)
    return Samples(np.concatenate(inputs), np.concatenate(following), np.concatenate(shares))


def target_shares(samples: Samples, guesses: Array, blend: float) -> Array:
    """Return what each sample should be worth: the end of the match as later guesses see it, blended by λ."""
    targets, following = samples.shares.copy(), samples.following
    ahead = np.zeros(len(following), int)  # how many samples of the seat follow
    for place in range(len(following) - 1, -1, -1):
        if following[place] != ENDED:
            ahead[place] = ahead[following[place]] + 1
    order = np.argsort(ahead, kind="stable")
    starts = np.searchsorted(ahead[order], np.arange(1, ahead.max() + 2))
    for first, end in pairwise(starts):
        at = order[first:end]
        after = following[at]
        targets[at] = (1 - blend) * guesses[after] + blend * targets[after]
    return targets


class Trainer:
    """A network, the matches that it plays, and what it has seen in them."""

    def __init__(self, seats: int, seed: int) -> None:
        self.seats, self.simulation = seats, Simulation(seats)
        self._rng = np.random.default_rng([seed, seats])
        self.network = Network(self._rng, layer_sizes(seats))
        self._memory: list[Samples] = []
        self._seed = seed << 32

    def play_round(self, number: int) -> None:
        """Play the matches of a round with the network so far, and remember what the seats knew that count."""
        matches = []
        for _ in range(MATCHES[self.seats] * (1 if number else 2)):
            learned = self._draw_learned() if number else []
            pick = self._rng.integers
            play = Play(
                GOALS[pick(len(GOALS))],
                CAPS[pick(len(CAPS))],
                learned,
                bool(pick(2)),
                LUCK[pick(len(LUCK))],
                BYSTANDERS,
            )
            self._seed += 1
            matches.append((self.simulation.play_match(self._seed, play), learned or range(self.seats)))
        first = 0 if number != 1 else 1  # what normal knew is of no use once there are others
        self._memory = [*self._memory[first:], make_samples(matches)][-MEMORY:]

    def learn(self, lambdas: Sequence[float], top_rate: float) -> float:
        """Make a sweep for each λ over what is remembered, from this rate down. Return the mean log loss of the last
        one."""
        samples = _joined(self._memory)
        loss = 0.0
        for sweep, blend in enumerate(lambdas):
            targets = target_shares(samples, self._chances(samples.inputs), blend)
            for step in range(STEPS):
                at = self._rng.integers(0, len(targets), BATCH)
                part = (sweep + step / STEPS) / len(lambdas)
                rate = LAST_RATE + (top_rate - LAST_RATE) * (1 + cos(pi * part)) / 2
                self.network.step(samples.inputs[at].astype(np.float32), _slopes(targets[at]), rate)
            guesses, ends = self._chances(samples.inputs), target_shares(samples, targets, 1.0)
            loss = float((-ends * np.log(guesses) - (1 - ends) * np.log(1 - guesses)).mean())
        self.simulation.set_weights(np.concatenate([each.ravel() for each in self.network.average]))
        return loss

    def _draw_learned(self) -> list[int]:
        """Return the seats of the learned player: mostly one, sometimes some or all."""
        kind = self._rng.random()
        if kind < 0.6:
            return [int(self._rng.integers(self.seats))]
        seats = [seat for seat in range(self.seats) if kind > 0.8 or self._rng.random() < 0.5]
        return seats or [0]

    def _chances(self, inputs: Array) -> Array:
        parts = [
            self.network.outputs(inputs[at : at + 65536].astype(np.float32)) for at in range(0, len(inputs), 65536)
        ]
        return np.clip(1 / (1 + np.exp(-np.concatenate(parts)[:, 0])), 1e-6, 1 - 1e-6)


class Strength(NamedTuple):
    """One learned player among *normals*: its share of wins and the standard error; the median turns of these matches,
    and of matches among learned players and among *normals* alone, without a limit."""

    share: float
    error: float
    turns: tuple[float, float, float]

    def __str__(self) -> str:
        mixed, learned, normal = self.turns
        return (
            f"{self.share:.3f} ± {self.error:.3f} of wins, {mixed:.0f} turns; "
            f"{learned:.0f} among its like, {normal:.0f} among normals"
        )


def measure(simulation: Simulation, matches: int) -> Strength:
    """Measure the strength, to 400 turns."""
    seats = simulation.seats
    turns: tuple[list[int], ...] = ([], [], [])
    shares = []
    for number in range(matches):
        seed, own = MEASURING_SEED + number // seats, number % seats
        match = simulation.play_match(seed, Play(4, 400, [own], False, 0.0, 0))
        shares.append(float(match.shares[own]))
        turns[0].append(match.turns)
        for place, learned in ((1, range(seats)), (2, ())):
            if number % 8 == 0:
                turns[place].append(simulation.play_match(seed, Play(4, 0, learned, False, 0.0, 0)).turns)
    return Strength(
        fmean(shares), stdev(shares) / sqrt(matches), (median(turns[0]), median(turns[1]), median(turns[2]))
    )


def train(seats: int, seed: int, rounds: int, to: Path) -> None:
    """Train the network, print its strength after each round, and write its weights."""
    trainer = Trainer(seats, seed)
    for number in range(rounds):
        trainer.play_round(number)
        top_rate = FIRST_RATE * (1 + cos(pi * number / rounds)) / 2
        loss = trainer.learn(LAMBDAS if number else FIRST_LAMBDAS, top_rate)
        print(f"{number + 1}: {measure(trainer.simulation, MEASURED)}, log loss {loss:.4f}", flush=True)
        save_weights([trainer.network], to)


def _joined(memory: Sequence[Samples]) -> Samples:
    """Return the samples of several rounds as one."""
    starts = np.cumsum([0, *(len(each.shares) for each in memory)])
    following = [
        np.where(each.following == ENDED, ENDED, each.following + start)
        for each, start in zip(memory, starts, strict=False)
    ]
    return Samples(
        np.concatenate([each.inputs for each in memory]),
        np.concatenate(following),
        np.concatenate([each.shares for each in memory]),
    )


def _slopes(targets: Array) -> Callable[[Array], Array]:
    """Return the derivatives of the log loss by the log-odds."""
    return lambda out: (1 / (1 + np.exp(-out)) - targets[:, None]) / len(targets)


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.court.training", description="Train the network.")
    parser.add_argument("seats", type=int, choices=COURT.seats)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--to", type=Path, required=True, help="the file to write")
    arguments = parser.parse_args()
    train(arguments.seats, arguments.seed, arguments.rounds, arguments.to)


if __name__ == "__main__":
    main()
