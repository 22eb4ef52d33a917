"""News on hands: whoever has just moved reads what that brought, such as whom an attack hit."""

from __future__ import annotations

import pytest

from cogs.table.wording import narration
from tests.contract.helper import Helper, Start
from tests.contract.helpers import HELPERS
from tests.contract.shown import looks

every_game = pytest.mark.parametrize(
    ("helper", "start"), [(helper, helper.starts()[0]) for helper in HELPERS.values()], ids=[*HELPERS]
)


@every_game
def test_who_has_just_moved_reads_all_that_this_brought(helper: Helper, start: Start) -> None:
    told = 0
    for look in looks(helper, start):
        if not look.movers:
            continue
        seat, around = look.movers[-1], narration.context(look)
        brought = [each.event for each in look.told if each.move == look.info.moves and each.event.seen_by(seat)]
        sentences = [line for event in brought if (line := helper.screen.tell(event, around))]
        assert narration.news(look, helper.screen, seat) == sentences
        told += len(sentences)
    assert told > len(looks(helper, start)) / 2
