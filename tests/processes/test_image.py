"""What the Dockerfile copies is all that the bot needs and nothing secret; and its health check asks the bot.

No image is built here: its files are read as Docker reads them. `test_container.py` builds one and runs it.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

import aiohttp.test_utils

from cogs.system_clock import SystemClock
from engines import GAMES
from engines.store.match_store import StoreFailure
from motley.metrics import Metrics, serve_metrics
from tests.processes.bot_process import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8")
COPIED = re.compile(r"^COPY ((?:\S+ )+)\S+$", re.MULTILINE)
SECRET = (
    *(".env", ".env.local", "cogs/.env", ".git/config", "dist/NOTES.md"),
    *("data/motley.db", "data/motley.db-wal", "data/backups/motley-2026-11-22T03-00-00Z.db", "motley.db"),
    *("storage/data/motley.db", "storage/motley.db-wal", "motley/motley.db.lock", "engines/wizard/x.db"),
)
ASKED = """
import sys
import bot, motley.__main__, worker_pool.worker_process
from cogs.games import GAME_UIS
assert all(ui.rules.pages for ui in GAME_UIS.values())
assert bot.version()
print(*sorted({name.partition(".")[0] for name, module in sys.modules.items()
    if (getattr(module, "__file__", None) or "").startswith(sys.argv[1])}))
"""


def copied_paths() -> list[str]:
    names = [name for line in COPIED.findall(DOCKERFILE) for name in line.split()]
    return [name for name in names if not name.startswith(("--", "/"))]


def is_sent_to_docker(path: str) -> bool:
    """Whether Docker is sent that file: the last line that speaks of it, or of a folder it is in, decides."""
    is_sent = True
    for line in IGNORED.splitlines():
        if not line or line.startswith("#"):
            continue
        folders = map(str, (PurePosixPath(path), *PurePosixPath(path).parents))
        if any(_pattern_matches(line.removeprefix("!"), each) for each in folders):
            is_sent = line.startswith("!")
    return is_sent


def _pattern_matches(pattern: str, path: str) -> bool:
    """Whether a pattern is of that path itself. As in Docker, `*` stands for no `/`, and `**/` for any folders."""
    parts, names = pattern.split("/"), path.split("/")
    if pattern.startswith("**/"):
        return any(_pattern_matches(pattern[3:], "/".join(names[at:])) for at in range(len(names)))
    return path != "." and len(parts) == len(names) and all(map(fnmatchcase, names, parts))


def files_below(name: str) -> Iterator[str]:
    found = [path for path in (ROOT / name).rglob("*") if path.is_file()] if (ROOT / name).is_dir() else [ROOT / name]
    yield from (path.relative_to(ROOT).as_posix() for path in found)


def test_the_image_holds_all_that_the_bot_needs(tmp_path: Path) -> None:
    wanted = [name for each in copied_paths() for name in files_below(each) if is_sent_to_docker(name)]
    assert "bot.py" in wanted
    for name in wanted:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    env = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-W", "ignore", "-c", ASKED, str(tmp_path)]
    result = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert not result.stderr, result.stderr
    assert {"bot", "cogs", "engines", "motley", "players", "storage", "worker_pool"} <= set(result.stdout.split())


def test_no_secret_gets_into_its_layers() -> None:
    """Neither a token nor a database is sent to Docker, whatever is copied; nor does the Dockerfile hold one."""
    assert not [path for path in SECRET if is_sent_to_docker(path)]
    assert is_sent_to_docker("cogs/client.py")
    assert is_sent_to_docker("requirements/postgres.txt")
    assert not is_sent_to_docker("requirements/test.txt")
    assert not {"ADD", "ARG"} & {line.partition(" ")[0] for line in DOCKERFILE.splitlines()}
    assert "." not in copied_paths()
    assert "TOKEN" not in DOCKERFILE


def test_it_runs_as_nobody_in_particular_and_can_write_its_data_alone() -> None:
    stage = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"^USER 10001$", stage, re.MULTILINE)
    assert not re.search(r"^(RUN|COPY) ", stage.partition("USER ")[2], re.MULTILINE), "written after it is nobody's"
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert "    MOTLEY_DATABASE: /data/motley.db\n" in compose
    several = (ROOT / "compose.postgres.yaml").read_text(encoding="utf-8")
    for line in ("read_only: true", "cap_drop: [ALL]", 'volumes: ["data:/data"]'):
        assert f"    {line}\n" in compose
        assert re.search(rf"^  {re.escape(line)}( #.*)?$", several, re.MULTILINE)
    assert "ports:" not in compose + several
    assert several.count(": *motley\n") == 3


def test_unprotected_connections_are_among_containers_alone() -> None:
    several = (ROOT / "compose.postgres.yaml").read_text(encoding="utf-8")
    assert re.findall(r"@(\w+)/motley\?sslmode=disable$", several, re.MULTILINE) == ["postgres"]
    assert "\n  database:\n    internal: true\n" in several
    server = several.partition("\n  postgres:\n")[2].partition("\nnetworks:\n")[0]
    assert "    networks: [database]\n" in server


async def test_its_health_check_asks_the_bot() -> None:
    line = re.search(r"^HEALTHCHECK .*? CMD (\[.*?\])$", DOCKERFILE.replace("\\\n", ""), re.MULTILINE)
    assert line
    _, *arguments = json.loads(line[1])
    port, metrics = aiohttp.test_utils.unused_port(), Metrics(GAMES)
    metrics.count_live = _none_live

    async def status() -> int:
        env = {"PATH": os.environ["PATH"], "MOTLEY_METRICS": str(port)}
        process = await asyncio.create_subprocess_exec(sys.executable, *arguments, env=env, stderr=DEVNULL)
        return await process.wait()

    async with serve_metrics(metrics, port, SystemClock()):
        assert await status() == 0
        metrics.count_live = _unreadable
        assert await status() == 1
    assert await status() == 1


async def _none_live() -> dict[tuple[str, str], int]:
    return {}


async def _unreadable() -> dict[tuple[str, str], int]:
    raise StoreFailure("The database cannot be read.")
