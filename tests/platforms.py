"""`python -m tests.platforms`: whether what an owner runs uses anything of Python that Windows or macOS has not.

mypy knows which names of the library are there on which system, and sees where the code asks for the system first.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHECKED_PACKAGES = ("cogs", "engines", "players", "storage", "worker_pool", "playground", "motley")
SYSTEMS = ("win32", "darwin")
MISSING_TEXT = "Module has no attribute"


def missing_lines(system: str) -> list[str]:
    own_paths = [*sorted(path.name for path in ROOT.glob("*.py")), *CHECKED_PACKAGES]
    options = ("--config-file=", "--platform", system, "--follow-imports=skip", "--explicit-package-bases")
    cache = ("--cache-dir", f".mypy_cache/{system}")
    command = [sys.executable, "-m", "mypy", *options, *cache, "--check-untyped-defs", *own_paths]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "source files" in result.stdout, result.stdout + result.stderr
    return [line for line in result.stdout.splitlines() if MISSING_TEXT in line]


def main() -> int:
    found = {system: missing_lines(system) for system in SYSTEMS}
    for system, lines in found.items():
        print(f"{system}: {len(lines)} names of Python's library that it has not.", *lines, sep="\n")
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main())
