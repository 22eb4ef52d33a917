"""Discord tells of the same click or command twice: it is done once, and answered once."""

from __future__ import annotations

from typing import Any

from tests.games import GAMES
from tests.plain.inn import COMMAND, COMPONENT, TYPING, Plain, plain
from tests.plain.payloads import CHANNEL, Json

GAME = next(iter(GAMES))


async def asked_twice(inn: Plain, kind: int, data: Json, source: Any = None) -> list[int]:
    """Ask once, with the bot told twice; the kinds of its first answers."""
    asked, told = inn.wire.ask(inn.wire.people["Ada"], CHANNEL, kind, data, source)
    await inn.at_once(told, told)
    return asked.firsts


def command(part: str, *options: Json) -> Json:
    """A command of the game."""
    return {"id": "1", "name": GAME, "type": 1, "options": [{"name": part, "type": 1, "options": [*options]}]}


async def test_a_table_is_opened_once() -> None:
    async with plain("0") as inn:
        assert len(await asked_twice(inn, COMMAND, command("new"))) == 1
        assert len(await inn.matches.find()) == 1


async def test_a_click_that_was_done_is_not_called_too_late() -> None:
    async with plain("0") as inn:
        await inn.slash("Ada", f"{GAME} new")
        (info,) = await inn.matches.find()
        lobby = await inn.surface(info.id, "lobby")
        data = {"custom_id": f"t:{info.id}:hand", "component_type": 2}
        assert len(await asked_twice(inn, COMPONENT, data, lobby)) == 1


async def test_what_is_typed_is_offered_once() -> None:
    async with plain("0") as inn:
        typed = {"name": "move", "type": 3, "value": "a", "focused": True}
        assert len(await asked_twice(inn, TYPING, command("move", typed))) == 1
