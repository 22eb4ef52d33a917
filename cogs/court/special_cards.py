"""The Court's special cards, which are all but the number cards, and where they occur."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.court.words import sort_hand
from cogs.screens.special_cards import NO_CHANGE, HandChange, SpecialCard
from engines.court.deck import JACK, KING, MENHIR, NUMBER_CARDS, QUEEN
from engines.court.model import (
    AnyEvent,
    Attack,
    CardDiscarded,
    Discard,
    HandDrawn,
    Heal,
    MageHealed,
    MageMoved,
    MagesAttacked,
    MagesStruck,
    MenhirSet,
    Move,
    SetMenhir,
    Step,
    Strike,
)
from engines.court.view import View

MENHIR_CARD = SpecialCard("Menhir", "sets your stone, which no Mage can pass", "Menhirs")
ACE = 0  # the rank
RANK_NAMES = {ACE: "Ace", JACK: "Jack", QUEEN: "Queen", KING: "King"}


def special_cards(seats: int) -> Sequence[SpecialCard]:
    """Return the kinds of special cards as they work with so many players."""
    return [MENHIR_CARD, *(_ranked_card(rank, seats) for rank in (ACE, KING, QUEEN, JACK))]


def own_special_cards(view: View) -> Sequence[SpecialCard]:
    """Return the kinds of special cards in the seat's hand."""
    return _of_cards(sort_hand(view.hand), view)


def special_cards_of(event: AnyEvent, view: View) -> HandChange:
    """Return the kinds that the seat drew, and those that it played or discarded."""
    match event:
        case HandDrawn() if event.seat == view.seat:
            return HandChange(_of_cards(event.cards, view))
        case MageMoved() | MagesStruck() | MageHealed() | CardDiscarded() if event.seat == view.seat:
            return HandChange(losses=_of_cards((event.card,), view))
        case MagesAttacked(attacked=attacked) if attacked.seat == view.seat:
            return HandChange(losses=_of_cards((attacked.card,), view))
        case MenhirSet() if event.seat == view.seat:
            return HandChange(losses=(MENHIR_CARD,))
        case _:
            return NO_CHANGE


def special_card_in(move: Move, view: View) -> SpecialCard | None:
    """Return the special card that a move uses."""
    match move:
        case SetMenhir():
            return MENHIR_CARD
        case Strike() | Heal():
            return _ranked_card(ACE, len(view.mages))
        case Attack(card) | Discard(card) | Step(card):
            return next(iter(_of_cards((card,), view)), None)
        case _:
            return None


def _of_cards(cards: Iterable[int], view: View) -> Sequence[SpecialCard]:
    return [
        MENHIR_CARD if card == MENHIR else _ranked_card(card % 13, len(view.mages))
        for card in cards
        if card not in NUMBER_CARDS
    ]


def _ranked_card(rank: int, seats: int) -> SpecialCard:
    """An ace, or a court card, whose targets depend on the number of players (T9)."""
    if rank == ACE:
        others = "the other Mage" if seats == 2 else "every other Mage"
        return SpecialCard(RANK_NAMES[rank], f"wounds {others}, or heals yours")
    if seats < 4:
        targets = "the other Mage" if seats == 2 else "both other Mages"
    else:
        targets = {JACK: "one Mage", QUEEN: "one or two Mages", KING: "all three other Mages"}[rank]
    return SpecialCard(RANK_NAMES[rank], f"attacks {targets}")
