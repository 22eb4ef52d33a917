"""Checks the files of a release before its tag: everything runs from the unpacked source alone.

Each check returns one sentence for CHECKS.txt. A check that this machine cannot do says so; one that fails ends it all.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from release.changelog import NotReady

BASE_LINE = re.compile(r"^FROM (\S+)$", re.MULTILINE)  # of the last stage, which the image is based on
PLAY_SECONDS, PULL_SECONDS, LONGEST_SECONDS = 120, 600, 3600
LONGEST_OUTPUT = 2000  # characters of what a failed command printed
REFUSED_TEXT = "DISCORD_TOKEN is missing"
MATCHES_SCRIPT = """
import engines
assert engines.__file__.startswith({folder!r}), engines.__file__
for game in engines.GAMES.values():
    chance = engines.Chance("07")
    state = game.start(game.seats[0], game.options(), chance.fork())
    while decisions := game.decisions(state):
        seat = next(seat for seat, decision in decisions.items() if decision.due)
        game.play(state, seat, chance.choice(game.moves(state, seat)))
    assert game.outcome(state)
"""
MISSING_SCRIPT = "from tests.processes.containers import what_is_missing; print(what_is_missing())"


def check_tree(tree: Path, names: list[str], wheel: Path, image: str) -> Iterator[str]:
    """Check an unpacked source, and yield a sentence after each check. `names` are the files of the commit.

    Raises NotReady.
    """
    yield check_names(tree, names)
    python = _make_environment(tree)
    yield _check_refusal(tree, python)
    yield _check_wheel(wheel, python, tree.parent)
    yield _check_play(tree)
    yield _check_older_databases(tree, python)
    yield check_image(tree, python, image)


def check_names(tree: Path, names: list[str]) -> str:
    """Check that the source holds the files of the commit and nothing else."""
    found = {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}
    if differing := sorted(found ^ {*names}):
        raise NotReady(f"The source differs from the commit: {', '.join(differing[:5])}.")
    return f"The source holds the files of the commit and no others: {len(found)}."


def check_image(tree: Path, python: Path, image: str) -> str:
    """Build the image under that name; without its base, build it on a stand-in and play a match in it."""
    base = BASE_LINE.findall((tree / "Dockerfile").read_text(encoding="utf-8"))[-1]
    for tool in filter(shutil.which, ("docker", "podman")):
        if _can_pull(tool, base):
            _run(tree, tool, "build", "--quiet", "--tag", image, ".")
            done = _try(tree, tool, "run", "--rm", "--network=none", image, "python", "bot.py")
            if REFUSED_TEXT not in done.stderr:
                raise NotReady(f"The image does not say what it lacks: {_said(done)}")
            return f"The image {image} was built by {tool} and says which setting it lacks."
    why = f"The image {image} was not built, because its base, {base}, cannot be had here"
    missing = _run(tree, str(python), "-c", MISSING_SCRIPT).strip()
    if missing:
        return (
            f"{why}. Nor was it built on a stand-in: {missing} Build it from the source: docker build --tag {image} ."
        )
    _run(tree, "git", "init", "--quiet")  # the test copies what git knows
    _run(tree, "git", "add", "--all")
    _run_tests(tree, python, "tests/processes/test_container.py")
    return (
        f"{why}. On a stand-in for its base, a Debian made here, it was built, and a match was played, backed up and "
        f"restored in it. Build it from the source: docker build --tag {image} ."
    )


def _make_environment(tree: Path) -> Path:
    """Install what the tests need as `make test` does; the interpreter."""
    _run(tree, "make", "--silent", f"PYTHON={sys.executable}", ".venv/.test")
    return tree / ".venv" / "bin" / "python"


def _check_refusal(tree: Path, python: Path) -> str:
    done = _try(tree, str(python), "bot.py")
    if done.returncode != 2 or REFUSED_TEXT not in done.stderr:
        raise NotReady(f"The bot does not say what it lacks: {_said(done)}")
    return "The bot says which setting it lacks."


def _check_wheel(wheel: Path, python: Path, place: Path) -> str:
    target = place / "library"
    _run(place, str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), str(wheel))
    _run(place, str(python), "-c", MATCHES_SCRIPT.format(folder=str(target)), PYTHONPATH=str(target))
    return "The library was installed alone, and a match of each game was played with it."


def _check_play(tree: Path) -> str:
    """Start the playground as `make play` does, until it names its address."""
    process = subprocess.Popen(
        ["make", "play", f"PYTHON={sys.executable}"],
        cwd=tree,
        env=_environment({"MOTLEY_DATABASE": str(tree.parent / "played.db")}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    lines: list[str] = []
    timer = threading.Timer(PLAY_SECONDS, os.killpg, (process.pid, signal.SIGINT))
    timer.start()
    try:
        for line in process.stdout:
            lines.append(line)
            if "http://" in line:
                os.killpg(process.pid, signal.SIGINT)
        process.wait()
    finally:
        timer.cancel()
    if not any("http://" in line for line in lines):
        raise NotReady(f"`make play` names no address: {''.join(lines)[-LONGEST_OUTPUT:]}")
    return "`make play` starts the playground."


def _check_older_databases(tree: Path, python: Path) -> str:
    """Open the databases of every release, and play their matches on."""
    _run_tests(tree, python, "tests/releases")
    found = sorted(path.name for path in (tree / "tests" / "releases").glob("*.xz"))
    return f"The databases of all releases were brought up to date and played on: {', '.join(found)}."


def _run_tests(tree: Path, python: Path, *paths: str) -> None:
    """Run tests, of which none may be skipped."""
    _run(tree, str(python), "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", *paths, MOTLEY_CI="1")


def _can_pull(tool: str, base: str) -> bool:
    try:
        command = (tool, "pull", "--quiet", f"docker.io/library/{base}")
        return not subprocess.run(command, capture_output=True, check=False, timeout=PULL_SECONDS).returncode
    except subprocess.TimeoutExpired:
        return False


def _run(folder: Path, *command: str, **settings: str) -> str:
    """Run a command, and return what it prints. Raises NotReady with its output if it fails."""
    done = _try(folder, *command, **settings)
    if done.returncode:
        raise NotReady(f"`{' '.join(command)}` failed: {_said(done)}")
    return done.stdout


def _try(folder: Path, *command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        env=_environment(settings),
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_SECONDS,
    )


def _environment(settings: Mapping[str, str]) -> dict[str, str]:
    """The environment without the bot's settings: no token of the owner's gets into a check."""
    own = ("DISCORD_TOKEN", "MOTLEY_", "PYTHONPATH", "VIRTUAL_ENV", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    return {name: value for name, value in os.environ.items() if not name.startswith(own)} | dict(settings)


def _said(done: subprocess.CompletedProcess[str]) -> str:
    return (done.stdout.strip() + "\n" + done.stderr.strip()).strip()[-LONGEST_OUTPUT:]
