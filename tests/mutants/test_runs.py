"""Runs of tests with a fault planted, in a small tree; and which tests are chosen for a fault."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.games import ROOT
from tests.mutants import runs
from tests.mutants.faults import Fault, FaultName, faults_of
from tests.mutants.plugin import RunNotes
from tests.mutants.runs import BREAKS, HANGS, ReachMap

MODULE = '''"""A module."""

STEPS = {1: "one"}
FIRST = STEPS[1]


def double(number: int) -> int:
    """Twice as much."""
    left = number
    while left > 0:
        left = left - 1
    return number + number


def unused() -> int: return 1
'''
TESTS = """
from product.doubling import double


def test_nothing() -> None:
    assert double(0) == 0


def test_two() -> None:
    assert double(2) == 4
"""
PATH = "product/doubling.py"
TEST = "tests/test_doubling.py"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in {PATH: MODULE, TEST: TESTS, "pytest.ini": "[pytest]\npythonpath = .\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "tests/mutants").mkdir()
    shutil.copy(ROOT / "tests/mutants/plugin.py", tmp_path / "tests/mutants/plugin.py")
    return tmp_path


def fault_of(kind: str, text: str) -> Fault:
    return next(fault for fault in faults_of(PATH, MODULE) if (fault.name.kind, fault.name.text) == (kind, text))


def test_the_test_that_finds_a_fault_is_named_and_the_module_is_restored(tree: Path) -> None:
    times = (tree / PATH).stat().st_mtime_ns
    found = runs.find_fault(fault_of("sum", "number + number"), tree, [[f"{TEST}::test_nothing", f"{TEST}::test_two"]])
    assert found == f"{TEST}::test_two"
    assert (tree / PATH).read_text("utf-8") == MODULE
    assert (tree / PATH).stat().st_mtime_ns == times


def test_a_later_stage_is_tried_if_an_earlier_one_finds_nothing(tree: Path) -> None:
    fault = fault_of("sum", "number + number")
    assert runs.find_fault(fault, tree, [[f"{TEST}::test_nothing"], [f"{TEST}::test_two"]]) == f"{TEST}::test_two"
    assert runs.find_fault(fault, tree, [[f"{TEST}::test_nothing"]]) == ""


def test_a_module_that_cannot_be_imported_is_found_by_the_tests_that_import_it(tree: Path) -> None:
    assert runs.find_fault(fault_of("number", "FIRST = STEPS[1]"), tree, [[f"{TEST}::test_two"]]) == TEST


def test_a_fault_that_breaks_pytest_itself_is_found(tree: Path) -> None:
    (tree / "conftest.py").write_text("import product.doubling\n", encoding="utf-8")
    assert runs.find_fault(fault_of("number", "FIRST = STEPS[1]"), tree, [[f"{TEST}::test_two"]]) == BREAKS


def test_a_test_that_is_there_no_more_finds_nothing(tree: Path) -> None:
    assert runs.find_fault(fault_of("sum", "number + number"), tree, [[f"{TEST}::test_three"]]) == ""
    assert runs.find_fault(fault_of("sum", "number + number"), tree, [["tests/test_halving.py::test_two"]]) == ""


def test_a_fault_that_makes_a_test_hang_is_found_by_it(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "TEST_SECONDS", 1.0)
    assert runs.find_fault(fault_of("sum", "left - 1"), tree, [[f"{TEST}::test_two"]]) == f"{TEST}::test_two"


def test_tests_that_do_not_end_are_cut(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "RUN_SECONDS", 3.0)
    assert runs.find_fault(fault_of("sum", "left - 1"), tree, [[f"{TEST}::test_two"]]) == HANGS


def test_marked_functions_tell_which_tests_reach_them(tree: Path) -> None:
    (tree / TEST).write_text(
        f"{TESTS}\n\ndef test_else() -> None: ...\n\n\ndef test_wrong() -> None: assert double(2) == 5\n"
    )
    faults = [fault_of("sum", "left - 1"), fault_of("number", "FIRST = STEPS[1]"), fault_of("number", "return 1")]
    found = ReachMap("", [fault.name for fault in faults])
    runs.mark_functions(tree, faults, found.names)
    runs.run_suite(tree, "tests", found, 2)
    assert found.suites == ["tests"]
    assert set(found.seconds) == {f"{TEST}::test_{name}" for name in ("nothing", "two", "else")}
    reaching = {f"{TEST}::test_nothing", f"{TEST}::test_two"}
    assert {name: set(tests) for name, tests in found.reached.items()} == dict.fromkeys(found.names[:2], reaching)


NAMES = [
    FaultName("storage/shared/tables.py", "f", "sum", "a + b", 1),
    FaultName("storage/shared/tables.py", "", "number", "A = 1", 1),
]


def reach_map(*tests: tuple[str, float, Sequence[int]], failed: Sequence[str] = ()) -> ReachMap:
    found = ReachMap("tree", NAMES)
    found.add_suite("tests/storage", [RunNotes({test: (seconds, [*hits]) for test, seconds, hits in tests}, [*failed])])
    return found


def fault_named(name: FaultName) -> Fault:
    return Fault(name, 0, 0, "", (1, 0) if name.function else None)


def test_tests_near_the_module_come_first_and_quick_ones_before_slow_ones() -> None:
    near, far = "tests/storage", "tests/cogs"
    found = reach_map(
        (f"{near}/a", 3, [0]), (f"{near}/b", 1, [0]), (f"{far}/c", 2, [0]), (f"{far}/d", 1, [0]), (f"{near}/e", 1, [])
    )
    assert found.tests_for(fault_named(NAMES[0])) == [[f"{near}/b", f"{near}/a"], [f"{far}/d", f"{far}/c"]]


def test_a_fault_outside_functions_is_tried_under_all_tests_near_its_module() -> None:
    found = reach_map(("tests/storage/a", 2, []), ("tests/storage/b", 1, [1]), ("tests/cogs/c", 1, [1]))
    assert found.tests_for(fault_named(NAMES[1])) == [["tests/storage/b", "tests/storage/a"], ["tests/cogs/c"]]


def test_a_fault_in_a_function_that_no_test_reaches_is_tried_under_all_tests_near_its_module() -> None:
    assert reach_map(("tests/storage/a", 1, []), ("tests/cogs/c", 1, [])).tests_for(fault_named(NAMES[0])) == [
        ["tests/storage/a"],
        [],
    ]


def test_tests_that_fail_without_a_fault_are_left_out() -> None:
    found = reach_map(("tests/storage/a", 1, [0]), ("tests/storage/b", 1, [0]), failed=["tests/storage/a"])
    assert found.tests_for(fault_named(NAMES[0])) == [["tests/storage/b"], []]


def test_only_as_many_tests_are_tried_as_the_time_allows_and_no_slow_one() -> None:
    near, far = ([(f"{folder}/{n}", 4.0, [0]) for n in range(20)] for folder in ("tests/storage", "tests/cogs"))
    found = reach_map(*near, *far, ("tests/storage/slow", 6.0, [0]))
    assert [len(tests) for tests in found.tests_for(fault_named(NAMES[0]))] == [3, 11]
    assert reach_map(("tests/storage/slow", 6.0, [0])).tests_for(fault_named(NAMES[0])) == [[], []]


def test_a_map_counts_only_for_the_same_code_and_for_faults_that_it_knows(tmp_path: Path) -> None:
    path = tmp_path / "map"
    found = reach_map(("tests/storage/a", 1, [0]))
    found.save(path)
    assert ReachMap.load(path, "tree", NAMES[:1]) == found
    assert ReachMap.load(path, "another tree", NAMES).suites == []
    assert ReachMap.load(path, "tree", [*NAMES, NAMES[0]._replace(number=2)]).suites == []
    assert ReachMap.load(tmp_path / "none", "tree", NAMES) == ReachMap("tree", NAMES)


def test_a_crash_while_a_file_is_written_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    runs.write_whole(path, "old")
    monkeypatch.setattr(os, "replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        runs.write_whole(path, "new")
    assert path.read_text("utf-8") == "old"
