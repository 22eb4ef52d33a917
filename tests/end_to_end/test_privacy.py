"""What is kept of people: told, handed out as a file, and forgotten once they have said twice that they want it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cogs.table.scheduling.retention import SERVER_GRACE
from engines.hosting.match import RequestRefused
from engines.store.match_store import FORGOTTEN_NAME, Status
from tests.end_to_end.players import THREE, find_hand, find_table, load_snapshot, make_move, play_out, seat_and_start
from tests.end_to_end.world import SELDOM_SECONDS, SimulatedServer, button_labels, client_text, message_text


async def fetch_data(w: SimulatedServer, name: str) -> dict[str, Any]:
    """The file of everything that is kept of somebody."""
    result = await w[name].slash(w.table, "motley my-data")
    assert result.response is not None
    assert result.response.ephemeral
    message = w.ephemeral_messages()[-1].message
    (file,) = w.file_bytes(message)
    found: dict[str, Any] = json.loads(file)
    return found


async def ask_to_be_forgotten(w: SimulatedServer, name: str) -> None:
    """Somebody says twice that they want to be forgotten."""
    asked = await w[name].slash(w.table, "motley forget-me")
    assert asked.response is not None
    again = await w[name].click(asked.response, label="Continue")
    assert again.response is not None
    await w[name].click(again.response, label="Forget me")
    await w.env.settle()


async def test_what_is_kept_is_told_to_the_asker_alone(inn: SimulatedServer) -> None:
    await inn["Ada"].slash(inn.table, "motley privacy")
    seen = inn.ephemeral_messages()[-1]
    assert "What I store about you" in message_text(seen.message)
    assert button_labels(seen.message) == ["My data", "Forget me …"]
    assert seen.viewer == inn["Ada"].id


async def test_somebody_is_asked_twice_and_may_call_it_off(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    asked = await inn["Bela"].slash(inn.table, "motley forget-me")
    assert "You are in 1 running match and 0 finished matches." in client_text(inn.ephemeral_messages()[-1].message)
    assert asked.response is not None
    again = await inn["Bela"].click(asked.response, label="Continue")
    assert "Nobody can undo this" in message_text(inn.ephemeral_messages()[-1].message)
    assert again.response is not None
    await inn["Bela"].click(again.response, label="Keep my data")
    assert "Nothing was deleted" in message_text(inn.ephemeral_messages()[-1].message)
    assert (await load_snapshot(inn, match)).info.seat_of(inn["Bela"].id) == 1


async def test_whoever_is_forgotten_has_left_and_the_computer_plays_on(inn: SimulatedServer) -> None:
    over, match = await seat_and_start(inn, rounds=1), ""
    await play_out(inn, over)
    match = await seat_and_start(inn)
    await make_move(inn, match)
    await ask_to_be_forgotten(inn, "Bela")
    after = (await load_snapshot(inn, match)).info
    assert (after.status, after.seats[1].name, after.seats[1].level) == (Status.RUNNING, FORGOTTEN_NAME, "normal")
    assert FORGOTTEN_NAME in client_text(await find_table(inn, match))
    assert any("Somebody has left the match." in message_text(message) for message in inn.public_messages(inn.thread))
    assert "Your hand" not in message_text(find_hand(inn, "Bela", match))
    assert [seat.name for seat in (await load_snapshot(inn, over)).info.seats] == ["Ada", FORGOTTEN_NAME, "Chidi"]
    found = await fetch_data(inn, "Bela")
    assert (found["matches"], found["you"]["direct messages"]) == ([], None)
    assert len((await fetch_data(inn, "Ada"))["matches"]) == 2
    await inn.restart()
    assert (await load_snapshot(inn, match)).info == after


async def test_an_old_question_has_no_answer(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    for late in ("q:sure:0", "q:sure", "q:sure:999999999999"):
        await inn.forge_click("Bela", await find_table(inn, match), late)
        assert "too long to confirm" in client_text(inn.ephemeral_messages()[-1].message)
    assert (await load_snapshot(inn, match)).info.seat_of(inn["Bela"].id) == 1


async def test_the_file_tells_all_of_oneself_and_nothing_of_others(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    while (name := THREE[(await load_snapshot(inn, match)).due_seats()[0]]) != "Ada":
        await make_move(inn, match)
    await make_move(inn, match)
    found = await fetch_data(inn, name)
    assert found["you"]["user"] == str(inn[name].id)
    (told,) = found["matches"]
    assert (told["match"], told["you are its host"], told["seats"][0]["your name there"]) == (match, True, "Ada")
    assert [deed["what"] for deed in told["done"]] == ["new", "start"]
    assert len(told["moves"]) == 1
    assert told["messages with your hand"]
    now = await load_snapshot(inn, match)
    assert told["what you see now"] == [line.rstrip() for line in str(now.view(0)).splitlines()]
    text = json.dumps(found)
    assert not [other for other in ("Bela", "Chidi") if other in text or str(inn[other].id) in text]


async def test_a_server_that_puts_the_bot_out_is_forgotten_after_thirty_days(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    guild = inn.bot.get_guild(inn.guild.id)
    assert guild is not None
    inn.bot._connection._remove_guild(guild)
    inn.bot.dispatch("guild_remove", guild)
    await inn.env.settle()
    await inn.env.advance_time(SERVER_GRACE)
    assert (await load_snapshot(inn, match)).info.id == match
    await inn.env.advance_time(SELDOM_SECONDS)
    with pytest.raises(RequestRefused, match="no such match"):
        await load_snapshot(inn, match)


async def test_a_server_that_cannot_be_reached_has_not_put_the_bot_out(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    inn.bot._connection.parse_guild_delete({"id": str(inn.guild.id), "unavailable": True})
    await inn.env.settle()
    await inn.env.advance_time(SERVER_GRACE + SELDOM_SECONDS)
    assert (await load_snapshot(inn, match)).info.id == match
