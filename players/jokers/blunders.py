"""The policy with the blunders of a beginner at Jokers: clumsy trades, hasty takes, and jokers that are overlooked."""

from __future__ import annotations

from random import Random

from engines.jokers import deck
from engines.jokers.deck import CARD_BIT, JOKER
from engines.jokers.melds import best_split
from engines.jokers.model import Declare, Keep, Move, Take, Trade, TurnUp
from players.jokers import policy
from players.jokers.plans import best_plan
from players.jokers.seen import NON_JOKERS, SeatKnowledge

BLIND_CHANCE = 0.4  # a full hand that needs a joker is overlooked
IDLE_CHANCE = 0.6  # the last trade is left unused, if only one or two cards are useless
CLUMSY_CHANCE = 0.95  # one card too many or too few is traded, but none of a whole meld
HASTY_CHANCE = 0.7  # the first useful card of the discard pile is taken, although a better one lies deeper


def choose_with_blunders(knowledge: SeatKnowledge, rng: Random) -> Move:
    """Return the policy's move, or one as good to it, or a blunder."""
    move, *others = policy.equal_moves(knowledge)
    chance = rng.random()
    match move:
        case Declare() if chance < BLIND_CHANCE and knowledge.hand >> JOKER:
            return policy.DONE
        case TurnUp() if knowledge.trades and knowledge.draw:
            return _clumsy_trade(knowledge, rng)  # safety cards are saved for the end
        case Take() | Keep() if chance < HASTY_CHANCE:
            return _first_take(knowledge, move)
        case Trade(cards) if chance < IDLE_CHANCE and knowledge.trades == 1 and len(cards) < 3:
            return policy.DONE
        case Trade():
            return _clumsy_trade(knowledge, rng)
    return rng.choice([move, *others])


def _clumsy_trade(knowledge: SeatKnowledge, rng: Random) -> Move:
    """Return a trade that forgets to keep a card of a beginning meld, or keeps a useless one."""
    kept = best_plan(knowledge.hand, knowledge.live, policy.current_values(knowledge))[1]
    if rng.random() < CLUMSY_CHANCE:
        useless = knowledge.hand & NON_JOKERS & ~kept
        whole = deck.make_hand(card for meld in best_split(knowledge.hand).melds for card in meld.cards if card < JOKER)
        cards = deck.hand_cards(kept & ~whole if rng.random() < 0.5 else useless)
        if cards:
            kept ^= CARD_BIT[rng.choice(cards)]
    return policy.trade_move(knowledge, kept)


def _first_take(knowledge: SeatKnowledge, best: Move) -> Move:
    """Return the take of the useful card that lies nearest to the top, unless the best one fills the hand."""
    options = list(policy.take_options(knowledge))
    found = dict(options)[best]
    if policy.fills_hand(knowledge, found):
        return best
    return options[1][0] if len(options) > 1 else best
