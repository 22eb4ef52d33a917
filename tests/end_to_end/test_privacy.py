"""What is kept of people: told, handed out as a file, and forgotten once they have said twice that they want it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cogs.table.scheduling.retention import GRACE
from engines.hosting.match import Refused
from engines.store.match_store import NAMELESS, Status
from tests.end_to_end.players import THREE, hand, look, move, play_out, seat_and_start, table
from tests.end_to_end.world import SELDOM, World, everything, labels, words


async def data(w: World, name: str) -> dict[str, Any]:
    """The file of everything that is kept of somebody."""
    result = await w[name].slash(w.table, "motley my-data")
    assert result.response is not None
    assert result.response.ephemeral
    message = w.ephemerals()[-1].message
    (file,) = w.bytes_of(message)
    found: dict[str, Any] = json.loads(file)
    return found


async def forget(w: World, name: str) -> None:
    """Somebody says twice that they want to be forgotten."""
    asked = await w[name].slash(w.table, "motley forget-me")
    assert asked.response is not None
    again = await w[name].click(asked.response, label="Go on")
    assert again.response is not None
    await w[name].click(again.response, label="Forget me")
    await w.env.settle()


async def test_what_is_kept_is_told_to_the_asker_alone(inn: World) -> None:
    await inn["Ada"].slash(inn.table, "motley privacy")
    seen = inn.ephemerals()[-1]
    assert "What I keep of you" in words(seen.message)
    assert labels(seen.message) == ["My data", "Forget me …"]
    assert seen.by == inn["Ada"].id


async def test_somebody_is_asked_twice_and_may_call_it_off(inn: World) -> None:
    match = await seat_and_start(inn)
    asked = await inn["Bela"].slash(inn.table, "motley forget-me")
    assert "You are in 1 match that goes on, and in 0 that are over." in everything(inn.ephemerals()[-1].message)
    assert asked.response is not None
    again = await inn["Bela"].click(asked.response, label="Go on")
    assert "Nobody can undo this" in words(inn.ephemerals()[-1].message)
    assert again.response is not None
    await inn["Bela"].click(again.response, label="Keep me")
    assert "not forgotten" in words(inn.ephemerals()[-1].message)
    assert (await look(inn, match)).info.seat_of(inn["Bela"].id) == 1


async def test_whoever_is_forgotten_has_left_and_the_computer_plays_on(inn: World) -> None:
    over, match = await seat_and_start(inn, rounds=1), ""
    await play_out(inn, over)
    match = await seat_and_start(inn)
    await move(inn, match)
    await forget(inn, "Bela")
    after = (await look(inn, match)).info
    assert (after.status, after.seats[1].name, after.seats[1].level) == (Status.RUNNING, NAMELESS, "normal")
    assert NAMELESS in everything(await table(inn, match))
    assert any("Somebody has left the match." in words(message) for message in inn.public(inn.thread))
    assert "Your hand" not in words(hand(inn, "Bela", match))
    assert [seat.name for seat in (await look(inn, over)).info.seats] == ["Ada", NAMELESS, "Chidi"]
    found = await data(inn, "Bela")
    assert (found["matches"], found["you"]["direct messages"]) == ([], None)
    assert len((await data(inn, "Ada"))["matches"]) == 2
    await inn.restart()
    assert (await look(inn, match)).info == after


async def test_an_old_question_has_no_answer(inn: World) -> None:
    match = await seat_and_start(inn)
    for late in ("q:sure:0", "q:sure", "q:sure:999999999999"):
        await inn.forge("Bela", await table(inn, match), late)
        assert "too old" in everything(inn.ephemerals()[-1].message)
    assert (await look(inn, match)).info.seat_of(inn["Bela"].id) == 1


async def test_the_file_tells_all_of_oneself_and_nothing_of_others(inn: World) -> None:
    match = await seat_and_start(inn)
    while (name := THREE[(await look(inn, match)).due()[0]]) != "Ada":
        await move(inn, match)
    await move(inn, match)
    found = await data(inn, name)
    assert found["you"]["user"] == str(inn[name].id)
    (told,) = found["matches"]
    assert (told["match"], told["you are its host"], told["seats"][0]["your name there"]) == (match, True, "Ada")
    assert [deed["what"] for deed in told["done"]] == ["new", "start"]
    assert len(told["moves"]) == 1
    assert told["messages with your hand"]
    now = await look(inn, match)
    assert told["what you see now"] == [line.rstrip() for line in str(now.view(0)).splitlines()]
    text = json.dumps(found)
    assert not [other for other in ("Bela", "Chidi") if other in text or str(inn[other].id) in text]


async def test_a_server_that_puts_the_bot_out_is_forgotten_after_thirty_days(inn: World) -> None:
    match = await seat_and_start(inn)
    guild = inn.bot.get_guild(inn.guild.id)
    assert guild is not None
    inn.bot._connection._remove_guild(guild)
    inn.bot.dispatch("guild_remove", guild)
    await inn.env.settle()
    await inn.env.advance_time(GRACE)
    assert (await look(inn, match)).info.id == match
    await inn.env.advance_time(SELDOM)
    with pytest.raises(Refused, match="no such match"):
        await look(inn, match)


async def test_a_server_that_cannot_be_reached_has_not_put_the_bot_out(inn: World) -> None:
    match = await seat_and_start(inn)
    inn.bot._connection.parse_guild_delete({"id": str(inn.guild.id), "unavailable": True})
    await inn.env.settle()
    await inn.env.advance_time(GRACE + SELDOM)
    assert (await look(inn, match)).info.id == match
