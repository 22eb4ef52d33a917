"""The policy with the slips of somebody new to Jest."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.jest.deck import ONE
from engines.jest.model import Move, Take
from engines.jest.scoring import value
from players.jest.known import Known
from players.jest.policy import TAKES, chosen

CARELESS = 0.5  # how often no thought is given to which card to show
GREEDY = 0.3  # how often what lies there counts, and neither what may come nor what may lie face down
CURIOUS = 0.2  # how often a face-down card is taken just to see what it is


def slipped(known: Known, moves: Sequence[Move], rng: Random) -> Move:
    """The policy's move, or what somebody new does without thinking."""
    luck = rng.random()
    if not known.up:
        return rng.choice(moves) if luck < CARELESS else chosen(known)
    if luck < CURIOUS:
        return rng.choice([move for move in moves if isinstance(move, Take) and not move.up])
    return _greedy(known, moves) if luck < CURIOUS + GREEDY else chosen(known)


def _greedy(known: Known, moves: Sequence[Move]) -> Move:
    """The face-up card that makes the Jest worth most as it is now."""
    own = known.jests[known.seat]
    sources = [move.source for move in moves if isinstance(move, Take) and move.up]
    return TAKES[max(sources, key=lambda source: value(own | ONE[known.up[source]]))][True]
