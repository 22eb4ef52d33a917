"""Runs of the tests in copies of the tree: which tests reach a fault, and which one finds it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple

from tests.mutants.faults import Fault, FaultName, functions_of
from tests.mutants.plugin import NOTES, SECONDS, RunNotes

SUITES = (
    "tests/engines",
    "tests/contract",
    "tests/golden",
    "tests/players",
    "tests/features",
    "tests/example",
    "tests/storage",
    "tests/motley",
    "tests/cogs",
    "tests/plain",
    "tests/playground",
    "tests/worker_pool",
    "tests/end_to_end",
)
SLOW = (
    "tests/engines/jesters/test_balance.py",
    "tests/engines/jesters/test_trials.py",
    "tests/plain/test_several.py",
    "tests/storage/postgres/test_storms.py",
)
WAITING = ("tests/playground/", "tests/worker_pool/", "tests/storage/postgres/")
"""Folders whose tests wait in real time, so that a busy machine can fail them. They must fail twice."""
OPTIONS = (
    "-q",
    "--no-header",
    "-m",
    "not browser",
    "-p",
    "tests.mutants.plugin",
    *(f"--ignore={each}" for each in SLOW),
)
NEAR_SECONDS = 15.0  # of processor time, for tests in the folder that belongs to the changed module
MOST_SECONDS = 45.0  # of processor time, for all other tests of one fault
SLOW_SECONDS = 5.0  # of processor time; a test that takes longer is not tried
TEST_SECONDS = 30.0  # of processor time; a test that takes longer has found a fault that makes it hang
RUN_SECONDS = 3600.0  # on the wall, for all tests of one fault
MEMORY = 8_000_000  # kilobytes that the tests of one fault may use, because some faults collect without an end
UNKNOWN_TEST = re.compile(
    r"^ERROR: (file or directory )?not found:", re.MULTILINE
)  # what pytest says of a missing test
HANGS = "no end of the tests"
BREAKS = "an error outside the tests"


class PytestRun(NamedTuple):
    """The exit code and the output of pytest, and what the plugin noted in each of its processes."""

    code: int
    output: str
    notes: list[RunNotes]


@dataclass
class ReachMap:
    """Which tests reach which faults, and the processor seconds of each test. Tests that fail anyway are left out.

    `tree` is the digest of the files that this is true of. `suites` are those that have run.
    """

    tree: str
    names: list[FaultName]
    suites: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    reached: dict[FaultName, list[str]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def load(cls, path: Path | None, tree: str, names: Sequence[FaultName]) -> ReachMap:
        """What an earlier run noted, if it is about this tree and these faults; an empty map otherwise."""
        if path is not None and path.exists():
            stored = json.loads(path.read_text(encoding="utf-8"))
            known = [FaultName(*name) for name in stored["names"]]
            if stored["tree"] == tree and set(names) <= set(known):
                tests_by_fault = {known[int(number)]: tests for number, tests in stored["reached"].items()}
                return cls(tree, known, stored["suites"], stored["seconds"], defaultdict(list, tests_by_fault))
        return cls(tree, list(names))

    def save(self, path: Path | None) -> None:
        if path is not None:
            numbers = {name: number for number, name in enumerate(self.names)}
            numbers_by_test = {numbers[name]: tests for name, tests in self.reached.items()}
            stored = {"tree": self.tree, "names": self.names, "suites": self.suites, "seconds": self.seconds}
            write_whole(path, json.dumps(stored | {"reached": numbers_by_test}))

    def add_suite(self, suite: str, run_notes: Iterable[RunNotes]) -> None:
        """Add what the plugin noted in each process that ran tests of a suite."""
        for tests_by_suite, failed in run_notes:
            for test, (seconds, numbers) in tests_by_suite.items():
                if test not in failed:
                    self.seconds[test] = seconds
                    for number in numbers:
                        self.reached[self.names[number]].append(test)
        self.suites.append(suite)

    def tests_for(self, fault: Fault) -> list[list[str]]:
        """The tests to try for a fault, quick ones first: those near its module, then others that reach it."""
        folder = near_folder(fault.name.path)
        near = [test for test in self.seconds if test.startswith(f"{folder}/")]
        reaching = self.reached.get(fault.name, [])
        if reaching and fault.function is not None:
            near = [test for test in near if test in set(reaching)]
        first = self._quickest(near, NEAR_SECONDS)
        return [first, self._quickest(set(reaching) - set(first), MOST_SECONDS)]

    def _quickest(self, tests: Iterable[str], most: float) -> list[str]:
        """The quickest of these tests, for so many seconds."""
        whole = 0.0
        ordered = sorted(
            (test for test in tests if self.seconds[test] <= SLOW_SECONDS), key=lambda test: (self.seconds[test], test)
        )
        return [test for test in ordered if (whole := whole + self.seconds[test]) < most]


def near_folder(path: str) -> str:
    """The folder of tests that belongs to a module."""
    root, parts = Path(__file__).parents[2], Path(path).parts
    folders = [f"tests/{'/'.join(parts[:n])}" for n in range(len(parts) - 1, 0, -1)]
    return next((folder for folder in folders if (root / folder).is_dir()), "tests")


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader, also after a crash, finds all of it or what was there before."""
    with NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        file.write(text)
    Path(file.name).chmod(0o644)
    os.replace(file.name, path)


def copy_tree(root: Path, folder: Path) -> str:
    """Copy what the tests need, without the history; the environment is shared. Returns the digest of the code."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, check=True)
    digest = sha256()
    for name in sorted(names.stdout.decode().splitlines()):
        if (root / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, folder / name)
            if name.endswith(".py") and not name.startswith("tests/mutants/"):
                digest.update(f"{name}\n".encode() + (root / name).read_bytes())
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return digest.hexdigest()


def call_pytest(folder: Path, *arguments: str, seconds: float | None = None) -> PytestRun:
    """Run tests in a copy of the tree, for so many seconds with a fault in it. Raises TimeoutExpired."""
    command = ["sh", "-c", f'ulimit -v {MEMORY}; exec "$@"', "sh", sys.executable, "-m", "pytest", *OPTIONS, *arguments]
    environment = dict(os.environ)
    if seconds is not None:
        environment |= {"PYTHONDONTWRITEBYTECODE": "1", SECONDS: str(TEST_SECONDS)}
    environment.pop("MOTLEY_CI", None)
    for path in folder.glob(NOTES.format("*")):
        path.unlink()
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds)
    notes = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob(NOTES.format("*"))]
    return PytestRun(result.returncode, result.stdout + result.stderr, [RunNotes(*each) for each in notes])


def compile_tests(folder: Path) -> None:
    """Have pytest compile all modules of a copy, so that this is not paid for each fault."""
    call_pytest(folder, "-p", "no:xdist", "--collect-only", *existing_suites(folder))


def existing_suites(folder: Path) -> list[str]:
    return [suite for suite in SUITES if (folder / suite).is_dir()]


def mark_functions(folder: Path, faults: Sequence[Fault], names: Sequence[FaultName]) -> None:
    """Have the functions around these faults tell the plugin that they run; for one outside functions, all around it.

    A function that stands on one line is left alone.
    """
    numbers = {name: number for number, name in enumerate(names)}
    by_path: dict[str, list[tuple[tuple[int, int], int]]] = defaultdict(list)
    for fault in faults:
        places = {fault.function} if fault.function else functions_of((folder / fault.name.path).read_text("utf-8"))
        by_path[fault.name.path] += [(place, numbers[fault.name]) for place in places]
    for path, marked in by_path.items():
        lines = (folder / path).read_text(encoding="utf-8").split("\n")
        for (line, column), number in sorted(marked, reverse=True):
            if not lines[line - 1][:column].strip():
                lines.insert(line - 1, f"{' ' * column}import tests.mutants.plugin as mutants; mutants.hit({number})")
        (folder / path).write_text("\n".join(lines), encoding="utf-8")


def run_suite(folder: Path, suite: str, found: ReachMap, workers: int) -> None:
    """Run a suite in a copy with marked functions, and add what it reaches to the map."""
    run = call_pytest(folder, "-n", str(workers), "--dist", "worksteal", suite)
    assert run.notes, run.output
    found.add_suite(suite, run.notes)
    print(f"{suite}: {run.output.strip().splitlines()[-1]}", flush=True)


def find_fault(fault: Fault, folder: Path, stages: Sequence[Sequence[str]]) -> str:
    """Plant a fault, run the tests of each stage until one fails, and restore the module.

    Returns the test that failed, HANGS or BREAKS; "" if none did.
    """
    module = folder / fault.name.path
    content, times = module.read_bytes(), module.stat()
    module.write_bytes(fault.plant(content))
    try:
        return next((found for tests in stages if tests and (found := sure_failure(folder, tests))), "")
    finally:
        module.write_bytes(content)
        os.utime(module, ns=(times.st_atime_ns, times.st_mtime_ns))  # so that the compiled module counts again


def sure_failure(folder: Path, tests: Sequence[str]) -> str:
    """The same as `first_failure`, but a test that waits in real time must fail twice."""
    found = first_failure(folder, tests)
    while found.startswith(WAITING) and not first_failure(folder, [found]):
        tests = [test for test in tests if test != found]
        found = first_failure(folder, tests)
    return found


def first_failure(folder: Path, tests: Sequence[str]) -> str:
    """Run tests until one fails: its name, HANGS or BREAKS; "" if none did or if they do not exist."""
    arguments = folder / "mutants_arguments.txt"
    arguments.write_text("\n".join(tests), encoding="utf-8")
    try:
        run = call_pytest(folder, "-x", "-p", "no:xdist", f"@{arguments}", seconds=RUN_SECONDS)
    except subprocess.TimeoutExpired:
        return HANGS
    if failed := [test for each in run.notes for test in each.failed]:
        return failed[0]
    return "" if run.code == 0 or UNKNOWN_TEST.search(run.output) else BREAKS
