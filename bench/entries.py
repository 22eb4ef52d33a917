"""What is measured: a row a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """One game's match to play at random, and the least share of OpenSpiel's speed it must reach.

    `drive(game, state, draw)` plays a started match to its end and counts the moves; `draw` gives a number from 0 up
    to 1. It is the game's own loop, since how to see whose turn it is depends on the state.
    """

    seats: int
    floor: float
    drive: Callable[[Any, Any, Callable[[], float]], int]
    options: Mapping[str, object] = field(default_factory=dict)


def in_turn(game: Any, state: Any, draw: Callable[[], float]) -> int:
    """Random play of a game where one seat after the other is at its turn, by `state.turn` and `state.phase`."""
    moves = 0
    while state.phase != "over":
        seat = state.turn
        legal = game.moves(state, seat)
        move = legal[int(draw() * len(legal))]
        game.check(state, seat, move)
        game.play(state, seat, move)
        moves += 1
    return moves


def by_who_is_waited_for(game: Any, state: Any, draw: Callable[[], float]) -> int:
    """Random play of a game where `state.waiting` lists the seats that are due, the next one first."""
    moves = 0
    while state.phase != "over":
        seat = state.waiting[0]
        legal = game.moves(state, seat)
        move = legal[int(draw() * len(legal))]
        game.check(state, seat, move)
        game.play(state, seat, move)
        moves += 1
    return moves


ENTRIES: Mapping[str, Entry] = {
    "wizard": Entry(seats=4, floor=0.45, drive=in_turn),  # the full game: 15 rounds, some 540 moves
    "jest": Entry(seats=4, floor=0.4, drive=by_who_is_waited_for),  # three rounds, 24 moves
    "jokers": Entry(seats=2, floor=0.05, drive=in_turn),  # six rounds
}
"""By game key; a game without a row is not measured."""
