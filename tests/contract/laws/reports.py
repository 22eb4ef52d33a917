"""Laws of what a report to the owner says of a match."""

from __future__ import annotations

from random import Random
from typing import Any

from cogs.features.reports.report_pages import public_lines
from engines.hosting.match import MatchEvent, MatchSnapshot
from engines.store.match_store import MatchInfo, Place, Seat, Status
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.walk import choose_move
from tests.until_over import until_over


def reports_say_nothing_hidden(helper: GameHelper, start: MatchStart) -> None:
    """A report is the same in every world that a spectator cannot tell apart, and has no event that is not for all.

    Compared are the report on a position, and the one after a move that both worlds allow, unless it shows something.
    """
    game, rng = helper.game, Random(f"{start.seed} reports")
    state, match_events = helper.start_state(start), list[MatchEvent]()
    for _ in until_over(game, state):
        if rng.random() < 0.2:
            other = helper.scramble_hidden(state, None, rng)
            report = _report(helper, start, state, match_events)
            assert report == _report(helper, start, other, match_events), "a report tells"
            _check_events(helper, match_events, report)
            other.chance = state.chance.copy()
            for actor in game.decisions(state):
                both = [move for move in game.moves(state, actor) if move in game.moves(other, actor)]
                for move in rng.sample(both, min(1, len(both))):
                    if not helper.is_revealing(state, None, actor, move):
                        after = [
                            _report_after(helper, start, world, match_events, actor, move) for world in (state, other)
                        ]
                        assert after[0] == after[1], f"the report after {game.format_move(move)} tells"
        seat, move = choose_move(helper, state, rng)
        match_events = [*match_events, *(MatchEvent(1, event) for event in game.play(state, seat, move))]


def _check_events(helper: GameHelper, match_events: list[MatchEvent], report: list[str]) -> None:
    """The report has each event for everybody, in order, and no other."""
    public = [each.event for each in match_events if each.event.to is None]
    lines = report[report.index("events:") + 1 :]
    assert len(lines) == len(public), "an event is missing, or one that is not for all is told"
    for event, line in zip(public, lines, strict=True):
        (read,) = helper.game.events_adapter.validate_json(f"[{line}]")
        assert read == event


def _report_after(
    helper: GameHelper, start: MatchStart, state: Any, match_events: list[MatchEvent], actor: int, move: Any
) -> list[str]:
    after = helper.game.copy(state)
    events = [MatchEvent(1, event) for event in helper.game.play(after, actor, move)]
    return _report(helper, start, after, [*match_events, *events])


def _report(helper: GameHelper, start: MatchStart, state: Any, match_events: list[MatchEvent]) -> list[str]:
    seats = tuple(Seat(10 + number, "Ada") for number in range(start.seats))
    options = helper.game.options_adapter.dump_json(start.options).decode()
    status = Status.RUNNING if helper.game.decisions(state) else Status.OVER
    info = MatchInfo("abcd2345", helper.game.key, 1, options, status, 10, Place(1, 2), seats)
    return public_lines(MatchSnapshot(info, helper.game, start.options, state, tuple(match_events)))
