"""What Discord refuses, loses or delays; closed direct messages; a store that fails. The match goes on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from discord import app_commands

from cogs.table.channels import match_threads
from engines.store.match_store import Status, StoreFailure
from tests.end_to_end.players import THREE, seat_after
from tests.end_to_end.simulated_server import SimulatedServer, reply_text
from tests.messages import RESULT_BUTTONS, button_labels, client_text, control_ids, message_text, move_buttons

HOUR = 60 * 60
DEFERRED_UPDATE = 6


async def shows_turn_of(w: SimulatedServer, match: str, name: str) -> bool:
    return f"Waiting for {name} to" in await w.table_text(match)


async def test_no_match_without_the_permissions_it_needs(server: SimulatedServer) -> None:
    for lacking in ("embed_links", "attach_files read_message_history", "send_messages view_channel"):
        server.grant_permissions(server.table, **dict.fromkeys(lacking.split(), False))
        answer = await server["Ada"].slash(server.table, "wizard new")
        assert all(f"**{name.replace('_', ' ').title()}**" in reply_text(answer) for name in lacking.split())
        assert answer.ephemeral
        assert await server.bot.matches.lookup.find() == []


async def test_a_table_that_may_no_longer_be_shown_is_given_up_and_comes_back(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    server.grant_permissions(server.table, view_channel=False)
    await server.make_move(match)
    await server.make_move(match)
    assert "View Channel" in await server.loss_reason(match)
    before = len(server.sent_requests())
    await server.make_move(match)
    path = f"/channels/{server.thread.id}/messages/"
    assert [p for m, p in server.sent_requests(before) if m == "PATCH" and p.startswith(path)] == []
    assert "I need View Channel" in server.hand_text(await server.due_name_now(match), match)
    assert "I need View Channel" in reply_text(await server["Ada"].user.slash("wizard status"))
    server.grant_permissions(server.table, view_channel=None)
    await server["Ada"].slash(server.thread, "wizard status")
    await server.make_move(match)
    assert await shows_turn_of(server, match, await server.due_name_now(match))
    assert "I miss" not in server.hand_text(await server.due_name_now(match), match)
    server.env.inject_error("PATCH", f"{path}*", status=403, code=50013, times=1)
    await server.make_move(match)
    assert "50013" in await server.loss_reason(match)
    await server["Bela"].slash(server.thread, "wizard status")
    assert await server.loss_reason(match) == ""
    assert await shows_turn_of(server, match, await server.due_name_now(match))
    assert control_ids(await server.find_table(match))
    await server.play_out(match)


@pytest.mark.parametrize("status", [500, 429])
async def test_a_table_that_discord_did_not_take_is_tried_again(server: SimulatedServer, status: int) -> None:
    match = await server.seat_and_start(rounds=2)
    server.env.inject_error("PATCH", f"/channels/{server.thread.id}/messages/*", status=status, times=None)
    await server.make_move(match)
    name = await server.due_name_now(match)
    assert not await shows_turn_of(server, match, name)
    assert move_buttons(server.find_hand(name, match))  # nobody else waits for that
    server.open_dms()
    await server.env.advance_time(10)
    assert await shows_turn_of(server, match, name)


async def test_the_pauses_between_tries_grow_to_a_few_seconds(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    path = f"/channels/{server.thread.id}/messages/*"
    server.env.inject_error("PATCH", path, status=500, times=None)
    await server.make_move(match)
    before, tries = len(server.sent_requests()), []
    for second in range(1, 33):
        known = len(server.sent_requests())
        await server.env.advance_time(1)
        tries += [second] * len([p for m, p in server.sent_requests(known) if m == "PATCH" and p.startswith(path[:-1])])
    assert tries == [1, 3, 7, 11, 15, 19, 23, 27, 31]
    server.open_dms()
    await server.env.advance_time(8)
    assert await shows_turn_of(server, match, await server.due_name_now(match))
    assert len(server.sent_requests(before)) < 60


async def test_trouble_with_one_hand_does_not_keep_the_others_from_being_shown(server: SimulatedServer) -> None:
    match, name = await server.start_due(rounds=2)
    other, third = seat_after(name), seat_after(name, 2)
    channel = server.find_hand(other, match)["channel_id"]
    server.env.inject_error("PATCH", f"/channels/{channel}/messages/*", status=500, times=None)
    await server.make_move(match)
    assert await server.due_name_now(match) == other
    assert f"Waiting for {other} to" in server.hand_text(third, match)
    assert await shows_turn_of(server, match, other)
    assert move_buttons(server.find_hand(other, match)) == []
    server.open_dms()
    await server.env.advance_time(10)
    assert move_buttons(server.find_hand(other, match))


@pytest.mark.mishap
@pytest.mark.parametrize(("status", "code"), [(404, 10062), (500, 0)], ids=["late", "refused"])
async def test_an_answer_that_discord_did_not_take_leaves_the_move_and_a_true_hand(
    server: SimulatedServer, status: int, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    match, name = await server.start_due(rounds=2)
    server.env.inject_error("POST", "/interactions/*/callback", status=status, code=code, times=1)
    await server.make_move(match)
    assert await server.move_count(match) == 1
    assert move_buttons(server.find_hand(name, match)) == []
    assert "Waiting for" in server.hand_text(name, match)
    assert move_buttons(server.find_hand(await server.due_name_now(match), match))
    assert status == 500 or "ERROR" not in {record.levelname for record in caplog.records}


async def test_a_channel_that_is_deleted_before_the_answer_is_no_error(server: SimulatedServer) -> None:
    match = await server.open_lobby(rounds=1)
    server.close_dms("Bela")  # so that there is something to say at the table
    server.env.inject_error("POST", "/webhooks/*", status=404, code=10003, times=None)
    await server.press_button("Bela", await server.find_lobby(match), "Join")
    assert [seat.name for seat in (await server.load_snapshot(match)).info.seats] == ["Ada", "Bela"]


async def test_a_deleted_table_and_a_deleted_hand_are_posted_again(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    old, other = await server.find_table(match), seat_after(await server.due_name_now(match))
    server.delete_message(old)
    server.delete_message(server.find_hand(other, match))
    await server.make_move(match)
    new = await server.find_table(match)
    assert new["id"] != old["id"]
    assert await shows_turn_of(server, match, other)
    assert new["id"] in server.hand_text(other, match)  # its link
    assert move_buttons(server.find_hand(other, match))
    assert len(server.inbox_messages(other)) == 1


async def test_a_deleted_lobby_is_posted_again(server: SimulatedServer) -> None:
    match = await server.open_lobby(rounds=1)
    old = await server.find_lobby(match)
    await server.join_lobby(match, "Bela")
    server.delete_message(old)
    await server["Chidi"].slash(server.table, "wizard status")
    await server["Bela"].slash(server.table, "motley leave")
    new = await server.find_lobby(match)
    assert new["id"] != old["id"]
    await server.join_lobby(match, "Chidi", "Dora")
    await server.start_match(match)
    await server.play_out(match)


async def test_an_archived_thread_is_opened_again(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    thread = server.thread
    server.archive_thread(thread)
    server.env.inject_error("PATCH", f"/channels/{thread.id}/messages/*", status=400, code=50083, times=1)
    await server.make_move(match)
    assert await shows_turn_of(server, match, await server.due_name_now(match))
    assert any(m == "PATCH" and p == f"/channels/{thread.id}" for m, p in server.sent_requests())


@pytest.mark.parametrize(("status", "code", "threads"), [(500, 0, 1), (429, 0, 1), (403, 0, 0), (400, 160006, 0)])
async def test_a_thread_that_could_not_be_made(server: SimulatedServer, status: int, code: int, threads: int) -> None:
    path, times = "/channels/*/messages/*/threads", 1 if threads else None  # 160006: too many threads are open
    server.env.inject_error("POST", path, status=status, code=code, times=times)
    match = await server.seat_and_start(rounds=1)
    await server.env.advance_time(10)
    assert len(server.table.threads) == threads
    assert (await server.find_table(match))["channel_id"] == str(server.thread.id)
    await server.play_out(match)
    assert button_labels(await server.find_table(match)) == RESULT_BUTTONS
    everywhere = [
        client_text(each)
        for channel in (server.table, *server.table.threads)
        for each in server.public_messages(channel)
    ]
    assert sum("The score sheet of" in each for each in everywhere) == 1


@pytest.mark.parametrize(("status", "code"), [(403, 40003), (500, 0)])
async def test_direct_messages_that_cannot_be_opened_come_later(
    server: SimulatedServer, status: int, code: int
) -> None:
    match = await server.open_lobby(rounds=1)
    server.env.inject_error("POST", "/users/@me/channels", status=status, code=code, times=None)
    answer = await server.press_button("Bela", await server.find_lobby(match), "Join")
    assert "does not let me send you direct messages right now" in reply_text(answer)
    assert "cannot send" not in reply_text(answer)
    assert "Bela" in await server.lobby_text(match)
    await server.env.advance_time(65)
    opened = server.sent_requests().count(("POST", "/users/@me/channels"))
    assert code == 0 or opened <= 4  # Ada's, Bela's first, and one a minute
    server.open_dms()
    await server.env.advance_time(65)
    assert "You are in" in message_text(server.newest_in_inbox("Bela"))
    await server.join_lobby(match, "Chidi")
    await server.start_match(match)
    await server.play_out(match)


async def test_a_table_that_talk_has_buried_is_posted_again(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    old = await server.find_table(match)
    for i in range(4):
        await server["Dora"].send(server.thread, f"talk {i}")
    await server.env.advance_time(match_threads.LOOK_SECONDS)
    await server.make_move(match)
    assert (await server.find_table(match))["id"] == old["id"]
    await server["Dora"].send(server.thread, "more talk")
    before = len(server.sent_requests())
    await server.make_move(match)
    assert (await server.find_table(match))["id"] == old["id"]  # nobody looks more often than once a minute
    assert ("GET", f"/channels/{server.thread.id}/messages") not in server.sent_requests(before)
    await server.env.advance_time(match_threads.LOOK_SECONDS)
    await server.make_move(match)
    new = await server.find_table(match)
    assert new["id"] != old["id"]
    assert old["id"] not in [message["id"] for message in server.public_messages(server.thread)]
    assert await shows_turn_of(server, match, await server.due_name_now(match))


async def test_a_table_and_a_hand_that_are_an_hour_old_are_posted_again_at_ones_turn(server: SimulatedServer) -> None:
    match, name = await server.start_due(rounds=2)
    first = {each: server.find_hand(each, match)["id"] for each in THREE}
    await server.play_on(match, "bid", 2)
    assert {each: server.find_hand(each, match)["id"] for each in THREE} == first  # they stay while they are young
    name, old_table = await server.due_name_now(match), (await server.find_table(match))["id"]
    following, last = seat_after(name), seat_after(name, 2)
    await server.env.advance_time(HOUR + 10)
    assert (await server.find_table(match))["id"] == old_table
    await server.make_move(match)
    assert (await server.find_table(match))["id"] != old_table
    assert old_table not in [message["id"] for message in server.public_messages(server.thread)]
    assert server.find_hand(following, match)["id"] != first[following]
    assert len(server.inbox_messages(following)) == 1
    assert server.find_hand(last, match)["id"] == first[last]
    assert move_buttons(server.find_hand(following, match))


async def test_somebody_with_closed_direct_messages_joins_is_told_and_plays_on(server: SimulatedServer) -> None:
    server.close_dms("Bela")
    server.close_dms("Dora")
    assert "cannot send you direct messages" in reply_text(await server["Dora"].slash(server.table, "jest new"))
    match = await server.open_lobby(rounds=1)
    answer = await server.press_button("Bela", await server.find_lobby(match), "Join")
    assert "cannot send you direct messages" in reply_text(answer)
    assert all(each.ephemeral for each in answer.followups)
    await server.join_lobby(match, "Chidi")
    await server.start_match(match)
    assert server.inbox_messages("Bela") == []
    path = f"/channels/{server['Bela'].user.dm_channel.id}/messages"
    before = server.sent_requests().count(("POST", path))
    await server.play_out(match)
    assert await server.status(match) is Status.OVER
    assert server.inbox_messages("Bela") == []
    assert server.sent_requests().count(("POST", path)) == before
    server.open_dms()
    second_match = await server.seat_and_start()
    assert "Your hand" in client_text(server.find_hand("Bela", second_match))


async def test_direct_messages_that_close_in_the_middle_stop_nobody(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    other = seat_after(await server.due_name_now(match))
    server.close_dms(other)
    await server.env.advance_time(HOUR + 10)  # the hand would be posted again
    await server.make_move(match)
    shown_hand = await server.show_hand(other, match)
    assert "Your hand" in client_text(shown_hand)
    await server.press_button(other, shown_hand, move_buttons(shown_hand)[0])
    assert await server.move_count(match) == 2


async def test_a_move_that_cannot_be_saved_is_not_made_and_the_next_one_is(server: SimulatedServer) -> None:
    match, name = await server.start_due(rounds=2)
    message = server.find_hand(name, match)
    store = server.bot.matches.editor.store

    async def failing(change: Any) -> None:
        raise StoreFailure("That could not be saved, so nothing has changed. Please try again.")

    with server.patched(store, "commit", failing):
        answer = await server.press_button(name, message, move_buttons(message)[0])
    assert "could not be saved" in reply_text(answer)
    assert await server.move_count(match) == 0
    assert server.find_hand(name, match)["components"] == message["components"]
    await server.press_button(name, message, move_buttons(message)[0])
    assert await server.move_count(match) == 1
    await server.play_out(match)


async def test_nothing_is_offered_while_matches_cannot_be_read(server: SimulatedServer) -> None:
    await server.seat_and_start(rounds=2)

    async def failing(**wanted: Any) -> None:
        raise StoreFailure("That could not be looked up right now. Please try again.")

    commands = [each for each in server.bot.tree.walk_commands() if isinstance(each, app_commands.Command)]
    options = [(each.qualified_name, option) for each in commands for option in each.parameters]
    typed = [(name, one.display_name) for name, one in options if one.autocomplete and one.name not in ("part", "game")]
    assert ("motley leave", "match") in typed
    with server.patched(server.bot.matches.editor.store, "find", failing):
        for command, option in typed:
            assert await server["Ada"].autocomplete(server.table, command, option, "") == [], (command, option)


@pytest.mark.mishap
async def test_an_unforeseen_error_is_logged_by_number(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    match, name = await server.start_due(rounds=2)
    message = server.find_hand(name, match)

    async def broken(*args: Any, **rest: Any) -> None:
        raise ValueError(f"the {'ace'} of spades is hidden in here")

    with server.patched(server.bot.matches.moves, "play_move", broken):
        reply = reply_text(await server.press_button(name, message, move_buttons(message)[0]))
    assert "Something went wrong on my side" in reply
    assert reply.split("error ")[1].split(")")[0] in caplog.text
    assert "ace of spades" not in caplog.text
    await server.make_move(match)
    assert await server.move_count(match) == 1


async def test_slow_work_is_acknowledged_in_time_and_answered_later(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    name, play = await server.due_name_now(match), server.bot.matches.moves.play_move

    async def slow(*args: Any, **rest: Any) -> Any:
        await asyncio.sleep(2)
        return await play(*args, **rest)

    server.patch(server.bot.matches.moves, "play_move", slow)
    before = len(server.env.http_requests)
    await server.make_move(match)
    await server.env.advance_time(2)
    assert await server.move_count(match) == 1
    kinds = [r.json["type"] for r in server.env.http_requests[before:] if r.path.endswith("/callback") and r.json]
    assert kinds == [DEFERRED_UPDATE]
    assert move_buttons(server.find_hand(name, match)) == []


async def test_stored_surfaces_of_a_match_opened_since_the_start_are_relied_on(server: SimulatedServer) -> None:
    match, surface_cache = await server.open_lobby(rounds=1), server.bot.surfaces
    await surface_cache.save_edits()
    known = [surface.digest for surface in await surface_cache.surfaces_of(match)]
    surface_cache.forget(match)
    assert [surface.digest for surface in await surface_cache.surfaces_of(match)] == known
    assert "" not in known
