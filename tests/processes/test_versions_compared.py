"""The benchmark of two versions: both play the same, by turns, and what their moves cost is compared."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

from bench.bot import cost, versions
from bench.bot.versions import Pair, compare_versions, estimate_share
from engines import GAMES
from tests.games import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="No other system tells what another process has used.")

GAME = next(iter(GAMES.values()))  # any will do: the moves of every game are made likewise


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves right after each other."""
    monkeypatch.setattr(cost, "SETTLE_SECONDS", 0.1)
    monkeypatch.setattr(cost, "MOVE_SECONDS", 0.2)


@pytest.mark.usefixtures("quick")
async def test_two_bots_play_the_same_and_each_move_has_taken_some_time() -> None:
    pairs = await compare_versions(GAME, ROOT, sys.executable, moves=3, warmup=1)
    assert len(pairs) == 3
    assert all(0 < seconds < 30 for pair in pairs for seconds in pair)


@pytest.mark.usefixtures("quick")
async def test_versions_that_do_not_play_the_same_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        versions,
        "SEEDED_PROGRAM",
        "import runpy, sys; sys.path.insert(0, ''); runpy.run_path('bot.py', run_name='__main__')",
    )
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
        with pytest.raises(SystemExit, match="is not a checkout of another version"):
            versions.main(str(folder))
    (tmp_path / "bot.py").touch()
    with pytest.raises(SystemExit, match="no environment"):
        versions.main(str(tmp_path))
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    with pytest.raises(SystemExit, match="no game called chess"):
        versions.main(str(tmp_path), "chess")
