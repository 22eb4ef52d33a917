"""What no folder may import: libraries, and rooms kept from it on purpose. The order is in test_architecture."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.games import GAMES, ROOT, game_module, game_root

OURS = {"engines", "players", "worker_pool", "storage", "cogs", "playground", "bench", "tests", "bot", "motley"}
OURS |= {"live", "play", "release"}
SCREENS = {"discord", "storage", "cogs.table", "cogs.client", "engines.hosting.match", "engines.hosting.matches"}
SCREENS |= {"engines.store.match_store", "engines.store.surface_storage", "PIL", "asyncio"}
OUTSIDE = {"aiosqlite", "asyncpg", "sqlite3", "aiohttp", "PIL", "discord"}
FORBIDDEN = {
    "engines": (OURS - {"engines"}) | OUTSIDE | {"time", "datetime", "random", "os", "pathlib"},
    "players": (OURS - {"players", "engines"}) | OUTSIDE | {"time", "datetime"},
    "worker_pool": (OURS - {"worker_pool", "players", "engines"}) | OUTSIDE,
    "storage": (OURS - {"storage", "engines"}) | {"discord", "aiohttp", "PIL"},
    "motley": (OURS - {"motley", "storage", "cogs", "worker_pool", "engines"}) | OUTSIDE - {"aiohttp", "discord"},
    "cogs": OURS - {"cogs", "engines", "players", "worker_pool"}
    | {"sqlite3", "aiosqlite", "asyncpg", "random", "time", "datetime"},
    "cogs/screens": SCREENS,
    "cogs/pictures": {"discord", "engines", "storage", "cogs.table", "cogs.screens", "asyncio", "os", "pathlib"},
    "playground": (OURS - {"playground"}) | {"discord"},
}


def imported_modules(path: Path) -> Iterator[str]:
    """Every module that a file imports, anywhere in it; `from a import b` counts as a and as a.b."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def package_name(game: str, side: str) -> str:
    return game_module(game, f"{side}.{game}").__name__


def _is_within(name: str, walls: set[str]) -> bool:
    return any(name == wall or name.startswith(f"{wall}.") for wall in walls)


def wall_crossings(folder: str | Path, forbidden: set[str]) -> list[str]:
    found = [(path, name) for path in sorted((ROOT / folder).rglob("*.py")) for name in imported_modules(path)]
    return [f"{path.relative_to(ROOT)} imports {name}" for path, name in found if _is_within(name, forbidden)]


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_no_import_crosses_a_wall(folder: str) -> None:
    assert list((ROOT / folder).rglob("*.py")), f"{folder} is gone"
    assert not wall_crossings(folder, FORBIDDEN[folder])


def test_a_crossing_would_be_found() -> None:
    assert wall_crossings("cogs/table", {"discord"})
    assert any("engines.wizard" in line for line in wall_crossings("cogs/wizard", {"engines.wizard"}))


@pytest.mark.parametrize("game", GAMES)
def test_a_games_screens_know_values_only(game: str) -> None:
    game_ui = game_root(game) / "cogs" / game
    pure = {path for path in game_ui.glob("*.py") if path.stem not in ("cog", "game_ui")}
    assert pure
    assert not [(path, name) for path in pure for name in imported_modules(path) if _is_within(name, SCREENS)]
    assert [*game_ui.glob("drawing/*.py")]
    assert not wall_crossings(game_ui / "drawing", FORBIDDEN["cogs/pictures"])


def run_python(script: str) -> str:
    """What a script says, in a process of its own: an import may load more than it names."""
    result = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)
    return result.stdout.strip()


LOADED = [
    *((screen, "PIL discord aiosqlite") for screen in ("cogs.screens.words", "cogs.screens.screen")),
    *((game_module(g, f"cogs.{g}.screen").__name__, "PIL discord aiosqlite") for g in GAMES),
    ("players, worker_pool.worker_process", "asyncio discord sqlite3"),
    ("players.wizard", "numpy"),  # only a search loads it
    ("motley.__main__", "discord PIL cogs"),  # the owner's commands
]


@pytest.mark.parametrize(("module", "others"), LOADED)
def test_screens_workers_and_commands_load_nothing_that_they_do_not_need(module: str, others: str) -> None:
    assert run_python(f"import sys, {module}; print(*({set(others.split())} & set(sys.modules)))") == ""


@pytest.mark.parametrize("game", GAMES)
def test_a_game_knows_no_other_game_and_its_rules_know_no_ui(game: str) -> None:
    walls = {package_name(other, side) for other in GAMES if other != game for side in ("engines", "cogs")}
    rules, game_ui = (game_root(game) / side / game for side in ("engines", "cogs"))
    assert not wall_crossings(rules, walls | {package_name(game, "cogs")} | FORBIDDEN["engines"] - {"tests"})
    assert not wall_crossings(game_ui, walls | FORBIDDEN["cogs"] - {"tests"})


def test_only_storage_writes_sql() -> None:
    words = ("INSERT INTO", "SELECT ", "UPDATE ", "DELETE FROM", "PRAGMA ")
    for folder in ("engines", "cogs", "playground", "motley"):
        for path in (ROOT / folder).rglob("*.py"):
            texts = [n.value for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Constant)]
            assert not [t for t in texts if isinstance(t, str) and t.startswith(words)], path


def test_the_bot_on_a_file_needs_nothing_of_postgresql() -> None:
    """It is an optional extra: somebody who names its address without it is told what to install."""
    script = (
        "import asyncio, sys; sys.modules['asyncpg'] = None; import bot, storage\n"
        "async def opened():\n"
        "    async with storage.open_store('postgresql://motley:hush@/motley', clock=lambda: 0): pass\n"
        "try: asyncio.run(opened())\n"
        "except storage.StorageError as error: print(error)"
    )
    output = run_python(script)
    assert "requirements/postgres.txt" in output
    assert "hush" not in output


def test_the_bot_runs_on_pythons_own_loop_if_there_is_no_other(tmp_path: Path) -> None:
    """There is no uvloop for every machine, nor an orjson."""
    script = (
        "import asyncio, sys; sys.modules.update(dict.fromkeys(sys.argv[1:])); import bot\n"
        "async def run(_): print(type(asyncio.get_running_loop()).__module__.partition('.')[0])\n"
        "bot.run_bot = run; sys.exit(bot.main())"
    )
    around = {**os.environ, "DISCORD_TOKEN": "none", "PYTHONPATH": str(ROOT)}
    for missing, loop in ((("uvloop", "orjson"), "asyncio"), ((), "uvloop" if find_spec("uvloop") else "asyncio")):
        command = [sys.executable, "-c", script, *missing]
        result = subprocess.run(command, cwd=tmp_path, env=around, check=True, capture_output=True, text=True)
        assert result.stdout.strip() == loop


def test_the_playground_knows_no_bot_and_needs_aiohttp_alone() -> None:
    """Any bot can run on it. Motley is on it through `play.py`."""
    paths = [
        path
        for path in (ROOT / "playground").rglob("*")
        if path.suffix in (".py", ".js", ".css", ".html", ".svg", ".md")
    ]
    assert not [path for path in paths if "motley" in path.read_text(encoding="utf-8").lower()]
    imported = {name.partition(".")[0] for path in paths if path.suffix == ".py" for name in imported_modules(path)}
    assert imported - sys.stdlib_module_names - {"__future__"} == {"aiohttp", "playground"}
