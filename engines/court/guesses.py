"""What spectators can guess in the Court: whose banner is the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.court.model import BannerClaimed, CardsDrawn, MatchEnded
from engines.court.view import View
from engines.features.guesses.questions import NOBODY, GuessQuestion
from engines.kit.contract import Event

ROUNDS = 2
"""A question is open for about this many turns of each seat; then the Mages show who is near an edge."""


def guess_question(view: View, events: Sequence[Event]) -> GuessQuestion | None:
    """Ask after each banner, and at the start, for the next turns. Each turn ends with drawing cards (T12)."""
    seats = len(view.mages)
    if view.phase == "over":
        return None
    turns = 0
    for event in reversed(events):
        turns += isinstance(event, CardsDrawn)
        if turns == ROUNDS * seats:
            return None
        if isinstance(event, BannerClaimed):
            break
    choices = (*range(seats), *(() if view.cap is None else (NOBODY,)))
    return GuessQuestion(1 + sum(isinstance(event, BannerClaimed) for event in events), choices)


def guess_answers(events: Sequence[Event]) -> Mapping[int, frozenset[int]]:
    """Return who claimed each banner. If the limit of turns ends the match, nobody claims the next one."""
    claimed = [event.seat for event in events if isinstance(event, BannerClaimed)]
    at_limit = any(isinstance(event, MatchEnded) and event.ending == "turns" for event in events)
    return {number: frozenset({seat}) for number, seat in enumerate([*claimed, *([NOBODY] if at_limit else ())], 1)}
