"""Layers of small networks in integers, so that they give the same values on every machine and in every Python.

The weights of a layer that belong to one input are packed into one long integer with a lane of 32 bits for each unit.
One multiplication of Python's thus serves all units, which is several times faster than a loop over them.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from importlib.resources.abc import Traversable
from itertools import pairwise
from operator import mul
from typing import NamedTuple

INPUT_BITS, WEIGHT_BITS = 8, 10
"""Binary places of inputs and units, if a network does not set its own, and of weights."""
LANE = 1 << 30
"""Added to every lane, so that none is negative."""
MOST = 16 << INPUT_BITS
"""The greatest value of a unit, likewise. It keeps lanes from overflowing."""


class Layer(NamedTuple):
    """By input, the packed weights of all units, and the packed sums without any input."""

    columns: list[int]
    start: int


def read_weights(file: Traversable, count: int) -> Sequence[int]:
    """Return the weights in a file. Raises ValueError if they are not that many."""
    weights = array("h")
    weights.frombytes(file.read_bytes())
    if sys.byteorder == "big":
        weights.byteswap()
    if len(weights) != count:
        raise ValueError(f"{file} has {len(weights)} weights, which is not the size of the networks.")
    return weights


def weight_count(*sizes: int) -> int:
    """Return how many weights a network with layers of these sizes has, from the inputs to the outputs."""
    return sum((before + 1) * after for before, after in pairwise(sizes))


def read_rows(weights: Iterator[int], inputs: int, units: int) -> tuple[list[list[int]], list[int]]:
    """Take a layer from the weights: a row for each input, and the constants."""
    rows = [[next(weights) for _ in range(units)] for _ in range(inputs + 1)]
    return rows[:-1], rows[-1]


def pack_layer(rows: Sequence[Sequence[int]], constants: Sequence[int], bits: int = INPUT_BITS) -> Layer:
    """Pack the weights of a layer."""
    return Layer([_pack(row) for row in rows], _pack([(constant << bits) + LANE for constant in constants]))


def add_inputs(numbers: Sequence[float], columns: Sequence[int], start: int = 0, bits: int = INPUT_BITS) -> int:
    """Return the lanes with the effect of these inputs."""
    return add_units([round(each * (1 << bits)) for each in numbers], columns, start)


def add_units(units: Sequence[int], columns: Sequence[int], start: int) -> int:
    """Return the sums of the next layer: lanes, or one number if the columns are plain weights."""
    total: int = sum(map(mul, units, columns), start)
    return total


def unpack_units(lanes: int, units: int, most: int = MOST) -> list[int]:
    """Return the units' values, none below 0."""
    sums = array("I")
    sums.frombytes(lanes.to_bytes(4 * units, sys.byteorder))
    if sys.byteorder == "big":
        sums.reverse()
    return [min(each - LANE >> WEIGHT_BITS, most) if each > LANE else 0 for each in sums]


def _pack(row: Sequence[int]) -> int:
    return sum([weight << 32 * unit for unit, weight in enumerate(row)])
