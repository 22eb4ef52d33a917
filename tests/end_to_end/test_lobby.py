"""Opening a table, joining, leaving, starting, and what closes a lobby."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engines.store.match_store import Status
from tests.end_to_end.players import find_lobby, join_lobby, load_snapshot, open_lobby, seat_and_start, start_match
from tests.end_to_end.world import (
    Message,
    PendingClick,
    SimulatedServer,
    button_labels,
    control_ids,
    message_text,
    move_buttons,
    reply_text,
)
from tests.messages import client_text

DAY = 24 * 60 * 60


async def test_a_lobby_says_who_is_in_and_how_many_are_missing(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, "Ada", rounds=3)
    said = message_text(await find_lobby(inn, match))
    assert "- Ada (host)" in said
    assert "2 more needed" in said
    assert "3" in said
    await join_lobby(inn, match, "Bela", "Chidi")
    said = message_text(await find_lobby(inn, match))
    assert "Ada can start" in said
    assert "- Ada (host)\n- Bela\n- Chidi\n" in said


async def test_joining_opens_ones_direct_messages(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await join_lobby(inn, match, "Bela")
    assert "You are in" in message_text(inn.newest_in_inbox("Bela"))
    assert "when Ada starts the match" in message_text(inn.newest_in_inbox("Bela"))
    assert "when you start the match" in message_text(inn.newest_in_inbox("Ada"))


async def test_joining_twice_is_refused(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await join_lobby(inn, match, "Bela")
    answer = await inn.press_button("Bela", await find_lobby(inn, match), "Join")
    assert "already joined" in reply_text(answer)
    assert len((await load_snapshot(inn, match)).info.seats) == 2


async def test_a_double_click_on_join_takes_one_place(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    message = await find_lobby(inn, match)
    click = PendingClick("Bela", message, f"t:{match}:join")
    await inn.click_at_once(click, click)
    assert [seat.name for seat in (await load_snapshot(inn, match)).info.seats] == ["Ada", "Bela"]


async def test_of_two_who_race_for_the_last_place_one_gets_it(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await join_lobby(inn, match, "Bela", "Chidi", "Dora", "Emil")
    message = await find_lobby(inn, match)
    answers = await inn.click_at_once(*(PendingClick(name, message, f"t:{match}:join") for name in ("Fumi", "Greta")))
    seats = (await load_snapshot(inn, match)).info.seats
    assert len(seats) == 6
    refused = "Greta" if seats[-1].name == "Fumi" else "Fumi"
    sentences = dict(zip(("Fumi", "Greta"), map(reply_text, answers), strict=True))
    assert "All 6 seats are taken" in sentences[refused]
    assert inn.inbox_messages(refused) == []
    assert seats[-1].name in message_text(await find_lobby(inn, match))


async def test_starting_needs_three_people_and_the_host(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    assert "at least 3 players" in reply_text(await inn.press_button("Ada", await find_lobby(inn, match), "Start"))
    await join_lobby(inn, match, "Bela", "Chidi")
    assert "Only the host can do that. The host is Ada" in reply_text(
        await inn.press_button("Bela", await find_lobby(inn, match), "Start")
    )
    assert (await load_snapshot(inn, match)).info.status is Status.LOBBY
    await start_match(inn, match)
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING


async def test_starting_makes_a_thread_and_the_lobby_leads_to_the_table(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    (thread,) = inn.table.threads
    assert thread.name == "Wizard: Ada, Bela, Chidi"
    assert (await load_snapshot(inn, match)).info.place.thread == thread.id
    assert button_labels(await find_lobby(inn, match)) == ["Show my hand", "Go to the table"]


async def test_without_the_right_to_make_threads_the_channel_serves(inn: SimulatedServer) -> None:
    inn.grant_permissions(inn.table, create_public_threads=False)
    match = await seat_and_start(inn)
    assert inn.table.threads == []
    assert (await load_snapshot(inn, match)).info.place.thread == 0
    assert any("Round 1 of 1" in client_text(message) for message in inn.public_messages(inn.table))


async def test_a_lobby_in_a_thread_is_played_in_that_thread(inn: SimulatedServer) -> None:
    first = await seat_and_start(inn)
    thread = inn.thread
    match = await seat_and_start(inn, channel=thread)
    assert match != first
    assert (await load_snapshot(inn, match)).info.place.channel == thread.id


async def test_leaving_a_lobby_frees_the_place(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await join_lobby(inn, match, "Bela", "Chidi")
    assert "left the table" in reply_text(await inn.press_button("Bela", await find_lobby(inn, match), "Leave"))
    assert [seat.name for seat in (await load_snapshot(inn, match)).info.seats] == ["Ada", "Chidi"]
    assert "Bela" not in message_text(await find_lobby(inn, match))
    assert "no longer at this table" in message_text(inn.newest_in_inbox("Bela"))


async def test_who_moved_up_in_a_lobby_gets_their_hand_where_it_was(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, rounds=1)
    await join_lobby(inn, match, "Bela", "Chidi", "Dora")
    await inn.press_button("Bela", await find_lobby(inn, match), "Leave")
    await start_match(inn, match)
    assert len(inn.inbox_messages("Chidi")) == len(inn.inbox_messages("Dora")) == 1
    for name in ("Ada", "Chidi", "Dora"):
        assert "Your hand" in client_text(inn.newest_in_inbox(name))
    assert "Your hand" not in client_text(inn.newest_in_inbox("Bela"))


async def test_a_hand_is_posted_once_though_the_keeper_is_slow(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await open_lobby(inn)
    keeper, greeted = inn.bot.reconciler, asyncio.Event()
    greet, bid = keeper.surface_sync.greet_player, keeper.surface_sync.departed_hands.take_away_hands

    async def greeting(*args: Any) -> str:
        try:
            return await greet(*args)
        finally:
            greeted.set()

    async def slow(*args: Any) -> None:
        await greeted.wait()
        await bid(*args)

    monkeypatch.setattr(keeper.surface_sync, "greet_player", greeting)
    monkeypatch.setattr(keeper.surface_sync.departed_hands, "take_away_hands", slow)
    await join_lobby(inn, match, "Bela")
    assert len(inn.inbox_messages("Bela")) == 1


async def test_the_host_who_leaves_passes_the_part_on(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await join_lobby(inn, match, "Bela", "Chidi", "Dora")
    await inn.press_button("Ada", await find_lobby(inn, match), "Leave")
    assert "Bela (host)" in message_text(await find_lobby(inn, match))
    await start_match(inn, match, "Bela")
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING


async def test_when_the_last_one_leaves_the_lobby_is_closed(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await inn.press_button("Ada", await find_lobby(inn, match), "Leave")
    assert (await load_snapshot(inn, match)).info.status is Status.CANCELLED
    assert "closed" in message_text(await find_lobby(inn, match))
    assert control_ids(await find_lobby(inn, match)) == []


def private_menu(w: SimulatedServer, name: str) -> Message:
    """The one message that somebody alone can see."""
    (menu,) = [seen.message for seen in w.ephemeral_messages() if seen.viewer == w[name].id]
    return menu


async def test_the_host_cancels(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await join_lobby(inn, match, "Bela")
    menu = await inn.press_button("Ada", await find_lobby(inn, match), "⋯")
    await inn.forge_click("Bela", await find_lobby(inn, match), f"t:{match}:cancel")
    assert (await load_snapshot(inn, match)).info.status is Status.LOBBY
    assert menu.response is not None
    await inn["Ada"].click(menu.response, label="Cancel the match")
    question = private_menu(inn, "Ada")
    assert "Cancel this match before it starts? Bela has joined." in message_text(question)
    assert button_labels(question) == ["Cancel the match", "Keep it"]
    assert (await load_snapshot(inn, match)).info.status is Status.LOBBY
    await inn.press_button("Ada", question, "Keep it")
    assert private_menu(inn, "Ada")["id"] == question["id"]
    await inn.press_button("Ada", private_menu(inn, "Ada"), "Cancel the match")
    await inn.press_button("Ada", private_menu(inn, "Ada"), "Cancel the match")
    assert message_text(private_menu(inn, "Ada")) == "The match is cancelled."
    assert (await load_snapshot(inn, match)).info.status is Status.CANCELLED
    assert "cancelled" in message_text(await find_lobby(inn, match))
    assert "cancelled" in message_text(inn.newest_in_inbox("Bela"))


async def test_only_the_host_is_offered_the_hosts_part(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await join_lobby(inn, match, "Bela")
    for name, offered in (("Ada", True), ("Bela", False), ("Greta", False)):
        menu = await inn.press_button(name, await find_lobby(inn, match), "⋯")
        assert menu.response is not None
        assert menu.response.ephemeral
        found = [c for row in menu.response.components for c in control_ids({"components": [row]})]
        assert (f"t:{match}:cancel-ask" in found) is offered
        assert (f"t:{match}:host" in found) is offered


async def test_the_host_hands_the_part_over(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await join_lobby(inn, match, "Bela", "Chidi")
    menu = await inn.press_button("Ada", await find_lobby(inn, match), "⋯")
    assert menu.response is not None
    answer = await inn["Ada"].select(menu.response, [str(inn["Bela"].id)], custom_id=f"t:{match}:host")
    assert "Bela is the host now" in reply_text(answer)
    assert "Bela (host)" in message_text(await find_lobby(inn, match))


async def test_the_hosts_part_goes_to_nobody_who_is_not_there(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await join_lobby(inn, match, "Bela")
    message = await find_lobby(inn, match)
    for by, to in (
        ("Ada", str(inn["Greta"].id)),
        ("Ada", "nobody"),
        ("Ada", "²"),
        ("Ada", ""),
        ("Bela", str(inn["Bela"].id)),
    ):
        answer = await inn.forge_click(by, message, f"t:{match}:host", [to])
        assert reply_text(answer)
        assert (await load_snapshot(inn, match)).info.host == inn["Ada"].id


async def test_a_lobby_closes_after_a_day_and_says_so(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await join_lobby(inn, match, "Bela")
    await inn.env.advance_time(DAY - 60)
    assert (await load_snapshot(inn, match)).info.status is Status.LOBBY
    before = len(inn.public_messages(inn.table))
    await inn.env.advance_time(120)
    assert (await load_snapshot(inn, match)).info.status is Status.EXPIRED
    announced = inn.public_messages(inn.table)[before:]
    assert len(announced) == 1
    assert "within a day" in message_text(announced[0])
    assert "within a day" in message_text(await find_lobby(inn, match))
    assert "within a day" in message_text(inn.newest_in_inbox("Bela"))
    assert control_ids(await find_lobby(inn, match)) == []


async def test_a_started_match_does_not_expire(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    await inn.env.advance_time(2 * DAY)
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING


async def test_of_several_lobbies_each_closes_in_its_time_also_after_a_restart(inn: SimulatedServer) -> None:
    early = await open_lobby(inn)
    await inn.env.advance_time(DAY // 2)
    late = await open_lobby(inn)
    await inn.restart()
    await inn.env.advance_time(DAY // 2 + 60)
    assert (await load_snapshot(inn, early)).info.status is Status.EXPIRED
    assert (await load_snapshot(inn, late)).info.status is Status.LOBBY
    await inn.env.advance_time(DAY // 2 + 60)
    assert (await load_snapshot(inn, late)).info.status is Status.EXPIRED


async def test_nobody_joins_what_has_begun(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, rounds=1)
    await join_lobby(inn, match, "Bela", "Chidi")
    message = await find_lobby(inn, match)
    await start_match(inn, match)
    answer = await inn.forge_click("Dora", message, f"t:{match}:join")
    assert "already started" in reply_text(answer)
    assert len((await load_snapshot(inn, match)).info.seats) == 3


async def test_a_start_that_is_pressed_twice_starts_once(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, rounds=1)
    await join_lobby(inn, match, "Bela", "Chidi")
    click = PendingClick("Ada", await find_lobby(inn, match), f"t:{match}:start")
    await inn.click_at_once(click, click)
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING
    assert len(inn.table.threads) == 1
    tables = [message for message in inn.public_messages(inn.thread) if "Round 1 of 1" in client_text(message)]
    assert len(tables) == 1
    assert any(move_buttons(inn.newest_in_inbox(name)) for name in ("Ada", "Bela", "Chidi"))


async def test_more_rounds_than_there_are_means_the_full_game(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, ("Ada", "Bela", "Chidi", "Dora"), rounds=20)
    assert (await load_snapshot(inn, match)).state.rounds == 15
