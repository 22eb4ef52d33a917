"""Small networks in numpy: two hidden layers, and weights that are trained with Adam and averaged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

from players.networks import WEIGHT_BITS

np: Any = import_module("numpy")
Array = Any

BETAS, EPSILON = (0.9, 0.999), 1e-8  # Adam's
AVERAGING = 0.998  # by step, of the weights that play


class Adam:
    """Adam (Kingma and Ba 2015), which changes a list of weights in place, and keeps their moving average."""

    def __init__(self, weights: list[Array], averaging: float = AVERAGING) -> None:
        self._weights, self._averaging = weights, averaging
        self.average = [each.copy() for each in weights]
        self._first = [np.zeros_like(each) for each in weights]
        self._second = [np.zeros_like(each) for each in weights]
        self._steps = 0

    def step(self, slopes: Sequence[Array], rate: float) -> None:
        """Move the weights against the slopes of the loss, which are in their order."""
        self._steps += 1
        scale = rate * sqrt(1 - BETAS[1] ** self._steps) / (1 - BETAS[0] ** self._steps)
        keep = min(self._averaging, 1 - 1 / self._steps)
        for place, found in enumerate(slopes):
            self._first[place] += (1 - BETAS[0]) * (found - self._first[place])
            self._second[place] += (1 - BETAS[1]) * (found * found - self._second[place])
            self._weights[place] -= scale * self._first[place] / (np.sqrt(self._second[place]) + EPSILON)
            self.average[place] = keep * self.average[place] + (1 - keep) * self._weights[place]


class Network:
    """Weights, their moving average, and Adam."""

    def __init__(self, rng: Array, sizes: Sequence[int]) -> None:
        self.weights: list[Array] = []
        for before, after in pairwise(sizes):
            self.weights.append((rng.standard_normal((before, after)) * sqrt(2 / before)).astype(np.float32))
            self.weights.append(np.zeros(after, np.float32))
        self.weights[4] *= 0.1
        self._adam = Adam(self.weights)

    @property
    def average(self) -> list[Array]:
        """The moving average of the weights, which plays."""
        return self._adam.average

    def outputs(self, inputs: Array) -> Array:
        """Return the outputs of the average weights, a row for each row of inputs."""
        one, one_bias, two, two_bias, three, three_bias = self.average
        first = np.maximum(inputs @ one + one_bias, 0)
        return np.maximum(first @ two + two_bias, 0) @ three + three_bias

    def step(self, inputs: Array, slope_of: Callable[[Array], Array], rate: float) -> Array:
        """Make a step of Adam, and return the outputs before it. `slope_of` gives the loss's derivatives by output."""
        one, one_bias, two, two_bias, three, three_bias = self.weights
        first = np.maximum(inputs @ one + one_bias, 0)
        second = np.maximum(first @ two + two_bias, 0)
        out = second @ three + three_bias
        slope = slope_of(out)
        slopes = [second.T @ slope, slope.sum(axis=0)]
        back = (slope @ three.T) * (second > 0)
        slopes = [first.T @ back, back.sum(axis=0), *slopes]
        back = (back @ two.T) * (first > 0)
        slopes = [inputs.T @ back, back.sum(axis=0), *slopes]
        self._adam.step(slopes, rate)
        return out


def save_weights(networks: Sequence[Network], to: Path) -> None:
    """Write the average weights as 16-bit integers, the low byte first, as `players/networks.py` reads them."""
    to.write_bytes(b"".join(to_integers(weights) for network in networks for weights in network.average))


def to_integers(weights: Array) -> bytes:
    """Return weights as `players/networks.py` reads them."""
    most = 2**15 - 1
    return bytes(np.clip(np.round(weights * 2**WEIGHT_BITS), -most, most).astype("<i2").tobytes())
