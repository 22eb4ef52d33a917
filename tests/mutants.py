"""`make mutants`: plant small faults in engines, cogs and storage, one at a time, and count how many the tests find.

The faults are chosen by a seed. Each is planted in a copy of the tree, where the suites of its folder then run until
the first failure. `--out` keeps what found each fault. `--before` reads such a file, plants the faults that were found
again, and tries the test that found each first.
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
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).parent.parent
FOLDERS = ("engines", "cogs", "storage")
QUICK = "not simcord and not browser and not process"
LONGEST = 900.0  # seconds for the suites of one fault; a fault that makes the tests hang is found
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


@dataclass(frozen=True)
class Fault:
    """A change of one place: `start` and `end` are offsets in the bytes of the file."""

    path: str
    line: int
    start: int
    end: int
    text: str
    kind: str

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

    def change(node: ast.expr | ast.stmt, new: ast.AST, kind: str) -> Fault:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        text = ast.unparse(new)
        return Fault(path, node.lineno, start, end, f"({text})" if isinstance(node, ast.expr) else text, kind)

    for node in walk_code(ast.parse(source)):
        match node:
            case ast.Compare(left, [operator, *others], comparators) if type(operator) in SWAPPED:
                swapped = ast.Compare(left, [SWAPPED[type(operator)](), *others], comparators)  # type: ignore[list-item]
                yield change(node, swapped, "comparison")
            case ast.BoolOp(operator, values):
                yield change(node, ast.BoolOp(SWAPPED[type(operator)](), values), "and/or")  # type: ignore[arg-type]
            case ast.UnaryOp(ast.Not(), operand):
                yield change(node, operand, "not")
            case ast.BinOp(left, operator, right) if type(operator) in SWAPPED:
                yield change(node, ast.BinOp(left, SWAPPED[type(operator)](), right), "sum")  # type: ignore[arg-type]
            case ast.Constant(bool(value)):
                yield change(node, ast.Constant(not value), "truth")
            case ast.Constant(int(value)):
                yield change(node, ast.Constant(value + 1), "number")
            case ast.If(test) | ast.IfExp(test):
                yield change(test, ast.UnaryOp(ast.Not(), test), "condition")
            case ast.Expr(ast.Call() | ast.Await()):
                yield change(node, ast.Pass(), "call")
            case ast.Break() | ast.Continue():
                yield change(node, SWAPPED[type(node)](), "jump")
            case ast.Return(value) if value is not None and not isinstance(value, ast.Constant):
                yield change(node, ast.Return(ast.Constant(None)), "return")
            case _:
                pass


def walk_code(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run: no annotations, no f-strings, nothing under TYPE_CHECKING, no docstrings."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "type_params", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            yield child
            yield from walk_code(child)


def choose_faults(number: int, seed: int, folders: Sequence[str]) -> list[Fault]:
    """So many faults below the folders, each module as likely as it is long."""
    modules = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    every = [fault for path in modules for fault in faults_of(str(path.relative_to(ROOT)), path.read_text())]
    return random.Random(seed).sample(every, min(number, len(every)))


def suites_for(path: str) -> list[list[str]]:
    """The calls of pytest that look for a fault of that module, the nearest first. None starts a bot or a browser."""
    parts = Path(path).parts
    folders = [f"tests/{'/'.join(parts[:n])}" for n in range(len(parts) - 1, 1, -1)]
    near = [f"{folder}/test_{parts[-1]}" for folder in folders[:1]] + folders
    wide = {
        "engines": [["tests/engines"], ["tests/contract", "tests/golden"], ["tests/players", "tests/cogs"]],
        "cogs": [["tests/cogs"], ["tests/contract"], ["tests/plain"]],
        "storage": [["tests/storage"], ["tests/motley", "tests/releases"]],
    }
    return [*([each] for each in near if (ROOT / each).exists()), *wide[parts[0]]]


def copy_tree(folder: Path) -> None:
    """What the tests need, without the history; the environment is shared."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
    for name in names.stdout.decode().splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)


def run_tests(folder: Path, arguments: Sequence[str]) -> str:
    """The test that failed, "timeout", or "" if all passed."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-rfE", "-m", QUICK, *arguments]
    environment = os.environ | {
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / ".hypothesis"),
    }
    environment.pop("MOTLEY_CI", None)
    try:
        ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return "timeout"
    if ran.returncode in (0, 5):  # 5: no test is there
        return ""
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", ran.stdout, re.MULTILINE)
    return found[1] if found else "an error outside the tests"


def try_fault(fault: Fault, folder: Path, first: str) -> Outcome:
    """Plant it, run its suites, and restore the module."""
    module = folder / fault.path
    content = module.read_bytes()
    module.write_bytes(content[: fault.start] + fault.text.encode() + content[fault.end :])
    try:
        calls = suites_for(fault.path)
        if first and (folder / first.split("::")[0]).exists():
            calls.insert(0, [first.split("[")[0]])
        return Outcome(fault.key, next((found for call in calls if (found := run_tests(folder, call))), ""))
    finally:
        module.write_bytes(content)


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
    earlier = (
        {} if options.before is None else {each["key"]: each["found_by"] for each in read_outcomes(options.before)}
    )
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="motley-mutants-") as scratch:
        folders: Queue[Path] = Queue()
        for number in range(options.workers):
            copy_tree(Path(scratch, str(number)))
            folders.put(Path(scratch, str(number)))

        def try_one(fault: Fault) -> None:
            folder = folders.get()
            try:
                outcomes.append(outcome := try_fault(fault, folder, earlier.get(fault.key, "")))
            finally:
                folders.put(folder)
            verdict = outcome.found_by or "NOT FOUND"
            print(f"{len(outcomes)}/{len(faults)} {fault.path}:{fault.line} {fault.kind}: {verdict}", flush=True)
            if options.out is not None:
                options.out.write_text(json.dumps([asdict(each) for each in outcomes], indent=1))

        with ThreadPoolExecutor(options.workers) as threads:
            list(threads.map(try_one, faults))
    found = sum(bool(each.found_by) for each in outcomes)
    print(f"{found} of {len(faults)} faults found; not found by kind and folder:")
    missed = {each.key for each in outcomes if not each.found_by}
    for what, number in Counter((f.path.split("/")[0], f.kind) for f in faults if f.key in missed).items():
        print(f"  {number} {what}")
    return int(found < options.least)


def read_outcomes(path: Path) -> list[dict[str, str]]:
    """What `--out` wrote."""
    outcomes: list[dict[str, str]] = json.loads(path.read_text())
    return outcomes


if __name__ == "__main__":
    sys.exit(main())
