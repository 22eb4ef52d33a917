"""What is measured: a row a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Drive = Callable[[Any, Any, Callable[[], float]], int]
"""Plays a started match of the game to its end and counts the moves; what is drawn is a number from 0 up to 1."""


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


def by_what_is_owed(game: Any, state: Any, draw: Callable[[], float]) -> int:
    """Random play of a game where `state.owed` lists what seats owe before `state.turn` goes on."""
    moves = 0
    while state.phase != "over":
        seat = state.owed[0].seat if state.owed else state.turn
        legal = game.moves(state, seat)
        move = legal[int(draw() * len(legal))]
        game.check(state, seat, move)
        game.play(state, seat, move)
        moves += 1
    return moves


@dataclass(frozen=True, slots=True)
class Entry:
    """One game's match to play at random, and the least share of OpenSpiel's speed it must reach.

    Its drive reads who is waited for where the state says so, as whoever plays many matches would.
    """

    seats: int
    floor: float
    drive: Drive
    options: Mapping[str, object] = field(default_factory=dict)


ENTRIES: Mapping[str, Entry] = {
    "wizard": Entry(seats=4, floor=0.45, drive=in_turn),  # the full game: 15 rounds, some 540 moves
    "jest": Entry(seats=4, floor=0.4, drive=by_who_is_waited_for),  # three rounds, 24 moves
    "jokers": Entry(seats=2, floor=0.05, drive=in_turn),  # six rounds
    "court": Entry(seats=2, floor=0.15, drive=by_what_is_owed, options={"turns": 200}),  # mostly won before that
    "jesters": Entry(seats=4, floor=0.1, drive=in_turn),  # three rounds, or until everybody is out
}
"""By game key; a game without a row is not measured."""
