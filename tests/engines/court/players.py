"""Players for whole matches of Jester's Court, who want something, unlike those who pick any move."""

from __future__ import annotations

from random import Random

from engines.court import COURT, board
from engines.court.board import SIDE
from engines.court.model import Attack, Discard, Heal, Move, Push, SetMenhir, State, Step, Strike

BESIDE = (-SIDE, -1, 1, SIDE)


def choose_builder(state: State, seat: int, rng: Random) -> Move:
    """Plays anything, but likes to set the Menhir beside the Mage that has most of them beside it."""
    moves = COURT.moves(state, seat)
    if len(moves) < 400 or rng.random() < 0.3:
        return rng.choice(moves)
    neighbours = [[at + away for away in BESIDE] for at in state.mages]
    most = max(neighbours, key=lambda squares: len({*squares} & {*state.menhirs}))
    close = [move for move in map(SetMenhir, most) if move in moves]
    return rng.choice(close or moves)


def choose_runner(state: State, seat: int, rng: Random) -> Move:
    """Runs for the nearest edge whose banner is not claimed, and then strikes, attacks and pushes others back."""
    moves = COURT.moves(state, seat)
    options = [moves[rng.randrange(len(moves))] for _ in range(40)] if len(moves) > 400 else list(moves)
    return max(options, key=lambda move: (_move_value(state, seat, move), rng.random()))


def choose_walker(state: State, seat: int, rng: Random) -> Move:
    """Only runs: throws a card away instead of hindering anybody."""
    moves = COURT.moves(state, seat)
    aside = [] if len(moves) > 400 else [move for move in moves if isinstance(move, Discard)]
    return rng.choice(aside) if aside else choose_runner(state, seat, rng)


def _move_value(state: State, seat: int, move: Move) -> float:
    match move:
        case Step(card):
            return _card_gain(state, seat, card)
        case Push(card, target):
            return -_card_gain(state, target, card)
        case Attack() | Strike():
            return 3
        case Heal():
            return 4 - state.health[seat]
    return 0


def _card_gain(state: State, mage: int, card: int) -> float:
    """How much that card helps a Mage: a banner most, else how much nearer it is to one."""
    path = board.mage_path(state, mage, card)
    if path.crosses:
        return -20 if card // 13 in state.banners[mage] else 100
    return _steps_to_edge(state, mage, path.start) - _steps_to_edge(state, mage, path.end)


def _steps_to_edge(state: State, mage: int, square: int) -> int:
    return min(len(board.RAYS[suit][square]) for suit in range(4) if suit not in state.banners[mage])
