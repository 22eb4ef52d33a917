"""Playing again: who may, at which table, and how often the others are called."""

from __future__ import annotations

import pytest

from engines.store.match_store import Seat, Status
from tests.end_to_end.players import (
    THREE,
    find_lobby,
    find_table,
    join_lobby,
    load_snapshot,
    open_lobby,
    play_out,
    play_out_unseen,
    seat_and_start,
    start_match,
)
from tests.end_to_end.world import Message, PendingClick, SimulatedServer, button_labels, message_text, reply_text
from tests.games import GAMES

TEN_MINUTES = 10 * 60


def rematch_calls(w: SimulatedServer) -> list[Message]:
    """The messages that call people to play again, oldest first."""
    found = [message for channel in (w.table, *w.table.threads) for message in w.public_messages(channel)]
    return [message for message in found if "would like to play again" in message_text(message)]


async def finish_match(w: SimulatedServer) -> str:
    """A match between three people that was played to its end."""
    match = await seat_and_start(w)
    await play_out(w, match)
    return match


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_is_played_again_by_those_who_sat_there(inn: SimulatedServer, game: str) -> None:
    names = ("Ada", "Bela", "Chidi", "Dora")[: GAMES[game].seats[0]]
    match = await play_out_unseen(inn, game, names, clock="1 hour", hints="false")
    stranger = reply_text(await inn.press_button("Greta", await find_table(inn, match), "Play again"))
    assert "Only people who played this match can join its rematch" in stranger
    assert f"/{game} new" in stranger
    assert (await inn.bot.matches.find(), rematch_calls(inn)) == ([], [])
    for name in reversed(names):
        await inn.press_button(name, await find_table(inn, match), "Play again")
    (info,) = await inn.bot.matches.find()
    assert [seat.name for seat in info.seats] == [*reversed(names)]
    before = (await load_snapshot(inn, match)).info
    assert (info.game, info.options, info.house) == (game, before.options, before.house)
    assert "clock: 1 hour · hints: off" in message_text(await find_table(inn, match))
    shown = await find_lobby(inn, info.id)
    assert f"{names[-1]} (host)" in message_text(shown)
    assert shown["channel_id"] == str(inn.table.id)
    (call,) = rematch_calls(inn)
    assert {user["username"] for user in call["mentions"]} == {*names[:-1]}
    assert shown["id"] in message_text(call)
    assert "You are in" in message_text(inn.newest_in_inbox(names[0]))
    await start_match(inn, info.id, names[-1])
    assert (await load_snapshot(inn, info.id)).info.status is Status.RUNNING
    said = [f"{game.capitalize()}: {', '.join(names)}", f"{game.capitalize()} 2: {', '.join(reversed(names))}"]
    assert [thread.name for thread in inn.bot.guilds[0].threads] == said, "the same people have two threads"


async def test_presses_at_once_open_one_lobby(inn: SimulatedServer) -> None:
    match = await finish_match(inn)
    message = await find_table(inn, match)
    await inn.click_at_once(*(PendingClick(name, message, f"t:{match}:again") for name in ("Bela", "Chidi", "Bela")))
    (info,) = await inn.bot.matches.find()
    assert {seat.name for seat in info.seats} == {"Bela", "Chidi"}
    assert len([m for m in inn.public_messages(inn.table) if "join the table" in message_text(m)]) == 1
    assert len(rematch_calls(inn)) == 1
    later = reply_text(await inn.press_button("Bela", await find_table(inn, match), "Play again"))
    assert "already at the new table" in later
    assert (await find_lobby(inn, info.id))["id"] in later


async def test_who_comes_too_late_is_told_where_the_others_play(inn: SimulatedServer) -> None:
    match = await finish_match(inn)
    for name in ("Ada", "Bela"):
        await inn.press_button(name, await find_table(inn, match), "Play again")
    (info,) = await inn.bot.matches.find()
    await join_lobby(inn, info.id, "Greta")
    await start_match(inn, info.id, "Ada")
    late = reply_text(await inn.press_button("Chidi", await find_table(inn, match), "Play again"))
    assert "started without you" in late
    assert (await find_lobby(inn, info.id))["id"] in late
    assert "already in the next match" in reply_text(
        await inn.press_button("Ada", await find_table(inn, match), "Play again")
    )
    assert len(await inn.bot.matches.find()) == 1


async def test_the_others_are_called_once_in_ten_minutes_however_often_it_is_cancelled(inn: SimulatedServer) -> None:
    match = await finish_match(inn)
    for turn, name in enumerate(("Bela", "Ada", "Chidi", "Bela")):
        answer = reply_text(await inn.press_button(name, await find_table(inn, match), "Play again"))
        assert ("I have pinged the others" in answer) is (turn == 0)
        assert ("cannot call them again yet" in answer) is (turn > 0)
        (info,) = await inn.bot.matches.find()
        await inn.bot.matches.cancel_lobby(info.id, inn[name].id)
        await inn.restart()
    assert len(rematch_calls(inn)) == 1
    await inn.env.advance_time(TEN_MINUTES)
    await inn.press_button("Ada", await find_table(inn, match), "Play again")
    assert len(rematch_calls(inn)) == 2
    assert {user["username"] for user in rematch_calls(inn)[1]["mentions"]} == {*THREE} - {"Ada"}


async def test_who_could_not_be_called_is_said(inn: SimulatedServer) -> None:
    match = await finish_match(inn)
    inn.env.inject_error("POST", rf"/channels/{inn.thread.id}/messages", status=403, code=50013, times=1)
    answer = reply_text(await inn.press_button("Bela", await find_table(inn, match), "Play again"))
    assert "I could not ping the others" in answer
    assert rematch_calls(inn) == []
    (info,) = await inn.bot.matches.find()
    assert (await find_lobby(inn, info.id))["id"] in answer


async def test_a_second_table_is_played_to_its_end(inn: SimulatedServer) -> None:
    match = await finish_match(inn)
    await inn.press_button("Bela", await find_table(inn, match), "Play again")
    (first,) = await inn.bot.matches.find()
    await inn.bot.matches.cancel_lobby(first.id, inn["Bela"].id)
    for name in ("Ada", "Bela", "Chidi"):
        await inn.press_button(name, await find_table(inn, match), "Play again")
    (new,) = await inn.bot.matches.find()
    assert new.id != first.id
    await start_match(inn, new.id, "Ada")
    await play_out(inn, new.id)
    assert (await load_snapshot(inn, new.id)).info.status is Status.OVER


async def test_playing_again_is_not_offered_before_the_end(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    assert "Play again" not in button_labels(await find_table(inn, match))
    assert "not over yet" in reply_text(await inn.forge_click("Ada", await find_table(inn, match), f"t:{match}:again"))


# Room for one more


@pytest.mark.parametrize("game", GAMES)
async def test_in_every_game_a_fourth_open_table_is_refused_and_the_three_are_named(
    inn: SimulatedServer, game: str
) -> None:
    own = [await open_lobby(inn, game=game) for _ in range(3)]
    before = len(inn.public_messages(inn.table))
    answer = reply_text(await inn["Ada"].slash(inn.table, f"{game} new"))
    assert "You host 3 open tables in this server" in answer
    assert "Start one of them first, or cancel it under ⋯" in answer
    for match in own:
        assert (await find_lobby(inn, match))["id"] in answer
    assert len(inn.public_messages(inn.table)) == before
    assert len(await inn.bot.matches.find()) == 3
    menu = await inn.press_button("Ada", await find_lobby(inn, own[0]), "⋯")
    assert menu.response is not None
    asked = await inn["Ada"].click(menu.response, label="Cancel the match")
    assert asked.response is not None
    await inn["Ada"].click(asked.response, label="Cancel the match")
    assert await open_lobby(inn, game=game)
    assert await open_lobby(inn, "Bela", game=game)


async def test_a_server_that_is_full_of_open_tables_names_some_and_how_many_more(inn: SimulatedServer) -> None:
    here = (await load_snapshot(inn, await open_lobby(inn))).info.place
    for host in range(24):
        await inn.bot.matches.open_lobby(GAMES["jest"], GAMES["jest"].options(), here, Seat(900 + host, f"user{host}"))
    answer = reply_text(await inn["Bela"].slash(inn.table, "wizard new"))
    assert "There are 25 open tables in this server" in answer
    assert "Join one of them" in answer
    assert answer.count("- Jest: ") == 5
    assert "and 20 more" in answer
    assert len(await inn.bot.matches.find()) == 25
