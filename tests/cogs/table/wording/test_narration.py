"""Narration on hands: players who have just moved read the result, for example whom an attack hit."""

from __future__ import annotations

import pytest

from cogs.table.wording import narration
from tests.contract.helpers import HELPERS
from tests.contract.shown import match_snapshots


@pytest.mark.parametrize("key", HELPERS)
def test_who_has_just_moved_reads_all_that_this_brought(key: str) -> None:
    helper, number = HELPERS[key], 0
    every = match_snapshots(helper, helper.starts()[0])
    for look in every:
        if not look.movers:
            continue
        seat, around = look.movers[-1], narration.screen_context(look)
        brought = [told.event for told in look.events if told.move == look.info.moves]
        seen = (event for event in brought if event.is_visible_to(seat))
        sentences = [line for event in seen if (line := helper.screen.narrate(event, around))]
        assert narration.narrate(look, helper.screen, seat) == sentences
        number += len(sentences)
    assert number > len(every) / 2
