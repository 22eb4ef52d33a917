"""The policy with the slips of somebody who is new to the game."""

from __future__ import annotations

from random import Random

from engines.jokers import deck
from engines.jokers.model import Declare, Move, Take, Trade, TurnUp
from players.jokers import policy
from players.jokers.plans import best_plan
from players.jokers.seen import NON_JOKERS, SeatKnowledge

BLIND_CHANCE = 0.3  # a full hand is not seen to be one
IDLE_CHANCE = 0.2  # a trade is left over
CLUMSY_CHANCE = 0.7  # a card too many is traded, or one too few
HASTY_CHANCE = 0.5  # the safety card itself is kept, whatever lies in the discard pile


def choose_with_blunders(knowledge: SeatKnowledge, rng: Random) -> Move:
    """What the policy would do, or a slip."""
    move = policy.choose_move(knowledge)
    chance = rng.random()
    match move:
        case Declare() if chance < BLIND_CHANCE:
            return policy.DONE
        case TurnUp() if knowledge.trades and knowledge.draw:
            return _clumsy_trade(knowledge, rng)  # safety cards are left for the end
        case Take() if chance < HASTY_CHANCE:
            return policy.KEEP
        case Trade() if chance < IDLE_CHANCE and knowledge.trades == 1:
            return policy.DONE
        case Trade():
            return _clumsy_trade(knowledge, rng)
    return move


def _clumsy_trade(knowledge: SeatKnowledge, rng: Random) -> Move:
    """A trade with a card forgotten that was to be kept, or with one kept that is for nothing."""
    kept = best_plan(knowledge.hand, knowledge.live, policy.current_values(knowledge))[1]
    out = knowledge.hand & NON_JOKERS & ~kept
    if rng.random() < CLUMSY_CHANCE:
        forgotten = rng.random() < 0.5
        cards = deck.hand_cards(kept if forgotten else out)
        if cards:
            kept ^= deck.CARD_BIT[rng.choice(cards)]
    return policy.trade_move(knowledge, kept)
