"""Fits Jesters' network to matches, in numpy: each position to its reward and the value of the seat's next position.

The targets mix that with what really followed (TD(λ), Sutton 1988). What really followed has a standard deviation of
7 Fame, which would take far more matches to average out.
"""

from __future__ import annotations

from math import cos, pi, sqrt
from typing import NamedTuple

from bench.players.networks import Adam, Array, np, to_integers
from players.jesters.learned import OTHERS_WEIGHT
from players.jesters.networks import FIRST_UNITS, INPUTS, SECOND_UNITS

TRACE = 0.7  # λ: how much what really followed counts
FITS, EPOCHS = 5, (3, 4, 4, 4, 4)  # to the outcomes, then to targets from the fit before; passes over the positions
RATES = (2e-3, 2e-3, 1e-3, 1e-3, 1e-3)  # of Adam
LAST_RATE = 1e-5
BATCH = 512  # positions in a step
DECAY = 1e-3  # of the weights between units
RIDGE = 30.0  # of the linear fit that the network corrects
AVERAGING = 0.995  # by step, of the weights that are kept


class Positions(NamedTuple):
    """Positions after turns, those of a seat in a match one after the other.

    `features` has a row for each; `gains` is the outcome in the unit of values; `last` marks a seat's last position.
    """

    features: Array
    gains: Array
    matches: Array
    last: Array


def order_positions(features: Array, gains: Array, matches: Array, seats: Array) -> Positions:
    """Return the positions in order; `gains` has the own ones and those of the others' mean."""
    order = np.lexsort((np.arange(len(features)), seats, matches))
    matches, seats = matches[order], seats[order]
    is_last = np.append((matches[1:] != matches[:-1]) | (seats[1:] != seats[:-1]), True)
    value = gains[order, 0] - OTHERS_WEIGHT * gains[order, 1]
    return Positions(features[order].astype(np.float32), value.astype(np.float32), matches, is_last)


class Network:
    """Weights of the network for inputs of mean 0 and deviation 1, and how these are computed."""

    def __init__(self, positions: Positions, rng: Array) -> None:
        self.mean, self.deviation = positions.features.mean(0), positions.features.std(0) + 1e-3
        inputs = self.scale(positions.features)
        rows = np.c_[inputs, np.ones(len(inputs), np.float32)].astype(np.float64)
        linear = np.linalg.solve(rows.T @ rows + RIDGE * np.eye(rows.shape[1]), rows.T @ positions.gains)
        self.weights = [
            *_random_layer(rng, INPUTS, FIRST_UNITS, 1.0),
            *_random_layer(rng, FIRST_UNITS, SECOND_UNITS, 1.0),
            *_random_layer(rng, SECOND_UNITS, 1, 0.05),
            linear[:-1, None].astype(np.float32),
            linear[-1:].astype(np.float32),
        ]

    def scale(self, features: Array) -> Array:
        """Return features as inputs."""
        return ((features - self.mean) / self.deviation).astype(np.float32)

    def values(self, inputs: Array) -> Array:
        """Return the value of each row."""
        return self._forward(inputs)[2][:, 0]

    def _forward(self, inputs: Array) -> tuple[Array, Array, Array]:
        one, one_start, two, two_start, three, three_start, linear, start = self.weights
        first = np.maximum(inputs @ one + one_start, 0)
        second = np.maximum(first @ two + two_start, 0)
        return first, second, second @ three + three_start + inputs @ linear + start

    def fit(self, rng: Array, inputs: Array, targets: Array, epochs: int, rate: float) -> None:
        """Fit the weights to the targets by Adam, and keep their moving average."""
        adam = Adam(self.weights, AVERAGING)
        step, steps = 0, len(inputs) // BATCH * epochs
        for _ in range(epochs):
            order = rng.permutation(len(inputs))
            for begin in range(0, len(order) - BATCH, BATCH):
                at = order[begin : begin + BATCH]
                step += 1
                size = LAST_RATE + (rate - LAST_RATE) * (1 + cos(pi * step / steps)) / 2
                adam.step(self._slopes(inputs[at], targets[at]), size)
        self.weights = adam.average

    def _slopes(self, inputs: Array, targets: Array) -> list[Array]:
        one, _, two, _, three, _, _, _ = self.weights
        first, second, out = self._forward(inputs)
        slope = (out - targets[:, None]) / len(inputs)
        back = (slope @ three.T) * (second > 0)
        further = (back @ two.T) * (first > 0)
        layers = ((inputs, further, one), (first, back, two), (second, slope, three))
        found = [each for before, after, own in layers for each in (before.T @ after + DECAY * own, after.sum(0))]
        return [*found, inputs.T @ slope, slope.sum(0)]

    def to_integers(self) -> bytes:
        """Return the weights for unscaled features, as `players/jesters/networks.py` reads them."""
        one, one_start, two, two_start, three, three_start, linear, start = self.weights
        shift = self.mean / self.deviation
        parts = [
            one / self.deviation[:, None],
            one_start - shift @ one,
            two,
            two_start,
            three,
            linear / self.deviation[:, None],
            start + three_start - shift @ linear,
        ]
        return to_integers(np.concatenate([np.ravel(part) for part in parts]))


def fit_network(positions: Positions, held_out: Positions, seed: int) -> Network:
    """Fit a network, and print after each fit how much of the variance of outcomes it knows in held-out matches."""
    rng = np.random.default_rng(seed)
    network = Network(positions, rng)
    inputs, other_inputs = network.scale(positions.features), network.scale(held_out.features)
    targets = positions.gains
    for number in range(FITS):
        network.fit(rng, inputs, targets, EPOCHS[number], RATES[number])
        known = 1 - np.var(held_out.gains - network.values(other_inputs)) / np.var(held_out.gains)
        print(f"fit {number + 1}: {known:.4f} of the variance of outcomes known", flush=True)
        targets = trace_targets(positions, network.values(inputs))
    return network


def trace_targets(positions: Positions, values: Array) -> Array:
    """Return the targets of a fit: rewards, the values of next positions, and what really followed."""
    gains, ends = positions.gains, np.flatnonzero(positions.last)
    lengths = np.diff(ends, prepend=-1)
    targets = gains.copy()
    for back in range(1, int(lengths.max())):
        at = ends[lengths > back] - back
        rewards = gains[at] - gains[at + 1]
        targets[at] = rewards + (1 - TRACE) * values[at + 1] + TRACE * targets[at + 1]
    return targets


def _random_layer(rng: Array, inputs: int, units: int, scale: float) -> tuple[Array, Array]:
    weights = rng.standard_normal((inputs, units)) * sqrt(2 / inputs) * scale
    return weights.astype(np.float32), np.zeros(units, np.float32)
