"""The first screen: games with their signs, a table at one pick, and how it works, wherever it is asked for."""

from __future__ import annotations

import pytest

from engines.store.match_store import Status
from tests.end_to_end.players import find_surface
from tests.end_to_end.world import SimulatedServer, full_reply_text, reply_text
from tests.fronts import GAME_UIS
from tests.messages import alt_texts, button_labels, message_text

PICK = "i:pick"


async def test_one_pick_opens_a_public_table(inn: SimulatedServer) -> None:
    await inn["Greta"].slash(inn.table, "motley help")
    first = inn.newest_private("Greta")
    assert alt_texts(first) == [front.intro.picture.alt for front in GAME_UIS.values()]
    answer = await inn.choose_options("Greta", first, PICK, "jokers")
    assert not answer.ephemeral
    (match,) = await inn.bot.matches.lookup.find()
    assert (match.game, match.status, match.seats[0].user) == ("jokers", Status.LOBBY, inn["Greta"].id)
    assert "Join" in button_labels(await find_surface(inn, match.id, "lobby"))
    await inn.press_button("Ada", await find_surface(inn, match.id, "lobby"), "Join")
    await inn.press_button("Greta", await find_surface(inn, match.id, "lobby"), "Start")
    assert await inn.status(match.id) is Status.RUNNING


async def test_how_it_works_replaces_the_games_and_leads_back(inn: SimulatedServer) -> None:
    await inn["Greta"].slash(inn.table, "motley help")
    first = inn.newest_private("Greta")
    await inn.choose_options("Greta", first, PICK, "help")
    read = inn.newest_private("Greta")
    assert read["id"] == first["id"]
    assert "Show my hand" in message_text(read)
    assert alt_texts(read) == []
    await inn.press_button("Greta", read, "See the games")
    back = inn.newest_private("Greta")
    assert back["id"] == first["id"]
    assert alt_texts(back) == alt_texts(first)
    assert await inn.bot.matches.lookup.find() == []


async def test_those_who_want_words_get_no_pictures(inn: SimulatedServer) -> None:
    await inn["Greta"].slash(inn.table, "motley settings")
    await inn.press_button("Greta", inn.newest_private("Greta"), "Show hands in words")
    answer = await inn["Greta"].slash(inn.table, "motley help")
    assert GAME_UIS["wizard"].intro.like in reply_text(answer)
    assert not [front for front in GAME_UIS.values() if front.intro.picture.alt in full_reply_text(answer)]


async def test_in_direct_messages_a_pick_is_refused_with_a_reason(inn: SimulatedServer) -> None:
    answer = await inn["Greta"].user.slash("motley help")
    refused = await inn["Greta"].user.select(answer.response, ["wizard"], custom_id=PICK)
    assert "start on a server" in reply_text(refused)
    assert await inn.bot.matches.lookup.find() == []


@pytest.mark.parametrize("values", [[], ["chess"], ["wizard", "jest"], None])
async def test_forged_picks_open_nothing(inn: SimulatedServer, values: list[str] | None) -> None:
    await inn["Greta"].slash(inn.table, "motley help")
    answer = await inn.forge_click("Greta", inn.newest_private("Greta"), PICK, values)
    assert reply_text(answer) in ("Pick one line from the list.", "I no longer have that game.")
    assert await inn.bot.matches.lookup.find() == []
