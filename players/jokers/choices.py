"""What is worth a search in each decision, the policy's move first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from engines.jokers import deck
from engines.jokers.deck import ONE
from engines.jokers.model import Discard, Move
from players.jokers import policy
from players.jokers.plans import best, plans
from players.jokers.seen import PACK, Seen

PLANS = 5
BEHIND = 15.0  # points by which a plan may be worth less than the best


def choices(seen: Seen) -> list[Move]:
    """The moves to try."""
    first = policy.move(seen)
    others: Iterable[Move]
    match seen.phase:
        case "safety":
            others = (move for move, _ in policy.takes(seen))
        case "discard":
            others = _discards(seen)
        case _:
            others = _open(seen)
    return list(dict.fromkeys([first, *others]))


def _open(seen: Seen) -> Iterator[Move]:
    """Of an open moment: a safety card, plans worth nearly as much as the best, and to be done."""
    if policy.usable(seen):
        yield policy.TURN_UPS[seen.down.index(True)]
    if policy.may_trade(seen):
        kept: dict[int, float] = {}
        for worth, cards in sorted(plans(seen.hand, seen.live, policy.stage(seen)), reverse=True):
            kept.setdefault(cards, worth)
        most = max(kept.values())
        near = (cards for cards, worth in kept.items() if worth > most - BEHIND)
        yield from (policy.trade(seen, cards) for cards in islice(near, PLANS))
    yield policy.DONE


def _discards(seen: Seen) -> Iterator[Move]:
    """The cards that no plan needs, and those whose loss costs little."""
    here = policy.stage(seen)
    cards = deck.held(seen.hand & PACK)
    worth = {card: best(seen.hand - ONE[card], seen.live, here)[0] for card in cards}
    most = max(worth.values())
    near = [card for card in cards if worth[card] > most - BEHIND]
    yield from (Discard(card) for card in sorted(near, key=lambda card: -worth[card])[:PLANS])
