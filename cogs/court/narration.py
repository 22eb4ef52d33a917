"""Narration of the Court's events, and names of its moves."""

from __future__ import annotations

from typing import assert_never

from cogs.court.words import EDGE_SIDES, attack_sentence, join_cards, short_card, sort_hand, the_card
from cogs.screens import words
from cogs.screens.screen import Context
from engines.court import board, model
from engines.court.board import OFF_BOARD
from engines.court.deck import MENHIR
from engines.court.model import AnyEvent, Move


def narrate(event: AnyEvent, context: Context) -> str | None:
    """Return an event as a sentence, or None if another event already says it."""
    match event:
        case model.MagePlaced():
            alone = " (the only free square)" if event.alone else ""
            name, repeated = context.names[event.seat], "" if event.cause == "start" else " again"
            return f"{name} places their Mage{repeated} on {board.square_name(event.square)}{alone}."
        case model.MageMoved():
            return _mage_moved_sentence(event, context)
        case model.CardsDrawn():
            return None  # a hand always refills to six
        case model.HandDrawn():
            return f"You draw {join_cards(sort_hand(event.cards))}."
        case model.PileReshuffled():
            return f"The discard pile is shuffled: a new draw pile of {words.pluralize(event.cards, 'card')}."
        case model.MagesAttacked():
            return attack_sentence(event.attacked, context)
        case model.MatchEnded():
            ending = "The banners decide" if event.ending == "banners" else "The turn limit is reached"
            winners = words.join_with_and([context.names[seat] for seat in event.winners])
            return f"{ending}: {winners} {'wins' if len(event.winners) == 1 else 'share the win'}."
        case _:
            return f"{context.names[event.seat]}{_predicate(event)}."


def narrate_briefly(event: AnyEvent, context: Context) -> str | None:
    """Return an event in a few words, or None if another event or the picture shows it."""
    match event:
        case model.MatchEnded():
            return "the turn limit is reached" if event.ending == "turns" else None
        case model.CardsDrawn() | model.MageDamaged() | model.PileReshuffled():
            return None
        case model.HandDrawn():
            return f"You draw {words.join_with_and([short_card(one) for one in sort_hand(event.cards)])}"
        case model.MagesAttacked():
            return _brief_attack(event.attacked, context)
        case _:
            return f"{context.short_names[event.seat]} {_brief_predicate(event, context)}"


def _brief_attack(attacked: model.AttackResult, context: Context) -> str:
    """The seats that an attack hit."""
    hit = [context.short_names[defence.seat] for defence in attacked.defences if defence.hit]
    act = f"hits {words.join_with_and(hit)}" if hit else "attacks and misses"
    return f"{context.short_names[attacked.seat]} {act} with {short_card(attacked.card)}"


def _brief_predicate(event: BrieflyNarrated, context: Context) -> str:
    """The event in a few words, after the seat's name."""
    match event:
        case model.MagePlaced():
            return f"{'starts' if event.cause == 'start' else 'returns'} on {board.square_name(event.square)}"
        case model.MageMoved():
            whose = "" if event.mage == event.seat else f" {context.short_names[event.mage]}"
            if event.end == event.start:
                return f"plays {short_card(event.card)}, but{whose or ' the Mage'} cannot move"
            edge = f"over the {words.SUIT_SHAPES[event.card // 13]} edge"
            end = edge if event.end == OFF_BOARD else f"to {board.square_name(event.end)}"
            return f"moves{whose} {end} with {short_card(event.card)}"
        case model.PhaseSkipped():
            return "skips Phase One"
        case model.BannerClaimed():
            return f"claims the {words.SUIT_SHAPES[event.suit]} banner"
        case model.MagesStruck():
            return f"wounds all others with {short_card(event.card)}"
        case model.MageKnockedOut():
            return "is knocked out"
        case model.MageHealed():
            return f"heals to health {event.health} with {short_card(event.card)}"
        case model.MenhirSet():
            return f"sets the Menhir on {board.square_name(event.square)}"
        case model.MageEnclosed():
            return "is shut in by Menhirs"
        case model.CardDiscarded():
            return f"discards {the_card(event.card) if event.card == MENHIR else short_card(event.card)}"
        case model.BannerGiven():
            return f"gives back the {words.SUIT_SHAPES[event.suit]} banner"
        case _:
            assert_never(event)


BrieflyNarrated = (
    model.MagePlaced
    | model.MageMoved
    | model.PhaseSkipped
    | model.BannerClaimed
    | model.MagesStruck
    | model.MageKnockedOut
    | model.MageHealed
    | model.MenhirSet
    | model.MageEnclosed
    | model.CardDiscarded
    | model.BannerGiven
)
SeatEvent = (
    model.PhaseSkipped
    | model.BannerClaimed
    | model.MagesStruck
    | model.MageDamaged
    | model.MageKnockedOut
    | model.MageHealed
    | model.MenhirSet
    | model.MageEnclosed
    | model.CardDiscarded
    | model.BannerGiven
)


def _predicate(event: SeatEvent) -> str:
    """What a seat did, or what happened to its Mage, after its name."""
    match event:
        case model.PhaseSkipped():
            return " skips Phase One"
        case model.BannerClaimed():
            return f" claims the banner of {words.suit_text(event.suit)}"
        case model.MagesStruck():
            return f" wounds with {the_card(event.card)}: every other Mage loses one health"
        case model.MageDamaged():
            return f"'s Mage loses one health: {event.health} left"
        case model.MageKnockedOut():
            return "'s Mage is knocked out; its health is full again"
        case model.MageHealed():
            return f" heals with {the_card(event.card)}: health {event.health}"
        case model.MenhirSet():
            if event.start == OFF_BOARD:
                return f" places their Menhir on {board.square_name(event.square)}"
            return f" moves their Menhir from {board.square_name(event.start)} to {board.square_name(event.square)}"
        case model.MageEnclosed():
            return f"'s Mage on {board.square_name(event.square)} has Menhirs on all four sides and comes off the board"
        case model.CardDiscarded():
            return f" discards {the_card(event.card)}"
        case model.BannerGiven():
            return f" gives back {'the only' if event.alone else 'a'} banner: {words.suit_text(event.suit)}"
        case _:
            assert_never(event)


def _mage_moved_sentence(event: model.MageMoved, context: Context) -> str:
    name = context.names[event.seat]
    whose = "their Mage" if event.mage == event.seat else f"{context.names[event.mage]}'s Mage"
    start = f"{name} moves {whose} by {the_card(event.card)} from {board.square_name(event.start)}"
    if event.end == OFF_BOARD:
        return f"{start} over the {EDGE_SIDES[event.card // 13]} edge {words.SUIT_SHAPES[event.card // 13]}."
    if event.stopped is None:
        return f"{start} to {board.square_name(event.end)}."
    blocker = f"the {'Mage' if event.stopped == 'mage' else 'Menhir'} on {board.square_name(event.at)}"
    if event.end == event.start:
        stays = f"{whose}, which stays on {board.square_name(event.start)}"
        return f"{name} plays {the_card(event.card)} for {stays}: {blocker} is in the way."
    return f"{start} to {board.square_name(event.end)}, stopped by {blocker}."


def move_label(move: Move) -> str:
    """Return a move's name for players."""
    match move:
        case model.Place(square):
            return f"Place your Mage on {board.square_name(square)}"
        case model.Give(suit):
            return f"Give back the banner of {words.suit_text(suit)}"
        case model.Step(card):
            return f"Move your Mage by {the_card(card)}"
        case model.Skip():
            return "Skip Phase One"
        case model.Push(card, target):
            return f"Move Mage {words.letter(target)} by {the_card(card)}"
        case model.Attack(card, ()):
            return f"Attack every opponent with {the_card(card)}"
        case model.Attack(card, targets):
            return f"Attack {words.join_with_and([words.letter(target) for target in targets])} with {the_card(card)}"
        case model.Strike(card):
            return f"Wound every other Mage with {the_card(card)}"
        case model.Heal(card):
            return f"Heal your Mage with {the_card(card)}"
        case model.SetMenhir(square):
            return f"Menhir on {board.square_name(square)}"
        case model.Discard(card):
            return f"Discard {the_card(card)}"
