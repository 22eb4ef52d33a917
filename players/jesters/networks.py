"""The network of Jesters: what a seat still gains after a turn.

Two hidden layers correct a sum of weighted inputs. The output is the Fame that the seat is expected to gain until the
end, less a part of the others' mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from operator import mul

from players.networks import INPUT_BITS, WEIGHT_BITS, pack_layer, quantize, read_weights, unpack

INPUTS, FIRST_UNITS, SECOND_UNITS = 70, 32, 16
WEIGHT_COUNT = (INPUTS + 1) * FIRST_UNITS + (FIRST_UNITS + 1) * SECOND_UNITS + SECOND_UNITS + INPUTS + 1


class Network:
    """A network with weights in the order of the file: by layer, those of each input, then the constants.

    The last part has the weights of the second layer's units, then of the inputs, then the constant.
    """

    def __init__(self, weights: Sequence[int]) -> None:
        rows = iter(weights)

        def read(inputs: int, units: int) -> list[list[int]]:
            return [[next(rows) for _ in range(units)] for _ in range(inputs)]

        first, (first_start,) = read(INPUTS, FIRST_UNITS), read(1, FIRST_UNITS)
        second, (second_start,) = read(FIRST_UNITS, SECOND_UNITS), read(1, SECOND_UNITS)
        ((*self._last, start),) = read(1, SECOND_UNITS + INPUTS + 1)
        self._first, self._second = pack_layer(first, first_start), pack_layer(second, second_start)
        self._last_start = start << INPUT_BITS

    def value(self, features: Sequence[float]) -> float:
        """Return the output in Fame."""
        inputs = quantize(features)
        units = unpack(self._first.sums(inputs), FIRST_UNITS)
        units = unpack(self._second.sums(units), SECOND_UNITS)
        total: int = sum(map(mul, [*units, *inputs], self._last), self._last_start)
        return total / (1 << INPUT_BITS + WEIGHT_BITS)


@cache
def load_network() -> Network:
    """Return the network of the players."""
    return Network(read_weights(files(__package__).joinpath("weights.bin"), WEIGHT_COUNT))
