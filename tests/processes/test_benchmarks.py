"""The benchmarks of moves, clicks, memory and two versions play real matches and tell what was measured."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from bench.bot import clicks, cost, versions
from bench.bot.cost import MoveCost
from bench.bot.versions import Pair, compare_versions, estimate_share
from bench.kit.entries import load_entry
from engines import GAMES
from tests.contract.helpers import STEP_HELPERS
from tests.games import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="No other system tells what another process has used.")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves right after each other."""
    monkeypatch.setattr(cost, "SETTLE_SECONDS", 0.1)
    monkeypatch.setattr(cost, "MOVE_SECONDS", 0.2)


@pytest.mark.usefixtures("quick")
async def test_moves_of_every_game_take_time_and_so_do_the_taps_before_them() -> None:
    plain, costs_by_game = await cost.time_moves(8, warmup=0)
    assert 0 < plain < 30
    assert {key: len(costs) for key, costs in costs_by_game.items()} == dict.fromkeys(GAMES, 8)
    assert all(0 < each.move_seconds < 30 for costs in costs_by_game.values() for each in costs)
    led = {key: [each for each in costs if each.taps] for key, costs in costs_by_game.items()}
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
    values = {figure.name: (round(figure.value, 3), figure.unit) for figure in figures}
    assert values == {
        "the plain bot: a click": (2.0, "ms"),
        f"{GAMES[one].title}: a move with all its taps": (8.25, "16.5 ms"),
        f"{GAMES[one].title}: the last tap of a move": (6.0, "12.0 ms"),
        f"{GAMES[one].title}: an earlier tap of a move": (1.5, "3.0 ms; 1.5 a move"),
        f"{GAMES[other].title}: a move with all its taps": (5.0, "10.0 ms"),
        f"{GAMES[other].title}: the last tap of a move": (5.0, "10.0 ms"),
    }


def test_after_fifty_pictures_at_once_the_bot_is_small_again() -> None:
    command = [sys.executable, "-m", "tests.processes.picture_load", "50"]
    report = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120).stdout)
    print(report)
    assert report["drawn"] == 50
    assert report["after"] < 150  # some 110; if glibc decides, about 280


async def test_a_click_is_timed_for_every_game() -> None:
    costs = await clicks.time_clicks(1, warmup=1)
    assert len(costs.plain) == len(GAMES)
    assert {key: len(clicks) for key, clicks in costs.ours.items()} == dict.fromkeys(GAMES, 1)
    assert all(0 < click.seconds < 30 for clicks in costs.ours.values() for click in clicks)


GAME = next(iter(GAMES.values()))  # any will do: the moves of every game are made likewise


@pytest.mark.usefixtures("quick")
async def test_two_bots_play_the_same_and_each_move_has_taken_some_time() -> None:
    pairs = await compare_versions(GAME, ROOT, sys.executable, moves=3, warmup=1)
    assert len(pairs) == 3
    assert all(0 < seconds < 30 for pair in pairs for seconds in pair)


@pytest.mark.usefixtures("quick")
async def test_versions_that_do_not_play_the_same_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    unseeded = "import runpy, sys; sys.path.insert(0, ''); runpy.run_path('bot.py', run_name='__main__')"
    monkeypatch.setattr(versions, "SEEDED_PROGRAM", unseeded)
    with pytest.raises(ValueError, match="did not play the same moves"):
        await compare_versions(GAME, ROOT, sys.executable, moves=6, warmup=0)


def test_a_share_is_of_all_moves_with_an_interval_around_it() -> None:
    pairs = [Pair(1.0, 2.0, 0.1)] * 30 + [Pair(3.0, 4.0, 0.1)] * 10
    found = estimate_share(pairs, Random(1))
    assert found.value == 60 / 100
    assert 0.5 < found.low < 0.6 < found.high < 0.7
    assert estimate_share([Pair(1.0, 4.0, 0.1)] * 5, Random(1)) == (0.25, 0.25, 0.25)


def test_a_folder_that_is_no_other_version_is_refused(tmp_path: Path) -> None:
    for folder in (ROOT, tmp_path):
        with pytest.raises(SystemExit, match="is not a checkout"):
            versions.main(str(folder))
    (tmp_path / "bot.py").touch()
    with pytest.raises(SystemExit, match="has no environment"):
        versions.main(str(tmp_path))
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    with pytest.raises(SystemExit, match="no game called chess"):
        versions.main(str(tmp_path), "chess")
