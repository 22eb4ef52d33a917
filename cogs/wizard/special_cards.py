"""Wizard's special cards: their names and effects, and where they occur."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.screens.special_cards import NO_CHANGE, HandChange, SpecialCard
from cogs.wizard.words import card_text, sort_hand
from engines.wizard.deck import CAROUSEL, CHAMELEON, ELEPHANT, JESTER, MOUSE, TRAPDOOR, WEATHERVANE, WIZARD
from engines.wizard.house_rules import specials_in_pack
from engines.wizard.model import (
    AnyEvent,
    CardPassed,
    CardPlayed,
    HandDealt,
    Move,
    Options,
    PassCard,
    Play,
    TurnedCardSwapped,
)
from engines.wizard.view import View

LOBBY_NAMES: Mapping[int, str] = {WIZARD: "Wizards", JESTER: "Jesters"}  # options name the other ones
EFFECTS: Mapping[int, str] = {
    WIZARD: "beats every card but an earlier Wizard",
    JESTER: "loses to every card that has a suit",
    ELEPHANT: "beats every card but the Mouse",
    MOUSE: "loses to all, but catches the Elephant",
    TRAPDOOR: "nobody takes the trick in which it lies",
    CHAMELEON: "swaps with the turned-up card",
    CAROUSEL: "after it everybody passes a card left",
    WEATHERVANE: "its taker changes their bid by one",
}
WIZARD_BESIDE_ELEPHANT = "beats all but an Elephant or earlier Wizard"


def special_cards(options: Options) -> Sequence[SpecialCard]:
    """Return the kinds of special cards in the pack."""
    specials = specials_in_pack(options)
    return [_special_card(card, specials) for card in (WIZARD, JESTER, *specials)]


def own_special_cards(view: View) -> Sequence[SpecialCard]:
    """Return the kinds of special cards in the seat's hand."""
    return _of_cards(sort_hand(view.hand), view)


def special_cards_of(event: AnyEvent, view: View) -> HandChange:
    """Return the kinds that the seat was dealt or got, and those that it played or passed."""
    match event:
        case HandDealt(cards=cards) if event.seat == view.seat:
            return HandChange(_of_cards(cards, view))
        case CardPlayed(card=card) if event.seat == view.seat:
            return HandChange(losses=_of_cards((card,), view))
        case TurnedCardSwapped(card=card) if event.seat == view.seat:
            return HandChange(_of_cards((card,), view), _of_cards((CHAMELEON,), view))
        case CardPassed(card=card) if event.receiver == view.seat:
            return HandChange(_of_cards((card,), view))
        case CardPassed(card=card) if event.seat == view.seat:
            return HandChange(losses=_of_cards((card,), view))
        case _:
            return NO_CHANGE


def special_card_in(move: Move, view: View) -> SpecialCard | None:
    """Return the special card that a move plays or passes."""
    return next(iter(_of_cards((move.card,), view)), None) if isinstance(move, Play | PassCard) else None


def _of_cards(cards: Sequence[int], view: View) -> Sequence[SpecialCard]:
    return [_special_card(card, view.specials) for card in cards if card in EFFECTS]


def _special_card(card: int, specials: Sequence[int]) -> SpecialCard:
    effect = WIZARD_BESIDE_ELEPHANT if card == WIZARD and ELEPHANT in specials else EFFECTS[card]
    return SpecialCard(card_text(card), effect, LOBBY_NAMES.get(card, ""))
