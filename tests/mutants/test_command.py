"""The command: what it skips, in which order it tries, and what it reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.mutants import __main__ as mutants_main
from tests.mutants.faults import Fault, FaultName, faults_of
from tests.mutants.runs import ReachMap

SOURCE = "def f(a: int, b: int) -> int:\n    return a + b\n\n\ndef g(a: int) -> bool:\n    return a == 3\n"
EVERY = {fault.name: fault for fault in faults_of("storage/bags.py", SOURCE)}
SUM = FaultName("storage/bags.py", "f", "sum", "a + b", 1)
EQUAL = FaultName("storage/bags.py", "g", "comparison", "a == 3", 1)
NEAR, FAR = "tests/storage/test_bags.py::test_a", "tests/cogs/test_bags.py::test_b"
GONE = FaultName("storage/bags.py", "h", "not", "not a", 1)


class FakeWorkers:
    """Finds each fault of `found` under the test that it names there, and notes what was tried."""

    found: dict[FaultName, str] = {}  # noqa: RUF012
    tried: list[tuple[FaultName, list[str]]] = []  # noqa: RUF012

    def __init__(self, scratch: Path, number: int) -> None:
        self.tree = ""

    def run_suites(self, found: ReachMap, every: Iterable[FaultName], path: Path | None) -> Iterator[str]:
        for suite, test in (("tests/storage", NEAR), ("tests/cogs", FAR)):
            found.seconds[test] = 1.0
            found.reached |= {name: [*found.reached.get(name, []), test] for name in every}
            yield suite

    def try_all(
        self,
        faults: Sequence[Fault],
        stages: Callable[[Fault], list[list[str]]],
        ended: Callable[[Fault, str, int], None],
    ) -> None:
        for fault in faults:
            tests = [test for stage in stages(fault) for test in stage]
            self.tried.append((fault.name, tests))
            ended(fault, self.found[fault.name] if self.found.get(fault.name) in tests else "", len(tests))


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch) -> type[FakeWorkers]:
    monkeypatch.setattr(FakeWorkers, "found", {SUM: FAR})
    monkeypatch.setattr(FakeWorkers, "tried", [])
    monkeypatch.setattr(mutants_main, "Workers", FakeWorkers)
    monkeypatch.setattr(mutants_main, "list_faults", lambda *_: EVERY)
    return FakeWorkers


def write_outcomes(path: Path, outcomes: Iterable[mutants_main.Outcome]) -> Path:
    path.write_text(mutants_main.outcomes_text(outcomes), encoding="utf-8")
    return path


def test_each_outcome_is_in_the_file_as_soon_as_it_is_known(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    file = mutants_main.OutcomeFile(path)
    for number, outcome in enumerate([mutants_main.Outcome(SUM, FAR, 2), mutants_main.Outcome(EQUAL, "", 3)], 1):
        file.add(outcome)
        assert len(mutants_main.read_outcomes(path)) == number
    assert mutants_main.read_outcomes(path) == [mutants_main.Outcome(SUM, FAR, 2), mutants_main.Outcome(EQUAL, "", 3)]
    assert len(path.read_text("utf-8").splitlines()) == 4


def test_a_resumed_run_tries_only_the_faults_that_are_not_in_the_file(
    tmp_path: Path, workers: type[FakeWorkers]
) -> None:
    path = write_outcomes(tmp_path / "out.json", [mutants_main.Outcome(SUM, FAR, 2)])
    assert mutants_main.main(["--out", str(path)]) == 0
    assert {name for name, _ in workers.tried} == set(EVERY) - {SUM}
    assert {outcome.name for outcome in mutants_main.read_outcomes(path)} == set(EVERY)
    workers.tried.clear()
    mutants_main.main(["--out", str(path)])
    assert workers.tried == []


def test_tests_near_a_module_are_tried_once_and_before_other_suites_run(workers: type[FakeWorkers]) -> None:
    workers.found[EQUAL] = NEAR
    mutants_main.main([])
    assert [tests for name, tests in workers.tried if name == EQUAL] == [[NEAR]]
    assert [tests for name, tests in workers.tried if name == SUM] == [[NEAR], [FAR]]


def test_too_few_found_faults_fail_the_command() -> None:
    assert mutants_main.main(["--least", "1"]) == 0
    assert mutants_main.main(["--least", "2"]) == 1


def test_faults_of_an_earlier_run_are_tried_under_the_test_that_found_them_first(
    tmp_path: Path, workers: type[FakeWorkers]
) -> None:
    earlier = [mutants_main.Outcome(SUM, FAR, 2), mutants_main.Outcome(EQUAL, "", 3)]
    before = write_outcomes(tmp_path / "before.json", earlier)
    assert mutants_main.main(["--before", str(before)]) == 0
    assert workers.tried == [(SUM, [FAR])]
    workers.tried.clear()
    workers.found[SUM] = NEAR
    assert mutants_main.main(["--before", str(before)]) == 0
    assert workers.tried == [(SUM, [FAR]), (SUM, [NEAR])]


def test_faults_that_are_not_found_any_more_or_gone_are_named(
    tmp_path: Path, workers: type[FakeWorkers], capsys: pytest.CaptureFixture[str]
) -> None:
    earlier = [mutants_main.Outcome(name, FAR, 2) for name in (SUM, EQUAL, GONE)]
    before = write_outcomes(tmp_path / "before.json", earlier)
    assert mutants_main.main(["--before", str(before)]) == 1
    output = capsys.readouterr().out
    assert "1 of 2 faults found." in output
    assert f"Not found: {EQUAL}\n" in output
    assert f"Gone: {GONE}\n" in output
    workers.found[EQUAL] = FAR
    assert mutants_main.main(["--before", str(before)]) == 1
    assert mutants_main.main(["--before", str(write_outcomes(before, earlier[:2]))]) == 0
