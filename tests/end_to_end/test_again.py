"""Playing again: who may, at which table, and how often the others are called."""

from __future__ import annotations

import pytest

from engines.store.match_store import Seat, Status
from tests.end_to_end.players import THREE
from tests.end_to_end.simulated_server import PendingClick, SimulatedServer, reply_text
from tests.games import GAMES
from tests.messages import Message, alt_texts, button_labels, message_text


def rematch_calls(w: SimulatedServer) -> list[Message]:
    found = [message for channel in (w.table, *w.table.threads) for message in w.public_messages(channel)]
    return [message for message in found if "would like to play again" in message_text(message)]


async def finish_match(w: SimulatedServer) -> str:
    match = await w.seat_and_start()
    table = await w.find_table(match)
    assert "Play again" not in button_labels(table)
    assert "not over yet" in reply_text(await w.forge_click("Ada", table, f"t:{match}:again"))
    await w.play_out(match)
    return match


async def ask_again(w: SimulatedServer, match: str, name: str) -> str:
    return reply_text(await w.press_button(name, await w.find_table(match), "Play again"))


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_is_played_again_by_those_who_sat_there(server: SimulatedServer, game: str) -> None:
    names = ("Ada", "Bela", "Chidi", "Dora")[: GAMES[game].seats[0]]
    match = await server.play_out_unseen(game, names, clock="1 hour", hints="false")
    stranger = await ask_again(server, match, "Greta")
    assert "Only people who played in this match can join its rematch" in stranger
    assert f"/{game} new" in stranger
    assert (await server.bot.matches.lookup.find(), rematch_calls(server)) == ([], [])
    for name in reversed(names):
        await ask_again(server, match, name)
    (info,) = await server.bot.matches.lookup.find()
    assert [seat.name for seat in info.seats] == [*reversed(names)]
    before = (await server.load_snapshot(match)).info
    assert (info.game, info.options, info.table_options) == (game, before.options, before.table_options)
    assert "1 hour a move · no hints" in await server.table_text(match)
    lobby_message = await server.find_lobby(info.id)
    assert f"{names[-1]} (host" in "".join(alt_texts(lobby_message))
    assert lobby_message["channel_id"] == str(server.table.id)
    (call,) = rematch_calls(server)
    assert {user["username"] for user in call["mentions"]} == {*names[:-1]}
    assert lobby_message["id"] in message_text(call)
    assert "You are in" in message_text(server.newest_in_inbox(names[0]))
    await server.start_match(info.id, names[-1])
    assert await server.status(info.id) is Status.RUNNING
    expected_lines = [
        f"{game.capitalize()}: {', '.join(names)}",
        f"{game.capitalize()} 2: {', '.join(reversed(names))}",
    ]
    assert [thread.name for thread in server.bot.guilds[0].threads] == expected_lines, (
        "the same people have two threads"
    )


@pytest.mark.parametrize("game", GAMES)
async def test_a_hand_in_direct_messages_opens_one_lobby_where_the_match_was_played(
    server: SimulatedServer, game: str
) -> None:
    """The answer leads to it, the others are called there, and nobody is seated who did not ask."""
    names = ("Ada", "Bela", "Chidi", "Dora")[: GAMES[game].seats[0]]
    match = await server.play_out_unseen(game, names)
    answer = await server.press_button("Bela", server.find_hand("Bela", match), "Play again")
    (info,) = await server.bot.matches.lookup.find()
    assert [seat.name for seat in info.seats] == ["Bela"]
    lobby = await server.find_lobby(info.id)
    assert lobby["channel_id"] == str(server.table.id)
    assert "you are its host" in reply_text(answer)
    assert lobby["id"] in reply_text(answer)
    (call,) = rematch_calls(server)
    assert {user["username"] for user in call["mentions"]} == {*names} - {"Bela"}
    joined = await server.press_button("Ada", server.find_hand("Ada", match), "Play again")
    assert "You have joined the new table" in reply_text(joined)
    (info,) = await server.bot.matches.lookup.find()
    assert [seat.name for seat in info.seats] == ["Bela", "Ada"]


async def test_presses_at_once_open_one_lobby(server: SimulatedServer) -> None:
    match = await finish_match(server)
    message = await server.find_table(match)
    await server.click_at_once(*(PendingClick(name, message, f"t:{match}:again") for name in ("Bela", "Chidi", "Bela")))
    (info,) = await server.bot.matches.lookup.find()
    assert {seat.name for seat in info.seats} == {"Bela", "Chidi"}
    assert len([m for m in server.public_messages(server.table) if "Join" in button_labels(m)]) == 1
    assert len(rematch_calls(server)) == 1
    later = await ask_again(server, match, "Bela")
    assert "already at the new table" in later
    assert (await server.find_lobby(info.id))["id"] in later


async def test_somebody_who_comes_too_late_is_told_where_the_others_play(server: SimulatedServer) -> None:
    match = await finish_match(server)
    for name in ("Ada", "Bela"):
        await ask_again(server, match, name)
    (info,) = await server.bot.matches.lookup.find()
    await server.join_lobby(info.id, "Greta")
    await server.start_match(info.id, "Ada")
    late = await ask_again(server, match, "Chidi")
    assert "started without you" in late
    assert (await server.find_lobby(info.id))["id"] in late
    assert "already in the next match" in await ask_again(server, match, "Ada")
    assert len(await server.bot.matches.lookup.find()) == 1


async def test_the_others_are_called_once_in_ten_minutes_however_often_it_is_cancelled(server: SimulatedServer) -> None:
    match = await finish_match(server)
    for turn, name in enumerate(("Bela", "Ada", "Chidi", "Bela")):
        answer = await ask_again(server, match, name)
        assert ("I have pinged the others" in answer) is (turn == 0)
        assert ("cannot ping them again yet" in answer) is (turn > 0)
        (info,) = await server.bot.matches.lookup.find()
        await server.bot.matches.lobbies.cancel_lobby(info.id, server[name].id)
        await server.restart()
    assert len(rematch_calls(server)) == 1
    await server.env.advance_time(10 * 60)
    for name in THREE:
        await ask_again(server, match, name)
    _, call = rematch_calls(server)
    assert {user["username"] for user in call["mentions"]} == {*THREE} - {"Ada"}
    (new,) = await server.bot.matches.lookup.find()
    assert new.id != info.id
    await server.start_match(new.id, "Ada")
    await server.play_out(new.id)
    assert await server.status(new.id) is Status.OVER


async def test_people_who_could_not_be_called_are_named(server: SimulatedServer) -> None:
    match = await finish_match(server)
    server.env.inject_error("POST", rf"/channels/{server.thread.id}/messages", status=403, code=50013, times=1)
    answer = await ask_again(server, match, "Bela")
    assert "I could not ping the others" in answer
    assert rematch_calls(server) == []
    (info,) = await server.bot.matches.lookup.find()
    assert (await server.find_lobby(info.id))["id"] in answer


@pytest.mark.parametrize("game", GAMES)
async def test_in_every_game_a_fourth_open_table_is_refused(server: SimulatedServer, game: str) -> None:
    own = [await server.open_lobby(game=game) for _ in range(3)]
    before = len(server.public_messages(server.table))
    answer = reply_text(await server["Ada"].slash(server.table, f"{game} new"))
    named = [(await server.find_lobby(match))["id"] for match in own]
    for expected_text in (
        "You host 3 open tables on this server",
        "Start one of them first, or cancel it under “More”",
        *named,
    ):
        assert expected_text in answer
    assert len(server.public_messages(server.table)) == before
    assert len(await server.bot.matches.lookup.find()) == 3
    menu = await server.press_button("Ada", await server.find_lobby(own[0]), "More")
    question = await server.press_answer("Ada", menu, "Cancel the table")
    await server.press_answer("Ada", question, "Cancel the table")
    assert await server.open_lobby(game=game)
    assert await server.open_lobby("Bela", game=game)


async def test_a_server_that_is_full_of_open_tables_names_some_and_how_many_more(server: SimulatedServer) -> None:
    lobby_place = (await server.load_snapshot(await server.open_lobby())).info.place
    for host in range(24):
        await server.bot.matches.lobbies.open_lobby(
            GAMES["jest"], GAMES["jest"].options(), lobby_place, Seat(900 + host, f"user{host}")
        )
    answer = reply_text(await server["Bela"].slash(server.table, "wizard new"))
    for expected_text in ("There are 25 open tables on this server", "Join one of them", "and 20 more"):
        assert expected_text in answer
    assert answer.count("- Jest: ") == 5
    assert len(await server.bot.matches.lookup.find()) == 25
