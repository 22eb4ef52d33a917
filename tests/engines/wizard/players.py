"""A player of Wizard from the rules and common sense, which shares no code with `players/`.

`python -m bench.players.ladder wizard normal tests.engines.wizard.players:choose_by_count --seats 3 --deals 200`
measures against it.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.wizard.deck import DECK, JESTER, STRENGTH, SUIT, WIZARD, has_suit, suit_to_follow, trick_ranks
from engines.wizard.model import Bid, Move, NameTrump, Play
from engines.wizard.view import View

WIZARD_CHANCE, JESTER_CHANCE = 0.95, 0.01  # to take a trick
TRUMP_FLOOR, PLAIN_FLOOR = 0.22, 0.0  # the chance of the lowest cards
HIGHER_TRUMP, HIGHER_PLAIN, EMPTY_SUIT = 0.92, 0.37, 0.45  # what is left of a chance for each card that others may have


def choose_by_count(view: View) -> Move:
    """Count the tricks that each card is likely to take: bid their sum, and play so that they add up to the bid."""
    if view.phase == "trump":
        return NameTrump(max(range(4), key=lambda suit: sum(_chances(view, view.hand, suit))))
    chances = _chances(view, view.hand, view.trump)
    if view.phase == "bid":
        return Bid(min(round(sum(chances)), view.trick_count))
    assert view.seat is not None
    need = (view.bids[view.seat] or 0) - view.taken[view.seat]
    later = view.seats - 1 - len(view.trick)
    follow = suit_to_follow(view.trick)
    by_card = dict(zip(view.hand, chances, strict=True))
    distances = {}
    for card in _legal_cards(view.hand, follow):
        now = by_card[card] ** (later / (view.seats - 1)) if _beats(card, view.trick, view.trump) else 0.0
        distances[card] = abs(need - now - (sum(chances) - by_card[card]))
    least = min(distances.values())
    close = [card for card, distance in distances.items() if distance < least + 0.02]
    return Play(max(close, key=lambda card: STRENGTH[card] * (1 if need <= 0 else -1)))


def _legal_cards(hand: Sequence[int], follow: int | None) -> Sequence[int]:
    if follow is None or not has_suit([*hand], follow):
        return hand
    return [card for card in hand if SUIT[card] == follow or card >= JESTER]


def _beats(card: int, trick: Sequence[int], trump: int | None) -> bool:
    """Whether the card is the highest of the trick with it."""
    if not trick:
        return card != JESTER
    cards = [*trick, card]
    ranks = trick_ranks(trump, suit_to_follow(cards))
    return all(ranks[card] > ranks[other] for other in trick)


def _chances(view: View, hand: Sequence[int], trump: int | None) -> list[float]:
    """Return the chance of each card to take a trick, from what has not been seen."""
    unseen = [*DECK]
    played = [*view.trick, *(card for trick in view.tricks for card in trick.cards)]
    for card in (*hand, *played, *(() if view.turned is None else (view.turned,))):
        unseen.remove(card)
    others = (view.seats - 1) * len(hand) / max(len(unseen), 1)
    wizards = unseen.count(WIZARD)
    found = []
    for card in hand:
        if card >= JESTER:
            found.append(WIZARD_CHANCE if card == WIZARD else JESTER_CHANCE)
            continue
        of_suit = [other for other in unseen if SUIT[other] == SUIT[card]]
        higher = others * (sum(STRENGTH[other] > STRENGTH[card] for other in of_suit) + wizards / 4)
        if SUIT[card] == trump:
            found.append(TRUMP_FLOOR + (1 - TRUMP_FLOOR) * HIGHER_TRUMP**higher)
        else:
            own = sum(SUIT[other] == SUIT[card] for other in hand)
            short = 1.0 if trump is None else EMPTY_SUIT ** max(0.0, own + 2 - others * len(of_suit))
            found.append(PLAIN_FLOOR + (1 - PLAIN_FLOOR) * HIGHER_PLAIN**higher * short)
    return found
