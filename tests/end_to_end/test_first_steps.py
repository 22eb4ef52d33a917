"""The first screen: games with their signs, a lesson or a table for each, and how it works, at every request."""

from __future__ import annotations

import pytest

from engines.store.match_store import Status
from tests.end_to_end.players import find_surface
from tests.end_to_end.simulated_server import SimulatedServer, full_reply_text, reply_text, response_of
from tests.game_uis import GAME_UIS
from tests.messages import alt_texts, button_labels, message_text

PICK = "i:pick"


async def test_two_presses_open_a_public_table(server: SimulatedServer) -> None:
    await server["Greta"].slash(server.table, "motley help")
    first = server.newest_private("Greta")
    assert alt_texts(first) == [" ".join(game_ui.intro.picture.alt for game_ui in GAME_UIS.values())]
    await server.choose_options("Greta", first, PICK, "jokers")
    chosen = server.newest_private("Greta")
    assert chosen["id"] == first["id"]
    assert alt_texts(chosen) == [GAME_UIS["jokers"].intro.picture.alt]
    assert await server.bot.matches.lookup.find() == []
    answer = await server.press_button("Greta", chosen, "Open a table")
    assert not answer.ephemeral
    (match,) = await server.bot.matches.lookup.find()
    assert (match.game, match.status, match.seats[0].user) == ("jokers", Status.LOBBY, server["Greta"].id)
    assert "Join" in button_labels(await find_surface(server, match.id, "lobby"))
    await server.press_button("Ada", await find_surface(server, match.id, "lobby"), "Join")
    await server.press_button("Greta", await find_surface(server, match.id, "lobby"), "Start")
    assert await server.status(match.id) is Status.RUNNING


async def test_a_chosen_game_leads_back_to_all_games(server: SimulatedServer) -> None:
    await server["Greta"].slash(server.table, "motley help")
    first = server.newest_private("Greta")
    await server.choose_options("Greta", first, PICK, "court")
    await server.press_button("Greta", server.newest_private("Greta"), "All games")
    assert message_text(server.newest_private("Greta")) == message_text(first)


async def test_how_it_works_replaces_the_games_and_leads_back(server: SimulatedServer) -> None:
    await server["Greta"].slash(server.table, "motley help")
    first = server.newest_private("Greta")
    await server.choose_options("Greta", first, PICK, "help")
    read = server.newest_private("Greta")
    assert read["id"] == first["id"]
    assert "Show my hand" in message_text(read)
    assert alt_texts(read) == []
    await server.press_button("Greta", read, "See the games")
    back = server.newest_private("Greta")
    assert back["id"] == first["id"]
    assert alt_texts(back) == alt_texts(first)
    assert await server.bot.matches.lookup.find() == []


async def test_those_who_want_words_get_no_pictures(server: SimulatedServer) -> None:
    await server["Greta"].slash(server.table, "motley settings")
    await server.press_button("Greta", server.newest_private("Greta"), "Show hands in words")
    answer = await server["Greta"].slash(server.table, "motley help")
    assert GAME_UIS["wizard"].intro.like in reply_text(answer)
    assert not [game_ui for game_ui in GAME_UIS.values() if game_ui.intro.picture.alt in full_reply_text(answer)]


async def test_in_direct_messages_a_chosen_game_is_learnt_but_opens_no_table(server: SimulatedServer) -> None:
    answer = await server["Greta"].user.slash("motley help")
    chosen = await server["Greta"].user.select(response_of(answer), ["wizard"], custom_id=PICK)
    assert "a server channel" in reply_text(chosen)
    assert "Open a table" not in full_reply_text(chosen)
    refused = await server.forge_click("Greta", server.newest_private("Greta"), "i:table:wizard")
    assert "only open a table on a server" in reply_text(refused)
    assert await server.bot.matches.lookup.find() == []


@pytest.mark.parametrize("values", [[], ["chess"], ["wizard", "jest"], None])
async def test_forged_picks_open_nothing(server: SimulatedServer, values: list[str] | None) -> None:
    await server["Greta"].slash(server.table, "motley help")
    answer = await server.forge_click("Greta", server.newest_private("Greta"), PICK, values)
    assert reply_text(answer) in ("Pick one entry from the list.", "I no longer have that game.")
    assert await server.bot.matches.lookup.find() == []
