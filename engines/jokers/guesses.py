"""What spectators can guess in Jokers: who wins the round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.features.guesses.questions import NOBODY, GuessQuestion
from engines.jokers.model import RoundScored
from engines.jokers.view import View
from engines.kit.contract import Event

LEFT_TO_DRAW = 20
"""A question is open while the draw pile has this many cards of its 34; later a full hand is too likely."""


def guess_question(view: View, events: Sequence[Event]) -> GuessQuestion | None:
    """Ask in each round, until a hand is declared or many cards are drawn."""
    if view.phase == "over" or view.declared is not None or view.draw < LEFT_TO_DRAW:
        return None
    return GuessQuestion(view.round, (*range(len(view.scores)), NOBODY))


def guess_answers(events: Sequence[Event]) -> Mapping[int, frozenset[int]]:
    """Return who declared a full hand, by round."""
    results = [event.result for event in events if isinstance(event, RoundScored)]
    return {each.round: frozenset({NOBODY if each.declared is None else each.declared}) for each in results}
