"""How chance was spread in the finished matches of a server. It stores nothing. Games count it: see `count_luck`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engines.hosting.match_loading import rebuild_match
from engines.kit.chance import LuckCount
from engines.kit.contract import AnyGame
from engines.store.match_store import DamagedMatch, SavedMatch


@dataclass(frozen=True, slots=True)
class Luck:
    """What chance gave in several matches, by thing and column: how often, the expected number, and its variance."""

    matches: int
    sums: Mapping[tuple[str, str], tuple[int, float, float]]


def luck_of(game: AnyGame, saved: SavedMatch) -> tuple[LuckCount, ...]:
    """Return what chance gave in a finished match of the game's current rules; nothing if it cannot be counted.

    Practice does not count, because its moves may be taken back after a draw.
    """
    if saved.base_moves or saved.info.rules != game.version or saved.info.practice:
        return ()
    try:
        events = [each.event for each in rebuild_match(game, saved.info, saved).events]
    except DamagedMatch:
        return ()
    return tuple(game.count_luck(game.checkpoint_adapter.validate_json(saved.base), events))


def add_up(matches: Iterable[Iterable[LuckCount]]) -> Luck:
    """Add up the luck of matches. Those that count nothing are left out."""
    number, sums = 0, dict[tuple[str, str], tuple[int, float, float]]()
    for counts in matches:
        number += 1
        for each in counts:
            count, mean, variance = sums.get((each.thing, each.column), (0, 0.0, 0.0))
            sums[each.thing, each.column] = count + each.count, mean + each.mean, variance + each.variance
    return Luck(number, sums)
