"""Narration on hands: players who have just moved read the result, for example whom an attack hit."""

from __future__ import annotations

import pytest

from cogs.table.wording import narration
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.helpers import HELPERS
from tests.contract.shown import match_snapshots

every_game = pytest.mark.parametrize(
    ("helper", "start"), [(helper, helper.starts()[0]) for helper in HELPERS.values()], ids=[*HELPERS]
)


@every_game
def test_who_has_just_moved_reads_all_that_this_brought(helper: GameHelper, start: MatchStart) -> None:
    told = 0
    for look in match_snapshots(helper, start):
        if not look.movers:
            continue
        seat, around = look.movers[-1], narration.screen_context(look)
        brought = [
            each.event for each in look.events if each.move == look.info.moves and each.event.is_visible_to(seat)
        ]
        sentences = [line for event in brought if (line := helper.screen.narrate(event, around))]
        assert narration.narrate(look, helper.screen, seat) == sentences
        told += len(sentences)
    assert told > len(match_snapshots(helper, start)) / 2
