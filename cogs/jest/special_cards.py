"""Jest's special card, the Joker, and where it occurs."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.screens.special_cards import NO_CHANGE, HandChange, SpecialCard
from engines.jest.deck import JOKER
from engines.jest.model import AnyEvent, CardTaken, FaceDownTaken, HandDealt, Move, Offer
from engines.jest.view import View

JOKER_CARD = SpecialCard("Joker", "brings 4, but one to three ♥ then cost you", "the Joker")


def own_special_cards(view: View) -> Sequence[SpecialCard]:
    """Return the Joker if it is one of the seat's two cards or in its Jest."""
    in_hand = JOKER in (*view.hand, *view.jest)  # a card that the seat keeps is in both
    return (JOKER_CARD,) if in_hand else ()


def special_cards_of(event: AnyEvent, view: View) -> HandChange:
    """Return the Joker if the seat was dealt it or took it, or if somebody took it from the seat."""
    match event:
        case HandDealt() if event.seat == view.seat and JOKER in event.cards:
            return HandChange((JOKER_CARD,))
        case CardTaken() | FaceDownTaken() if event.card != JOKER or event.seat == event.source:
            return NO_CHANGE
        case CardTaken() | FaceDownTaken() if event.seat == view.seat:
            return HandChange((JOKER_CARD,))
        case CardTaken() | FaceDownTaken() if event.source == view.seat:
            return HandChange(losses=(JOKER_CARD,))
        case _:
            return NO_CHANGE


def special_card_in(move: Move, view: View) -> SpecialCard | None:
    """Return the Joker if a move lays it face down, or takes it where the seat sees it."""
    if isinstance(move, Offer):
        card: int | None = move.card
    else:
        card = view.up[move.source] if move.up else view.down[move.source]
    return JOKER_CARD if card == JOKER else None
