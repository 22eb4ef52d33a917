"""What a rush takes of memory is given back."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_after_fifty_pictures_at_once_the_bot_is_small_again() -> None:
    command = [sys.executable, "-m", "tests.processes.rush", "50"]
    told = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120).stdout)
    print(told)
    assert told["drawn"] == 50
    assert told["after"] < 150  # some 110; where glibc decides, about 280
