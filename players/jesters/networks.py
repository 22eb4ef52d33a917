"""The network of Jesters: what a seat still gains after a turn.

Two hidden layers correct a sum of weighted inputs. The output is the Fame that the seat is expected to gain until the
end, less a part of the others' mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from players.networks import (
    INPUT_BITS,
    WEIGHT_BITS,
    add_inputs,
    add_units,
    pack_layer,
    read_rows,
    read_weights,
    unpack_units,
    weight_count,
)

INPUTS, FIRST_UNITS, SECOND_UNITS = 70, 32, 16
WEIGHT_COUNT = weight_count(INPUTS, FIRST_UNITS, SECOND_UNITS) + weight_count(SECOND_UNITS + INPUTS, 1)


class Network:
    """A network with weights in the order of the file: by layer, those of each input, then the constants.

    The last part has the weights of the second layer's units, then of the inputs, then the constant.
    """

    def __init__(self, weights: Sequence[int]) -> None:
        rows = iter(weights)
        self._first = pack_layer(*read_rows(rows, INPUTS, FIRST_UNITS))
        self._second = pack_layer(*read_rows(rows, FIRST_UNITS, SECOND_UNITS))
        last, (start,) = read_rows(rows, SECOND_UNITS + INPUTS, 1)
        self._last = [weight for (weight,) in last]
        self._last_start = start << INPUT_BITS

    def value(self, features: Sequence[float]) -> float:
        """Return the output in Fame."""
        units = unpack_units(add_inputs(features, *self._first), FIRST_UNITS)
        units = unpack_units(add_units(units, *self._second), SECOND_UNITS)
        linear = add_inputs(features, self._last[SECOND_UNITS:], self._last_start)
        return add_units(units, self._last[:SECOND_UNITS], linear) / (1 << INPUT_BITS + WEIGHT_BITS)


@cache
def load_network() -> Network:
    """Return the network of the players."""
    return Network(read_weights(files(__package__).joinpath("weights.bin"), WEIGHT_COUNT))
