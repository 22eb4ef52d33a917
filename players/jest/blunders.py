"""The policy with the blunders of a beginner at Jest."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.jest.deck import CARD_BIT
from engines.jest.model import Move, Take
from engines.jest.scoring import jest_value
from players.jest.known import SeatKnowledge
from players.jest.policy import TAKE_MOVES, choose_move

CARELESS_CHANCE = 0.5  # how often the offer is chosen without thinking
GREEDY_CHANCE = 0.3  # how often only visible cards count, and neither future nor face-down ones
CURIOUS_CHANCE = 0.2  # how often a face-down card is taken out of curiosity


def choose_with_blunders(knowledge: SeatKnowledge, moves: Sequence[Move], rng: Random) -> Move:
    """Return the policy's move, or a thoughtless one."""
    luck = rng.random()
    if not knowledge.up:
        return rng.choice(moves) if luck < CARELESS_CHANCE else choose_move(knowledge)
    if luck < CURIOUS_CHANCE:
        return rng.choice([move for move in moves if isinstance(move, Take) and not move.up])
    return _greedy_take(knowledge, moves) if luck < CURIOUS_CHANCE + GREEDY_CHANCE else choose_move(knowledge)


def _greedy_take(knowledge: SeatKnowledge, moves: Sequence[Move]) -> Move:
    """Return the take of the face-up card that adds most to the Jest's current value."""
    own = knowledge.jests[knowledge.seat]
    sources = [move.source for move in moves if isinstance(move, Take) and move.up]
    return TAKE_MOVES[max(sources, key=lambda source: jest_value(own | CARD_BIT[knowledge.up[source]]))][True]
