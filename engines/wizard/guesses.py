"""What spectators can guess in Wizard: who makes their bid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.features.guesses.questions import NOBODY, GuessQuestion, right_seats
from engines.kit.contract import Event
from engines.wizard.model import RoundScored
from engines.wizard.view import View


def guess_question(view: View, events: Sequence[Event]) -> GuessQuestion | None:
    """Ask in each round, until its first trick is complete; in a round of one trick, until its first card."""
    if view.phase == "over" or view.tricks or (view.trick and view.trick_count == 1):
        return None
    return GuessQuestion(view.round, (*range(view.seats), NOBODY), several=True)


def guess_answers(events: Sequence[Event]) -> Mapping[int, frozenset[int]]:
    """Return who made their bid, by round."""
    return {
        scored.round: right_seats(seat for seat, score in enumerate(scored.scores) if score.bid == score.taken)
        for scored in events
        if isinstance(scored, RoundScored)
    }
