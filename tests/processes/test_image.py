"""What the Dockerfile copies is all that the bot needs, and the bot runs where that can only be read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.processes.bot_process import ROOT

COPIED = re.compile(r"^COPY ((?:\S+ )+)\S+$", re.MULTILINE)
ASKED = """
import sys
import bot, motley.__main__, thinking.inside
from cogs.games import FRONTS
assert all(front.rules.leaves for front in FRONTS.values())
assert bot.version()
print(*sorted({name.partition(".")[0] for name, module in sys.modules.items()
    if (getattr(module, "__file__", None) or "").startswith(sys.argv[1])}))
"""


def test_what_the_image_holds_is_all_that_the_bot_needs(tmp_path: Path) -> None:
    wanted = [name for line in COPIED.findall((ROOT / "Dockerfile").read_text()) for name in line.split()]
    assert "bot.py" in wanted
    for name in (each for each in wanted if not each.startswith(("--", "/", "requirements"))):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, tmp_path)
    env = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-W", "ignore", "-c", ASKED, str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert not done.stderr, done.stderr
    assert {"bot", "cogs", "engines", "metrics", "motley", "players", "settings", "storage"} <= set(done.stdout.split())
