"""Features that no game night needs yet: the laws of rows hold for what they declare, too."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.games import ROOT


@pytest.mark.long
@pytest.mark.process
def test_the_laws_of_rows_hold_for_sketches() -> None:
    """In another process, because storage reads the registry once."""
    laws = "tests/storage/contract/test_feature_rows.py"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-v",
        "-p",
        "tests.features.register_sketches",
        "-p",
        "no:cacheprovider",
        laws,
    ]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-3000:]
    assert "attempts" in result.stdout, "the sketches are not registered"
