"""Opening a table, joining, leaving, starting, and what closes a lobby."""

from __future__ import annotations

import asyncio
from typing import Any

from engines.store.match_store import Status
from tests.end_to_end.simulated_server import PendingClick, SimulatedServer, reply_text, response_of
from tests.messages import Message, button_labels, client_text, control_ids, message_text, move_buttons

DAY = 24 * 60 * 60


async def test_a_lobby_says_who_is_in_and_starting_needs_three_people_and_the_host(server: SimulatedServer) -> None:
    match = await server.open_lobby("Ada", rounds=3)
    shown_text = await server.lobby_text(match)
    for text in ("Ada (host)", "5 free seats", "2 more needed", "Two more needed"):
        assert text in shown_text
    assert "at least 3 players" in reply_text(await server.press_button("Ada", await server.find_lobby(match), "Start"))
    await server.join_lobby(match, "Bela", "Chidi")
    shown_text = await server.lobby_text(match)
    assert "Enough players to start; three more can join." in shown_text
    assert "Ada (host, can start), Bela (joined), Chidi (joined) and 3 free seats." in shown_text
    refused = reply_text(await server.press_button("Bela", await server.find_lobby(match), "Start"))
    assert "Only the host can do that. The host is Ada" in refused
    assert await server.status(match) is Status.LOBBY
    await server.start_match(match)
    assert await server.status(match) is Status.RUNNING


async def test_joining_opens_ones_direct_messages_and_joining_twice_is_refused(server: SimulatedServer) -> None:
    match = await server.fill_lobby("Bela")
    assert "You are in" in message_text(server.newest_in_inbox("Bela"))
    assert "when Ada starts the match" in message_text(server.newest_in_inbox("Bela"))
    assert "when you start the match" in message_text(server.newest_in_inbox("Ada"))
    answer = await server.press_button("Bela", await server.find_lobby(match), "Join")
    assert "already joined" in reply_text(answer)
    click = PendingClick("Chidi", await server.find_lobby(match), f"t:{match}:join")
    await server.click_at_once(click, click)
    assert [seat.name for seat in (await server.load_snapshot(match)).info.seats] == ["Ada", "Bela", "Chidi"]


async def test_one_of_two_people_gets_the_last_seat(server: SimulatedServer) -> None:
    match = await server.fill_lobby("Bela", "Chidi", "Dora", "Emil")
    message = await server.find_lobby(match)
    answers = await server.click_at_once(
        *(PendingClick(name, message, f"t:{match}:join") for name in ("Fumi", "Greta"))
    )
    seats = (await server.load_snapshot(match)).info.seats
    assert len(seats) == 6
    refused = "Greta" if seats[-1].name == "Fumi" else "Fumi"
    sentences = dict(zip(("Fumi", "Greta"), map(reply_text, answers), strict=True))
    assert "All 6 seats are taken" in sentences[refused]
    assert server.inbox_messages(refused) == []
    assert seats[-1].name in await server.lobby_text(match)


async def test_starting_twice_makes_one_thread_and_the_lobby_leads_to_the_table(server: SimulatedServer) -> None:
    match = await server.fill_lobby("Bela", "Chidi", rounds=1)
    click = PendingClick("Ada", await server.find_lobby(match), f"t:{match}:start")
    await server.click_at_once(click, click)
    assert await server.status(match) is Status.RUNNING
    assert ["Round 1 of 1" in client_text(message) for message in server.public_messages(server.thread)].count(
        True
    ) == 1
    assert any(move_buttons(server.newest_in_inbox(name)) for name in ("Ada", "Bela", "Chidi"))
    (thread,) = server.table.threads
    assert thread.name == "Wizard: Ada, Bela, Chidi"
    assert (await server.load_snapshot(match)).info.place.thread == thread.id
    assert button_labels(await server.find_lobby(match)) == ["Show my hand", "Go to the table"]
    late = await server.forge_click("Dora", await server.find_lobby(match), f"t:{match}:join")
    assert "already started" in reply_text(late)
    assert len((await server.load_snapshot(match)).info.seats) == 3
    other = await server.seat_and_start(channel=server.thread)  # a lobby in a thread is played there
    assert other != match
    assert (await server.load_snapshot(other)).info.place.channel == thread.id


async def test_leaving_a_lobby_frees_the_place_and_hands_stay_where_they_were(server: SimulatedServer) -> None:
    match = await server.fill_lobby("Bela", "Chidi", "Dora", rounds=1)
    assert "not sitting" in reply_text(
        await server.forge_click("Greta", await server.find_lobby(match), f"t:{match}:leave")
    )
    assert "left the table" in reply_text(await server.press_in_menu("Bela", match, "Leave the match"))
    assert [seat.name for seat in (await server.load_snapshot(match)).info.seats] == ["Ada", "Chidi", "Dora"]
    assert "Bela" not in await server.lobby_text(match)
    assert "no longer at this table" in message_text(server.newest_in_inbox("Bela"))
    await server.start_match(match)
    assert len(server.inbox_messages("Chidi")) == len(server.inbox_messages("Dora")) == 1
    for name in ("Ada", "Chidi", "Dora"):
        assert "Your hand" in client_text(server.newest_in_inbox(name))
    assert "Your hand" not in client_text(server.newest_in_inbox("Bela"))


async def test_a_hand_is_posted_once_though_the_reconciler_is_slow(server: SimulatedServer) -> None:
    match = await server.open_lobby()
    sync, greeted = server.bot.reconciler.surface_sync, asyncio.Event()
    greet, bid = sync.greet_player, sync.departed_hands.take_away_hands

    async def greeting(*args: Any) -> str:
        try:
            return await greet(*args)
        finally:
            greeted.set()

    async def slow(*args: Any) -> None:
        await greeted.wait()
        await bid(*args)

    server.patch(sync, "greet_player", greeting)
    server.patch(sync.departed_hands, "take_away_hands", slow)
    await server.join_lobby(match, "Bela")
    assert len(server.inbox_messages("Bela")) == 1


async def test_the_host_who_leaves_passes_the_part_on_and_the_last_one_closes_the_lobby(
    server: SimulatedServer,
) -> None:
    match = await server.fill_lobby("Bela", "Chidi", "Dora")
    await server.press_in_menu("Ada", match, "Leave the match")
    assert "Bela (host" in await server.lobby_text(match)
    await server.start_match(match, "Bela")
    assert await server.status(match) is Status.RUNNING
    other = await server.open_lobby()
    await server.press_in_menu("Ada", other, "Leave the match")
    assert await server.status(other) is Status.CANCELLED
    assert "closed" in await server.lobby_text(other)
    assert control_ids(await server.find_lobby(other)) == []


async def test_the_host_cancels(server: SimulatedServer) -> None:
    async def press(label: str) -> Message:
        await server.press_button("Ada", server.private_messages("Ada")[0], label)
        (menu,) = server.private_messages("Ada")
        return menu

    match = await server.fill_lobby("Bela")
    await server.press_button("Ada", await server.find_lobby(match), "More")
    await server.forge_click("Bela", await server.find_lobby(match), f"t:{match}:cancel")
    assert await server.status(match) is Status.LOBBY
    question = await press("Cancel the table")
    assert "Cancel this table before the match starts? Bela has joined." in message_text(question)
    assert button_labels(question) == ["Cancel the table", "Keep it"]
    assert await server.status(match) is Status.LOBBY
    assert (await press("Keep it"))["id"] == question["id"]
    await press("Cancel the table")
    assert message_text(await press("Cancel the table")) == "The table is cancelled."
    assert await server.status(match) is Status.CANCELLED
    assert "cancelled" in await server.lobby_text(match)
    assert "cancelled" in message_text(server.newest_in_inbox("Bela"))


async def test_only_the_host_is_offered_the_hosts_part_and_hands_it_over_to_who_is_there(
    server: SimulatedServer,
) -> None:
    match = await server.fill_lobby("Bela", "Chidi", "Dora")
    message = await server.find_lobby(match)
    for name in ("Bela", "Greta", "Ada"):
        menu = await server.press_button(name, message, "More")
        assert menu.ephemeral
        found = control_ids({"components": response_of(menu).components})
        assert (f"t:{match}:cancel-ask" in found) is (name == "Ada")
        assert (f"t:{match}:host" in found) is (name == "Ada")
    greta, bela = str(server["Greta"].id), str(server["Bela"].id)
    for by, to in (("Ada", greta), ("Ada", "nobody"), ("Ada", "²"), ("Ada", ""), ("Bela", bela)):
        assert reply_text(await server.forge_click(by, message, f"t:{match}:host", [to]))
        assert (await server.load_snapshot(match)).info.host == server["Ada"].id
    answer = await server["Ada"].select(response_of(menu), [bela], custom_id=f"t:{match}:host")
    assert "Bela is the host now" in reply_text(answer)
    assert "Bela (host" in await server.lobby_text(match)


async def test_a_lobby_closes_after_a_day_and_says_so_and_no_started_match(server: SimulatedServer) -> None:
    running, match = await server.seat_and_start(), await server.fill_lobby("Bela")
    await server.env.advance_time(DAY // 2)
    late = await server.open_lobby()
    await server.restart()
    await server.env.advance_time(DAY // 2 - 1)
    assert await server.status(match) is Status.LOBBY
    before = len(server.public_messages(server.table))
    await server.env.advance_time(1)
    assert await server.status(match) is Status.EXPIRED
    (announced,) = server.public_messages(server.table)[before:]
    for message in (announced, await server.find_lobby(match), server.find_hand("Bela", match)):
        assert "within a day" in message_text(message)
    assert "closed" in await server.lobby_text(match)
    assert control_ids(await server.find_lobby(match)) == []
    assert await server.status(late) is Status.LOBBY
    await server.env.advance_time(DAY // 2 + 60)
    assert (await server.status(late), await server.status(running)) == (Status.EXPIRED, Status.RUNNING)
