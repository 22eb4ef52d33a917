"""The benchmark of clicks makes real ones: moves of every game, and the plain bot's, each answered."""

from __future__ import annotations

from bench import clicks
from engines import GAMES


async def test_a_click_is_timed_for_every_game() -> None:
    took = await clicks.timed(1, warming=1)
    assert len(took.plain) == len(took.cached) + len(took.fresh) == len(GAMES)
    assert all(0 < seconds < 30 for seconds in [*took.plain, *took.cached, *took.fresh])
