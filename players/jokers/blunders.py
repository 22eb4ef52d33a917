"""The policy with the blunders of a beginner."""

from __future__ import annotations

from random import Random

from engines.jokers import deck
from engines.jokers.model import Declare, Move, Take, Trade, TurnUp
from players.jokers import policy
from players.jokers.plans import best_plan
from players.jokers.seen import NON_JOKERS, SeatKnowledge

BLIND_CHANCE = 0.3  # a full hand is overlooked
IDLE_CHANCE = 0.2  # a trade is left unused
CLUMSY_CHANCE = 0.7  # one card too many or too few is traded
HASTY_CHANCE = 0.5  # the safety card itself is kept, whatever the discard pile offers


def choose_with_blunders(knowledge: SeatKnowledge, rng: Random) -> Move:
    """Return the policy's move, or a blunder."""
    move = policy.choose_move(knowledge)
    chance = rng.random()
    match move:
        case Declare() if chance < BLIND_CHANCE:
            return policy.DONE
        case TurnUp() if knowledge.trades and knowledge.draw:
            return _clumsy_trade(knowledge, rng)  # safety cards are saved for the end
        case Take() if chance < HASTY_CHANCE:
            return policy.KEEP
        case Trade() if chance < IDLE_CHANCE and knowledge.trades == 1:
            return policy.DONE
        case Trade():
            return _clumsy_trade(knowledge, rng)
    return move


def _clumsy_trade(knowledge: SeatKnowledge, rng: Random) -> Move:
    """Return a trade that forgets to keep a card, or keeps a useless one."""
    kept = best_plan(knowledge.hand, knowledge.live, policy.current_values(knowledge))[1]
    out = knowledge.hand & NON_JOKERS & ~kept
    if rng.random() < CLUMSY_CHANCE:
        forgotten = rng.random() < 0.5
        cards = deck.hand_cards(kept if forgotten else out)
        if cards:
            kept ^= deck.CARD_BIT[rng.choice(cards)]
    return policy.trade_move(knowledge, kept)
