"""What features write with a change of a match. A reaction that fails is stored with the change, and retried later."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from engines.hosting.feature import OVER, Feature
from engines.hosting.match import Match
from engines.hosting.match_loading import describe_error_location, rebuild_match
from engines.kit.contract import AnyGame
from engines.store.match_store import ActionKind, Change, MatchInfo, SavedMatch, Status
from engines.store.rows import PutRow, RowTable, RowWrite, Second

log = logging.getLogger(__name__)
MAX_TRIES = 10
FIRST_PAUSE, LONGEST_PAUSE = 60, 6 * 3600  # seconds before the next try


@dataclass(frozen=True, slots=True)
class LateReaction:
    """A reaction of a feature that failed: to which change, how often it was tried, and when it is tried again.

    It names nobody, so that it can be kept if a person is forgotten.
    """

    match: str
    revision: int
    feature: str
    action: str
    moves_before: int
    moves_after: int
    status_before: str
    status_after: str
    tries: int
    at: Second
    retry: Second

    @property
    def is_given_up(self) -> bool:
        """Whether it is not tried again by itself."""
        return self.tries >= MAX_TRIES


LATE_REACTIONS = RowTable("late_reactions", LateReaction, key=3, seen="nobody", searched=("retry",))


def reactions_to(
    features: Sequence[Feature], current: Match, change: Change, state: Any, now: int
) -> tuple[RowWrite, ...]:
    """Return what features write with a change of a match that leads to this state.

    A reaction that fails is written as late. A change to which nobody reacts costs no snapshot.
    """
    is_over = change.info.status is Status.OVER and current.info.status is not Status.OVER
    happened = {change.action, OVER} if is_over else {change.action}
    written: list[RowWrite] = []
    for feature in features:
        if feature.reacts_to.isdisjoint(happened):
            continue
        try:
            written += feature.react(current.take_snapshot(), change, state)
        except Exception as error:  # noqa: BLE001  # a boundary: the change does not depend on any feature
            report_failure(change.info.id, feature.name, error)
            written.append(PutRow(LATE_REACTIONS, _late_reaction(feature.name, current.info, change, now)))
    return tuple(written)


def react_late(
    feature: Feature, game: AnyGame, info: MatchInfo, saved: SavedMatch, late: LateReaction
) -> list[RowWrite]:
    """Return what a feature writes with a change of long ago, which is rebuilt from the record of its match.

    Raises what the feature raises, and DamagedMatch.
    """
    before = _rebuild(game, info, saved, late.moves_before, late.status_before, late.revision - 1)
    after = _rebuild(game, info, saved, late.moves_after, late.status_after, late.revision)
    moves_made = [move for move in saved.moves if late.moves_before < move.number <= late.moves_after]
    undone = {number for each in after.undos if each.number > late.moves_before for number in each.moves}
    change = Change(
        after.info,
        cast("ActionKind", late.action),
        move=moves_made[-1] if moves_made else None,
        undone=tuple(move for move in saved.moves if move.number in undone),
    )
    return list(feature.react(before.take_snapshot(), change, after.state))


def next_try(late: LateReaction, now: int) -> LateReaction:
    """Return a late reaction after one more failure."""
    pause = min(FIRST_PAUSE * 2**late.tries, LONGEST_PAUSE)
    return replace(late, tries=late.tries + 1, retry=Second(now + pause))


def _late_reaction(feature: str, before: MatchInfo, change: Change, now: int) -> LateReaction:
    after = change.info
    return LateReaction(
        *(after.id, after.revision, feature, change.action, before.moves, after.moves, before.status, after.status),
        tries=1,
        at=Second(now),
        retry=Second(now + FIRST_PAUSE),
    )


def _rebuild(game: AnyGame, info: MatchInfo, saved: SavedMatch, moves: int, status: str, revision: int) -> Match:
    then = replace(info, moves=moves, status=Status(status), revision=revision)
    moves_made = tuple(move for move in saved.moves if move.number <= moves)
    return rebuild_match(game, then, replace(saved, info=then, moves=moves_made), has_checkpoint=False)


def report_failure(match: str, feature: str, error: Exception, *, is_last: bool = False) -> None:
    """Log that a reaction failed, without any values: an error if it is given up, a warning otherwise."""
    what = "It is given up" if is_last else "It is tried again"
    level = logging.ERROR if is_last else logging.WARNING
    log.log(level, "Match %s: %s failed with %s. %s.", match, feature, describe_error_location(error), what)
