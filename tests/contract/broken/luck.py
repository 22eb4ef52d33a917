"""Games that break the law of luck each. All are Wizard otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from engines.kit.chance import LuckCount
from engines.kit.contract import Event
from engines.wizard.game import WizardGame
from engines.wizard.model import State


class Luckless(WizardGame):  # it counts nothing
    def count_luck(self, start: State, events: Iterable[Event]) -> Iterator[LuckCount]:
        return iter(())


class CountedTwice(WizardGame):  # every card counts twice, but is expected once
    def count_luck(self, start: State, events: Iterable[Event]) -> Iterator[LuckCount]:
        for each in super().count_luck(start, events):
            yield replace(each, count=2 * each.count)


class Forgetful(WizardGame):  # it expects cards of every round, but counts those of the first
    def count_luck(self, start: State, events: Iterable[Event]) -> Iterator[LuckCount]:
        first = len([*super().count_luck(start, ())])
        for number, each in enumerate(super().count_luck(start, events)):
            yield each if number < first else replace(each, count=0)


class Shuffled(WizardGame):  # counting sorts the hands of the first state away
    def count_luck(self, start: State, events: Iterable[Event]) -> Iterator[LuckCount]:
        counts = [*super().count_luck(start, events)]
        start.hands.reverse()
        yield from counts


class Wordy(WizardGame):  # a heading that no picture has room for
    def count_luck(self, start: State, events: Iterable[Event]) -> Iterator[LuckCount]:
        for each in super().count_luck(start, events):
            yield replace(each, thing=f"{each.thing} to each of the seats")
