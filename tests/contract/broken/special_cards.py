"""Screens that break a law of special cards each. All are Wizard's otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cogs.screens.screen import Context, Option, Screen, Select
from cogs.screens.special_cards import NO_CHANGE, HandChange, SpecialCard
from cogs.wizard.screen import WizardScreen
from engines.kit.contract import Decision
from engines.wizard.model import AnyEvent, Move, Options
from engines.wizard.view import View


class SilentCards(WizardScreen):  # they have names alone
    def special_cards(self, options: Options, seats: int) -> Sequence[SpecialCard]:
        return [replace(card, effect="") for card in super().special_cards(options, seats)]


class LongEffects(WizardScreen):  # no list shows all that they do
    def special_cards(self, options: Options, seats: int) -> Sequence[SpecialCard]:
        return [
            replace(card, effect=f"{card.effect}, as everybody knows") for card in super().special_cards(options, seats)
        ]


class StrangeCards(WizardScreen):  # hands have a card that is not in the match
    def own_special_cards(self, view: View) -> Sequence[SpecialCard]:
        return (SpecialCard("Joker", "stands for any card"),)


class PlainLists(WizardScreen):  # lists name cards and do not say what they do
    def hand(self, view: View, decision: Decision | None, moves: Sequence[Move], context: Context) -> Screen:
        drawn = super().hand(view, decision, moves, context)
        controls = [
            Select(each.placeholder, tuple(Option(one.label, one.move, None, one.emoji) for one in each.options))
            if isinstance(each, Select)
            else each
            for each in drawn.controls
        ]
        return replace(drawn, controls=tuple(controls))


class ForgottenDeals(WizardScreen):  # nobody notes which cards come later
    def special_card_changes(self, events: Sequence[AnyEvent], view: View) -> Sequence[HandChange]:
        return [NO_CHANGE] * len(events)


class EndlessCards(WizardScreen):  # nobody notes which cards are played
    def special_card_changes(self, events: Sequence[AnyEvent], view: View) -> Sequence[HandChange]:
        return [HandChange(each.gains) for each in super().special_card_changes(events, view)]


class FickleHands(WizardScreen):  # it sees no special cards at every third look
    def __init__(self) -> None:
        self.looks = 0

    def own_special_cards(self, view: View) -> Sequence[SpecialCard]:
        cards = super().own_special_cards(view)
        self.looks += bool(cards)
        return cards if self.looks % 3 else ()


class FickleEffects(WizardScreen):  # a card does another thing each time that somebody asks
    def __init__(self) -> None:
        self.questions = 0

    def special_card_in(self, move: Move, view: View) -> SpecialCard | None:
        self.questions += 1
        card = super().special_card_in(move, view)
        return card and replace(card, effect=f"takes {self.questions} tricks")
