"""What the bot does at its start with matches that are damaged, or begun by a newer version of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from cogs.table.commands.component_router import Controls
from engines.store.match_store import Status
from tests.end_to_end.players import due, hand, join, look, move, open_lobby, play_out, seat_and_start, start, table
from tests.end_to_end.world import Message, World, move_buttons, told, words

OTHERS = ("Dora", "Emil", "Fumi")
DAMAGE = {
    "votes": "UPDATE matches SET revision = revision + 1, votes = '{' WHERE match = ?",
    "options": "UPDATE matches SET revision = revision + 1, options = '[' WHERE match = ?",
    "status": "UPDATE matches SET revision = revision + 1, status = 'runs' WHERE match = ?",
    "seats": "DELETE FROM seats WHERE match = ?",
    "state": "DELETE FROM states WHERE match = ?",
    "base": "DELETE FROM bases WHERE match = ?",
}


@pytest.mark.mishap
@pytest.mark.parametrize("sql", DAMAGE.values(), ids=DAMAGE)
async def test_one_damaged_match_is_set_aside_and_named_and_the_others_go_on(inn: World, sql: str) -> None:
    sound, match = await seat_and_start(inn, OTHERS), await seat_and_start(inn, rounds=2)
    await move(inn, match)
    name = await due(inn, match)
    assert name is not None
    old, old_table = hand(inn, name, match), await table(inn, match)
    inn.tamper(sql, match)
    await inn.restart()
    assert (await look(inn, match)).info.status is Status.ASIDE
    assert "damaged and was set aside" in words(await table(inn, match))
    assert "damaged" in told(await inn.forge(name, old, move_buttons(old)[0])) or sql == DAMAGE["seats"]
    await press_everything(inn, old_table, match)
    shown = told(await inn["Ada"].slash(inn.table, "admin show", match=match))
    assert "Reason: its" in shown or "Reason: the" in shown
    assert match in told(await inn["Ada"].slash(inn.table, "admin matches"))
    assert sound in told(await inn["Dora"].slash(inn.table, "motley matches"))
    assert (await look(inn, sound)).info.status is Status.RUNNING
    await play_out(inn, sound)
    asked = await inn["Ada"].slash(inn.table, "admin reset", match=match)
    assert asked.response is not None
    await inn["Ada"].click(asked.response, label="Reset the match")
    assert (await look(inn, match)).info.status is Status.RESET


async def press_everything(w: World, message: Message, match: str) -> None:
    """Whatever is clicked, there is a sentence, and nothing goes wrong."""
    controls = w.bot.get_cog("Controls")
    assert isinstance(controls, Controls)
    for which in (*controls._table, "rules"):
        answer = told(await w.forge("Bela", message, f"t:{match}:{which}"))
        assert len(answer) > 10, which
        assert "went wrong" not in answer, which


def kept(w: World) -> list[list[tuple[object, ...]]]:
    """All that is kept of matches and of what was shown of them."""
    names = ("matches", "seats", "states", "bases", "moves", "events", "history", "surfaces", "mentions", "due")
    with closing(sqlite3.connect(w.path)) as raw:
        return [raw.execute(f"SELECT * FROM {name} ORDER BY 1, 2, 3").fetchall() for name in names]


NEWER = {
    "rules": ("UPDATE matches SET revision = revision + 1, rules = 99", "UPDATE matches SET rules = 1"),
    "game": ("UPDATE matches SET revision = revision + 1, game = 'go'", "UPDATE matches SET game = 'jest'"),
}


@pytest.mark.parametrize("which", NEWER)
async def test_rolled_back_the_bot_refuses_what_is_newer_and_writes_nothing_to_it(inn: World, which: str) -> None:
    match, waiting = await seat_and_start(inn, game="jest", clock="none"), await open_lobby(inn, "Dora")
    await join(inn, waiting, "Emil")
    name = await due(inn, match)
    assert name is not None
    old, old_table = hand(inn, name, match), await table(inn, match)
    forward, back = NEWER[which]
    await inn.bot.shown.keep()  # as it is some seconds later
    inn.tamper(f"{forward} WHERE match = ?", match)
    inn.tamper("UPDATE matches SET revision = revision + 1, rules = 99 WHERE match = ?", waiting)
    before = kept(inn)
    await inn.restart(away=2 * 24 * 60 * 60)  # the lobby has grown old

    assert "being updated" in told(await inn.forge(name, old, move_buttons(old)[0]))
    await press_everything(inn, old_table, match)
    await press_everything(inn, old_table, waiting)
    assert "being updated" in told(await inn["Emil"].slash(inn.table, "motley matches"))
    listed = told(await inn["Ada"].slash(inn.table, "admin matches"))
    assert match in listed
    assert waiting in listed
    for command, options in (
        ("admin show", {}),
        ("admin reset", {}),
        ("admin remove-player", {"player": inn["Bela"]}),
        ("jest status", {}),
        ("jest hand", {}),
        ("motley leave", {}),
        ("motley stop", {}),
    ):
        assert "being updated" in told(await inn["Ada"].slash(inn.table, command, match=match, **options)), command
    for command in ("admin show", "jest hand"):
        offered = await inn["Ada"].autocomplete(inn.table, command, "match", "")
        assert which == "game" or match in [each["value"] for each in offered]
    sound = await seat_and_start(inn, OTHERS)
    assert (await look(inn, sound)).info.status is Status.RUNNING
    await play_out(inn, sound)
    assert [[row for row in rows if sound not in row] for rows in kept(inn)] == before

    inn.tamper(f"{back}, revision = revision + 1 WHERE match = ?", match)
    inn.tamper(
        "UPDATE matches SET revision = revision + 1, rules = 1, created = created + 172800 WHERE match = ?", waiting
    )
    await inn.restart()
    await play_out(inn, match)
    await join(inn, waiting, "Fumi")
    await start(inn, waiting, "Dora")
    assert {(await look(inn, match)).info.status, (await look(inn, waiting)).info.status} == {
        Status.OVER,
        Status.RUNNING,
    }
