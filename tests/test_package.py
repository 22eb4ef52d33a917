"""What `pip install .` brings: the games with their types and data, usable anywhere; `requirements/` has the rest."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterable, Sequence
from importlib.metadata import distribution
from pathlib import Path
from types import FunctionType, ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import engines
from tests.games import ROOT
from tests.golden.records import random_record_paths

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BUILT_FROM = ("pyproject.toml", "README.md", "LICENSE", "engines", "storage", "bot.py")
HEAVY = {"discord", "aiohttp", "aiosqlite", "sqlite3", "PIL", "pydantic_settings", "asyncio", "argparse"}
"""What `import engines` has no need of."""

A_MATCH = """
import engines
for game in engines.GAMES.values():
    chance = engines.Chance("07")
    state = game.start(game.seats[0], game.options(), chance.fork())
    while decisions := game.decisions(state):
        seat = next(seat for seat, decision in decisions.items() if decision.due)
        game.play(state, seat, chance.choice(game.moves(state, seat)))
        assert game.view(state, seat)
    print(game.key, game.outcome(state).winners)
"""

TYPED = """
from engines import GAMES, Chance, Decision, IllegalMove, Outcome, letter, record
from engines.wizard import WIZARD
from engines.wizard.model import Play
from engines.wizard.view import View

state = WIZARD.start(3, WIZARD.options(rounds=1), Chance.with_new_seed())
view: View = WIZARD.view(state, 0)
reveal_type(view.hand)
reveal_type(WIZARD.decisions(state))
reveal_type(GAMES["wizard"].outcome(state))
reveal_type(record.parse_record(""))
WIZARD.play(state, "A", Play(22))
try:
    WIZARD.check(state, 0, Play(22))
except IllegalMove as refused:
    reveal_type(refused.reason)
"""
SEEN = """\
8: note: Revealed type is "tuple[int, ...]"
9: note: Revealed type is "typing.Mapping[int, engines.kit.contract.Decision]"
10: note: Revealed type is "engines.kit.contract.Outcome | None"
11: note: Revealed type is "engines.hosting.records.record.Record"
12: error: Argument 2 has incompatible type "str"; expected "int"  [arg-type]
16: note: Revealed type is "str"
"""


def run_command(command: Sequence[str | Path], folder: Path, **environment: str) -> str:
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), **environment}
    result = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert not result.stderr, result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("package")
    source, home = folder / "source", folder / "home"
    source.mkdir()
    for name in BUILT_FROM:  # in a copy: a build leaves things behind
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(path, source)
    venv.create(home, with_pip=False, symlinks=True)
    (site,) = home.glob("lib/python*/site-packages")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    run_command([*pip, "install", "--no-index", "--no-deps", "--no-build-isolation", "--target", site, "."], source)
    for name in needed_distributions(PROJECT["dependencies"]):
        for part in {path.parts[0] for path in distribution(name).files or ()} - {"..", "__pycache__"}:
            (site / part).symlink_to(str(distribution(name).locate_file(part)))
    return home / "bin" / "python"


def needed_distributions(requirements: Iterable[str]) -> set[str]:
    names = {match[0] for line in requirements if "extra ==" not in line and (match := re.match(r"[\w.-]+", line))}
    return names.union(*(needed_distributions(distribution(name).requires or ()) for name in names))


def test_every_game_can_be_played_from_any_directory(python: Path, tmp_path: Path) -> None:
    played = run_command([python, "-W", "error", "-c", A_MATCH], tmp_path).splitlines()
    assert [line.split()[0] for line in played] == list(engines.GAMES)


def test_a_record_can_be_verified_from_any_directory(python: Path, tmp_path: Path) -> None:
    shutil.copy(random_record_paths()[0], tmp_path / "match.txt")
    assert run_command([python, "-m", "engines", "check", "match.txt"], tmp_path).startswith("Correct record: ")


def test_only_the_games_are_installed_and_loaded(python: Path, tmp_path: Path) -> None:
    script = "from importlib.metadata import files; print(*{path.parts[0] for path in files('motley')})"
    installed = run_command([python, "-c", script], tmp_path).split()
    assert {name for name in installed if not name.endswith(".dist-info")} == {"engines"}
    script = "import sys, engines; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = set(run_command([python, "-c", script], tmp_path).split())
    assert "pydantic" in loaded
    assert not loaded & HEAVY


def test_a_type_checker_sees_the_types(python: Path, tmp_path: Path) -> None:
    (tmp_path / "typed.py").write_text(TYPED.lstrip(), encoding="utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\n[mypy-pydantic.*]\nfollow_imports = skip\n", encoding="utf-8")
    options = ("--strict", "--no-error-summary", "--python-executable", python)
    output = run_command([sys.executable, "-m", "mypy", *options, "typed.py"], tmp_path)
    assert output == "".join(f"typed.py:{line}\n" for line in SEEN.splitlines())


def test_the_surface_says_what_each_of_its_names_is() -> None:
    for name in engines.__all__:
        found = getattr(engines, name)
        assert not isinstance(found, type | FunctionType | ModuleType) or found.__doc__, f"{name} says nothing"


FILES = {path.stem: path for path in (ROOT / "requirements").glob("*.txt")}
MACHINES = [
    {"sys_platform": system, "platform_machine": machine, "platform_python_implementation": python}
    for system, machine in [
        *(("linux", machine) for machine in ("x86_64", "aarch64", "armv7l", "riscv64")),
        *(("darwin", machine) for machine in ("x86_64", "arm64")),
        *(("win32", machine) for machine in ("AMD64", "ARM64")),
    ]
    for python in ("CPython", "PyPy")
]


def asked_requirements(lines: Iterable[str]) -> dict[str, Requirement]:
    found: dict[str, Requirement] = {}
    for line in lines:
        one = Requirement(line)
        if one.name == PROJECT["name"]:
            for extra in one.extras:
                found |= asked_requirements(PROJECT["optional-dependencies"][extra])
        else:
            found[canonicalize_name(one.name)] = one
    return found


def pinned_versions(lines: Iterable[str]) -> dict[str, Requirement]:
    ones = (Requirement(line.rstrip(" \\")) for line in lines if not line.startswith((" ", "#")))
    return {canonicalize_name(one.name): one for one in ones}


def test_there_is_a_file_for_whatever_is_installed() -> None:
    assert FILES.keys() == PROJECT["optional-dependencies"].keys() - {"bot"}


@pytest.mark.parametrize("extra", FILES)
def test_a_file_pins_what_is_asked_for_where_it_is_asked_for(extra: str) -> None:
    given = pinned_versions(FILES[extra].read_text(encoding="utf-8").splitlines())
    for name, wanted in asked_requirements([*PROJECT["dependencies"], f"{PROJECT['name']}[{extra}]"]).items():
        assert name in given, f"{extra}.txt has no {name}; CONTRIBUTING.md says how it is made"
        (only,) = given[name].specifier
        assert only.operator == "=="
        assert wanted.specifier.contains(only.version, prereleases=True)
        for machine in MACHINES:
            applies = [one.marker is None or one.marker.evaluate(machine) for one in (wanted, given[name])]
            assert applies[0] == applies[1], f"{name} in {extra}.txt, of {machine}"


@pytest.mark.parametrize("extra", FILES)
def test_all_files_pin_the_same(extra: str) -> None:
    own_pins = pinned_versions(FILES[extra].read_text(encoding="utf-8").splitlines())
    for other in FILES.values():
        other_pins = pinned_versions(other.read_text(encoding="utf-8").splitlines())
        for name in own_pins.keys() & other_pins.keys():
            assert own_pins[name].specifier == other_pins[name].specifier, f"{name} in {extra}.txt and {other.name}"
