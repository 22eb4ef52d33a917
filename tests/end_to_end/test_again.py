"""Playing again: who may, at which table, and how often the others are called."""

from __future__ import annotations

import pytest

from engines.store.match_store import Seat, Status
from tests.end_to_end.players import (
    THREE,
    join,
    lobby,
    look,
    open_lobby,
    play_out,
    played_out,
    seat_and_start,
    start,
    table,
)
from tests.end_to_end.world import Click, Message, World, labels, told, words
from tests.games import GAMES

TEN_MINUTES = 10 * 60


def calls(w: World) -> list[Message]:
    """The messages that call people to play again, oldest first."""
    found = [message for channel in (w.table, *w.table.threads) for message in w.public(channel)]
    return [message for message in found if "would like to play again" in words(message)]


async def finished(w: World) -> str:
    """A match between three people that was played to its end."""
    match = await seat_and_start(w)
    await play_out(w, match)
    return match


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_is_played_again_by_those_who_sat_there(inn: World, game: str) -> None:
    names = ("Ada", "Bela", "Chidi", "Dora")[: GAMES[game].seats[0]]
    match = await played_out(inn, game, names, clock="1 hour", hints="false")
    stranger = told(await inn.press("Greta", await table(inn, match), "Play again"))
    assert "That is for those who have played this match" in stranger
    assert f"/{game} new" in stranger
    assert (await inn.bot.matches.find(), calls(inn)) == ([], [])
    for name in reversed(names):
        await inn.press(name, await table(inn, match), "Play again")
    (info,) = await inn.bot.matches.find()
    assert [seat.name for seat in info.seats] == [*reversed(names)]
    before = (await look(inn, match)).info
    assert (info.game, info.options, info.house) == (game, before.options, before.house)
    assert "clock: 1 hour · hints: off" in words(await table(inn, match))
    shown = await lobby(inn, info.id)
    assert f"{names[-1]} (host)" in words(shown)
    assert shown["channel_id"] == str(inn.table.id)
    (call,) = calls(inn)
    assert {user["username"] for user in call["mentions"]} == {*names[:-1]}
    assert shown["id"] in words(call)
    assert "You are in" in words(inn.hand_of(names[0]))
    await start(inn, info.id, names[-1])
    assert (await look(inn, info.id)).info.status is Status.RUNNING
    said = [f"{game.capitalize()}: {', '.join(names)}", f"{game.capitalize()} 2: {', '.join(reversed(names))}"]
    assert [thread.name for thread in inn.bot.guilds[0].threads] == said, "the same people have two threads"


async def test_presses_at_once_open_one_lobby(inn: World) -> None:
    match = await finished(inn)
    message = await table(inn, match)
    await inn.at_once(*(Click(name, message, f"t:{match}:again") for name in ("Bela", "Chidi", "Bela")))
    (info,) = await inn.bot.matches.find()
    assert {seat.name for seat in info.seats} == {"Bela", "Chidi"}
    assert len([m for m in inn.public(inn.table) if "join the table" in words(m)]) == 1
    assert len(calls(inn)) == 1
    later = told(await inn.press("Bela", await table(inn, match), "Play again"))
    assert "already sit at the new table" in later
    assert (await lobby(inn, info.id))["id"] in later


async def test_who_comes_too_late_is_told_where_the_others_play(inn: World) -> None:
    match = await finished(inn)
    for name in ("Ada", "Bela"):
        await inn.press(name, await table(inn, match), "Play again")
    (info,) = await inn.bot.matches.find()
    await join(inn, info.id, "Greta")
    await start(inn, info.id, "Ada")
    late = told(await inn.press("Chidi", await table(inn, match), "Play again"))
    assert "begun without you" in late
    assert (await lobby(inn, info.id))["id"] in late
    assert "already in the next match" in told(await inn.press("Ada", await table(inn, match), "Play again"))
    assert len(await inn.bot.matches.find()) == 1


async def test_the_others_are_called_once_in_ten_minutes_however_often_it_is_cancelled(inn: World) -> None:
    match = await finished(inn)
    for turn, name in enumerate(("Bela", "Ada", "Chidi", "Bela")):
        answer = told(await inn.press(name, await table(inn, match), "Play again"))
        assert ("I have called the others" in answer) is (turn == 0)
        assert ("do not call them again yet" in answer) is (turn > 0)
        (info,) = await inn.bot.matches.find()
        await inn.bot.matches.cancel(info.id, inn[name].id)
        await inn.restart()
    assert len(calls(inn)) == 1
    await inn.env.advance_time(TEN_MINUTES)
    await inn.press("Ada", await table(inn, match), "Play again")
    assert len(calls(inn)) == 2
    assert {user["username"] for user in calls(inn)[1]["mentions"]} == {*THREE} - {"Ada"}


async def test_who_could_not_be_called_is_said(inn: World) -> None:
    match = await finished(inn)
    inn.env.inject_error("POST", rf"/channels/{inn.thread.id}/messages", status=403, code=50013, times=1)
    answer = told(await inn.press("Bela", await table(inn, match), "Play again"))
    assert "I could not call the others" in answer
    assert calls(inn) == []
    (info,) = await inn.bot.matches.find()
    assert (await lobby(inn, info.id))["id"] in answer


async def test_a_second_table_is_played_to_its_end(inn: World) -> None:
    match = await finished(inn)
    await inn.press("Bela", await table(inn, match), "Play again")
    (first,) = await inn.bot.matches.find()
    await inn.bot.matches.cancel(first.id, inn["Bela"].id)
    for name in ("Ada", "Bela", "Chidi"):
        await inn.press(name, await table(inn, match), "Play again")
    (new,) = await inn.bot.matches.find()
    assert new.id != first.id
    await start(inn, new.id, "Ada")
    await play_out(inn, new.id)
    assert (await look(inn, new.id)).info.status is Status.OVER


async def test_playing_again_is_not_offered_before_the_end(inn: World) -> None:
    match = await seat_and_start(inn)
    assert "Play again" not in labels(await table(inn, match))
    assert "not over yet" in told(await inn.forge("Ada", await table(inn, match), f"t:{match}:again"))


# Room for one more


@pytest.mark.parametrize("game", GAMES)
async def test_in_every_game_a_fourth_open_table_is_refused_and_the_three_are_named(inn: World, game: str) -> None:
    own = [await open_lobby(inn, game=game) for _ in range(3)]
    before = len(inn.public(inn.table))
    answer = told(await inn["Ada"].slash(inn.table, f"{game} new"))
    assert "You are host of 3 open tables in this server" in answer
    assert "Start one of them first, or cancel it under ⋯" in answer
    for match in own:
        assert (await lobby(inn, match))["id"] in answer
    assert len(inn.public(inn.table)) == before
    assert len(await inn.bot.matches.find()) == 3
    menu = await inn.press("Ada", await lobby(inn, own[0]), "⋯")
    assert menu.response is not None
    asked = await inn["Ada"].click(menu.response, label="Cancel the match")
    assert asked.response is not None
    await inn["Ada"].click(asked.response, label="Cancel the match")
    assert await open_lobby(inn, game=game)
    assert await open_lobby(inn, "Bela", game=game)


async def test_a_server_that_is_full_of_open_tables_names_some_and_how_many_more(inn: World) -> None:
    here = (await look(inn, await open_lobby(inn))).info.place
    for host in range(24):
        await inn.bot.matches.open(GAMES["jest"], GAMES["jest"].options(), here, Seat(900 + host, f"user{host}"))
    answer = told(await inn["Bela"].slash(inn.table, "wizard new"))
    assert "There are 25 open tables in this server" in answer
    assert "Join one of them" in answer
    assert answer.count("- Jest: ") == 5
    assert "and 20 more" in answer
    assert len(await inn.bot.matches.find()) == 25
