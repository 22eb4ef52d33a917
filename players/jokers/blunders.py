"""The policy with the slips of somebody who is new to the game."""

from __future__ import annotations

from random import Random

from engines.jokers import deck
from engines.jokers.model import Declare, Move, Take, Trade, TurnUp
from players.jokers import policy
from players.jokers.plans import best
from players.jokers.seen import PACK, Seen

BLIND = 0.3  # a full hand is not seen to be one
IDLE = 0.2  # a trade is left over
CLUMSY = 0.7  # a card too many is traded, or one too few
HASTY = 0.5  # the safety card itself is kept, whatever lies in the discard pile


def slipped(seen: Seen, rng: Random) -> Move:
    """What the policy would do, or a slip."""
    move = policy.move(seen)
    chance = rng.random()
    match move:
        case Declare() if chance < BLIND:
            return policy.DONE
        case TurnUp() if seen.trades and seen.draw:
            return _trade(seen, rng)  # safety cards are left for the end
        case Take() if chance < HASTY:
            return policy.KEEP
        case Trade() if chance < IDLE and seen.trades == 1:
            return policy.DONE
        case Trade():
            return _trade(seen, rng)
    return move


def _trade(seen: Seen, rng: Random) -> Move:
    """A trade with a card forgotten that was to be kept, or with one kept that is for nothing."""
    kept = best(seen.hand, seen.live, policy.stage(seen))[1]
    out = seen.hand & PACK & ~kept
    if rng.random() < CLUMSY:
        forgotten = rng.random() < 0.5
        cards = deck.held(kept if forgotten else out)
        if cards:
            kept ^= deck.ONE[rng.choice(cards)]
    return policy.trade(seen, kept)
