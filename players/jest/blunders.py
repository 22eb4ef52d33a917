"""The policy with the blunders of a beginner at Jest: it shows any card, is curious, and counts only what it sees."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.jest.deck import CARD_BIT
from engines.jest.model import Move, Take
from engines.jest.moves import OFFER_MOVES
from engines.jest.scoring import jest_value
from players.jest.known import SeatKnowledge
from players.jest.policy import TAKE_MOVES, equal_moves

CARELESS_CHANCE = 0.5  # how often either card is shown without thinking
HOARDING_CHANCE = 0.2  # how often the card that it likes better is hidden, whatever the others want
GREEDY_CHANCE = 0.35  # how often only visible cards count, and neither future nor face-down ones
CURIOUS_CHANCE = 0.3  # how often a face-down card is taken out of curiosity
CLEAR_GAIN = 3  # points that a visible card must add now to curb the curiosity


def choose_with_blunders(knowledge: SeatKnowledge, moves: Sequence[Move], rng: Random) -> Move:
    """Return the policy's move, or one as good to it, or a thoughtless one."""
    luck = rng.random()
    if not knowledge.up:
        if luck < CARELESS_CHANCE:
            return rng.choice(moves)
        hoards = luck < CARELESS_CHANCE + HOARDING_CHANCE
        return _hoarding_offer(knowledge) if hoards else rng.choice(equal_moves(knowledge))
    gain, greedy = _greedy_take(knowledge, moves)
    if luck < CURIOUS_CHANCE and gain < CLEAR_GAIN:
        return rng.choice([move for move in moves if isinstance(move, Take) and not move.up])
    return greedy if luck < CURIOUS_CHANCE + GREEDY_CHANCE else rng.choice(equal_moves(knowledge))


def _hoarding_offer(knowledge: SeatKnowledge) -> Move:
    """Return the offer that hides the card that adds more to the Jest's current value."""
    own = knowledge.jests[knowledge.seat]
    return OFFER_MOVES[min(knowledge.hand, key=lambda card: jest_value(own | CARD_BIT[card]))]


def _greedy_take(knowledge: SeatKnowledge, moves: Sequence[Move]) -> tuple[int, Move]:
    """Return the take of the face-up card that adds most to the Jest's current value, and how much it adds."""
    own = knowledge.jests[knowledge.seat]
    sources = [move.source for move in moves if isinstance(move, Take) and move.up]
    values = {source: jest_value(own | CARD_BIT[knowledge.up[source]]) for source in sources}
    best = max(values, key=values.__getitem__)
    return values[best] - jest_value(own), TAKE_MOVES[best][True]
