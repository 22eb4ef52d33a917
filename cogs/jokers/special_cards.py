"""Jokers' special card, the joker, and where it occurs."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.screens.special_cards import NO_CHANGE, HandChange, SpecialCard
from engines.jokers.deck import JOKER
from engines.jokers.model import (
    AnyEvent,
    CardDiscarded,
    CardsDrawn,
    CardsTraded,
    CardTaken,
    Discard,
    HandDealt,
    Keep,
    Move,
    RoundScored,
    SafetyKept,
    Take,
    Trade,
)
from engines.jokers.view import View

JOKER_CARD = SpecialCard("Joker", "stands for any card", "two jokers")


def own_special_cards(view: View) -> Sequence[SpecialCard]:
    """Return the jokers in the seat's hand."""
    return [JOKER_CARD] * view.hand.count(JOKER)


def special_cards_of(event: AnyEvent, view: View) -> HandChange:
    """Return the jokers that came to the seat's hand, and those that left it."""
    match event:
        case HandDealt() | CardsDrawn() if event.seat == view.seat:
            return HandChange([JOKER_CARD] * event.cards.count(JOKER))
        case CardTaken() | SafetyKept() if event.seat == view.seat and event.card == JOKER:
            return HandChange((JOKER_CARD,))
        case CardsTraded() if event.seat == view.seat:
            return HandChange(losses=[JOKER_CARD] * event.cards.count(JOKER))
        case CardDiscarded() if event.seat == view.seat and event.card == JOKER:
            return HandChange(losses=(JOKER_CARD,))
        case RoundScored():
            hand = () if view.seat is None else event.result.hands[view.seat]
            return HandChange(losses=[JOKER_CARD] * hand.count(JOKER))
        case _:
            return NO_CHANGE


def special_card_in(move: Move, view: View) -> SpecialCard | None:
    """Return the joker if a move trades, takes, keeps or discards one."""
    match move:
        case Trade(cards):
            named: tuple[int | None, ...] = tuple(cards)
        case Take(depth):
            named = (view.discard[-depth],)
        case Keep():
            named = (view.turned,)
        case Discard(card):
            named = (card,)
        case _:
            named = ()
    return JOKER_CARD if JOKER in named else None
