"""What Discord refuses, loses or delays; closed direct messages; a store that fails. The match goes on."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from discord import app_commands

from cogs.table.channels import match_threads
from engines.store.match_store import Status, StoreFailure
from tests.end_to_end.players import (
    THREE,
    due_name_now,
    find_hand,
    find_lobby,
    find_surface,
    find_table,
    join_lobby,
    leave_match,
    load_snapshot,
    make_move,
    open_lobby,
    play_on,
    play_out,
    seat_and_start,
    show_hand,
    start_match,
)
from tests.end_to_end.world import SimulatedServer, button_labels, control_ids, message_text, move_buttons, reply_text
from tests.messages import client_text

HOUR = 60 * 60
DEFERRED_UPDATE = 6


async def shows_turn_of(w: SimulatedServer, match: str, name: str) -> bool:
    """Whether the table says that this person is waited for."""
    return f"Waiting for {name} to" in message_text(await find_table(w, match))


# Permissions


@pytest.mark.parametrize(
    ("lacking", "named"),
    [
        (("embed_links",), ("Embed Links",)),
        (("attach_files", "read_message_history"), ("Attach Files", "Read Message History")),
        (("send_messages", "view_channel"), ("View Channel", "Send Messages")),
    ],
)
async def test_no_match_without_the_permissions_it_needs(
    inn: SimulatedServer, lacking: tuple[str, ...], named: tuple[str, ...]
) -> None:
    inn.grant_permissions(inn.table, **dict.fromkeys(lacking, False))
    answer = await inn["Ada"].slash(inn.table, "wizard new")
    assert all(f"**{name}**" in reply_text(answer) for name in named)
    assert answer.ephemeral
    assert await inn.bot.matches.find() == []


async def test_a_table_that_may_no_longer_be_shown_is_given_up_and_comes_back(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    inn.grant_permissions(inn.table, view_channel=False)
    await make_move(inn, match)
    await make_move(inn, match)
    kept = await inn.bot.reconciler.surface(match, "table")
    assert kept is not None
    assert "View Channel" in kept.lost
    before = len(inn.sent_requests())
    await make_move(inn, match)
    channels = (f"/channels/{inn.thread.id}/messages/", f"/channels/{inn.table.id}/messages/")
    assert [p for m, p in inn.sent_requests(before) if m == "PATCH" and p.startswith(channels[0])] == []
    assert "I need View Channel" in message_text(find_hand(inn, await due_name_now(inn, match), match))
    status = await inn["Ada"].user.slash("wizard status")
    assert "I need View Channel" in reply_text(status)
    inn.grant_permissions(inn.table, view_channel=None)
    await inn["Ada"].slash(inn.thread, "wizard status")
    await make_move(inn, match)
    assert await shows_turn_of(inn, match, await due_name_now(inn, match))
    assert "I miss" not in message_text(find_hand(inn, await due_name_now(inn, match), match))
    await play_out(inn, match)


# What comes and goes


@pytest.mark.parametrize("status", [500, 429])
async def test_a_table_that_discord_did_not_take_is_tried_again(inn: SimulatedServer, status: int) -> None:
    match = await seat_and_start(inn, rounds=2)
    inn.env.inject_error("PATCH", f"/channels/{inn.thread.id}/messages/*", status=status, times=None)
    await make_move(inn, match)
    name = await due_name_now(inn, match)
    assert not await shows_turn_of(inn, match, name)
    assert move_buttons(find_hand(inn, name, match))  # nobody else waits for that
    inn.open_dms()
    await inn.env.advance_time(10)
    assert await shows_turn_of(inn, match, name)


async def test_the_pauses_between_tries_grow_to_a_few_seconds(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    path = f"/channels/{inn.thread.id}/messages/*"
    inn.env.inject_error("PATCH", path, status=500, times=None)
    await make_move(inn, match)
    before, tries = len(inn.sent_requests()), []
    for second in range(1, 33):
        known = len(inn.sent_requests())
        await inn.env.advance_time(1)
        tries += [second] * len([p for m, p in inn.sent_requests(known) if m == "PATCH" and p.startswith(path[:-1])])
    assert tries == [1, 3, 7, 11, 15, 19, 23, 27, 31]
    inn.open_dms()
    await inn.env.advance_time(8)
    assert await shows_turn_of(inn, match, await due_name_now(inn, match))
    assert len(inn.sent_requests(before)) < 60


async def test_trouble_with_one_hand_does_not_keep_the_others_from_being_shown(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name_now(inn, match)
    other = THREE[(THREE.index(name) + 1) % 3]
    channel = find_hand(inn, other, match)["channel_id"]
    inn.env.inject_error("PATCH", f"/channels/{channel}/messages/*", status=500, times=None)
    await make_move(inn, match)
    third = THREE[(THREE.index(name) + 2) % 3]
    assert await due_name_now(inn, match) == other
    assert f"Waiting for {other} to" in message_text(find_hand(inn, third, match))
    assert await shows_turn_of(inn, match, other)
    assert move_buttons(find_hand(inn, other, match)) == []
    inn.open_dms()
    await inn.env.advance_time(10)
    assert move_buttons(find_hand(inn, other, match))


async def test_an_answer_that_came_too_late_leaves_the_move_and_a_true_hand(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name_now(inn, match)
    inn.env.inject_error("POST", "/interactions/*/callback", status=404, code=10062, times=1)
    await make_move(inn, match)
    assert (await load_snapshot(inn, match)).info.moves == 1
    assert move_buttons(find_hand(inn, name, match)) == []
    assert "Waiting for" in message_text(find_hand(inn, name, match))


async def test_a_channel_that_is_deleted_before_the_answer_takes_nothing_back_and_is_no_error(
    inn: SimulatedServer,
) -> None:
    match = await open_lobby(inn, rounds=1)
    inn.close_dms("Bela")  # so that there is something to say at the table
    inn.env.inject_error("POST", "/webhooks/*", status=404, code=10003, times=None)
    await inn.press_button("Bela", await find_lobby(inn, match), "Join")
    assert [seat.name for seat in (await load_snapshot(inn, match)).info.seats] == ["Ada", "Bela"]


async def test_a_deleted_table_is_posted_anew(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    old = await find_table(inn, match)
    inn.delete_message(old)
    await make_move(inn, match)
    new = await find_table(inn, match)
    assert new["id"] != old["id"]
    assert await shows_turn_of(inn, match, await due_name_now(inn, match))
    assert new["id"] in message_text(find_hand(inn, await due_name_now(inn, match), match))  # its link


async def test_a_deleted_hand_is_posted_anew(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name_now(inn, match)
    other = THREE[(THREE.index(name) + 1) % 3]
    inn.delete_message(find_hand(inn, other, match))
    await make_move(inn, match)
    assert move_buttons(find_hand(inn, other, match))
    assert len(inn.inbox_messages(other)) == 1


async def test_a_deleted_lobby_is_posted_anew(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, rounds=1)
    old = await find_lobby(inn, match)
    await join_lobby(inn, match, "Bela")
    inn.delete_message(old)
    await inn["Chidi"].slash(inn.table, "wizard status")
    await inn["Bela"].slash(inn.table, "motley leave")
    new = await find_lobby(inn, match)
    assert new["id"] != old["id"]
    await join_lobby(inn, match, "Chidi", "Dora")
    await start_match(inn, match)
    await play_out(inn, match)


async def test_when_its_thread_is_deleted_the_channel_serves(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    inn.delete_channel(inn.thread)
    for _ in range(3):
        await make_move(inn, match)
    shown = await find_surface(inn, match, "table")
    assert shown["channel_id"] == str(inn.table.id)
    assert await shows_turn_of(inn, match, await due_name_now(inn, match))
    assert str(inn.table.id) in message_text(find_hand(inn, await due_name_now(inn, match), match))
    await play_out(inn, match)
    assert button_labels(await find_table(inn, match)) == ["Scoring", "Play again", "My costliest moves", "⋯"]


async def test_when_the_channel_is_gone_the_hands_go_on(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=1)
    inn.delete_channel(inn.thread)
    inn.delete_channel(inn.table)
    await make_move(inn, match)
    await make_move(inn, match)
    assert "You can go on playing here" in message_text(find_hand(inn, await due_name_now(inn, match), match))
    await play_out(inn, match)
    assert all("Scoring" in button_labels(find_hand(inn, name, match)) for name in THREE)


async def test_an_archived_thread_is_opened_again(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    thread = inn.thread
    inn.archive_thread(thread)
    inn.env.inject_error("PATCH", f"/channels/{thread.id}/messages/*", status=400, code=50083, times=1)
    await make_move(inn, match)
    assert await shows_turn_of(inn, match, await due_name_now(inn, match))
    assert any(m == "PATCH" and p == f"/channels/{thread.id}" for m, p in inn.sent_requests())


@pytest.mark.parametrize(("status", "threads"), [(500, 1), (403, 0)])
async def test_a_thread_that_could_not_be_made(inn: SimulatedServer, status: int, threads: int) -> None:
    inn.env.inject_error("POST", "/channels/*/messages/*/threads", status=status, code=0, times=1)
    match = await seat_and_start(inn, rounds=1)
    await inn.env.advance_time(10)
    assert len(inn.table.threads) == threads
    await play_out(inn, match)
    assert button_labels(await find_table(inn, match)) == ["Scoring", "Play again", "My costliest moves", "⋯"]
    everywhere = [message for channel in (inn.table, *inn.table.threads) for message in inn.public_messages(channel)]
    assert len([message for message in everywhere if "The score sheet of" in client_text(message)]) == 1


@pytest.mark.parametrize(("status", "code"), [(403, 40003), (500, 0)])
async def test_direct_messages_that_could_not_be_opened_yet_keep_nobody_out(
    inn: SimulatedServer, status: int, code: int
) -> None:
    match = await open_lobby(inn, rounds=1)
    inn.env.inject_error("POST", "/users/@me/channels", status=status, code=code, times=None)
    answer = await inn.press_button("Bela", await find_lobby(inn, match), "Join")
    assert "does not let me send you direct messages right now" in reply_text(answer)
    assert "cannot send" not in reply_text(answer)
    assert "Bela" in message_text(await find_lobby(inn, match))
    await inn.env.advance_time(65)
    opened = [p for m, p in inn.sent_requests() if (m, p) == ("POST", "/users/@me/channels")]
    assert code == 0 or len(opened) <= 4  # Ada's, Bela's first, and one a minute
    inn.open_dms()
    await inn.env.advance_time(65)
    assert "You are in" in message_text(inn.newest_in_inbox("Bela"))
    await join_lobby(inn, match, "Chidi")
    await start_match(inn, match)
    await play_out(inn, match)


# Out of sight


async def test_a_table_that_talk_has_buried_is_posted_anew(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    old = await find_table(inn, match)
    for i in range(4):
        await inn["Dora"].send(inn.thread, f"talk {i}")
    await inn.env.advance_time(match_threads.LOOK_SECONDS)
    await make_move(inn, match)
    assert (await find_table(inn, match))["id"] == old["id"]
    await inn["Dora"].send(inn.thread, "more talk")
    before = len(inn.sent_requests())
    await make_move(inn, match)
    assert (await find_table(inn, match))["id"] == old["id"]  # nobody looks more often than once a minute
    assert ("GET", f"/channels/{inn.thread.id}/messages") not in inn.sent_requests(before)
    await inn.env.advance_time(match_threads.LOOK_SECONDS)
    await make_move(inn, match)
    new = await find_table(inn, match)
    assert new["id"] != old["id"]
    assert old["id"] not in [message["id"] for message in inn.public_messages(inn.thread)]
    assert await shows_turn_of(inn, match, await due_name_now(inn, match))


async def test_a_table_that_is_an_hour_old_is_posted_anew(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    old = await find_table(inn, match)
    await inn.env.advance_time(HOUR + 10)
    assert (await find_table(inn, match))["id"] == old["id"]
    await make_move(inn, match)
    assert (await find_table(inn, match))["id"] != old["id"]
    assert old["id"] not in [message["id"] for message in inn.public_messages(inn.thread)]


async def test_a_hand_that_is_an_hour_old_is_posted_anew_at_ones_turn(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name_now(inn, match)
    following, last = (THREE[(THREE.index(name) + i) % 3] for i in (1, 2))
    old = {each: find_hand(inn, each, match)["id"] for each in THREE}
    await inn.env.advance_time(HOUR + 10)
    await make_move(inn, match)
    assert find_hand(inn, following, match)["id"] != old[following]
    assert len(inn.inbox_messages(following)) == 1
    assert find_hand(inn, last, match)["id"] == old[last]
    assert move_buttons(find_hand(inn, following, match))


async def test_a_hand_stays_where_it_is_while_it_is_young(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    old = {each: find_hand(inn, each, match)["id"] for each in THREE}
    await play_on(inn, match, "bid", 2)
    assert {each: find_hand(inn, each, match)["id"] for each in THREE} == old


async def test_a_leavers_hand_is_taken_away_even_if_discord_fails_at_first(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    channel = find_hand(inn, "Bela", match)["channel_id"]
    inn.env.inject_error("PATCH", f"/channels/{channel}/messages/*", status=500, times=None)
    await leave_match(inn, match, "Bela")
    assert "paused" in message_text(await find_table(inn, match))
    inn.open_dms()
    await inn.env.advance_time(600)
    assert "no longer at this table" in message_text(inn.newest_in_inbox("Bela"))


# Closed direct messages


async def test_with_closed_direct_messages_one_joins_is_told_and_plays_on(inn: SimulatedServer) -> None:
    inn.close_dms("Bela")
    match = await open_lobby(inn, rounds=1)
    answer = await inn.press_button("Bela", await find_lobby(inn, match), "Join")
    assert "cannot send you direct messages" in reply_text(answer)
    assert all(each.ephemeral for each in answer.followups)
    await join_lobby(inn, match, "Chidi")
    await start_match(inn, match)
    assert inn.inbox_messages("Bela") == []
    await play_out(inn, match)
    assert (await load_snapshot(inn, match)).info.status is Status.OVER
    assert inn.inbox_messages("Bela") == []


async def test_the_host_with_closed_direct_messages_is_told(inn: SimulatedServer) -> None:
    inn.close_dms("Ada")
    answer = await inn["Ada"].slash(inn.table, "wizard new")
    assert "cannot send you direct messages" in reply_text(answer)
    assert len(await inn.bot.matches.find()) == 1


async def test_nothing_is_sent_again_and_again_to_closed_direct_messages(inn: SimulatedServer) -> None:
    inn.close_dms("Bela")
    match = await seat_and_start(inn, rounds=2)
    path = f"/channels/{inn['Bela'].user.dm_channel.id}/messages"
    before = inn.sent_requests().count(("POST", path))
    await play_out(inn, match)
    assert inn.sent_requests().count(("POST", path)) == before


async def test_direct_messages_that_are_open_again_serve_at_the_next_match(inn: SimulatedServer) -> None:
    inn.close_dms("Bela")
    await seat_and_start(inn)
    inn.open_dms()
    match = await seat_and_start(inn)
    assert "Your hand" in client_text(find_hand(inn, "Bela", match))


async def test_direct_messages_that_close_in_the_middle_stop_nobody(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name_now(inn, match)
    other = THREE[(THREE.index(name) + 1) % 3]
    inn.close_dms(other)
    await inn.env.advance_time(HOUR + 10)  # the hand would be posted anew
    await make_move(inn, match)
    shown = await show_hand(inn, other, match)
    assert "Your hand" in client_text(shown)
    await inn.press_button(other, shown, move_buttons(shown)[0])
    assert (await load_snapshot(inn, match)).info.moves == 2


# The store


async def test_a_move_that_cannot_be_saved_is_not_made_and_the_next_one_is(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name_now(inn, match)
    message = find_hand(inn, name, match)
    store = inn.bot.matches._store

    async def failing(change: Any) -> None:
        raise StoreFailure("That could not be saved, so nothing has changed. Please try again.")

    with monkeypatch.context() as patched:
        patched.setattr(store, "commit", failing)
        answer = await inn.press_button(name, message, move_buttons(message)[0])
    assert "could not be saved" in reply_text(answer)
    assert (await load_snapshot(inn, match)).info.moves == 0
    assert find_hand(inn, name, match)["components"] == message["components"]
    await inn.press_button(name, message, move_buttons(message)[0])
    assert (await load_snapshot(inn, match)).info.moves == 1
    await play_out(inn, match)


async def test_while_matches_cannot_be_read_nothing_is_offered_to_whoever_types(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await seat_and_start(inn, rounds=2)

    async def failing(**wanted: Any) -> None:
        raise StoreFailure("That could not be looked up right now. Please try again.")

    typed = [
        (command.qualified_name, option.display_name)
        for command in inn.bot.tree.walk_commands()
        if isinstance(command, app_commands.Command)
        for option in command.parameters
        if option.autocomplete and option.name != "part"
    ]
    assert ("motley leave", "match") in typed
    with monkeypatch.context() as patched:
        patched.setattr(inn.bot.matches._store, "find", failing)
        for command, option in typed:
            assert await inn["Ada"].autocomplete(inn.table, command, option, "") == [], (command, option)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.mishap
async def test_an_unforeseen_error_is_answered_with_a_number_that_the_log_knows(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name_now(inn, match)

    async def broken(*args: Any, **rest: Any) -> None:
        raise ValueError(f"the {'ace'} of spades is hidden in here")

    with monkeypatch.context() as patched:
        patched.setattr(inn.bot.matches, "play_move", broken)
        answer = await inn.press_button(name, find_hand(inn, name, match), move_buttons(find_hand(inn, name, match))[0])
    said = reply_text(answer)
    assert "Something went wrong on my side" in said
    number = said.split("error ")[1].split(")")[0]
    assert number in caplog.text
    assert "ace of spades" not in caplog.text
    await make_move(inn, match)
    assert (await load_snapshot(inn, match)).info.moves == 1


async def test_slow_work_is_acknowledged_in_time_and_answered_later(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name_now(inn, match)
    play = inn.bot.matches.play_move

    async def slow(*args: Any, **rest: Any) -> Any:
        await asyncio.sleep(2)
        return await play(*args, **rest)

    monkeypatch.setattr(inn.bot.matches, "play_move", slow)
    before = len(inn.env.http_requests)
    await make_move(inn, match)
    assert (await load_snapshot(inn, match)).info.moves == 1
    kinds = [r.json["type"] for r in inn.env.http_requests[before:] if r.path.endswith("/callback") and r.json]
    assert kinds == [DEFERRED_UPDATE]
    assert move_buttons(find_hand(inn, name, match)) == []


async def test_a_table_given_up_is_tried_again_by_the_status_command(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    inn.env.inject_error("PATCH", f"/channels/{inn.thread.id}/messages/*", status=403, code=50013, times=1)
    await make_move(inn, match)
    kept = await inn.bot.reconciler.surface(match, "table")
    assert kept is not None
    assert "50013" in kept.lost
    await inn["Bela"].slash(inn.thread, "wizard status")
    kept = await inn.bot.reconciler.surface(match, "table")
    assert kept is not None
    assert kept.lost == ""
    assert await shows_turn_of(inn, match, await due_name_now(inn, match))
    assert control_ids(await find_table(inn, match))


@pytest.mark.mishap
async def test_an_answer_that_discord_did_not_take_leaves_the_move_and_a_true_hand(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name_now(inn, match)
    inn.env.inject_error("POST", "/interactions/*/callback", status=500, times=1)
    await make_move(inn, match)
    assert (await load_snapshot(inn, match)).info.moves == 1
    assert move_buttons(find_hand(inn, name, match)) == []
    assert move_buttons(find_hand(inn, await due_name_now(inn, match), match))


async def test_what_is_stored_of_a_match_that_was_opened_since_the_start_is_relied_on(inn: SimulatedServer) -> None:
    match, shown = await open_lobby(inn, rounds=1), inn.bot.surfaces
    await shown.save_edits()
    known = [surface.digest for surface in await shown.surfaces_of(match)]
    shown.forget(match)
    assert [surface.digest for surface in await shown.surfaces_of(match)] == known
    assert "" not in known
