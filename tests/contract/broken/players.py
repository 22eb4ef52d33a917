"""Players that break a law each, and a game that keeps players from it. All play Jest otherwise as they should."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any

from engines.jest.game import JestGame
from engines.jest.model import Move, State, Take
from engines.jest.view import View
from players.jest.player_model import JestPlayerModel


class Peeper(JestPlayerModel):  # in playouts it takes what is best, also of what it cannot see
    def choose_in_playout(self, state: State, seat: int, rng: Random) -> Move:
        if state.phase != "take":
            return super().choose_in_playout(state, seat, rng)
        moves = [move for move in self.game.moves(state, seat) if isinstance(move, Take)]
        return max(moves, key=lambda move: (state.up if move.up else state.down)[move.source])


class Rememberer(JestPlayerModel):  # it goes by what it has seen in a playout, which may have been the match itself
    def choose_in_playout(self, state: State, seat: int, rng: Random) -> Move:
        self.remembered = max(state.down)
        return super().choose_in_playout(state, seat, rng)

    def choose_with_blunders(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        return moves[getattr(self, "remembered", 0) % len(moves)]


class Whimsical(JestPlayerModel):  # it slips by a chance of its own
    def choose_with_blunders(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        return random.choice(moves)


class Moody(JestPlayerModel):  # what is as good to it, it finds by a chance of its own
    def equal_moves(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        return [self.choose_move(view, moves, rng), *random.sample(moves, 1)]


class Contrary(JestPlayerModel):  # what is as good, it makes rather than what its policy says
    def equal_moves(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        return [move for move in moves if move != self.choose_move(view, moves, rng)] or moves


class Doubter(JestPlayerModel):  # it thinks of its policy's move twice
    def equal_moves(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        return [self.choose_move(view, moves, rng)] * 2


class Stubborn(JestPlayerModel):  # it slips by taking from its neighbour, who may have nothing left to take
    def choose_with_blunders(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        assert view.seat is not None
        return moves[0] if view.phase == "offer" else Take((view.seat + 1) % view.seats, True)


class Hurried(JestPlayerModel):  # in playouts it takes the first card that there is
    def choose_in_playout(self, state: State, seat: int, rng: Random) -> Move:
        return self.game.moves(state, seat)[0]


class Meddler(JestPlayerModel):  # it puts its cards into another order to think
    def choose_in_playout(self, state: State, seat: int, rng: Random) -> Move:
        move = super().choose_in_playout(state, seat, rng)
        state.dealt[seat] = state.dealt[seat][::-1]
        return move


class Dreamer(JestPlayerModel):  # it thinks of nothing but what its neighbour has, who may have nothing left to take
    def candidate_moves(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        assert view.seat is not None
        return (
            super().candidate_moves(view, moves, rng)
            if view.phase == "offer"
            else [Take((view.seat + 1) % view.seats, True)]
        )


class Nostalgic(JestPlayerModel):  # it thinks longer of what it has thought of before
    def candidate_moves(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        self.thought = getattr(self, "thought", 0) + 1
        return moves[self.thought % len(moves) :][:1]


@dataclass(frozen=True, slots=True)
class _Fading(View):
    def __reduce__(self) -> tuple[Any, ...]:
        return _Fading, tuple(getattr(replace(self, hand=()), each.name) for each in fields(self))


class Faded(JestGame):  # nobody who is sent a view sees a hand in it
    def view(self, state: State, seat: int | None) -> View:
        view = super().view(state, seat)
        return _Fading(**{each.name: getattr(view, each.name) for each in fields(view)})
