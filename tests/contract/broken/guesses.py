"""Games that break a law of what spectators guess each. All are Wizard otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engines.features.guesses.questions import GuessQuestion
from engines.kit.contract import Event
from engines.wizard.game import WizardGame
from engines.wizard.model import State, TrickTaken
from engines.wizard.view import View


class PeekingQuestion(WizardGame):  # it is asked only while the first seat holds few high cards
    def view(self, state: State, seat: int | None) -> View:
        self.held = state.hands[0]
        return super().view(state, seat)

    def guess_question(self, view: View, events: Sequence[Event]) -> GuessQuestion | None:
        return None if sum(self.held) % 2 else super().guess_question(view, events)


class StrangeChoice(WizardGame):  # a seat that does not exist may be chosen
    def guess_question(self, view: View, events: Sequence[Event]) -> GuessQuestion | None:
        question = super().guess_question(view, events)
        return question and replace(question, choices=(*question.choices, view.seats))


class LateQuestion(WizardGame):  # the bids of the last round can be guessed still
    def guess_question(self, view: View, events: Sequence[Event]) -> GuessQuestion | None:
        question = super().guess_question(view, events)
        return replace(question, number=max(1, question.number - 1)) if question else None


class ReopenedQuestion(WizardGame):  # the next question is asked for a moment before the first trick of its round
    def guess_question(self, view: View, events: Sequence[Event]) -> GuessQuestion | None:
        question = super().guess_question(view, events)
        return replace(question, number=question.number + len(view.trick) % 2) if question else None


class UnansweredQuestion(WizardGame):  # only the first round is answered
    def guess_answers(self, events: Sequence[Event]) -> Mapping[int, frozenset[int]]:
        return {number: right for number, right in super().guess_answers(events).items() if number == 1}


class PartialAnswer(WizardGame):  # what is right changes with the tricks
    def guess_answers(self, events: Sequence[Event]) -> Mapping[int, frozenset[int]]:
        right: dict[int, Any] = dict(super().guess_answers(events))
        taken = [event.seat for event in events if isinstance(event, TrickTaken)]
        return {number: frozenset(taken[-1:]) for number in right}
