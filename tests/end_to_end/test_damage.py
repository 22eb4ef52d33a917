"""What the bot does at its start with matches that are damaged, or begun by a newer version of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from cogs.table.commands.component_router import ComponentRouter
from engines.store.match_store import Status
from tests.end_to_end.world import SimulatedServer, reply_text
from tests.messages import Message, move_buttons

OTHERS = ("Dora", "Emil", "Fumi")
DAMAGE = {
    "move": "UPDATE moves SET notation = 'bid 9' WHERE match = ?",
    "votes": "UPDATE matches SET revision = revision + 1, votes = '{' WHERE match = ?",
    "options": "UPDATE matches SET revision = revision + 1, options = '[' WHERE match = ?",
    "status": "UPDATE matches SET revision = revision + 1, status = 'runs' WHERE match = ?",
    "seats": "DELETE FROM seats WHERE match = ?",
    "state": "DELETE FROM states WHERE match = ?",
    "base": "DELETE FROM bases WHERE match = ?",
}


@pytest.mark.mishap
@pytest.mark.parametrize("sql", DAMAGE.values(), ids=DAMAGE)
async def test_one_damaged_match_is_set_aside_and_named_and_the_others_go_on(inn: SimulatedServer, sql: str) -> None:
    sound, match = await inn.seat_and_start(OTHERS), await inn.seat_and_start(rounds=2)
    await inn.make_move(match)
    (name, old), old_table = await inn.due_hand(match), await inn.find_table(match)
    inn.tamper_database(sql, match)
    await inn.restart()
    assert await inn.status(match) is Status.ASIDE
    assert "damaged and was set aside" in await inn.table_text(match)
    assert "damaged" in reply_text(await inn.forge_click(name, old, move_buttons(old)[0])) or sql == DAMAGE["seats"]
    await press_everything(inn, old_table, match)
    shown = reply_text(await inn["Ada"].slash(inn.table, "admin show", match=match))
    assert "Reason: its" in shown or "Reason: the" in shown
    assert match in reply_text(await inn["Ada"].slash(inn.table, "admin matches"))
    assert sound in reply_text(await inn["Dora"].slash(inn.table, "motley matches"))
    assert await inn.status(sound) is Status.RUNNING
    await inn.play_out(sound)
    asked = await inn["Ada"].slash(inn.table, "admin reset", match=match)
    await inn.press_answer("Ada", asked, "Reset the match")
    assert await inn.status(match) is Status.RESET


async def press_everything(w: SimulatedServer, message: Message, match: str) -> None:
    """Whatever is clicked, there is a sentence, and nothing goes wrong."""
    controls = w.bot.get_cog("ComponentRouter")
    assert isinstance(controls, ComponentRouter)
    for which in (*controls._table_actions, "rules"):
        answer = reply_text(await w.forge_click("Bela", message, f"t:{match}:{which}"))
        assert len(answer) > 10, which
        assert "went wrong" not in answer, which


def stored_rows(w: SimulatedServer) -> list[list[tuple[object, ...]]]:
    """All that is kept of matches and of what was shown of them."""
    names = ("matches", "seats", "states", "bases", "moves", "events", "history", "surfaces", "mentions", "due")
    with closing(sqlite3.connect(w.path)) as raw:
        return [raw.execute(f"SELECT * FROM {name} ORDER BY 1, 2, 3").fetchall() for name in names]


NEWER = {
    "rules": ("UPDATE matches SET revision = revision + 1, rules = 99", "UPDATE matches SET rules = 1"),
    "game": ("UPDATE matches SET revision = revision + 1, game = 'go'", "UPDATE matches SET game = 'jest'"),
}


@pytest.mark.parametrize("which", NEWER)
async def test_an_older_bot_refuses_what_is_newer_and_writes_nothing(inn: SimulatedServer, which: str) -> None:
    match, waiting = await inn.seat_and_start(game="jest", clock="none"), await inn.open_lobby("Dora")
    await inn.join_lobby(waiting, "Emil")
    (name, old), old_table = await inn.due_hand(match), await inn.find_table(match)
    forward, back = NEWER[which]
    await inn.bot.surfaces.save_edits()  # as it is some seconds later
    inn.tamper_database(f"{forward} WHERE match = ?", match)
    inn.tamper_database("UPDATE matches SET revision = revision + 1, rules = 99 WHERE match = ?", waiting)
    before = stored_rows(inn)
    await inn.restart(away=2 * 24 * 60 * 60)  # the lobby has grown old

    assert "being updated" in reply_text(await inn.forge_click(name, old, move_buttons(old)[0]))
    await press_everything(inn, old_table, match)
    await press_everything(inn, old_table, waiting)
    assert "being updated" in reply_text(await inn["Emil"].slash(inn.table, "motley matches"))
    listed = reply_text(await inn["Ada"].slash(inn.table, "admin matches"))
    assert match in listed
    assert waiting in listed
    player: dict[str, Any] = {"player": inn["Bela"]}
    for command in ("admin show", "admin reset", "admin remove-player", "jest status", "jest hand", "motley leave"):
        options = player if command == "admin remove-player" else {}
        said = reply_text(await inn["Ada"].slash(inn.table, command, match=match, **options))
        assert "being updated" in said, command
    assert "being updated" in reply_text(await inn["Ada"].slash(inn.table, "motley stop", match=match))
    for command in ("admin show", "jest hand"):
        offered = await inn["Ada"].autocomplete(inn.table, command, "match", "")
        assert which == "game" or match in [each["value"] for each in offered]
    sound = await inn.seat_and_start(OTHERS)
    assert await inn.status(sound) is Status.RUNNING
    await inn.play_out(sound)
    assert [[row for row in rows if sound not in row] for rows in stored_rows(inn)] == before

    inn.tamper_database(f"{back}, revision = revision + 1 WHERE match = ?", match)
    inn.tamper_database(
        "UPDATE matches SET revision = revision + 1, rules = 1, created = created + 172800 WHERE match = ?", waiting
    )
    await inn.restart()
    await inn.play_out(match)
    await inn.join_lobby(waiting, "Fumi")
    await inn.start_match(waiting, "Dora")
    assert {await inn.status(match), await inn.status(waiting)} == {Status.OVER, Status.RUNNING}
