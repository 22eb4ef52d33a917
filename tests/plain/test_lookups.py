"""A click looks its match up at most three times, and asks each question about who may press it once.

What answers it gets the visit that the door made, and looks no match up by itself.
"""

from __future__ import annotations

import ast
import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from cogs.table.actions import door, rights
from cogs.table.state.block_list import BlockList
from cogs.table.transport.discord_internals import HANDLER_TASKS
from engines.hosting.match_cache import MatchCache
from engines.hosting.matches.lookup import MatchLookup
from tests.contract.helpers import HELPERS
from tests.games import ROOT
from tests.plain.access import PRESSES
from tests.plain.outsiders import EVERYBODY, PHASES, Scene, start_scene

MOST = 3
LOOKUPS = frozenset({"get_snapshot", "get_fresh_snapshot", "get_match", "load_header", "find_cached"})
ROOMS = (
    "cogs/table/actions",
    "cogs/features",
    "cogs/admin_commands.py",
    "cogs/motley_commands.py",
)
DOOR = "cogs/table/actions/door.py"  # it makes the visits
OTHER_MATCHES: Mapping[str, str] = {
    "cogs/table/actions/table_actions.py _show_lobby": "the match has just been opened",
    "cogs/table/actions/lobby_actions.py play_again": "the match that follows",
    "cogs/table/actions/lobby_actions.py _post_own_lobby": "the match that follows",
    "cogs/table/actions/match_list.py _match_entry": "each of somebody's own matches",
    "cogs/table/actions/privacy_actions.py _visible_hand": "each of somebody's own matches",
    "cogs/features/lessons/feature_ui.py _play_against_computer": "the match has just been opened",
    "cogs/features/replays/feature_ui.py play_from_here": "the match has just been opened",
    "cogs/features/hints/feature_ui.py is_wanted": "a worker asks before it begins, perhaps much later",
}
"""Where handlers look up matches that the door does not know, or when nobody waits."""
ASK_AGAIN = {"hints:{match}:ask"}  # and after a search, which takes seconds
FIRST = next(iter(HELPERS))


@contextmanager
def count_calls(match: Callable[[], str]) -> Iterator[Counter[str]]:
    """Count what the tasks of clicks and commands look up and ask."""
    counted = Counter[str]()

    def note(name: str) -> None:
        task = asyncio.current_task()
        if task is not None and task.get_name() in HANDLER_TASKS:
            counted[name] += 1

    def watch(patch: pytest.MonkeyPatch, owner: Any, name: str, *, is_lookup: bool = False) -> None:
        original = getattr(owner, name)

        def called(*arguments: Any, **more: Any) -> Any:
            if not is_lookup or (match() in arguments and not _is_drawing(sys._getframe(1).f_code.co_filename)):
                note("lookup" if is_lookup else name)
            return original(*arguments, **more)

        patch.setattr(owner, name, called)

    with pytest.MonkeyPatch.context() as patch:
        watch(patch, MatchCache, "get_snapshot", is_lookup=True)
        watch(patch, MatchLookup, "load_header", is_lookup=True)
        watch(patch, door, "require_reader")
        watch(patch, BlockList, "require_allowed")
        for person, question in rights.QUESTIONS.items():

            def counted_question(visit: Any, person: Any = person, question: Any = question) -> bool:
                note(f"{person}")
                return bool(question(visit))

            patch.setitem(rights.QUESTIONS, person, counted_question)
        yield counted


def _is_drawing(path: str) -> bool:
    """Whether the caller brings messages up to date: that looks for itself whether the match has moved on."""
    return any(f"/cogs/table/{room}/" in path for room in ("surfaces", "channels", "state"))


async def crowded_clicks(scene: Scene) -> dict[str, Counter[str]]:
    """Have the first who may do so press each control. Return those that looked up or asked too much."""
    crowded = {}
    with count_calls(lambda: scene.match) as counted:
        for press in PRESSES:
            if press.is_command or "{match}" not in press.name:
                continue
            allowed = [each for each in EVERYBODY if await scene.may_press(each, press)]
            if not allowed:
                continue
            name = allowed[0]
            counted.clear()
            outcome = await scene.press(name, press, is_public=False)
            question_counts = {name: times for name, times in counted.items() if name != "lookup"}
            if counted["lookup"] > MOST or max(question_counts.values()) > (2 if press.name in ASK_AGAIN else 1):
                crowded[f"{press} of {name}"] = Counter(counted)
            if {"matches", "saved", "deals", "rows"} & {*outcome.changed}:
                await scene.prepare()
    return crowded


@pytest.mark.timeout(900)
@pytest.mark.parametrize("phase", PHASES)
async def test_a_click_looks_its_match_up_three_times_and_asks_once(phase: str) -> None:
    async with start_scene(HELPERS[FIRST], phase) as scene:
        assert await crowded_clicks(scene) == {}


def functions_with_lookups(source: str) -> set[str]:
    """The innermost functions of a module that look matches up."""
    found = set()

    def visit_node(node: ast.AST, inside: str) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = node.name
        if isinstance(node, ast.Attribute) and node.attr in LOOKUPS:
            found.add(inside)
        for child in ast.iter_child_nodes(node):
            visit_node(child, inside)

    visit_node(ast.parse(source), "")
    return found


def test_functions_that_answer_get_a_visit_and_look_no_match_up() -> None:
    paths = [
        path for room in ROOMS for path in ([ROOT / room] if room.endswith(".py") else (ROOT / room).rglob("*.py"))
    ]
    paths.remove(ROOT / DOOR)
    found = {
        f"{path.relative_to(ROOT).as_posix()} {name}"
        for path in paths
        for name in functions_with_lookups(path.read_text(encoding="utf-8"))
    }
    assert found == {*OTHER_MATCHES}


def test_a_handler_that_looks_a_match_up_is_caught() -> None:
    assert functions_with_lookups("async def show(matches):\n    look = await matches.cache.get_snapshot('x')") == {
        "show"
    }


@pytest.mark.parametrize("repetition", ["look up", "ask"])
async def test_a_click_that_does_too_much_is_caught(repetition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    admit = door.Door.admit

    async def admit_again(own: door.Door, visit: Any, access: Any, click: int) -> None:
        await admit(own, visit, access, click)
        if repetition == "ask":
            access.require(visit)
        else:
            for _ in range(MOST):
                await own.renew(visit)

    monkeypatch.setattr(door.Door, "admit", admit_again)
    async with start_scene(HELPERS[FIRST], "lobby") as scene:
        assert await crowded_clicks(scene)
