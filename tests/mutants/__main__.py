"""`make mutants`: plant small faults in engines, cogs and storage, one at a time, and count how many the tests find.

The faults are chosen by a seed. One run of the quick tests notes which tests reach the function of each fault. Then
each fault is planted in a copy of the tree, and the tests that reach it run until the first failure, quick ones first.

`--out` keeps what found each fault. `--before` reads such a file and plants only the faults that were found then.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).parents[2]
FOLDERS = ("engines", "cogs", "storage")
SUITES = (
    "tests/engines",
    "tests/contract",
    "tests/golden",
    "tests/players",
    "tests/cogs",
    "tests/storage",
    "tests/motley",
    "tests/plain",
)
SLOW = (
    "tests/engines/jesters/test_balance.py",
    "tests/engines/jesters/test_trials.py",
    "tests/plain/test_several.py",
    "tests/storage/postgres/test_storms.py",
)
QUICK = "not simcord and not browser and not process"
MOST_SECONDS = 120.0  # of tests that run for one fault, as long as they took in the run that notes them
LONGEST = 900.0  # seconds for the tests of one fault; a fault that makes them hang is found
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
}
PLUGIN = """
import json, os, time
current, reached, seconds = set(), {}, {}

def hit(number):
    current.add(number)

def pytest_runtest_logstart(nodeid, location):
    current.clear()
    seconds[nodeid] = -time.monotonic()

def pytest_runtest_logfinish(nodeid, location):
    seconds[nodeid] += time.monotonic()
    reached[nodeid] = sorted(current)

def pytest_sessionfinish(session):
    if reached and (hasattr(session.config, "workerinput") or not session.config.getoption("numprocesses", None)):
        with open(f"reached-{os.getpid()}.json", "w") as file:
            json.dump([reached, seconds], file)
"""


@dataclass(frozen=True)
class Fault:
    """A change of one place: `start` and `end` are offsets in the bytes of the file.

    `function` is the line and the column where the enclosing function begins to run, or None in a module's own code.
    """

    path: str
    line: int
    start: int
    end: int
    text: str
    kind: str
    function: tuple[int, int] | None

    @property
    def key(self) -> str:
        """The same for the same fault in another run on the same code."""
        return f"{self.path}:{self.line}:{self.start}:{self.kind}"


@dataclass(frozen=True)
class Outcome:
    """What became of a fault: the test that found it, "timeout", or "" if none did."""

    key: str
    found_by: str


def faults_of(path: str, source: str) -> Iterator[Fault]:
    """Every fault that can be planted in a module, in the order of the syntax tree."""
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, function in walk_code(ast.parse(source), None):
        if (found := change_of(node)) is not None:
            old, new, kind = found
            assert old.end_lineno is not None
            assert old.end_col_offset is not None
            start, end = starts[old.lineno - 1] + old.col_offset, starts[old.end_lineno - 1] + old.end_col_offset
            text = f"({ast.unparse(new)})" if isinstance(old, ast.expr) else ast.unparse(new)
            yield Fault(path, old.lineno, start, end, text, kind, function)


def change_of(node: ast.AST) -> tuple[ast.expr | ast.stmt, ast.AST, str] | None:
    """What to replace by what, and the kind of the fault; None if nothing is changed there."""
    match node:
        case ast.Compare(left, [operator, *others], values) if type(operator) in SWAPPED:
            return node, ast.Compare(left, [SWAPPED[type(operator)](), *others], values), "comparison"  # type: ignore[list-item]
        case ast.BoolOp(operator, values):
            return node, ast.BoolOp(SWAPPED[type(operator)](), values), "and/or"  # type: ignore[arg-type]
        case ast.UnaryOp(ast.Not(), operand):
            return node, operand, "not"
        case ast.BinOp(left, operator, right) if type(operator) in SWAPPED:
            return node, ast.BinOp(left, SWAPPED[type(operator)](), right), "sum"  # type: ignore[arg-type]
        case ast.Constant(bool(value)):
            return node, ast.Constant(not value), "truth"
        case ast.Constant(int(value)):
            return node, ast.Constant(value + 1), "number"
        case ast.If(test) | ast.IfExp(test):
            return test, ast.UnaryOp(ast.Not(), test), "condition"
        case ast.Expr(ast.Call() | ast.Await()):
            return node, ast.Pass(), "call"
        case ast.Break() | ast.Continue():
            return node, SWAPPED[type(node)](), "jump"
        case ast.Return(value) if value is not None and not isinstance(value, ast.Constant):
            return node, ast.Return(ast.Constant(None)), "return"
    return None


def walk_code(tree: ast.AST, function: tuple[int, int] | None) -> Iterator[tuple[ast.AST, tuple[int, int] | None]]:
    """The nodes that run, with the function around each: no annotations, f-strings, decorators or docstrings."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "type_params", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            inside = function
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                first = child.body[1 if ast.get_docstring(child) is not None and child.body[1:] else 0]
                line = min([first.lineno, *(each.lineno for each in getattr(first, "decorator_list", []))])
                inside = line, first.col_offset
            yield child, inside
            yield from walk_code(child, inside)


def choose_faults(number: int, seed: int, folders: Sequence[str]) -> list[Fault]:
    """So many faults below the folders, each module as likely as it is long."""
    modules = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    every = [fault for path in modules for fault in faults_of(str(path.relative_to(ROOT)), path.read_text())]
    return random.Random(seed).sample(every, min(number, len(every)))


def copy_tree(folder: Path) -> None:
    """What the tests need, without the history; the environment is shared."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
    for name in names.stdout.decode().splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)


def call_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the quick ones of some tests in a copy of the tree. Raises TimeoutExpired."""
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-rfE", "-m", QUICK, *arguments]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("MOTLEY_CI", None)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LONGEST * 3)


def reaching_tests(folder: Path, faults: Sequence[Fault], workers: int) -> Mapping[int, list[str]]:
    """The tests that reach the function of each fault, by its number, quick ones first."""
    by_path: dict[str, list[tuple[tuple[int, int], int]]] = defaultdict(list)
    for number, fault in enumerate(faults):
        if fault.function is not None:
            by_path[fault.path].append((fault.function, number))
    for path, places in by_path.items():
        lines = (folder / path).read_text(encoding="utf-8").split("\n")
        for (line, column), number in sorted(places, reverse=True):
            lines.insert(line - 1, " " * column + f"import mutants_plugin; mutants_plugin.hit({number})")
        (folder / path).write_text("\n".join(lines), encoding="utf-8")
    (folder / "mutants_plugin.py").write_text(PLUGIN, encoding="utf-8")
    suites = [suite for suite in SUITES if (folder / suite).is_dir()]
    call_pytest(
        folder,
        "-p",
        "mutants_plugin",
        "-n",
        str(workers),
        "--dist",
        "worksteal",
        *suites,
        *(f"--ignore={path}" for path in SLOW),
    )
    seconds: dict[str, float] = {}
    found: dict[int, list[str]] = defaultdict(list)
    for file in folder.glob("reached-*.json"):
        reached, took = json.loads(file.read_text())
        seconds |= took
        for test, numbers in reached.items():
            for number in numbers:
                found[number].append(test)
    assert found, "the tests did not run"
    for number, tests in found.items():
        tests.sort(key=lambda test: seconds[test])
        whole = 0.0
        found[number] = [test for test in tests if (whole := whole + seconds[test]) < MOST_SECONDS]
    return found


def find_fault(fault: Fault, folder: Path, tests: Sequence[str]) -> Outcome:
    """Plant a fault, run the tests until one fails, and restore the module."""
    module, arguments = folder / fault.path, folder / "mutants_arguments.txt"
    content = module.read_bytes()
    module.write_bytes(content[: fault.start] + fault.text.encode() + content[fault.end :])
    arguments.write_text("\n".join(tests), encoding="utf-8")
    try:
        ran = call_pytest(folder, "-x", "-p", "no:xdist", f"@{arguments}")
    except subprocess.TimeoutExpired:
        return Outcome(fault.key, "timeout")
    finally:
        module.write_bytes(content)
    if ran.returncode == 0:
        return Outcome(fault.key, "")
    found = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", ran.stdout, re.MULTILINE)
    return Outcome(fault.key, found[1] if found else "an error outside the tests")


def near_tests(path: str) -> list[str]:
    """The folders of tests for a module whose own code, outside functions, is changed."""
    parts = Path(path).parts
    folders = [f"tests/{'/'.join(parts[:n])}" for n in range(len(parts) - 1, 0, -1)]
    return next([folder] for folder in folders if (ROOT / folder).is_dir())


def main() -> int:
    """Print the faults that no test found; 1 if fewer than `--least` were found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--only", nargs="+", default=FOLDERS, metavar="FOLDER")
    parser.add_argument("--least", type=int, default=0, help="the number of faults that must be found")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--before", type=Path)
    options = parser.parse_args()
    faults = choose_faults(options.number, options.seed, options.only)
    if options.before:
        earlier = {each["key"] for each in json.loads(options.before.read_text()) if each["found_by"]}
        faults = [fault for fault in faults if fault.key in earlier]
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="motley-mutants-") as scratch:
        copy_tree(Path(scratch, "reached"))
        reached = reaching_tests(Path(scratch, "reached"), faults, options.workers)
        print(f"{len(reached)} of {len(faults)} faults are in a function that a test reaches.", flush=True)
        folders: Queue[Path] = Queue()
        for number in range(options.workers):
            copy_tree(Path(scratch, str(number)))
            folders.put(Path(scratch, str(number)))

        def try_one(number: int) -> None:
            fault, folder = faults[number], folders.get()
            tests = near_tests(fault.path) if fault.function is None else reached.get(number, [])
            try:
                outcomes.append(outcome := find_fault(fault, folder, tests) if tests else Outcome(fault.key, ""))
            finally:
                folders.put(folder)
            verdict = outcome.found_by or f"NOT FOUND by {len(tests)} tests"
            print(f"{len(outcomes)}/{len(faults)} {fault.path}:{fault.line} {fault.kind}: {verdict}", flush=True)
            if options.out is not None:
                options.out.write_text(json.dumps([asdict(each) for each in outcomes], indent=1))

        with ThreadPoolExecutor(options.workers) as threads:
            list(threads.map(try_one, range(len(faults))))
    found = {each.key for each in outcomes if each.found_by}
    print(f"{len(found)} of {len(faults)} faults found. Not found:")
    for what, number in Counter((f.path.split("/")[0], f.kind) for f in faults if f.key not in found).items():
        print(f"  {number} {' '.join(what)}")
    return int(len(found) < options.least)


if __name__ == "__main__":
    sys.exit(main())
