"""The benchmark of clicks makes real ones: moves of every game, and the plain bot's, each answered."""

from __future__ import annotations

from bench.bot import clicks
from engines import GAMES


async def test_a_click_is_timed_for_every_game() -> None:
    took = await clicks.time_clicks(1, warmup=1)
    assert len(took.plain) == len(GAMES)
    assert {key: len(clicks) for key, clicks in took.ours.items()} == dict.fromkeys(GAMES, 1)
    assert all(0 < click.seconds < 30 for clicks in took.ours.values() for click in clicks)
