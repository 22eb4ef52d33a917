"""Small networks in integers, so that they give the same values on every machine and in every version of Python.

A network takes what describes a seat and one of its moves. Two hidden layers lead to three outputs: the log-odds of
meeting the bid, by how many tricks it is missed on average, and the others' mean points, in tens.

The weights of a layer that belong to one input are packed into one long integer with a lane of 32 bits for each unit.
One multiplication of Python's thus serves all units, which is several times faster than a loop over them.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import exp
from operator import mul
from typing import NamedTuple

from players.wizard.features import Choices

FIRST_UNITS, SECOND_UNITS, OUTPUTS = 64, 32, 3
BID_INPUTS, CARD_INPUTS = (56, 11), (43, 23)
"""How many numbers describe a seat and a move."""
INPUT_BITS, WEIGHT_BITS = 8, 10
"""Binary places of inputs and units, and of weights."""
LANE = 1 << 30
"""Added to every lane, so that none is negative."""
MOST = 16 << INPUT_BITS
"""The greatest value of a unit. It keeps lanes from overflowing."""
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


class Layer(NamedTuple):
    """By input, the packed weights of all units, and the packed sums without any input."""

    columns: list[int]
    start: int


class Network:
    """A network with weights in the order of the file: by layer, those of each input, then the constants."""

    def __init__(self, weights: Sequence[int], seat_inputs: int, move_inputs: int) -> None:
        rows = iter(weights)

        def read(inputs: int, units: int) -> list[list[int]]:
            return [[next(rows) for _ in range(units)] for _ in range(inputs)]

        inputs = seat_inputs + move_inputs
        first, (first_start,) = read(inputs, FIRST_UNITS), read(1, FIRST_UNITS)
        second, (second_start,) = read(FIRST_UNITS, SECOND_UNITS), read(1, SECOND_UNITS)
        last, (self._last_start,) = read(SECOND_UNITS, OUTPUTS), read(1, OUTPUTS)
        self._seat = Layer([_pack(row) for row in first[:seat_inputs]], _pack_start(first_start))
        self._move = [_pack(row) for row in first[seat_inputs:]]
        self._second = Layer([_pack(row) for row in second], _pack_start(second_start))
        self._odds = [row[0] for row in last]
        self._lost = [2 * miss + others for _, miss, others in last]  # OTHERS_WEIGHT is a half

    def values(self, choices: Choices, bids: Sequence[int]) -> list[int]:
        """Return the expected points of each move, less a part of the others' mean points, times `VALUE_SCALE`.

        `bids` are the seat's bids after the moves (W10).
        """
        seat = sum(map(mul, _quantize(choices.seat), self._seat.columns), self._seat.start)
        second, start = self._second
        odds_start, miss_start, others_start = (each << INPUT_BITS for each in self._last_start)
        lost_start = 2 * miss_start + others_start
        values = []
        for (_, move), bid in zip(choices.moves, bids, strict=True):
            units = _unpack(sum(map(mul, _quantize(move), self._move), seat), FIRST_UNITS)
            units = _unpack(sum(map(mul, units, second), start), SECOND_UNITS)
            odds = sum(map(mul, units, self._odds), odds_start)
            lost = sum(map(mul, units, self._lost), lost_start)
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
    weights, split = read_weights(seats), weight_count(*BID_INPUTS)
    return (
        NetworkPair(Network(weights[:split], *BID_INPUTS), Network(weights[split:], *CARD_INPUTS)) if weights else None
    )


def read_weights(seats: int) -> Sequence[int]:
    """Return the weights for this number of seats: first those of the network for bids. None at all if there is no
    file.
    """
    file = files(__package__).joinpath("weights", f"{seats}.bin")
    if not file.is_file():
        return ()
    weights = array("h")
    weights.frombytes(file.read_bytes())
    if sys.byteorder == "big":
        weights.byteswap()
    if len(weights) != weight_count(*BID_INPUTS) + weight_count(*CARD_INPUTS):
        raise ValueError(f"{file} has {len(weights)} weights, which is not the size of the networks.")
    return weights


def weight_count(seat_inputs: int, move_inputs: int) -> int:
    """Return how many weights a network has."""
    return (
        (seat_inputs + move_inputs + 1) * FIRST_UNITS + (FIRST_UNITS + 1) * SECOND_UNITS + (SECOND_UNITS + 1) * OUTPUTS
    )


def _quantize(numbers: Sequence[float]) -> list[int]:
    return [round(each * (1 << INPUT_BITS)) for each in numbers]


def _pack(row: Sequence[int]) -> int:
    return sum([weight << 32 * unit for unit, weight in enumerate(row)])


def _pack_start(row: Sequence[int]) -> int:
    return _pack([(weight << INPUT_BITS) + LANE for weight in row])


def _unpack(lanes: int, units: int) -> list[int]:
    """Return the units' values, none below 0."""
    sums = array("I")
    sums.frombytes(lanes.to_bytes(4 * units, sys.byteorder))
    if sys.byteorder == "big":
        sums.reverse()
    return [min(each - LANE >> WEIGHT_BITS, MOST) if each > LANE else 0 for each in sums]
