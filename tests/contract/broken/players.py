"""Players that break a law each. All play Jest otherwise as they should."""

from __future__ import annotations

import random
from collections.abc import Sequence
from random import Random

from engines.jest.model import Move, State, Take, View
from players.jest.mind import JestMind


class Peeper(JestMind):
    """In playouts it takes what is best, also of what it cannot see."""

    def act(self, state: State, seat: int, rng: Random) -> Move:
        if state.phase != "take":
            return super().act(state, seat, rng)
        moves = [move for move in self.game.moves(state, seat) if isinstance(move, Take)]
        return max(moves, key=lambda move: (state.up if move.up else state.down)[move.source])


class Rememberer(JestMind):
    """It goes by what it has seen in a playout, which may have been the match itself."""

    def act(self, state: State, seat: int, rng: Random) -> Move:
        self.remembered = max(state.down)
        return super().act(state, seat, rng)

    def slip(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        return moves[getattr(self, "remembered", 0) % len(moves)]


class Whimsical(JestMind):
    """It slips by a chance of its own."""

    def slip(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        return random.choice(moves)


class Stubborn(JestMind):
    """It slips by taking from its neighbour, who may have nothing left to take."""

    def slip(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        assert view.seat is not None
        return moves[0] if view.phase == "offer" else Take((view.seat + 1) % view.seats, True)


class Hurried(JestMind):
    """In playouts it takes the first card that there is."""

    def act(self, state: State, seat: int, rng: Random) -> Move:
        return self.game.moves(state, seat)[0]


class Meddler(JestMind):
    """It puts its cards into another order to think."""

    def act(self, state: State, seat: int, rng: Random) -> Move:
        move = super().act(state, seat, rng)
        state.dealt[seat] = state.dealt[seat][::-1]
        return move
