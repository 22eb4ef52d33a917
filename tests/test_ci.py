"""MOTLEY_CI turns every skip into a failure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SKIPS = {
    "mark": "import pytest\n@pytest.mark.skip(reason='because')\ndef test(): ...\n",
    "call": "import pytest\ndef test(): pytest.skip('because')\n",
    "file": "import pytest\npytest.skip('because', allow_module_level=True)\n",
    "import": "import pytest\npytest.importorskip('no_such_module', reason='because')\n",
}


@pytest.mark.parametrize("in_ci", [True, False])
def test_every_skip_fails_in_ci_and_only_there(tmp_path: Path, in_ci: bool) -> None:
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "ci.py").read_text())
    for kind, text in SKIPS.items():
        (tmp_path / f"test_{kind}.py").write_text(text)
    env = {k: v for k, v in os.environ.items() if k != "MOTLEY_CI"} | ({"MOTLEY_CI": "1"} if in_ci else {})
    plain = ["-p", "no:cacheprovider", "-p", "no:simcord", "-p", "no:asyncio", "--continue-on-collection-errors"]
    command = [sys.executable, "-m", "pytest", *plain, str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60)
    if in_ci:
        assert "1 failed, 3 errors" in done.stdout, done.stdout
        assert done.stdout.count("because") >= len(SKIPS)
    else:
        assert "4 skipped" in done.stdout, done.stdout
