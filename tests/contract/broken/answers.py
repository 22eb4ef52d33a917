"""Games, and helpers of games, with a yes-or-no answer that never changes, or that is wrongly said never to change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from engines.features.guesses.questions import GuessQuestion
from engines.jest import model as jest_model
from engines.jest.game import JestGame
from engines.kit.contract import Decision, Event
from engines.wizard.game import WizardGame
from engines.wizard.view import View
from tests.engines.jesters.helper import JestersHelper
from tests.example.engines.glimpse import model as glimpse_model
from tests.example.tests.engines.glimpse.helper import GlimpseHelper


class NeverForced(WizardGame):  # nobody is said to have only one move, not even with the last card
    def is_forced(self, view: View, seat: int) -> bool:
        return False


class NeverAsks(WizardGame):  # spectators have nothing to guess
    def guess_question(self, view: View, events: Sequence[Event]) -> GuessQuestion | None:
        return None


class WaitsForChanges(JestGame):  # the match waits for people who can only change their choice
    def decisions(self, state: jest_model.State) -> Mapping[int, Decision]:
        return {seat: replace(decision, due=True) for seat, decision in super().decisions(state).items()}


class LacksAll(GlimpseHelper):  # all moves are said to name what is not there
    def names_lacking(self, state: glimpse_model.State, seat: int, move: glimpse_model.Move) -> bool:
        return True


class SaidConstant(JestersHelper):  # turns that can only be passed are said not to exist
    constant_answers = MappingProxyType({**JestersHelper.constant_answers, "is_forced": "There is always a choice."})
