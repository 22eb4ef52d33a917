"""Wizard's networks in numpy: the chance to meet the bid, the mean miss, and the others' points."""

from __future__ import annotations

from bench.players import networks
from bench.players.wizard.simulation import Sample
from players.wizard.batch_features import Choices
from players.wizard.batch_odds import Array, np
from players.wizard.networks import FIRST_UNITS, OTHERS_WEIGHT, OUTPUTS, SECOND_UNITS

MISS_WEIGHT = 0.2  # of the squared error of the miss, and of the others' points, in the loss


class Network(networks.Network):
    """A network for bids or for cards."""

    def __init__(self, rng: Array, inputs: int) -> None:
        super().__init__(rng, (inputs, FIRST_UNITS, SECOND_UNITS, OUTPUTS))

    def values(self, choices: Choices) -> Array:
        """Return the outputs for each move."""
        first, bias, second, second_bias, last, last_bias = self.average
        width = choices.seats.shape[1]
        hidden = (choices.seats @ first[:width] + bias)[choices.rows] + choices.moves @ first[width:]
        np.maximum(hidden, 0, out=hidden)
        return np.maximum(hidden @ second + second_bias, 0) @ last + last_bias

    def train(self, inputs: Array, sample: Sample, rate: float) -> float:
        """Make a step of Adam. Return the loss."""
        weight = (20 + 10 * sample.bids) / 40
        results, count = np.stack([sample.missed, sample.others], axis=1), len(inputs)

        def slope_of(out: Array) -> Array:
            slope = np.empty_like(out)
            slope[:, 0] = (1 / (1 + np.exp(-out[:, 0])) - sample.met) * weight / count
            slope[:, 1:] = (out[:, 1:] - results) * (2 * MISS_WEIGHT / count)
            return slope

        out = self.step(inputs, slope_of, rate)
        guess = np.clip(1 / (1 + np.exp(-out[:, 0])), 1e-6, 1 - 1e-6)
        entropy = -(sample.met * np.log(guess) + (1 - sample.met) * np.log(1 - guess))
        off = out[:, 1:] - results
        return float((entropy * weight).mean() + MISS_WEIGHT * (off * off).sum(axis=1).mean())


def expected_points(out: Array, bids: Array) -> Array:
    """Return the value that the outputs mean for these bids (W10)."""
    return (20 + 10 * bids) / (1 + np.exp(-out[:, 0])) - 10 * (out[:, 1] + OTHERS_WEIGHT * out[:, 2])
