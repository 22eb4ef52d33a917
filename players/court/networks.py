"""The Court's networks: a seat's chance to win, from what it knows. There is one for each number of seats."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import exp

from players.court.features import HAND_INPUTS, MAGE_INPUTS, Mage, input_count, mage_features
from players.networks import (
    WEIGHT_BITS,
    add_inputs,
    add_units,
    pack_layer,
    read_rows,
    read_weights,
    unpack_units,
    weight_count,
)

FIRST_UNITS, SECOND_UNITS = 32, 16
BITS = 12
"""Binary places of inputs and units. Moves often differ by less than a win in a thousand matches."""
MOST = 16 << BITS
"""The greatest value of a unit."""
ODDS_SCALE = 1 << BITS + WEIGHT_BITS


def layer_sizes(seats: int) -> tuple[int, ...]:
    """Return the sizes of the layers, from the inputs to the output."""
    return input_count(seats), FIRST_UNITS, SECOND_UNITS, 1


class Network:
    """A network with weights in the order of the file: by layer, those of each input, then the constants.

    The inputs are the seat's own Mage and hand, the others' Mages in turn order, and the turn. What each part adds to
    the first layer is computed apart, because most parts recur.
    """

    def __init__(self, weights: Sequence[int], seats: int) -> None:
        rows = iter(weights)
        inputs, first, second, _ = layer_sizes(seats)
        columns, self.start = pack_layer(*read_rows(rows, inputs, first), BITS)
        self._mages = [columns[:MAGE_INPUTS]]
        self._hand = columns[MAGE_INPUTS : MAGE_INPUTS + HAND_INPUTS]
        rest = MAGE_INPUTS + HAND_INPUTS
        for _ in range(seats - 1):
            self._mages.append(columns[rest : rest + MAGE_INPUTS])
            rest += MAGE_INPUTS
        self._turn = columns[rest:]
        self._second = pack_layer(*read_rows(rows, first, second), BITS)
        last, (self._last_start,) = read_rows(rows, second, 1)
        self._last = [weight for (weight,) in last]
        self._mage_sums: dict[tuple[int, Mage, int, int, int, bool], int] = {}

    def mage_sum(self, place: int, mage: Mage, goal: int, barred: int, unknown: int, has_menhir: bool) -> int:
        """Return what a Mage adds to the first layer; `place` counts the seats in turn order from the seat itself."""
        key = place, mage, goal, barred, unknown, has_menhir
        found = self._mage_sums.get(key)
        if found is None:
            if len(self._mage_sums) >= MOST_SUMS:
                self._mage_sums.clear()
            features = mage_features(mage, goal, barred, unknown, has_menhir)
            found = self._mage_sums[key] = add_inputs(features, self._mages[place], bits=BITS)
        return found

    def hand_sum(self, features: Sequence[float]) -> int:
        """Return what a hand adds to the first layer."""
        return add_inputs(features, self._hand, bits=BITS)

    def turn_sum(self, features: Sequence[float]) -> int:
        """Return what the turn adds to the first layer."""
        return add_inputs(features, self._turn, bits=BITS)

    def chance(self, lanes: int) -> float:
        """Return the chance to win, from the sum of the first layer."""
        units = unpack_units(lanes, FIRST_UNITS, MOST)
        units = unpack_units(add_units(units, *self._second), SECOND_UNITS, MOST)
        odds = add_units(units, self._last, self._last_start << BITS)
        return 1 / (1 + exp(-odds / ODDS_SCALE))


MOST_SUMS = 1 << 15
"""How many sums a network remembers."""


@cache
def load_network(seats: int) -> Network:
    """Return the network for this number of seats."""
    return Network(read_network_weights(seats), seats)


def read_network_weights(seats: int) -> Sequence[int]:
    """Return its weights, in the order of the file."""
    return read_weights(files(__package__).joinpath("weights", f"{seats}.bin"), weight_count(*layer_sizes(seats)))
