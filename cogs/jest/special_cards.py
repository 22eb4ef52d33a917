"""Jest's special card, the Joker, and where it occurs."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.screens.special_cards import NO_CHANGE, HandChange, SpecialCard
from engines.jest.deck import JOKER
from engines.jest.model import AnyEvent, CardTaken, FaceDownTaken, HandDealt, Move, Offer, RoundDealt, TakenCard
from engines.jest.view import View

JOKER_CARD = SpecialCard("Joker", "brings 4, but one to three ♥ then cost you", "the Joker")


def own_special_cards(view: View) -> Sequence[SpecialCard]:
    """Return the Joker if the seat has it: in its hand, in its offer if nobody took it, or in its Jest."""
    left = view.hand if view.phase == "offer" else _cards_left(view.seat, view.up, view.down, view.takes)
    return (JOKER_CARD,) if JOKER in (*left, *view.jest) else ()


def special_cards_of(event: AnyEvent, view: View) -> HandChange:
    """Return the Joker if the seat was dealt it or took it, or if somebody took it from the seat.

    J3: a card that was left in the seat's offer is shuffled before the next round is dealt.
    """
    match event:
        case RoundDealt(round=number):
            last = view.past[number - 2]
            left = _cards_left(view.seat, last.up, last.down, last.takes)
            return HandChange(losses=(JOKER_CARD,)) if JOKER in left else NO_CHANGE
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


def _cards_left(
    seat: int | None, up: Sequence[int], down: Sequence[int | None], takes: Sequence[TakenCard]
) -> Sequence[int | None]:
    """Return the cards of the seat's offer that nobody took, also not the seat."""
    if seat is None or not up:
        return ()
    taken = {take.up for take in takes if take.source == seat}
    return [card for card, is_up in ((up[seat], True), (down[seat], False)) if is_up not in taken]


def special_card_in(move: Move, view: View) -> SpecialCard | None:
    """Return the Joker if a move lays it face down, or takes it where the seat sees it."""
    if isinstance(move, Offer):
        card: int | None = move.card
    else:
        card = view.up[move.source] if move.up else view.down[move.source]
    return JOKER_CARD if card == JOKER else None
