"""`make mutants`: plant small faults in the product, one at a time, and count how many the tests find.

The faults are chosen by a seed. A run of the tests notes which of them reach the function of each fault. Then each
fault is planted in a copy of the tree, and the tests that reach it run until the first failure, quick ones first.

`--out FILE` keeps what became of each fault. If the file exists, its faults are not tried again, so a run that was
stopped can be resumed. Beside it, `FILE.map` keeps which tests reach which fault, for as long as the code is the same.

`--before FILE` plants the faults that such a file calls found, first under the test that found each one. It names
those that are not found now, and those whose code is gone, and then exits with 1.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

from tests.mutants.faults import Fault, FaultName, choose_faults, find_again, list_faults
from tests.mutants.runs import (
    ReachMap,
    compile_tests,
    copy_tree,
    existing_suites,
    find_fault,
    mark_functions,
    near_folder,
    run_suite,
    write_whole,
)

ROOT = Path(__file__).parents[2]
FOLDERS = ("engines", "cogs", "storage", "players", "playground", "motley", "worker_pool")


@dataclass(frozen=True)
class Outcome:
    """What became of a fault: the test that found it, or "" if none of so many did."""

    name: FaultName
    found_by: str
    tried: int


class OutcomeFile:
    """The outcomes, one on a line; in a file if there is one. It is written again after each outcome."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self.outcomes = {each.name: each for each in read_outcomes(path)} if path is not None and path.exists() else {}

    def add(self, outcome: Outcome) -> None:
        with self._lock:
            self.outcomes[outcome.name] = outcome
            if self._path is not None:
                write_whole(self._path, outcomes_text(self.outcomes.values()))


def read_outcomes(path: Path) -> list[Outcome]:
    stored = json.loads(path.read_text(encoding="utf-8"))
    return [Outcome(FaultName(*each["fault"]), each["found_by"], each["tried"]) for each in stored]


def outcomes_text(outcomes: Iterable[Outcome]) -> str:
    """A JSON list with one outcome on a line, sorted by name, so that changes are easy to read."""
    ordered = sorted(outcomes, key=lambda outcome: outcome.name)
    lines = (
        json.dumps({"fault": each.name, "found_by": each.found_by, "tried": each.tried}, ensure_ascii=False)
        for each in ordered
    )
    return "[\n" + ",\n".join(lines) + "\n]\n"


class Workers:
    """Copies of the tree, each used by one thread at a time."""

    def __init__(self, scratch: Path, number: int) -> None:
        self.number = number
        self._scratch = scratch
        self._folders: Queue[Path] = Queue()
        self.tree = copy_tree(ROOT, scratch / "0")
        compile_tests(scratch / "0")
        for each in range(number):
            if each:
                shutil.copytree(scratch / "0", scratch / str(each), symlinks=True)
            self._folders.put(scratch / str(each))

    def run_suites(self, found: ReachMap, every: Mapping[FaultName, Fault], path: Path | None) -> Iterator[str]:
        """Run the suites that are not in the map yet, and add each to it; yields the suite after each."""
        missing = [suite for suite in existing_suites(ROOT) if suite not in found.suites]
        if missing:
            marked = self._scratch / "marked"
            shutil.copytree(self._scratch / "0", marked, symlinks=True)
            mark_functions(marked, [every[name] for name in found.names if name in every], found.names)
            for suite in missing:
                run_suite(marked, suite, found, self.number)
                found.save(path)
                yield suite

    def try_all(
        self,
        faults: Sequence[Fault],
        stages: Callable[[Fault], list[list[str]]],
        ended: Callable[[Fault, str, int], None],
    ) -> None:
        """Plant each fault under its tests; `ended` gets what found it and the number of tests."""

        def try_one(fault: Fault) -> None:
            folder, tests = self._folders.get(), stages(fault)
            try:
                found_by = find_fault(fault, folder, tests)
            finally:
                self._folders.put(folder)
            ended(fault, found_by, sum(map(len, tests)))

        with ThreadPoolExecutor(self.number) as threads:
            for _ in threads.map(try_one, faults):
                pass


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the faults that no test found; 1 if fewer than `--least` were found, or not all of `--before`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--only", nargs="+", default=FOLDERS, metavar="FOLDER")
    parser.add_argument("--least", type=int, default=0, help="the number of faults that must be found")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--before", type=Path)
    options = parser.parse_args(arguments)
    every = list_faults(ROOT, options.only)
    found_then = {each.name: each.found_by for each in read_outcomes(options.before)} if options.before else {}
    wanted = {name: find_again(name, every) for name, test in found_then.items() if test}
    vanished = [name for name, fault in wanted.items() if fault is None]
    tests_then = {fault.name: found_then[name] for name, fault in wanted.items() if fault is not None}
    faults = (
        [every[name] for name in tests_then] if options.before else choose_faults(every, options.number, options.seed)
    )
    file = OutcomeFile(options.out)

    def note(fault: Fault, found_by: str, tests_tried: int) -> None:
        file.add(Outcome(fault.name, found_by, tests_tried))
        verdict = found_by or f"NOT FOUND by {tests_tried} tests"
        print(f"{len(faults) - len(untried())}/{len(faults)} {fault.name} → {verdict}", flush=True)

    def note_found(fault: Fault, found_by: str, tests_tried: int) -> None:
        if found_by:
            note(fault, found_by, tests_tried)

    def untried() -> list[Fault]:
        return [fault for fault in faults if fault.name not in file.outcomes]

    if untried():
        with tempfile.TemporaryDirectory(prefix="motley-mutants-") as scratch:
            workers = Workers(Path(scratch), options.workers)
            if options.before:
                workers.try_all(untried(), lambda fault: [[tests_then[fault.name]]], note_found)
            if untried():
                path = options.out and options.out.with_name(f"{options.out.name}.map")
                names = [fault.name for fault in (untried() if options.before else faults)]
                reach_map = ReachMap.load(path, workers.tree, names)
                near_tried: set[FaultName] = set()
                for suite in workers.run_suites(
                    reach_map, every, path
                ):  # what a suite of its own finds waits for no other
                    near = [fault for fault in untried() if near_folder(fault.name.path).startswith(suite)]
                    near = [fault for fault in near if reach_map.reached.get(fault.name)]
                    workers.try_all(near, lambda fault: reach_map.tests_for(fault)[:1], note_found)
                    near_tried |= {fault.name for fault in near}
                workers.try_all(untried(), lambda fault: reach_map.tests_for(fault)[fault.name in near_tried :], note)
    missed = [fault.name for fault in faults if not file.outcomes[fault.name].found_by]
    print(f"{len(faults) - len(missed)} of {len(faults)} faults found.", *missed, sep="\nNot found: ")
    for name in vanished:
        print(f"Gone: {name}")
    return int(len(faults) - len(missed) < options.least or bool(options.before and (missed or vanished)))


if __name__ == "__main__":
    sys.exit(main())
