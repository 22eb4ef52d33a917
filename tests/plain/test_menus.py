"""The menu behind *More*: every entry stands in a group, and nothing that it offers is refused.

The law presses all of it, in every phase of a match, for everybody around it; MOTLEY_STARTS=all does so with everybody
in every game.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cogs.features.hints import feature_ui as hint_ui
from cogs.table.pages import menu_pages
from cogs.table.pages.menu_entries import MenuEntry, MenuGroup
from engines.features.takebacks.taking_back import TakingBack
from engines.store.match_store import Status
from engines.store.surface_storage import SurfaceKind
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.contract.walk import choose_move
from tests.messages import BUTTON, SELECT, TEXT, Message, walk_components
from tests.plain.outsiders import HOST, LEFT, MANAGER, PHASES, PLAYER, REPLACED, SPECTATOR, THIRD, Scene, start_scene

ALL = os.environ.get("MOTLEY_STARTS") == "all"
FIRST = next(iter(HELPERS))
EVERYBODY = (HOST, PLAYER, LEFT, REPLACED, SPECTATOR, MANAGER)
SOME = (HOST, PLAYER, SPECTATOR)
LASTING = {"matches", "saved", "rows", "deals", "preferences"}  # what must be as before for the next press
HEADINGS = [f"**{group.value}**" for group in MenuGroup]


async def open_menu(scene: Scene, name: str) -> Message:
    """The menu that somebody opens at the table, or in the lobby."""
    kind: SurfaceKind = "lobby" if scene.phase == "lobby" else "table"
    message = await scene.plain_bot.surface_message(scene.match, kind, -1)
    menu = (await scene.plain_bot.click_control(name, message, f"t:{scene.match}:more")).answer
    assert menu is not None
    return menu


def groups_of(menu: Message) -> dict[str, list[dict[str, Any]]]:
    """The controls of a menu by the heading above them; those above the first heading by an empty one."""
    found: dict[str, list[dict[str, Any]]] = {"": []}
    heading = ""
    for part in walk_components(menu["components"]):
        if part["type"] == TEXT and part["content"] in HEADINGS:
            heading = part["content"]
            assert heading not in found, f"two groups are {heading}"
            found[heading] = []
        elif part["type"] in (BUTTON, SELECT):
            found[heading].append(part)
    return found


def values_of(control: dict[str, Any]) -> Sequence[str] | None:
    return None if control["type"] == BUTTON else [control["options"][0]["value"]]


async def press_menus(scene: Scene, names: Sequence[str], arrange: Callable[[], Awaitable[None]] | None = None) -> int:
    """Press every entry of everybody's menu, after what is arranged first. Return how many there were."""
    count = 0
    if arrange is not None:
        await arrange()
    for name in names:
        pressed = set[str]()
        while True:
            menu = await open_menu(scene, name)
            control = next((each for each in _controls(menu) if _word(each) not in pressed), None)
            if control is None:
                break
            pressed.add(_word(control))
            before = scene._state()
            scene.refusals.clear()
            scene.plain_bot.bot.shares._posts_free_at.clear()  # as when more time has passed
            await scene.plain_bot.click_control(name, menu, control["custom_id"], values_of(control))
            assert not scene.refusals, f"{control} of {name} is refused: {scene.refusals}"
            count += 1
            if any(before[part] != now for part, now in scene._state().items() if part in LASTING):
                await scene.prepare()
                if arrange is not None:
                    await arrange()
    return count


def _word(control: dict[str, Any]) -> str:
    """What a control does, without the match and the stamp of what its reader sees."""
    return " ".join((control["custom_id"].split(":")[0], *control["custom_id"].split(":")[2:3]))


def _controls(menu: Message) -> list[dict[str, Any]]:
    groups = groups_of(menu)
    assert not groups[""], f"an entry without a group: {groups['']}"
    assert [*groups][1:] == [heading for heading in HEADINGS if heading in groups], "the groups are out of order"
    found = [each for controls in groups.values() for each in controls]
    assert not any(each.get("disabled") for each in found), "what cannot be pressed stands in a menu"
    return found


@pytest.mark.sampled
@pytest.mark.timeout(900)
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS)
async def test_nothing_that_a_menu_offers_is_refused(helper: GameHelper, phase: str) -> None:
    names = EVERYBODY if ALL or helper.game.key == FIRST else SOME
    async with start_scene(helper, phase) as scene:
        assert await press_menus(scene, names) > 4 * len(names)


@pytest.mark.parametrize("is_ended", [False, True], ids=["paused", "ended"])
async def test_nothing_is_refused_while_a_match_is_paused_and_after_it_was_ended(is_ended: bool) -> None:
    async with start_scene(HELPERS[FIRST], "running") as scene:

        async def arrange() -> None:
            await scene.plain_bot.press(PLAYER, scene.match, "leave")
            if is_ended:
                for name in (HOST, THIRD):
                    await scene.plain_bot.press(name, scene.match, "stop")
            await scene.plain_bot.wait_quiet()
            status = (await scene.plain_bot.load_snapshot(scene.match)).info.status
            assert status is (Status.ENDED if is_ended else Status.PAUSED)

        assert await press_menus(scene, (HOST, PLAYER, SPECTATOR), arrange) > 10


def _always(value: Any) -> Callable[..., Any]:
    async def answer(*about: object) -> Any:
        return value

    return answer


def _vote_again(patch: pytest.MonkeyPatch) -> None:
    """A menu that offers to leave and to vote to people without a seat."""
    original = menu_pages._own_entries

    def entries(snapshot: Any, user: int) -> Iterator[MenuEntry]:
        seated = snapshot.info.seats[0].user
        return original(replace(snapshot, info=replace(snapshot.info, votes=())), seated)

    patch.setattr(menu_pages, "_own_entries", entries)


def _hints_for_all(patch: pytest.MonkeyPatch) -> None:
    """A menu that offers hints to people who have nothing to decide."""
    patch.setattr(hint_ui, "offers_hint", lambda snapshot, user: True)


def _unchecked_take_backs(patch: pytest.MonkeyPatch) -> None:
    """A menu that offers to take a move back after others have moved."""
    patch.setattr(TakingBack, "is_surely_refused", _always(False))


@pytest.mark.parametrize("install", [_vote_again, _hints_for_all, _unchecked_take_backs])
async def test_a_menu_that_offers_too_much_is_caught(
    install: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with start_scene(HELPERS[FIRST], "running") as scene:

        async def move_on() -> None:
            """Make moves, so that everybody has made one before somebody else."""
            rng = Random(1)
            for _ in range(4):
                snapshot = await scene.plain_bot.load_snapshot(scene.match)
                await scene.plain_bot.play_undrawn(snapshot, *choose_move(scene.helper, snapshot.state, rng))
            await scene.plain_bot.show_match(scene.match)

        install(monkeypatch)
        with pytest.raises(AssertionError, match="is refused"):
            await press_menus(scene, EVERYBODY, move_on)
