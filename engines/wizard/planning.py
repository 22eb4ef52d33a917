"""Planning ahead in Wizard: a card for one's next trick, whatever is led, for one suit, or while tricks are needed."""

from __future__ import annotations

from collections.abc import Sequence

from engines.features.plans.planning import ILLEGAL, Planning
from engines.kit.cards import SUITS
from engines.wizard import deck
from engines.wizard.deck import JESTER, SUIT
from engines.wizard.model import Move, Play
from engines.wizard.moves import PLAY_MOVES
from engines.wizard.view import View

ANY, NEED = "any", "need"  # conditions; the others are suits: C, D, H, S
ENOUGH, NO_SUIT, LEADS = "enough", "nosuit", "leads"  # reasons; the others are the suits that were led instead


class WizardPlanning(Planning[Move, View]):
    """Cards can be planned while others play. A last card is played automatically, so it is not planned."""

    def decision(self, view: View) -> int:
        """Return how often the seat has moved."""
        assert view.seat is not None
        return view.numbers[view.seat]

    def moves(self, view: View) -> Sequence[Move]:
        """Return the cards that may be legal in the seat's next trick."""
        if view.seat is None or view.phase != "play" or view.turn == view.seat or len(view.hand) < 2:
            return ()
        return [PLAY_MOVES[card] for card in dict.fromkeys(view.hand) if _may_follow(view, card)]

    def situation(self, view: View) -> str:
        """Return the round and the trump."""
        return f"{view.phase} {view.round} {'-' if view.trump is None else SUITS[view.trump]}"

    def conditions(self, view: View, move: Move) -> Sequence[str]:
        """Return the card's suit if no suit is led yet, `any`, and `need` if the bid is not met yet."""
        assert view.seat is not None
        suit = SUIT[move.card] if isinstance(move, Play) else None
        own = [] if suit is None or _is_suit_set(view) else [SUITS[suit]]
        return (*own, ANY, *([NEED] if _needs_tricks(view) else ()))

    def failure(self, view: View, move: Move, condition: str) -> str:
        """Return the reason once the led suit or the tricks taken rule the card out."""
        if not isinstance(move, Play) or move.card not in view.hand:
            return ILLEGAL
        if condition == NEED and not _needs_tricks(view):
            return ENOUGH
        if not _is_suit_set(view):
            if view.turn != view.seat or condition not in SUITS:
                return ""
            return NO_SUIT if view.trick else LEADS
        led = deck.suit_to_follow(view.trick)
        named = NO_SUIT if led is None else SUITS[led]
        if condition in SUITS and named != condition:
            return named
        return "" if _may_follow(view, move.card) else named


def _needs_tricks(view: View) -> bool:
    """Whether the seat has not met its bid yet."""
    assert view.seat is not None
    bid = view.bids[view.seat]
    return bid is not None and view.taken[view.seat] < bid


def _is_suit_set(view: View) -> bool:
    """Whether the seat's next card goes to the trick on the table, and it is known what it must follow (W6)."""
    assert view.seat is not None
    has_played = (view.seat - view.leader) % view.places < len(view.trick)
    return not has_played and not deck.is_suit_open(view.trick)


def _may_follow(view: View, card: int) -> bool:
    """W7: whether the card may be legal in the seat's next trick, as far as that is known."""
    led = deck.suit_to_follow(view.trick) if _is_suit_set(view) else None
    return led is None or card >= JESTER or SUIT[card] == led or not deck.has_suit(list(view.hand), led)
