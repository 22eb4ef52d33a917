"""Opening a table, joining, leaving, starting, and what closes a lobby."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engines.store.match_store import Status
from tests.end_to_end.players import join, lobby, look, open_lobby, seat_and_start, start
from tests.end_to_end.world import Click, Message, World, controls, labels, move_buttons, told, words
from tests.messages import everything

DAY = 24 * 60 * 60


async def test_a_lobby_says_who_is_in_and_how_many_are_missing(inn: World) -> None:
    match = await open_lobby(inn, "Ada", rounds=3)
    said = words(await lobby(inn, match))
    assert "- Ada (host)" in said
    assert "2 more needed" in said
    assert "3" in said
    await join(inn, match, "Bela", "Chidi")
    said = words(await lobby(inn, match))
    assert "Ada can start" in said
    assert "- Ada (host)\n- Bela\n- Chidi\n" in said


async def test_joining_opens_ones_direct_messages(inn: World) -> None:
    match = await open_lobby(inn)
    await join(inn, match, "Bela")
    assert "You are in" in words(inn.hand_of("Bela"))
    assert "when Ada starts the match" in words(inn.hand_of("Bela"))
    assert "when you start the match" in words(inn.hand_of("Ada"))


async def test_joining_twice_is_refused(inn: World) -> None:
    match = await open_lobby(inn)
    await join(inn, match, "Bela")
    answer = await inn.press("Bela", await lobby(inn, match), "Join")
    assert "already joined" in told(answer)
    assert len((await look(inn, match)).info.seats) == 2


async def test_a_double_click_on_join_takes_one_place(inn: World) -> None:
    match = await open_lobby(inn)
    message = await lobby(inn, match)
    click = Click("Bela", message, f"t:{match}:join")
    await inn.at_once(click, click)
    assert [seat.name for seat in (await look(inn, match)).info.seats] == ["Ada", "Bela"]


async def test_of_two_who_race_for_the_last_place_one_gets_it(inn: World) -> None:
    match = await open_lobby(inn)
    await join(inn, match, "Bela", "Chidi", "Dora", "Emil")
    message = await lobby(inn, match)
    answers = await inn.at_once(*(Click(name, message, f"t:{match}:join") for name in ("Fumi", "Greta")))
    seats = (await look(inn, match)).info.seats
    assert len(seats) == 6
    refused = "Greta" if seats[-1].name == "Fumi" else "Fumi"
    sentences = dict(zip(("Fumi", "Greta"), map(told, answers), strict=True))
    assert "All 6 places are taken" in sentences[refused]
    assert inn.inbox(refused) == []
    assert seats[-1].name in words(await lobby(inn, match))


async def test_starting_needs_three_people_and_the_host(inn: World) -> None:
    match = await open_lobby(inn)
    assert "at least 3 players" in told(await inn.press("Ada", await lobby(inn, match), "Start"))
    await join(inn, match, "Bela", "Chidi")
    assert "Only the host can do that; the host is Ada" in told(
        await inn.press("Bela", await lobby(inn, match), "Start")
    )
    assert (await look(inn, match)).info.status is Status.LOBBY
    await start(inn, match)
    assert (await look(inn, match)).info.status is Status.RUNNING


async def test_starting_makes_a_thread_and_the_lobby_leads_to_the_table(inn: World) -> None:
    match = await seat_and_start(inn)
    (thread,) = inn.table.threads
    assert thread.name == "Wizard: Ada, Bela, Chidi"
    assert (await look(inn, match)).info.place.thread == thread.id
    assert labels(await lobby(inn, match)) == ["Show my hand", "Go to the table"]


async def test_without_the_right_to_make_threads_the_channel_serves(inn: World) -> None:
    inn.grant(inn.table, create_public_threads=False)
    match = await seat_and_start(inn)
    assert inn.table.threads == []
    assert (await look(inn, match)).info.place.thread == 0
    assert any("Round 1 of 1" in everything(message) for message in inn.public(inn.table))


async def test_a_lobby_in_a_thread_is_played_in_that_thread(inn: World) -> None:
    first = await seat_and_start(inn)
    thread = inn.thread
    match = await seat_and_start(inn, channel=thread)
    assert match != first
    assert (await look(inn, match)).info.place.channel == thread.id


async def test_leaving_a_lobby_frees_the_place(inn: World) -> None:
    match = await open_lobby(inn)
    await join(inn, match, "Bela", "Chidi")
    assert "left the table" in told(await inn.press("Bela", await lobby(inn, match), "Leave"))
    assert [seat.name for seat in (await look(inn, match)).info.seats] == ["Ada", "Chidi"]
    assert "Bela" not in words(await lobby(inn, match))
    assert "no longer sit" in words(inn.hand_of("Bela"))


async def test_who_moved_up_in_a_lobby_gets_their_hand_where_it_was(inn: World) -> None:
    match = await open_lobby(inn, rounds=1)
    await join(inn, match, "Bela", "Chidi", "Dora")
    await inn.press("Bela", await lobby(inn, match), "Leave")
    await start(inn, match)
    assert len(inn.inbox("Chidi")) == len(inn.inbox("Dora")) == 1
    for name in ("Ada", "Chidi", "Dora"):
        assert "Your hand" in everything(inn.hand_of(name))
    assert "Your hand" not in everything(inn.hand_of("Bela"))


async def test_a_hand_is_posted_once_though_the_keeper_is_slow(inn: World, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await open_lobby(inn)
    keeper, greeted = inn.bot.keeper, asyncio.Event()
    greet, bid = keeper.showing.greet, keeper.showing.farewells.bid

    async def greeting(*args: Any) -> str:
        try:
            return await greet(*args)
        finally:
            greeted.set()

    async def slow(*args: Any) -> None:
        await greeted.wait()
        await bid(*args)

    monkeypatch.setattr(keeper.showing, "greet", greeting)
    monkeypatch.setattr(keeper.showing.farewells, "bid", slow)
    await join(inn, match, "Bela")
    assert len(inn.inbox("Bela")) == 1


async def test_the_host_who_leaves_passes_the_part_on(inn: World) -> None:
    match = await open_lobby(inn)
    await join(inn, match, "Bela", "Chidi", "Dora")
    await inn.press("Ada", await lobby(inn, match), "Leave")
    assert "Bela (host)" in words(await lobby(inn, match))
    await start(inn, match, "Bela")
    assert (await look(inn, match)).info.status is Status.RUNNING


async def test_when_the_last_one_leaves_the_lobby_is_closed(inn: World) -> None:
    match = await open_lobby(inn)
    await inn.press("Ada", await lobby(inn, match), "Leave")
    assert (await look(inn, match)).info.status is Status.CANCELLED
    assert "closed" in words(await lobby(inn, match))
    assert controls(await lobby(inn, match)) == []


def own_menu(w: World, name: str) -> Message:
    """The one message that somebody alone can see."""
    (menu,) = [seen.message for seen in w.ephemerals() if seen.by == w[name].id]
    return menu


async def test_the_host_cancels(inn: World) -> None:
    match = await open_lobby(inn)
    await join(inn, match, "Bela")
    menu = await inn.press("Ada", await lobby(inn, match), "⋯")
    await inn.forge("Bela", await lobby(inn, match), f"t:{match}:cancel")
    assert (await look(inn, match)).info.status is Status.LOBBY
    assert menu.response is not None
    await inn["Ada"].click(menu.response, label="Cancel the match")
    question = own_menu(inn, "Ada")
    assert "Cancel the match before it has started? Bela has joined." in words(question)
    assert labels(question) == ["Cancel the match", "Keep it"]
    assert (await look(inn, match)).info.status is Status.LOBBY
    await inn.press("Ada", question, "Keep it")
    assert own_menu(inn, "Ada")["id"] == question["id"]
    await inn.press("Ada", own_menu(inn, "Ada"), "Cancel the match")
    await inn.press("Ada", own_menu(inn, "Ada"), "Cancel the match")
    assert words(own_menu(inn, "Ada")) == "The match is cancelled."
    assert (await look(inn, match)).info.status is Status.CANCELLED
    assert "cancelled" in words(await lobby(inn, match))
    assert "cancelled" in words(inn.hand_of("Bela"))


async def test_only_the_host_is_offered_the_hosts_part(inn: World) -> None:
    match = await open_lobby(inn)
    await join(inn, match, "Bela")
    for name, offered in (("Ada", True), ("Bela", False), ("Greta", False)):
        menu = await inn.press(name, await lobby(inn, match), "⋯")
        assert menu.response is not None
        assert menu.response.ephemeral
        found = [c for row in menu.response.components for c in controls({"components": [row]})]
        assert (f"t:{match}:cancel-ask" in found) is offered
        assert (f"t:{match}:host" in found) is offered


async def test_the_host_hands_the_part_over(inn: World) -> None:
    match = await open_lobby(inn)
    await join(inn, match, "Bela", "Chidi")
    menu = await inn.press("Ada", await lobby(inn, match), "⋯")
    assert menu.response is not None
    answer = await inn["Ada"].select(menu.response, [str(inn["Bela"].id)], custom_id=f"t:{match}:host")
    assert "Bela is the host now" in told(answer)
    assert "Bela (host)" in words(await lobby(inn, match))


async def test_the_hosts_part_goes_to_nobody_who_is_not_there(inn: World) -> None:
    match = await open_lobby(inn)
    await join(inn, match, "Bela")
    message = await lobby(inn, match)
    for by, to in (
        ("Ada", str(inn["Greta"].id)),
        ("Ada", "nobody"),
        ("Ada", "²"),
        ("Ada", ""),
        ("Bela", str(inn["Bela"].id)),
    ):
        answer = await inn.forge(by, message, f"t:{match}:host", [to])
        assert told(answer)
        assert (await look(inn, match)).info.host == inn["Ada"].id


async def test_a_lobby_closes_after_a_day_and_says_so(inn: World) -> None:
    match = await open_lobby(inn)
    await join(inn, match, "Bela")
    await inn.env.advance_time(DAY - 60)
    assert (await look(inn, match)).info.status is Status.LOBBY
    before = len(inn.public(inn.table))
    await inn.env.advance_time(120)
    assert (await look(inn, match)).info.status is Status.EXPIRED
    announced = inn.public(inn.table)[before:]
    assert len(announced) == 1
    assert "within a day" in words(announced[0])
    assert "within a day" in words(await lobby(inn, match))
    assert "within a day" in words(inn.hand_of("Bela"))
    assert controls(await lobby(inn, match)) == []


async def test_a_started_match_does_not_expire(inn: World) -> None:
    match = await seat_and_start(inn)
    await inn.env.advance_time(2 * DAY)
    assert (await look(inn, match)).info.status is Status.RUNNING


async def test_of_several_lobbies_each_closes_in_its_time_also_after_a_restart(inn: World) -> None:
    early = await open_lobby(inn)
    await inn.env.advance_time(DAY // 2)
    late = await open_lobby(inn)
    await inn.restart()
    await inn.env.advance_time(DAY // 2 + 60)
    assert (await look(inn, early)).info.status is Status.EXPIRED
    assert (await look(inn, late)).info.status is Status.LOBBY
    await inn.env.advance_time(DAY // 2 + 60)
    assert (await look(inn, late)).info.status is Status.EXPIRED


async def test_nobody_joins_what_has_begun(inn: World) -> None:
    match = await open_lobby(inn, rounds=1)
    await join(inn, match, "Bela", "Chidi")
    message = await lobby(inn, match)
    await start(inn, match)
    answer = await inn.forge("Dora", message, f"t:{match}:join")
    assert "already started" in told(answer)
    assert len((await look(inn, match)).info.seats) == 3


async def test_a_start_that_is_pressed_twice_starts_once(inn: World) -> None:
    match = await open_lobby(inn, rounds=1)
    await join(inn, match, "Bela", "Chidi")
    click = Click("Ada", await lobby(inn, match), f"t:{match}:start")
    await inn.at_once(click, click)
    assert (await look(inn, match)).info.status is Status.RUNNING
    assert len(inn.table.threads) == 1
    tables = [message for message in inn.public(inn.thread) if "Round 1 of 1" in everything(message)]
    assert len(tables) == 1
    assert any(move_buttons(inn.hand_of(name)) for name in ("Ada", "Bela", "Chidi"))


async def test_more_rounds_than_there_are_means_the_full_game(inn: World) -> None:
    match = await seat_and_start(inn, ("Ada", "Bela", "Chidi", "Dora"), rounds=20)
    assert (await look(inn, match)).state.rounds == 15
