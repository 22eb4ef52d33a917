"""The moves worth searching in each decision, the policy's move first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from engines.jokers import deck
from engines.jokers.deck import CARD_BIT
from engines.jokers.model import Discard, Move
from players.jokers import policy
from players.jokers.plans import all_plans, best_plan
from players.jokers.seen import NON_JOKERS, SeatKnowledge

MAX_PLANS = 5
MAX_SHORTFALL = 15.0  # the most points by which a plan may be worse than the best


def candidate_moves(knowledge: SeatKnowledge) -> list[Move]:
    """Return the candidate moves."""
    first = policy.choose_move(knowledge)
    others: Iterable[Move]
    match knowledge.phase:
        case "safety":
            others = (move for move, _ in policy.take_options(knowledge))
        case "discard":
            others = _discard_moves(knowledge)
        case _:
            others = _open_moves(knowledge)
    return list(dict.fromkeys([first, *others]))


def _open_moves(knowledge: SeatKnowledge) -> Iterator[Move]:
    """Return the candidates of a normal moment: a safety card, plans close to the best, and ending the turn."""
    if policy.can_use_safety(knowledge):
        yield policy.TURN_UP_MOVES[knowledge.down.index(True)]
    if policy.may_trade(knowledge):
        values: dict[int, float] = {}
        for worth, cards in sorted(
            all_plans(knowledge.hand, knowledge.live, policy.current_values(knowledge)), reverse=True
        ):
            values.setdefault(cards, worth)
        most = max(values.values())
        near = (cards for cards, worth in values.items() if worth > most - MAX_SHORTFALL)
        yield from (policy.trade_move(knowledge, cards) for cards in islice(near, MAX_PLANS))
    yield policy.DONE


def _discard_moves(knowledge: SeatKnowledge) -> Iterator[Move]:
    """Return the cards that no plan needs, and those whose loss costs little."""
    values = policy.current_values(knowledge)
    cards = deck.hand_cards(knowledge.hand & NON_JOKERS)
    worth = {card: best_plan(knowledge.hand - CARD_BIT[card], knowledge.live, values)[0] for card in cards}
    most = max(worth.values())
    near = [card for card in cards if worth[card] > most - MAX_SHORTFALL]
    yield from (Discard(card) for card in sorted(near, key=lambda card: -worth[card])[:MAX_PLANS])
