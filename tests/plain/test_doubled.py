"""Discord tells of the same click or command twice: it is done once, and answered once."""

from __future__ import annotations

from typing import Any

from tests.games import GAMES
from tests.plain.inn import COMMAND_KIND, COMPONENT_KIND, TYPING_KIND, PlainBot, start_plain_bot
from tests.plain.payloads import CHANNEL, Json

GAME = next(iter(GAMES))


async def ask_twice(inn: PlainBot, kind: int, data: Json, source: Any = None) -> list[int]:
    """Ask once, with the bot told twice; the kinds of its first answers."""
    asked, told = inn.wire.start_interaction(inn.wire.people["Ada"], CHANNEL, kind, data, source)
    await inn.dispatch_at_once(told, told)
    return asked.first_answer_kinds


def command_data(part: str, *options: Json) -> Json:
    """A command of the game."""
    return {"id": "1", "name": GAME, "type": 1, "options": [{"name": part, "type": 1, "options": [*options]}]}


async def test_a_table_is_opened_once() -> None:
    async with start_plain_bot("0") as inn:
        assert len(await ask_twice(inn, COMMAND_KIND, command_data("new"))) == 1
        assert len(await inn.matches.find()) == 1


async def test_a_click_that_was_done_is_not_called_too_late() -> None:
    async with start_plain_bot("0") as inn:
        await inn.run_command("Ada", f"{GAME} new")
        (info,) = await inn.matches.find()
        lobby = await inn.surface_message(info.id, "lobby")
        data = {"custom_id": f"t:{info.id}:hand", "component_type": 2}
        assert len(await ask_twice(inn, COMPONENT_KIND, data, lobby)) == 1


async def test_what_is_typed_is_offered_once() -> None:
    async with start_plain_bot("0") as inn:
        typed = {"name": "move", "type": 3, "value": "a", "focused": True}
        assert len(await ask_twice(inn, TYPING_KIND, command_data("move", typed))) == 1
