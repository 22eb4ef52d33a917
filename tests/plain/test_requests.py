"""What a move may cost in requests: few at once, and a few more for those who need not see it at once."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.table.surfaces import hand_pacing
from cogs.table.surfaces.redraw_pass import RedrawPass
from engines.hosting.match import MatchSnapshot
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.engines.wizard.helper import WizardHelper
from tests.plain.request_counts import requests_per_move

CASES = [
    pytest.param(helper, seats, id=f"{helper.game.key}-{seats}", marks=[pytest.mark.long] if more else [])
    for helper in HELPERS.values()
    for more, seats in enumerate(reversed(helper.game.seats))
]
AT_ONCE, IN_ALL = 3.5, 6.0  # requests a move, the answer included; in mean over a match


async def all_seats(redraw: RedrawPass, snapshot: MatchSnapshot) -> set[int]:
    return set(range(len(snapshot.info.seats)))


BROKEN = [(RedrawPass, "_urgent_seats", all_seats), (hand_pacing, "QUIET_SECONDS", 0.0)]


@pytest.mark.parametrize(("which", "broken"), [*enumerate(BROKEN)])
async def test_a_move_that_takes_more_is_seen(which: int, broken: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*broken)
    assert (await requests_per_move(WizardHelper(), 6))[which] > (AT_ONCE, IN_ALL)[which]


@pytest.mark.parametrize(("helper", "seats"), CASES)
async def test_a_move_takes_few_requests(helper: GameHelper, seats: int) -> None:
    at_once, in_all = await requests_per_move(helper, seats)
    assert at_once <= AT_ONCE
    assert in_all <= IN_ALL
