"""The benchmark of what moves cost plays real ones, tap by tap, and tells those on the way from the one that moves."""

from __future__ import annotations

import sys

import pytest

from bench.bot import cost
from bench.bot.cost import MoveCost
from bench.kit.entries import load_entry
from engines import GAMES
from tests.contract.helpers import STEP_HELPERS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="No other system tells what another process has used.")


async def test_moves_of_every_game_take_time_and_so_do_the_taps_before_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "MOVE_SECONDS", 0.2)
    monkeypatch.setattr(cost, "SETTLE_SECONDS", 0.1)
    plain, took = await cost.time_moves(8, warmup=0)
    assert 0 < plain < 30
    assert {key: len(costs) for key, costs in took.items()} == dict.fromkeys(GAMES, 8)
    assert all(0 < each.move_seconds < 30 for costs in took.values() for each in costs)
    led = {key: [each for each in costs if each.taps] for key, costs in took.items()}
    assert any(led[key] for key in STEP_HELPERS)
    assert all(each.taps_seconds > 0 for costs in led.values() for each in costs)


def test_a_tap_is_told_beside_the_move_it_leads_to(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = [*GAMES][:2]

    async def timed(moves: int, warming: int) -> tuple[float, dict[str, list[MoveCost]]]:
        return 0.002, {one: [MoveCost(0, 0.0, 0.010), MoveCost(3, 0.009, 0.014)], other: [MoveCost(0, 0.0, 0.010)]}

    monkeypatch.setattr(cost, "time_moves", timed)
    bars = load_entry(GAMES[one])
    assert bars.cost != bars.move
    figures = [*cost.measure_costs()]
    assert [figure.maximum for figure in figures[1:4]] == [bars.cost, bars.move, cost.MAX_TAP_RATIO]
    told = {figure.name: (round(figure.value, 3), figure.unit) for figure in figures}
    assert told == {
        "the plain bot: a click": (2.0, "ms"),
        f"{GAMES[one].title}: a move with all its taps": (8.25, "16.5 ms"),
        f"{GAMES[one].title}: the last tap of a move": (6.0, "12.0 ms"),
        f"{GAMES[one].title}: an earlier tap of a move": (1.5, "3.0 ms; 1.5 a move"),
        f"{GAMES[other].title}: a move with all its taps": (5.0, "10.0 ms"),
        f"{GAMES[other].title}: the last tap of a move": (5.0, "10.0 ms"),
    }
