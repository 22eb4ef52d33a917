"""The Court's events and moves in sentences."""

from __future__ import annotations

from typing import assert_never

from cogs.court.words import SIDES, attack_words, in_order, row, short, the
from cogs.screens import words
from cogs.screens.screen import Context
from engines.court import board, model
from engines.court.board import OFF
from engines.court.model import AnyEvent, Move


def tell(event: AnyEvent, context: Context) -> str | None:
    """One event in a sentence; None for what another one tells."""
    match event:
        case model.MagePlaced():
            alone = " (the only one free)" if event.alone else ""
            who, again = context.names[event.seat], "" if event.cause == "start" else " again"
            return f"{who} places their Mage{again} on {board.name(event.square)}{alone}."
        case model.MageMoved():
            return _moved(event, context)
        case model.CardsDrawn():
            return None  # always back to six
        case model.HandDrawn():
            return f"You draw {row(in_order(event.cards))}."
        case model.Reshuffled():
            return f"The discard pile is shuffled: a new draw pile of {words.counted(event.cards, 'card')}."
        case model.MagesAttacked():
            return attack_words(event.attacked, context)
        case model.Ended():
            how = "The banners decide" if event.ending == "banners" else "The agreed turns are over"
            winners = words.listed([context.names[seat] for seat in event.winners])
            return f"{how}: {winners} {'wins' if len(event.winners) == 1 else 'share the win'}."
        case _:
            return f"{context.names[event.seat]}{_did(event)}."


def brief(event: AnyEvent, context: Context) -> str | None:
    """One event as briefly as it goes; None for what another one tells, or the picture."""
    match event:
        case model.Ended():
            return "the agreed turns are over" if event.ending == "turns" else None
        case model.CardsDrawn() | model.MageDamaged() | model.Reshuffled():
            return None
        case model.HandDrawn():
            return f"You draw {row(in_order(event.cards))}"
        case model.MagesAttacked():
            return _attack(event.attacked, context)
        case _:
            return f"{context.short[event.seat]} {_done(event, context)}"


def _attack(attacked: model.Attacked, context: Context) -> str:
    """Whom an attack hit."""
    hit = [context.short[defence.seat] for defence in attacked.defences if defence.hit]
    return f"{context.short[attacked.seat]} {short(attacked.card)} hits {words.listed(hit) or 'nobody'}"


def _done(event: Told, context: Context) -> str:
    """The same after the seat's name."""
    match event:
        case model.MagePlaced():
            return f"on {board.name(event.square)}"
        case model.MageMoved():
            whose = "" if event.mage == event.seat else f" {context.short[event.mage]}"
            over = f"over\N{NO-BREAK SPACE}{words.SHAPES[event.card // 13]}"
            end = over if event.end == OFF else "stays" if event.end == event.start else f"to {board.name(event.end)}"
            return f"{short(event.card)}{':' if whose else ''}{whose} {end}"
        case model.Skipped():
            return "skips"
        case model.BannerClaimed():
            return f"gets banner\N{NO-BREAK SPACE}{words.SHAPES[event.suit]}"
        case model.MagesStruck():
            return f"{short(event.card)} wounds all others"
        case model.MageKnockedOut():
            return "is knocked out"
        case model.MageHealed():
            return f"heals: health {event.health}"
        case model.MenhirSet():
            return f"Menhir on {board.name(event.square)}"
        case model.MageEnclosed():
            return "is shut in by Menhirs"
        case model.Discarded():
            return f"discards {short(event.card)}"
        case model.BannerGiven():
            return f"gives back\N{NO-BREAK SPACE}{words.SHAPES[event.suit]}"
        case _:
            assert_never(event)


Told = (
    model.MagePlaced
    | model.MageMoved
    | model.Skipped
    | model.BannerClaimed
    | model.MagesStruck
    | model.MageKnockedOut
    | model.MageHealed
    | model.MenhirSet
    | model.MageEnclosed
    | model.Discarded
    | model.BannerGiven
)
Did = (
    model.Skipped
    | model.BannerClaimed
    | model.MagesStruck
    | model.MageDamaged
    | model.MageKnockedOut
    | model.MageHealed
    | model.MenhirSet
    | model.MageEnclosed
    | model.Discarded
    | model.BannerGiven
)


def _did(event: Did) -> str:
    """What a seat did, or what befell its Mage, after its name."""
    match event:
        case model.Skipped():
            return " skips Phase One"
        case model.BannerClaimed():
            return f" claims the banner of {words.suit(event.suit)}"
        case model.MagesStruck():
            return f" strikes with {the(event.card)}: every other Mage loses one health"
        case model.MageDamaged():
            return f"'s Mage loses one health: {event.health} left"
        case model.MageKnockedOut():
            return "'s Mage is knocked out; its health is full again"
        case model.MageHealed():
            return f" heals with {the(event.card)}: health {event.health}"
        case model.MenhirSet():
            if event.start == OFF:
                return f" places their Menhir on {board.name(event.square)}"
            return f" moves their Menhir from {board.name(event.start)} to {board.name(event.square)}"
        case model.MageEnclosed():
            return f"'s Mage on {board.name(event.square)} has Menhirs on all four sides and comes off the board"
        case model.Discarded():
            return f" discards {the(event.card)}"
        case model.BannerGiven():
            return f" gives back {'the only' if event.alone else 'a'} banner: {words.suit(event.suit)}"
        case _:
            assert_never(event)


def _moved(event: model.MageMoved, context: Context) -> str:
    who = context.names[event.seat]
    whose = "their Mage" if event.mage == event.seat else f"{context.names[event.mage]}'s Mage"
    start = f"{who} moves {whose} by {the(event.card)} from {board.name(event.start)}"
    if event.end == OFF:
        return f"{start} over the {SIDES[event.card // 13]} edge {words.SHAPES[event.card // 13]}."
    if event.stopped is None:
        return f"{start} to {board.name(event.end)}."
    blocker = f"the {'Mage' if event.stopped == 'mage' else 'Menhir'} on {board.name(event.at)}"
    if event.end == event.start:
        stays = f"{whose}, which stays on {board.name(event.start)}"
        return f"{who} plays {the(event.card)} for {stays}: {blocker} is in the way."
    return f"{start} to {board.name(event.end)}, before {blocker}."


def label(move: Move) -> str:
    """A move as a person would call it."""
    match move:
        case model.Place(square):
            return f"Place your Mage on {board.name(square)}"
        case model.Give(suit):
            return f"Give back the banner of {words.suit(suit)}"
        case model.Step(card):
            return f"Move your Mage by {the(card)}"
        case model.Skip():
            return "Skip Phase One"
        case model.Push(card, target):
            return f"Move Mage {words.letter(target)} by {the(card)}"
        case model.Attack(card, ()):
            return f"Attack every opponent with {the(card)}"
        case model.Attack(card, targets):
            return f"Attack {words.listed([words.letter(target) for target in targets])} with {the(card)}"
        case model.Strike(card):
            return f"Strike every other Mage with {the(card)}"
        case model.Heal(card):
            return f"Heal your Mage with {the(card)}"
        case model.SetMenhir(square):
            return f"Menhir on {board.name(square)}"
        case model.Discard(card):
            return f"Discard {the(card)}"
