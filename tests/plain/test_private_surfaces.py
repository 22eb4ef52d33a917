"""Every control of what one person alone sees: pressed once, on a server and in direct messages, none only refuses.

It begins with hands, menus and the answers to commands, and goes on with whatever they lead to, in every phase of a
match. MOTLEY_STARTS=all does so with more people.
"""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cogs.features.clips import feature_ui as clips_ui
from cogs.features.replays.feature_ui import ReplayActions
from engines.hosting.match import RequestRefused
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.game_uis import GAME_UIS
from tests.messages import BUTTON, SELECT, Message, walk_components
from tests.plain.outsiders import HOST, PHASES, PLAYER, Scene, start_scene

ALL = os.environ.get("MOTLEY_STARTS") == "all"
FIRST = next(iter(HELPERS))
LASTING = {"matches", "saved", "rows", "deals", "preferences"}  # what must be as before for the next press
MOVING_KINDS = frozenset("mcspofng")
MOST_PRESSES = 8  # in a row, from the first message on

Opener = Callable[[Scene, str], Awaitable[Message | None]]


async def hand_in_messages(scene: Scene, name: str) -> Message | None:
    """The hand in somebody's direct messages."""
    seat = (await scene.plain_bot.load_snapshot(scene.match)).info.seat_of(scene.plain_bot.wire.people[name])
    return None if seat is None else await scene.plain_bot.surface_message(scene.match, "hand", seat)


def table_answer(action: str) -> Opener:
    """What somebody sees who presses that at the table, or in the lobby."""

    async def open_answer(scene: Scene, name: str) -> Message | None:
        message = await scene.plain_bot.surface_message(scene.match, "lobby" if scene.phase == "lobby" else "table")
        return (await scene.plain_bot.click_control(name, message, f"t:{scene.match}:{action}")).answer

    return open_answer


def command_answer(command: str, *, in_messages: bool = False, **options: Any) -> Opener:
    """What a command shows, on the server or in direct messages."""

    async def open_answer(scene: Scene, name: str) -> Message | None:
        wire, rooms = scene.plain_bot.wire, scene.plain_bot.rooms
        if in_messages:
            rooms[name] = wire.inbox_of(wire.people[name])
        answer = (await scene.plain_bot.run_command(name, command, **options)).answer
        rooms.pop(name, None)
        return answer

    return open_answer


def openers(key: str, phase: str) -> Iterator[tuple[str, Opener]]:
    """The messages that a walk begins with, by a name."""
    yield "hand in direct messages", hand_in_messages
    yield "hand", table_answer("hand")
    if phase == "lobby":  # later, hands lead to it
        yield "menu", table_answer("more")
    for in_messages in (False, True):
        where = " in direct messages" if in_messages else ""
        if phase == "over":
            yield f"replay{where}", command_answer("motley replay", in_messages=in_messages)
        if phase == "lobby":
            if key in GAME_UIS:
                yield f"lesson{where}", command_answer("motley learn", in_messages=in_messages, game=key)
                yield f"puzzle{where}", command_answer("motley puzzle", in_messages=in_messages, game=key, number=1)
            yield f"rules{where}", command_answer(f"{key} rules", in_messages=in_messages)
        if key == FIRST:
            yield f"help{where}", command_answer("motley help", in_messages=in_messages)
            yield f"matches{where}", command_answer("motley matches", in_messages=in_messages)
            yield f"settings{where}", command_answer("motley settings", in_messages=in_messages)
            yield f"privacy{where}", command_answer("motley privacy", in_messages=in_messages)


def word_of(control: dict[str, Any], match: str) -> str:
    """What a control is for, without its match, the moment it is about, and the move it makes."""
    custom_id: str = control["custom_id"]
    kind, _, rest = custom_id.partition(":")
    if kind in MOVING_KINDS:
        return kind
    own = re.sub(rf"^({match}|[~!][a-z]+\.\d+):", "", rest)
    return " ".join((kind, *re.findall(r"[a-z-]+", own)[:2]))


def controls_of(message: Message) -> list[dict[str, Any]]:
    found = (each for each in walk_components(message["components"]) if each["type"] in (BUTTON, SELECT))
    return [each for each in found if each.get("custom_id") and not each.get("disabled")]


def value_to_pick(menu: dict[str, Any]) -> str:
    """The first line of a list that is not chosen yet."""
    lines: list[dict[str, Any]] = menu["options"]
    return str(next((line for line in lines if not line.get("default")), lines[0])["value"])


class Walk:
    """Presses everything that can be reached from one message, each kind of control once."""

    def __init__(self, scene: Scene, name: str, begin: Opener) -> None:
        self._scene = scene
        self._name = name
        self._begin = begin
        self.pressed: set[str] = set()
        self.refusals: list[str] = []

    async def press_all(self) -> None:
        """Press everything, one path after another."""
        paths: list[tuple[str, ...]] = [()]
        while paths:
            path = paths.pop(0)
            message = await self._go(path)
            words = [] if message is None else [word_of(each, self._scene.match) for each in controls_of(message)]
            for word in dict.fromkeys(words):
                if word not in self.pressed:
                    self.pressed.add(word)
                    await self._press_at(path, word)
                    if len(path) + 1 < MOST_PRESSES:
                        paths.append((*path, word))

    async def _press_at(self, path: Sequence[str], word: str) -> None:
        message = await self._go(path)
        assert message is not None, f"{path} leads nowhere the second time"
        before = self._scene._state()
        self._scene.refusals.clear()
        await self._press(message, word)
        self.refusals += [f"{' › '.join((*path, word))}: {each}" for each in self._scene.refusals]
        if any(before[part] != now for part, now in self._scene._state().items() if part in LASTING):
            await self._scene.prepare()

    async def _go(self, path: Sequence[str]) -> Message | None:
        """Return the message to which these presses lead; None if there is none, as after a form."""
        before = self._scene._state()
        message = await self._begin(self._scene, self._name)
        for word in path:
            message = None if message is None else await self._press(message, word)
        if any(before[part] != now for part, now in self._scene._state().items() if part == "matches"):
            await self._scene.prepare()  # such a path changes the match: what follows it belongs to another one
            return None
        return message

    async def _press(self, message: Message, word: str) -> Message | None:
        plain_bot = self._scene.plain_bot
        control = next((each for each in controls_of(message) if word_of(each, self._scene.match) == word), None)
        if control is None:
            return None
        plain_bot.bot.shares._posts_free_at.clear()  # as when more time has passed
        values = None if control["type"] == BUTTON else [value_to_pick(control)]
        pressed = await plain_bot.click_control(self._name, message, control["custom_id"], values)
        if pressed.form is not None:
            return None
        answer = pressed.answer or message
        try:
            return plain_bot.current_message(answer)
        except KeyError:
            return answer


async def refused_presses(scene: Scene, names: Sequence[str]) -> tuple[int, list[str]]:
    """Press everything that these people can reach. Return how much that was, and what was refused."""
    count, refused = 0, list[str]()
    for name in names:
        for begin, opener in openers(scene.helper.game.key, scene.phase):
            walk = Walk(scene, name, opener)
            await walk.press_all()
            count += len(walk.pressed)
            refused += [f"{name}, {begin}: {each}" for each in walk.refusals]
    return count, refused


@asynccontextmanager
async def patient_scene(helper: GameHelper, phase: str) -> AsyncIterator[Scene]:
    """A scene in which everybody may have as many clips as they like."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clips_ui, "MAX_PER_HOUR", 10**6)
        async with start_scene(helper, phase) as scene:
            yield scene


@pytest.mark.sampled(3)
@pytest.mark.timeout(900)
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS)
async def test_no_private_message_offers_what_is_only_refused(helper: GameHelper, phase: str) -> None:
    async with patient_scene(helper, phase) as scene:
        count, refused = await refused_presses(scene, (HOST, PLAYER) if ALL else (HOST,))
    assert refused == []
    assert count > 20


async def test_a_button_that_only_refuses_in_direct_messages_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    original = ReplayActions.share

    async def share(self: ReplayActions, reply: Any, *about: Any) -> None:
        """Refuse in direct messages."""
        if reply.interaction.guild_id is None:
            raise RequestRefused("Press this on the server.")
        await original(self, reply, *about)

    monkeypatch.setattr(ReplayActions, "share", share)
    async with patient_scene(HELPERS[FIRST], "over") as scene:
        walk = Walk(scene, HOST, command_answer("motley replay", in_messages=True))
        await walk.press_all()
    assert {*walk.refusals} == {"replays together t: Press this on the server."}
