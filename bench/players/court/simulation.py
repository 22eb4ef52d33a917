"""Plays matches of the Court in C (`simulation.c`), for which it needs a C compiler, `cc`."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

from bench.players.networks import Array, np
from players.court.features import input_count
from players.court.networks import layer_sizes
from players.court.numbers import load_weights
from players.networks import weight_count

SOURCE = Path(__file__).with_name("simulation.c")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
ROOM = 8000  # samples of a match; the rest is not kept


class Play(NamedTuple):
    """How a match is played: the banners that win, the limit of turns (0: none), the learned player's seats, whether it
    starts from a random position, the share of random moves, and how rarely a third seat is described (0: never).

    The learned player searches if it has simulations, with this many candidates.
    """

    goal: int
    cap: int
    learned: Iterable[int]
    is_scattered: bool
    luck: float
    bystanders: int
    simulations: int = 0
    candidates: int = 0


class Match(NamedTuple):
    """What seats knew in a match: inputs, seats, whether they were in turn; the shares of the win, and the turns."""

    inputs: Array
    seats: Array
    in_turn: Array
    shares: Array
    turns: int


class Simulation:
    """Matches with this number of seats. The learned player has the given weights (see `players.court.networks`)."""

    def __init__(self, seats: int) -> None:
        target = Path(mkdtemp()) / "simulation.so"
        subprocess.run(["cc", *FLAGS, "-o", target, SOURCE, "-lm"], check=True)
        self.seats, self._library = seats, ctypes.CDLL(str(target))
        self._odds = np.array(_odds_weights(seats), np.float64)
        self._inputs = np.zeros((ROOM, input_count(seats)), np.float32)
        self._samples = np.zeros((ROOM, 2), np.int32)
        self.set_weights(np.zeros(weight_count(*layer_sizes(seats)), np.float32))

    def set_weights(self, weights: Array) -> None:
        """Give the learned player other weights, in the order of the file."""
        self._weights = np.ascontiguousarray(weights, np.float32)
        self._library.set_up(_pointer(self._odds), self.seats, _pointer(self._weights), input_count(self.seats))

    def play_match(self, seed: int, play: Play) -> Match:
        """Play a match."""
        shares, turns = np.zeros(4, np.float32), ctypes.c_int()
        count = self._library.play_match(
            ctypes.c_uint64(seed),
            self.seats,
            play.goal,
            play.cap,
            sum(1 << seat for seat in play.learned),
            int(play.is_scattered),
            ctypes.c_double(play.luck),
            play.bystanders,
            play.simulations,
            play.candidates,
            ROOM,
            _pointer(self._inputs),
            _pointer(self._samples),
            _pointer(shares),
            ctypes.byref(turns),
        )
        seats, in_turn = self._samples[:count].T.copy()
        return Match(self._inputs[:count].astype(np.float16), seats, in_turn > 0, shares[: self.seats], turns.value)

    def value_position(self, numbers: Iterable[int], is_learned: bool) -> tuple[list[tuple[int, ...]], Array, Array]:
        """Return a position's moves, their values, and the inputs of the network for the seat that decides."""
        moves, values = np.zeros((400, 3), np.int32), np.zeros(400, np.float64)
        count = self._library.value_position(
            _pointer(np.array([*numbers], np.int32)),
            self.seats,
            int(is_learned),
            _pointer(moves),
            _pointer(values),
            _pointer(self._inputs),
        )
        return [tuple(map(int, move)) for move in moves[:count]], values[:count], self._inputs[0].copy()


def _odds_weights(seats: int) -> list[float]:
    tuned = load_weights(seats)
    return [*tuned.left, *chain(*tuned.health), *chain(*tuned.threat), *tuned.pace, *tuned.barred, *tuned.in_hand]


def _pointer(numbers: Array) -> Any:
    return numbers.ctypes.data_as(ctypes.c_void_p)
