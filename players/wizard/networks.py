"""Wizard's networks. One takes what describes a seat and one of its moves.

Two hidden layers lead to three outputs: the log-odds of meeting the bid, by how many tricks it is missed on average,
and the others' mean points, in tens.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import exp
from typing import NamedTuple

from players.networks import (
    INPUT_BITS,
    WEIGHT_BITS,
    Layer,
    add_inputs,
    add_units,
    pack_layer,
    read_rows,
    read_weights,
    unpack_units,
)
from players.networks import weight_count as count_weights
from players.wizard.features import Choices

FIRST_UNITS, SECOND_UNITS, OUTPUTS = 64, 32, 3
BID_INPUTS, CARD_INPUTS = (56, 11), (43, 23)
"""How many numbers describe a seat and a move."""
OTHERS_WEIGHT = 0.5
"""How much a mean point of the others counts against a point of the seat. With 1 a table of these computers meets fewer
bids, and against the rule of thumb it gains nothing."""
VALUE_SCALE = 4096
"""Values are in parts of a point of this size."""
CHANCE_STEPS = 64  # of log-odds, in the table of chances
CHANCES = tuple(
    round(VALUE_SCALE / (1 + exp(-step / CHANCE_STEPS))) for step in range(-10 * CHANCE_STEPS, 10 * CHANCE_STEPS)
)
"""Chances by log-odds from −10 to 10, in the same parts."""


class Network:
    """A network with weights in the order of the file: by layer, those of each input, then the constants."""

    def __init__(self, weights: Sequence[int], seat_inputs: int, move_inputs: int) -> None:
        rows = iter(weights)
        columns, start = pack_layer(*read_rows(rows, seat_inputs + move_inputs, FIRST_UNITS))
        self._seat, self._move = Layer(columns[:seat_inputs], start), columns[seat_inputs:]
        self._second = pack_layer(*read_rows(rows, FIRST_UNITS, SECOND_UNITS))
        last, self._last_start = read_rows(rows, SECOND_UNITS, OUTPUTS)
        self._odds = [row[0] for row in last]
        self._lost = [2 * miss + others for _, miss, others in last]  # OTHERS_WEIGHT is a half

    def values(self, choices: Choices, bids: Sequence[int]) -> list[int]:
        """Return the expected points of each move, less a part of the others' mean points, times `VALUE_SCALE`.

        `bids` are the seat's bids after the moves (W10).
        """
        seat = add_inputs(choices.seat, *self._seat)
        odds_start, miss_start, others_start = (each << INPUT_BITS for each in self._last_start)
        lost_start = 2 * miss_start + others_start
        values = []
        for (_, move), bid in zip(choices.moves, bids, strict=True):
            units = unpack_units(add_inputs(move, self._move, seat), FIRST_UNITS)
            units = unpack_units(add_units(units, *self._second), SECOND_UNITS)
            odds = add_units(units, self._odds, odds_start)
            lost = add_units(units, self._lost, lost_start)
            step = (odds * CHANCE_STEPS >> INPUT_BITS + WEIGHT_BITS) + len(CHANCES) // 2
            chance = CHANCES[max(0, min(step, len(CHANCES) - 1))]
            values.append((20 + 10 * bid) * chance - 10 * (lost >> INPUT_BITS + WEIGHT_BITS - 11))
        return values


class NetworkPair(NamedTuple):
    """The networks for one number of seats."""

    bids: Network
    cards: Network


@cache
def load_networks(seats: int) -> NetworkPair | None:
    """Return the networks for this number of seats, if there are any."""
    weights, split = read_networks(seats), weight_count(*BID_INPUTS)
    return (
        NetworkPair(Network(weights[:split], *BID_INPUTS), Network(weights[split:], *CARD_INPUTS)) if weights else None
    )


def read_networks(seats: int) -> Sequence[int]:
    """Return the weights for this number of seats: first those of the network for bids. None at all if there is no
    file.
    """
    file = files(__package__).joinpath("weights", f"{seats}.bin")
    if not file.is_file():
        return ()
    return read_weights(file, weight_count(*BID_INPUTS) + weight_count(*CARD_INPUTS))


def weight_count(seat_inputs: int, move_inputs: int) -> int:
    """Return how many weights a network has."""
    return count_weights(seat_inputs + move_inputs, FIRST_UNITS, SECOND_UNITS, OUTPUTS)
