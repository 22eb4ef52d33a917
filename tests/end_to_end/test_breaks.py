"""Breaks: begun and ended by command and in the settings; clocks and pings rest, and everybody at the table sees it."""

from __future__ import annotations

import pytest

from cogs.features.breaks.break_pages import BACK
from cogs.table.pages import custom_ids
from engines.features.breaks import BREAK_SECONDS
from engines.store.match_store import Status
from tests.end_to_end.players import THREE
from tests.end_to_end.simulated_server import SimulatedServer, make_hang, reply_text
from tests.end_to_end.test_calls import choose_call, count_hand_calls, request_count, start_untimed, thread_mentions
from tests.end_to_end.test_clocks import HOUR, MINUTE, REMINDED, start_timed
from tests.end_to_end.test_privacy import ask_to_be_forgotten, fetch_data
from tests.messages import message_text

DAY = 24 * HOUR


async def take_break(w: SimulatedServer, name: str, length: str) -> str:
    answer = await w[name].slash(w.table, "motley break", length=length)
    assert answer.ephemeral
    return message_text(w.newest_private(name))


async def rest_until(w: SimulatedServer, name: str) -> int:
    return await w.bot.matches.rests.rest_until(w[name].id)


@pytest.mark.parametrize("is_repeated", [False, True])
async def test_a_break_rests_the_clock_and_the_pings_and_everybody_sees_it(
    server: SimulatedServer, is_repeated: bool
) -> None:
    match, name = await start_timed(server)
    before = request_count(server)
    text = await take_break(server, name, "2 hours")
    until = await rest_until(server, name)
    assert f"<t:{until}:f> (<t:{until}:R>)" in text
    assert "That does not end your break" in text
    expected_texts = (f"{name} (back <t:{until}:R>)", f"You are on a break until <t:{until}:f> (<t:{until}:R>)")
    if is_repeated:
        await server.restart()
    assert expected_texts[0] in await server.table_text(match)
    assert expected_texts[1] in server.hand_text(name, match)
    for other in {*THREE} - {name}:
        assert "break" not in server.hand_text(other, match)
    deadline = until + HOUR
    for message in (server.find_hand(name, match), await server.find_table(match)):
        assert f"⏳ <t:{deadline}:R>" in message_text(message)
    await server.env.advance_time(until - server.bot.clock.now() - 1)
    assert (count_hand_calls(server, before), await server.move_count(match)) == ({}, 1)
    if is_repeated:
        await server.restart()
    await server.env.advance_time(2)
    assert await rest_until(server, name) == 0
    assert "break" not in await server.table_text(match)
    await server.env.advance_time(10)
    assert "break" not in server.hand_text(name, match)
    await server.env.advance_time(MINUTE)
    assert count_hand_calls(server, before) == {name: 1}, "there is no ping after a break"
    await server.env.advance_time(until + REMINDED - server.bot.clock.now())
    assert count_hand_calls(server, before) == {name: 2}
    await server.env.advance_time(deadline - server.bot.clock.now() - 1)
    assert await server.move_count(match) == 1
    await server.env.advance_time(2)
    assert await server.move_count(match) == 2
    assert f"{name}'s time ran out" in await server.table_text(match)


async def test_with_closed_direct_messages_no_mention_comes_during_a_break(server: SimulatedServer) -> None:
    _, name = await start_timed(server, *THREE)
    await take_break(server, name, "2 hours")
    await choose_call(server, name, "0")
    await server.env.advance_time(2 * HOUR - MINUTE)
    assert thread_mentions(server) == []
    await server.env.advance_time(2 * MINUTE)
    (mention,) = thread_mentions(server)
    assert server[name].mention in message_text(mention)


async def test_a_ping_that_was_under_way_when_a_break_began_comes_after_it(server: SimulatedServer) -> None:
    match, name = await start_timed(server)
    (due,) = [each for each in (await server.bot.matches.editor.store.load_due(10**12))[0] if each.kind == "call"]
    await take_break(server, name, "2 hours")
    before = request_count(server)
    server.bot.deadlines.handlers["call"](due)
    await server.env.settle()
    await server.env.advance_time(HOUR)
    assert count_hand_calls(server, before) == {}
    await server.env.advance_time(HOUR + 2 * MINUTE)
    assert count_hand_calls(server, before) == {name: 1}
    assert await server.move_count(match) == 1


@pytest.mark.parametrize("how", ["command", "reply", "settings"])
async def test_a_move_does_not_end_a_break_and_its_player_does(server: SimulatedServer, how: str) -> None:
    match, name = await start_timed(server)
    await take_break(server, name, "8 hours")
    await server.make_move(match)
    assert await server.move_count(match) == 2
    assert await rest_until(server, name), "a move ends a break"
    while await server.due_name_now(match) != name:
        await server.make_move(match)
    deadline = (await server.load_snapshot(match)).deadline()
    assert deadline == await rest_until(server, name) + HOUR
    if how == "command":
        text = await take_break(server, name, BACK)
    else:
        if how == "settings":
            await server[name].slash(server.table, "motley settings")
        await server.press_button(name, server.newest_private(name), "End my break")
        text = message_text(server.newest_private(name))
    assert "Your break is over" in text
    assert await rest_until(server, name) == 0
    now = (await server.load_snapshot(match)).deadline()
    assert now is not None
    assert 0 <= server.bot.clock.now() + HOUR - now < MINUTE
    assert "break" not in await server.table_text(match)
    assert "break" not in server.hand_text(name, match)
    await server.env.advance_time(now - server.bot.clock.now() + 1)
    assert f"{name}'s time ran out" in await server.table_text(match)
    answer = await server[name].slash(server.table, "motley break", length=BACK)
    assert "You are not on a break" in reply_text(answer)


async def test_the_settings_offer_every_length_and_say_until_when(server: SimulatedServer) -> None:
    for length, seconds in BREAK_SECONDS.items():
        await server["Ada"].slash(server.table, "motley settings")
        page = server.newest_private("Ada")
        await server.choose_options("Ada", page, "breaks::choose", length)
        until = await rest_until(server, "Ada")
        assert 0 <= server.bot.clock.now() + seconds - until < MINUTE
        await server["Ada"].slash(server.table, "motley settings")
        assert f"**You are on a break** until <t:{until}:f>" in message_text(server.newest_private("Ada"))
        await server.press_button("Ada", server.newest_private("Ada"), "End my break")
    for value in ("9days", "never", "0"):
        answer = await server.forge_click("Ada", page, custom_ids.player_setting_id("break", value))
        assert "Please choose a length for your break: 2 hours" in reply_text(answer)
    assert await rest_until(server, "Ada") == 0


async def test_tables_say_their_limits_and_a_short_clock_runs_as_always(server: SimulatedServer) -> None:
    short = await start_untimed(server, clock="5 minutes")
    name = await server.due_name_now(short)
    text = await take_break(server, name, "3 days")
    assert f"match `{short}`: the clock does not stop for breaks." in text
    assert "At this table the clock does not stop for breaks." in await server.table_text(short)
    await server.env.advance_time(5 * MINUTE)
    assert await server.move_count(short) == 1


async def test_the_host_chooses_the_limit_and_a_decision_waits_no_longer(server: SimulatedServer) -> None:
    match = await start_untimed(server, clock="1 hour", breaks="3 days")
    name = await server.due_name_now(match)
    text = await take_break(server, name, "7 days")
    assert f"match `{match}`: a move waits at most 3 days." in text
    before = request_count(server)
    await server.env.advance_time(3 * DAY - 10 * MINUTE)
    assert (count_hand_calls(server, before), await server.move_count(match)) == ({}, 0)
    await server.env.advance_time(10 * MINUTE + HOUR)
    assert await server.move_count(match) == 1
    assert count_hand_calls(server, before)[name] == 1, "whose clock runs is not reminded"
    assert f"{name} (back <t:" in await server.table_text(match)


async def test_the_menu_of_a_lobby_says_who_is_on_a_break(server: SimulatedServer) -> None:
    match = await server.fill_lobby("Bela", "Chidi")
    await take_break(server, "Bela", "2 days")
    until = await rest_until(server, "Bela")
    assert f"Bela (on a break, back <t:{until}:R>)" in await server.menu_text("Chidi", match)
    await take_break(server, "Bela", BACK)
    assert "on a break" not in await server.menu_text("Chidi", match)


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_break_is_all_or_nothing_though_the_bot_crashed(server: SimulatedServer, moment: str) -> None:
    match, name = await start_timed(server)
    (reached, stuck), real = make_hang(), server.bot.matches.editor.store.change_rest

    async def stuck_change(user: int, until: int, now: int) -> list[str]:
        if moment == "after":
            await real(user, until, now)
        await stuck()
        return []

    server.patch(server.bot.matches.editor.store, "change_rest", stuck_change)
    await server.crash_during(server[name].slash(server.table, "motley break", length="8 hours"), reached)
    await server.env.advance_time(20)
    until, deadline = await rest_until(server, name), (await server.load_snapshot(match)).deadline()
    assert (until > 0) is (moment == "after")
    assert ("On a break" in await server.table_text(match)) is (moment == "after")
    if moment == "after":
        assert deadline == until + HOUR


async def test_my_data_tells_of_a_break_and_a_forgotten_person_is_on_none(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    assert (await fetch_data(server, "Bela"))["you"]["on a break until"] is None
    await take_break(server, "Bela", "7 days")
    until = await rest_until(server, "Bela")
    assert (await fetch_data(server, "Bela"))["you"]["on a break until"].endswith("GMT")
    assert (await fetch_data(server, "Ada"))["you"]["on a break until"] is None
    await ask_to_be_forgotten(server, "Bela")
    assert until > 0
    assert await rest_until(server, "Bela") == 0
    assert "On a break" not in await server.table_text(match)


async def test_a_rematch_knows_of_a_break_that_goes_on(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=1, clock="1 hour")
    await take_break(server, "Ada", "8 hours")
    until = await rest_until(server, "Ada")
    await server.play_out(match)
    for name in THREE:
        await server.press_button(name, await server.find_table(match), "Play again")
    (lobby,) = await server.bot.matches.lookup.find(statuses=frozenset({Status.LOBBY}))
    assert f"Ada (on a break, back <t:{until}:R>)" in await server.menu_text("Bela", lobby.id)
    await server.start_match(lobby.id)
    while await server.due_name_now(lobby.id) != "Ada":
        await server.make_move(lobby.id)
    assert (await server.load_snapshot(lobby.id)).deadline() == until + HOUR
