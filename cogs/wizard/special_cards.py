"""Wizard's special cards: their names and effects, and where they occur."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.screens.special_cards import NO_CHANGE, HandChange, SpecialCard
from cogs.wizard.words import card_text, sort_hand
from engines.wizard.deck import CAROUSEL, CHAMELEON, ELEPHANT, JESTER, MOUSE, TRAPDOOR, WEATHERVANE, WIZARD
from engines.wizard.house_rules import is_blind_round, specials_in_pack
from engines.wizard.model import (
    AnyEvent,
    CardPassed,
    CardPlayed,
    HandDealt,
    HandPlan,
    Move,
    Options,
    PassCard,
    Play,
    RoundDealt,
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
    CAROUSEL: "after it all with cards pass one left",
    WEATHERVANE: "its taker changes their bid by one",
}
WIZARD_BESIDE_ELEPHANT = "beats all but an Elephant or earlier Wizard"
MOUSE_WITHOUT_ELEPHANT = "loses to every other card"
CHAMELEON_WITHOUT_SWAP = "counts as a Jester in this match"


def special_cards(options: Options) -> Sequence[SpecialCard]:
    """Return the kinds of special cards in the pack."""
    specials = specials_in_pack(options)
    return [_special_card(card, specials, options.hands) for card in (WIZARD, JESTER, *specials)]


def own_special_cards(view: View) -> Sequence[SpecialCard]:
    """Return the kinds of special cards in the seat's hand."""
    return _of_cards(sort_hand(view.hand), view)


def special_cards_of(event: AnyEvent, view: View) -> HandChange:
    """Return the kinds that the seat was dealt or got, and those that it played or passed.

    A Chameleon that must be swapped is gone before its player can use it, so it counts as neither.
    """
    match event:
        case HandDealt(cards=cards) if event.seat == view.seat:
            is_swapped = view.hand_plan != "all cards"  # W15: then no card is turned up
            return HandChange(_of_cards([card for card in cards if card != CHAMELEON or not is_swapped], view))
        case CardPlayed(card=card) if event.seat == view.seat:
            return HandChange(losses=_of_cards((card,), view))
        case TurnedCardSwapped(card=card) if event.seat == view.seat:
            return HandChange(_of_cards((card,), view))
        case CardPassed(card=card) if event.receiver == view.seat:
            return HandChange(_of_cards((card,), view))
        case CardPassed(card=card) if event.seat == view.seat:
            return HandChange(losses=_of_cards((card,), view))
        case _:
            return NO_CHANGE


def special_card_changes(events: Sequence[AnyEvent], view: View) -> Sequence[HandChange]:
    """Return `special_cards_of` by event. W18: a hand that is dealt after a blind bid has the swapped card already."""
    changes: list[HandChange] = []
    is_blind = False
    for event in events:
        if isinstance(event, RoundDealt):
            is_blind = is_blind_round(view.blind, event.round)
        is_dealt_later = is_blind and isinstance(event, TurnedCardSwapped)
        changes.append(NO_CHANGE if is_dealt_later else special_cards_of(event, view))
    return changes


def special_card_in(move: Move, view: View) -> SpecialCard | None:
    """Return the special card that a move plays or passes."""
    return next(iter(_of_cards((move.card,), view)), None) if isinstance(move, Play | PassCard) else None


def _of_cards(cards: Sequence[int], view: View) -> Sequence[SpecialCard]:
    return [_special_card(card, view.specials, view.hand_plan) for card in cards if card in EFFECTS]


def _special_card(card: int, specials: Sequence[int], plan: HandPlan) -> SpecialCard:
    return SpecialCard(card_text(card), _effect(card, specials, plan), LOBBY_NAMES.get(card, ""))


def _effect(card: int, specials: Sequence[int], plan: HandPlan) -> str:
    """Return what a card does in matches with these special cards and hands."""
    if card == WIZARD and ELEPHANT in specials:
        return WIZARD_BESIDE_ELEPHANT
    if card == MOUSE and ELEPHANT not in specials:
        return MOUSE_WITHOUT_ELEPHANT
    if card == CHAMELEON and plan == "all cards":  # W15: no card is turned up
        return CHAMELEON_WITHOUT_SWAP
    return EFFECTS[card]
