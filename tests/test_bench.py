"""The benches start in an environment of their own, where no test tools are."""

from __future__ import annotations

import subprocess
import sys

from tests.games import ROOT

SCRIPT = """
import sys, types
sys.modules.update(pytest=None, _pytest=None, hypothesis=None, simcord=None)
sys.modules.setdefault("pyspiel", types.ModuleType("pyspiel"))
import bench.__main__
"""


def test_no_bench_needs_test_tools() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
