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
from tests.end_to_end.world import SELDOM_SECONDS, SimulatedServer
from tests.messages import button_labels, client_text, message_text


async def fetch_data(w: SimulatedServer, name: str) -> dict[str, Any]:
    result = await w[name].slash(w.table, "motley my-data")
    assert result.ephemeral
    (file,) = w.file_bytes(w.newest_private(name))
    found: dict[str, Any] = json.loads(file)
    return found


async def ask_to_be_forgotten(w: SimulatedServer, name: str) -> None:
    asked = await w[name].slash(w.table, "motley forget-me")
    again = await w.press_answer(name, asked, "Continue")
    await w.press_answer(name, again, "Forget me")
    await w.env.settle()


async def test_what_is_kept_is_told_to_the_asker_alone_and_forgotten_after_two_questions(inn: SimulatedServer) -> None:
    await inn["Ada"].slash(inn.table, "motley privacy")
    seen = inn.ephemeral_messages()[-1]
    assert "What I store about you" in message_text(seen.message)
    assert button_labels(seen.message) == ["My data", "Forget me …"]
    assert seen.viewer == inn["Ada"].id
    match = await inn.seat_and_start()
    asked = await inn["Bela"].slash(inn.table, "motley forget-me")
    assert "You are in 1 running match and 0 finished matches." in client_text(inn.private_messages("Bela")[-1])
    again = await inn.press_answer("Bela", asked, "Continue")
    assert "Nobody can undo this" in message_text(inn.private_messages("Bela")[-1])
    await inn.press_answer("Bela", again, "Keep my data")
    assert "Nothing was deleted" in message_text(inn.private_messages("Bela")[-1])
    for late in ("q:sure:0", "q:sure", "q:sure:999999999999"):  # an old question has no answer
        await inn.forge_click("Bela", await inn.find_table(match), late)
        assert any("too long to confirm" in client_text(message) for message in inn.private_messages("Bela"))
        for message in inn.private_messages("Bela"):
            inn.delete_message(message)
    assert (await inn.load_snapshot(match)).info.seat_of(inn["Bela"].id) == 1


async def test_whoever_is_forgotten_has_left_and_the_computer_plays_on(inn: SimulatedServer) -> None:
    over = await inn.seat_and_start(rounds=1)
    await inn.play_out(over)
    match = await inn.seat_and_start()
    await inn.make_move(match)
    await ask_to_be_forgotten(inn, "Bela")
    after = (await inn.load_snapshot(match)).info
    assert (after.status, after.seats[1].name, after.seats[1].level) == (Status.RUNNING, FORGOTTEN_NAME, "normal")
    assert FORGOTTEN_NAME in client_text(await inn.find_table(match))
    assert any("Somebody has left the match." in message_text(message) for message in inn.public_messages(inn.thread))
    assert "Your hand" not in inn.hand_text("Bela", match)
    assert [seat.name for seat in (await inn.load_snapshot(over)).info.seats] == ["Ada", FORGOTTEN_NAME, "Chidi"]
    found = await fetch_data(inn, "Bela")
    assert (found["matches"], found["you"]["direct messages"], found["you"]["first contact"]) == ([], None, None)
    assert len((await fetch_data(inn, "Ada"))["matches"]) == 2
    await inn.restart()
    assert (await inn.load_snapshot(match)).info == after


async def test_the_file_tells_all_of_oneself_and_nothing_of_others(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start()
    while (name := THREE[(await inn.load_snapshot(match)).due_seats()[0]]) != "Ada":
        await inn.make_move(match)
    await inn.make_move(match)
    found = await fetch_data(inn, name)
    assert found["you"]["user"] == str(inn[name].id)
    assert found["you"]["first contact"].endswith("GMT")
    (told,) = found["matches"]
    assert (told["match"], told["you are its host"], told["seats"][0]["your name there"]) == (match, True, "Ada")
    assert [deed["what"] for deed in told["done"]] == ["new", "start"]
    assert len(told["moves"]) == 1
    assert told["messages with your hand"]
    now = await inn.load_snapshot(match)
    assert told["what you see now"] == [line.rstrip() for line in str(now.view(0)).splitlines()]
    text = json.dumps(found)
    assert not [other for other in ("Bela", "Chidi") if other in text or str(inn[other].id) in text]


async def test_a_server_is_forgotten_a_month_after_it_puts_the_bot_out(inn: SimulatedServer) -> None:
    inn.patch(owner_requests, "CHECK_SECONDS", SELDOM_SECONDS)  # months pass
    match, guild = await inn.seat_and_start(), inn.bot.get_guild(inn.guild.id)
    assert guild is not None
    inn.bot._connection.parse_guild_delete({"id": str(inn.guild.id), "unavailable": True})
    await inn.env.settle()
    await inn.env.advance_time(SERVER_GRACE + SELDOM_SECONDS)
    assert (await inn.load_snapshot(match)).info.id == match
    inn.bot._connection._remove_guild(guild)
    inn.bot.dispatch("guild_remove", guild)
    await inn.env.settle()
    await inn.env.advance_time(SERVER_GRACE)
    assert (await inn.load_snapshot(match)).info.id == match
    await inn.env.advance_time(SELDOM_SECONDS)
    with pytest.raises(RequestRefused, match="no such match"):
        await inn.load_snapshot(match)
