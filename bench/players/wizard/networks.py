"""Small networks in numpy: two hidden layers, the chance to meet the bid, the mean miss, and the others' points."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

from bench.players.wizard.simulation import Sample
from players.wizard.batch_features import Choices
from players.wizard.batch_odds import Array, np
from players.wizard.networks import FIRST_UNITS, OTHERS_WEIGHT, OUTPUTS, SECOND_UNITS

BETAS, EPSILON = (0.9, 0.999), 1e-8  # Adam's
AVERAGING = 0.998  # by step, of the weights that play
MISS_WEIGHT = 0.2  # of the squared error of the miss, and of the others' points, in the loss


class Network:
    """Weights, their moving average, and Adam."""

    def __init__(self, rng: Array, inputs: int) -> None:
        sizes = (inputs, FIRST_UNITS, SECOND_UNITS, OUTPUTS)
        self.weights = []
        for before, after in pairwise(sizes):
            self.weights.append((rng.standard_normal((before, after)) * sqrt(2 / before)).astype(np.float32))
            self.weights.append(np.zeros(after, np.float32))
        self.weights[4] *= 0.1
        self.average = [each.copy() for each in self.weights]
        self._first = [np.zeros_like(each) for each in self.weights]
        self._second = [np.zeros_like(each) for each in self.weights]
        self._steps = 0

    def values(self, choices: Choices) -> Array:
        """Return the outputs for each move."""
        first, bias, second, second_bias, last, last_bias = self.average
        width = choices.seats.shape[1]
        hidden = (choices.seats @ first[:width] + bias)[choices.rows] + choices.moves @ first[width:]
        np.maximum(hidden, 0, out=hidden)
        return np.maximum(hidden @ second + second_bias, 0) @ last + last_bias

    def train(self, inputs: Array, sample: Sample, rate: float) -> float:
        """Make a step of Adam. Return the loss."""
        one, one_bias, two, two_bias, three, three_bias = self.weights
        first = np.maximum(inputs @ one + one_bias, 0)
        second = np.maximum(first @ two + two_bias, 0)
        out = second @ three + three_bias
        count = len(inputs)
        chance = 1 / (1 + np.exp(-out[:, 0]))
        weight = (20 + 10 * sample.bids) / 40
        off = out[:, 1:] - np.stack([sample.missed, sample.others], axis=1)
        slope = np.empty_like(out)
        slope[:, 0] = (chance - sample.met) * weight / count
        slope[:, 1:] = off * (2 * MISS_WEIGHT / count)
        slopes = [second.T @ slope, slope.sum(axis=0)]
        back = (slope @ three.T) * (second > 0)
        slopes = [first.T @ back, back.sum(axis=0), *slopes]
        back = (back @ two.T) * (first > 0)
        slopes = [inputs.T @ back, back.sum(axis=0), *slopes]
        self._steps += 1
        scale = rate * sqrt(1 - BETAS[1] ** self._steps) / (1 - BETAS[0] ** self._steps)
        keep = min(AVERAGING, 1 - 1 / self._steps)
        for place, found in enumerate(slopes):
            self._first[place] += (1 - BETAS[0]) * (found - self._first[place])
            self._second[place] += (1 - BETAS[1]) * (found * found - self._second[place])
            self.weights[place] -= scale * self._first[place] / (np.sqrt(self._second[place]) + EPSILON)
            self.average[place] = keep * self.average[place] + (1 - keep) * self.weights[place]
        guess = np.clip(chance, 1e-6, 1 - 1e-6)
        entropy = -(sample.met * np.log(guess) + (1 - sample.met) * np.log(1 - guess))
        return float((entropy * weight).mean() + MISS_WEIGHT * (off * off).sum(axis=1).mean())


def expected_points(out: Array, bids: Array) -> Array:
    """Return the value that the outputs mean for these bids (W10)."""
    return (20 + 10 * bids) / (1 + np.exp(-out[:, 0])) - 10 * (out[:, 1] + OTHERS_WEIGHT * out[:, 2])
