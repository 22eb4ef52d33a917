"""Small networks in integers, so that they give the same values on every machine and in every version of Python.

The weights of a layer that belong to one input are packed into one long integer with a lane of 32 bits for each unit.
One multiplication of Python's thus serves all units, which is several times faster than a loop over them.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from importlib.resources.abc import Traversable
from operator import mul
from typing import NamedTuple

INPUT_BITS, WEIGHT_BITS = 8, 10
"""Binary places of inputs and units, and of weights."""
LANE = 1 << 30
"""Added to every lane, so that none is negative."""
MOST = 16 << INPUT_BITS
"""The greatest value of a unit. It keeps lanes from overflowing."""


class Layer(NamedTuple):
    """By input, the packed weights of all units, and the packed sums without any input."""

    columns: list[int]
    start: int

    def sums(self, inputs: Sequence[int]) -> int:
        """Return the packed sums of the units."""
        lanes: int = sum(map(mul, inputs, self.columns), self.start)
        return lanes


def pack_layer(rows: Sequence[Sequence[int]], start: Sequence[int]) -> Layer:
    """Pack a layer from its weights by input, and its constants by unit."""
    return Layer([_pack(row) for row in rows], _pack([(weight << INPUT_BITS) + LANE for weight in start]))


def quantize(numbers: Sequence[float]) -> list[int]:
    """Return numbers as inputs of a layer."""
    return [round(each * (1 << INPUT_BITS)) for each in numbers]


def unpack(lanes: int, units: int) -> list[int]:
    """Return the units' values, none below 0."""
    sums = array("I")
    sums.frombytes(lanes.to_bytes(4 * units, sys.byteorder))
    if sys.byteorder == "big":
        sums.reverse()
    return [min(each - LANE >> WEIGHT_BITS, MOST) if each > LANE else 0 for each in sums]


def read_weights(file: Traversable, count: int) -> array[int]:
    """Return the weights of a file of 16-bit integers, the low byte first. Raises ValueError if it has not `count`."""
    weights = array("h")
    weights.frombytes(file.read_bytes())
    if sys.byteorder == "big":
        weights.byteswap()
    if len(weights) != count:
        raise ValueError(f"{file} has {len(weights)} weights, which is not the size of the networks.")
    return weights


def _pack(row: Sequence[int]) -> int:
    return sum([weight << 32 * unit for unit, weight in enumerate(row)])
