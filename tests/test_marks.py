"""Tests are marked by what they use and dealt to workers; what waits comes first; and in CI no skip passes."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.marks import deal_order, marks_of_test, sampled_places


@pytest.mark.parametrize(
    ("folders", "fixtures", "marks"),
    [
        (("tests", "cogs", "jest"), ("server", "request"), {"whole_bot"}),
        (("tests", "cogs", "jest"), ("desktop", "browser"), {"browser"}),
        (("tests", "end_to_end"), (), {"whole_bot"}),
        (("tests", "processes"), ("tmp_path",), {"process"}),
        (("tests", "contract"), ("tmp_path",), set()),
    ],
)
def test_a_test_is_marked_by_folder_and_fixtures(
    folders: tuple[str, ...], fixtures: tuple[str, ...], marks: set[str]
) -> None:
    assert marks_of_test(folders, fixtures) == marks


def test_one_that_uses_none_of_it_is_quick(request: pytest.FixtureRequest) -> None:
    assert not {"whole_bot", "browser", "process"} & {mark.name for mark in request.node.iter_markers()}


def test_of_two_parameters_a_sample_has_each_value_and_as_few_cases_as_that_takes() -> None:
    cases = [{"way": way, "game": game} for way in range(7) for game in range(3)]
    sample = [cases[place] for place in sampled_places(cases)]
    assert len(sample) == 7
    assert {case["way"] for case in sample} == set(range(7))
    assert {case["game"] for case in sample} == set(range(3))


def test_a_sample_of_so_many_cases_is_spread_over_them() -> None:
    assert sampled_places([{"part": part} for part in range(10)], 3) == {0, 3, 6}


def test_make_test_leaves_out_what_is_long_and_soak_ci_runs_it(tmp_path: Path) -> None:
    cases = "\n".join(f"@pytest.mark.parametrize('{name}', range({count}))" for name, count in (("a", 4), ("b", 2)))
    text = (
        f"import pytest\n{cases}\n@pytest.mark.sampled\ndef test_cases(a, b): ...\n"
        "@pytest.mark.long\ndef test_alone(): ...\ndef test_quick(): ...\n"
    )
    path = tmp_path / "test_some.py"
    path.write_text(text, encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    check, soak = makefile.partition("check:")[2].partition("quick:")[0], makefile.partition("soak-ci:")[2]
    assert '-m "not long"' in check
    assert "-m long" in soak
    for chosen, count in (("not long", "5 passed"), ("long", "5 passed")):
        plugins = ["-p", "tests.marks", "-p", "no:simcord", "-p", "no:cacheprovider"]
        command = [sys.executable, "-m", "pytest", "-q", *plugins, "-m", chosen, str(path)]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
        assert count in ran.stdout, ran.stdout


@pytest.mark.parametrize("workers", [1, 2, 3, 7])
@pytest.mark.parametrize("slow", [(), (3,), (0, 1, 2), (5, 8, 9), tuple(range(10))])
def test_every_test_is_dealt_once_and_what_waits_begins_a_part(workers: int, slow: tuple[int, ...]) -> None:
    order = deal_order([place in slow for place in range(10)], workers)
    assert sorted(order) == list(range(10))
    assert [place for place in order if place not in slow] == [place for place in range(10) if place not in slow]
    if len(slow) >= workers:
        parts = [order[10 * worker // workers :] for worker in range(workers)]
        assert all(part[0] in slow for part in parts)


def test_the_collector_leaves_alone_what_was_collected() -> None:
    assert gc.get_freeze_count() > 10_000


ROOT = Path(__file__).resolve().parents[1]
SKIPS = {
    "mark": "import pytest\n@pytest.mark.skip(reason='because')\ndef test(): ...\n",
    "call": "import pytest\ndef test(): pytest.skip('because')\n",
    "file": "import pytest\npytest.skip('because', allow_module_level=True)\n",
    "import": "import pytest\npytest.importorskip('no_such_module', reason='because')\n",
}


@pytest.mark.parametrize("in_ci", [True, False])
def test_every_skip_fails_in_ci_and_only_there(tmp_path: Path, in_ci: bool) -> None:
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "ci.py").read_text())
    for kind, text in SKIPS.items():
        (tmp_path / f"test_{kind}.py").write_text(text)
    env = {k: v for k, v in os.environ.items() if k != "MOTLEY_CI"} | ({"MOTLEY_CI": "1"} if in_ci else {})
    plain = ["-p", "no:cacheprovider", "-p", "no:simcord", "-p", "no:asyncio", "--continue-on-collection-errors"]
    command = [sys.executable, "-m", "pytest", *plain, str(tmp_path)]
    result = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60)
    if in_ci:
        assert "1 failed, 3 errors" in result.stdout, result.stdout
        assert result.stdout.count("because") >= len(SKIPS)
    else:
        assert "4 skipped" in result.stdout, result.stdout
