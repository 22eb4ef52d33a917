"""What is kept of people: told, handed out as a file, and forgotten once they have said twice that they want it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cogs.table.scheduling import owner_requests
from cogs.table.scheduling.retention import SERVER_GRACE
from engines.hosting.match import RequestRefused
from engines.store.match_store import FORGOTTEN_NAME, Status
from tests.end_to_end.players import THREE
from tests.end_to_end.simulated_server import SELDOM_SECONDS, SimulatedServer
from tests.messages import button_labels, client_text, message_text


async def fetch_data(w: SimulatedServer, name: str) -> dict[str, Any]:
    result = await w[name].slash(w.table, "motley my-data")
    assert result.ephemeral
    (file,) = w.file_bytes(w.newest_private(name))
    found: dict[str, Any] = json.loads(file)
    return found


async def ask_to_be_forgotten(w: SimulatedServer, name: str) -> None:
    question = await w[name].slash(w.table, "motley forget-me")
    second_question = await w.press_answer(name, question, "Continue")
    await w.press_answer(name, second_question, "Forget me")
    await w.env.settle()


async def test_stored_data_is_shown_to_the_asker_alone_and_forgotten_after_two_questions(
    server: SimulatedServer,
) -> None:
    await server["Ada"].slash(server.table, "motley privacy")
    seen_message = server.ephemeral_messages()[-1]
    assert "What I store about you" in message_text(seen_message.message)
    assert button_labels(seen_message.message) == ["My data", "Forget me…"]
    assert seen_message.viewer == server["Ada"].id
    match = await server.seat_and_start()
    question = await server["Bela"].slash(server.table, "motley forget-me")
    assert "You are in 1 running match and 0 finished matches." in client_text(server.private_messages("Bela")[-1])
    second_question = await server.press_answer("Bela", question, "Continue")
    assert "This cannot be undone" in message_text(server.private_messages("Bela")[-1])
    await server.press_answer("Bela", second_question, "Keep my data")
    assert "Nothing was deleted" in message_text(server.private_messages("Bela")[-1])
    for late in ("q:sure:0", "q:sure", "q:sure:999999999999"):  # an old question has no answer
        await server.forge_click("Bela", await server.find_table(match), late)
        assert any("too long to confirm" in client_text(message) for message in server.private_messages("Bela"))
        for message in server.private_messages("Bela"):
            server.delete_message(message)
    assert (await server.load_snapshot(match)).info.seat_of(server["Bela"].id) == 1


async def test_somebody_who_is_forgotten_has_left_and_the_computer_plays_on(server: SimulatedServer) -> None:
    over = await server.seat_and_start(rounds=1)
    await server.play_out(over)
    match = await server.seat_and_start()
    await server.make_move(match)
    await ask_to_be_forgotten(server, "Bela")
    after = (await server.load_snapshot(match)).info
    assert (after.status, after.seats[1].name, after.seats[1].level) == (Status.RUNNING, FORGOTTEN_NAME, "normal")
    assert FORGOTTEN_NAME in client_text(await server.find_table(match))
    assert any(
        "Somebody has left the match." in message_text(message) for message in server.public_messages(server.thread)
    )
    assert "Your hand" not in server.hand_text("Bela", match)
    assert [seat.name for seat in (await server.load_snapshot(over)).info.seats] == ["Ada", FORGOTTEN_NAME, "Chidi"]
    found = await fetch_data(server, "Bela")
    assert (found["matches"], found["you"]["direct messages"], found["you"]["first contact"]) == ([], None, None)
    assert len((await fetch_data(server, "Ada"))["matches"]) == 2
    await server.restart()
    assert (await server.load_snapshot(match)).info == after


async def test_the_file_tells_all_of_oneself_and_nothing_of_others(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    while (name := THREE[(await server.load_snapshot(match)).due_seats()[0]]) != "Ada":
        await server.make_move(match)
    await server.make_move(match)
    found = await fetch_data(server, name)
    assert found["you"]["user"] == str(server[name].id)
    assert found["you"]["first contact"].endswith("GMT")
    (match_data,) = found["matches"]
    assert (match_data["match"], match_data["you are its host"], match_data["seats"][0]["your name there"]) == (
        match,
        True,
        "Ada",
    )
    assert [action["what"] for action in match_data["done"]] == ["new", "start"]
    assert len(match_data["moves"]) == 1
    assert match_data["messages with your hand"]
    now = await server.load_snapshot(match)
    assert match_data["what you see now"] == [line.rstrip() for line in str(now.view(0)).splitlines()]
    text = json.dumps(found)
    assert not [other for other in ("Bela", "Chidi") if other in text or str(server[other].id) in text]


async def test_a_server_is_forgotten_a_month_after_it_puts_the_bot_out(server: SimulatedServer) -> None:
    server.patch(owner_requests, "CHECK_SECONDS", SELDOM_SECONDS)  # months pass
    match, guild = await server.seat_and_start(), server.bot.get_guild(server.guild.id)
    assert guild is not None
    server.bot._connection.parse_guild_delete({"id": str(server.guild.id), "unavailable": True})
    await server.env.settle()
    await server.env.advance_time(SERVER_GRACE + SELDOM_SECONDS)
    assert (await server.load_snapshot(match)).info.id == match
    server.bot._connection._remove_guild(guild)
    server.bot.dispatch("guild_remove", guild)
    await server.env.settle()
    await server.env.advance_time(SERVER_GRACE)
    assert (await server.load_snapshot(match)).info.id == match
    await server.env.advance_time(SELDOM_SECONDS)
    with pytest.raises(RequestRefused, match="no such match"):
        await server.load_snapshot(match)
