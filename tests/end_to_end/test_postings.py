"""Every message is posted once, and only what has changed is posted again."""

from __future__ import annotations

import pytest

from engines.store.surface_storage import Surface
from tests.end_to_end.players import THREE
from tests.end_to_end.simulated_server import SimulatedServer, make_hang
from tests.end_to_end.test_calls import sent_nonces, start_untimed, thread_mentions
from tests.messages import button_labels, client_text, message_text, move_buttons, move_selects

HOUR = 60 * 60


def show_hands(w: SimulatedServer, name: str) -> list[bool]:
    return ["Your hand" in client_text(message) for message in w.public_messages(w[name].user.dm_channel)]


async def test_somebody_who_leaves_and_joins_again_gets_the_hand_again(server: SimulatedServer) -> None:
    match = await server.fill_lobby("Bela", rounds=1)
    for _ in range(2):
        await server.press_in_menu("Bela", match, "Leave the match")
        assert "no longer at this table" in message_text(server.newest_in_inbox("Bela"))
        await server.join_lobby(match, "Bela")
        assert "You are in" in message_text(server.newest_in_inbox("Bela"))
        assert (await server.find_surface(match, "hand", 1))["id"] == server.newest_in_inbox("Bela")["id"]
    assert [message_text(m).count("You are in") for m in server.public_messages(server["Bela"].user.dm_channel)] == [
        0,
        0,
        1,
    ]
    await server.join_lobby(match, "Chidi")
    await server.start_match(match)
    await server.play_out(match)
    assert "Scoring" in button_labels(server.newest_in_inbox("Bela"))


async def test_a_nonce_tells_nothing(server: SimulatedServer) -> None:
    """A Jest offer may be changed in secret: what is posted after it is no different for that."""
    shown_messages = []
    for changes in (0, 3):
        match = await server.seat_and_start(game="jest")
        for name in THREE:
            for _ in range(1 + changes * (name == "Ada")):
                message = server.find_hand(name, match)
                if buttons := move_buttons(message):
                    await server.press_button(name, message, buttons[0])
                else:
                    custom_id, values = next(iter(move_selects(message).items()))
                    await server.choose_options(name, message, custom_id, values[0])
        since = [nonce for nonce in sent_nonces(server) if nonce not in shown_messages]
        shown_messages += since
        assert all(len(nonce) <= 25 for nonce in since)
        assert not [nonce for nonce in since if match in nonce or match in bytes.fromhex(nonce).decode("latin1")]
    assert len(shown_messages) == len(set(shown_messages))  # two matches dealt alike have no nonce in common


async def test_a_table_that_was_posted_before_a_crash_shows_what_has_changed_since(server: SimulatedServer) -> None:
    """Discord answers a nonce that it knows with the message of then, whatever is sent with it."""
    match = await server.seat_and_start(rounds=2)
    await server.env.advance_time(HOUR + 10)
    (name, message), (reached, stuck) = await server.due_hand(match), make_hang()
    surface_cache, put, old = server.bot.surfaces, server.bot.surfaces.put, await server.find_table(match)

    async def stuck_put(surface: Surface) -> None:  # when the table is posted again, and not noted
        await (stuck() if surface.kind == "table" and surface.old else put(surface))

    server.patch(surface_cache, "put", stuck_put)
    clicking = server.press_button(name, message, move_buttons(message)[0])
    server.patch(server.bot.matches.editor, "on_changed", server.bot.reconciler.wake)
    await server.crash_during(clicking, reached)
    (now,) = [m for m in server.public_messages(server.thread) if not m["content"]]
    assert now["id"] != old["id"]
    assert f"Waiting for {await server.due_name_now(match)} to" in message_text(now)
    await server.make_move(match)
    assert f"Waiting for {await server.due_name_now(match)} to" in await server.table_text(match)


async def test_a_message_that_was_replaced_goes_though_that_fails_or_after_a_crash(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=1)
    await server.env.advance_time(HOUR + 10)
    server.cut_connections("DELETE", f"/channels/{server.thread.id}/messages/*", times=3)
    await server.make_move(match)
    await server.env.advance_time(10)
    assert len([m for m in server.public_messages(server.thread) if not m["content"]]) == 1
    server.cut_connections("DELETE", "*", times=None)
    await server.play_out(match)
    assert len([m for m in server.public_messages(server.thread) if not m["content"]]) >= 2
    server.open_dms()
    await server.restart()
    assert ["The score sheet of 1 round." in client_text(m) for m in server.public_messages(server.thread)] == [True]


async def test_a_mention_whose_answer_was_lost_goes_with_its_turn(server: SimulatedServer) -> None:
    match = await start_untimed(server, *THREE)
    await server.make_move(match)
    assert thread_mentions(server) == []
    path = f"/channels/{server.thread.id}/messages"
    server.cut_connections("POST", path, after=True, times=None)
    await server.env.advance_time(60)
    assert len(thread_mentions(server)) == 1  # it is there, and nobody knows it
    server.cut_connections("DELETE", "*", times=None)
    await server.make_move(match)
    server.connection_cuts.clear()
    await server.env.advance_time(10)
    assert thread_mentions(server) == []
    sent = [r.json for r in server.env.http_requests if r.path == path and r.json and r.json.get("content") == "…"]
    assert all(each["allowed_mentions"] == {"parse": []} for each in sent)


async def test_a_hand_whose_answer_was_lost_is_taken_from_somebody_who_leaves(server: SimulatedServer) -> None:
    match, channel = await server.open_lobby(rounds=1), server["Bela"].user.dm_channel
    server.cut_connections("POST", f"/channels/{channel.id}/messages", after=True, times=None)
    await server.join_lobby(match, "Bela")
    assert len(server.public_messages(channel)) == 1
    server.open_dms()
    server.cut_connections("PATCH", "*", times=None)
    await server.press_in_menu("Bela", match, "Leave the match")
    server.open_dms()
    await server.env.advance_time(10)
    (one,) = server.public_messages(channel)
    assert "no longer at this table" in message_text(one)


async def cut_off_at_turn(w: SimulatedServer, match: str, path: str, after: bool) -> None:
    """Play until it is Bela's turn, at which the hand is posted again, while requests to that path are cut off."""
    await w.env.advance_time(HOUR + 10)
    while await w.due_name_now(match) != "Bela":
        w.cut_connections("POST", path, after=after, times=None)
        await w.make_move(match)


async def test_closed_direct_messages_of_who_left_are_not_taken_for_those_of_who_came(server: SimulatedServer) -> None:
    match, path = await server.seat_and_start(rounds=2), f"/channels/{server['Bela'].user.dm_channel.id}/messages"
    await cut_off_at_turn(server, match, path, after=True)
    server.cut_connections("POST", path, times=None)
    server.close_dms("Bela")
    await server.leave_match(match, "Bela")
    await server.press_button("Emil", await server.find_table(match), "Take the empty seat")
    server.connection_cuts.clear()
    await server.env.advance_time(10)
    assert "Your hand" in client_text(server.find_hand("Emil", match))
    emil = await server.bot.surfaces.inbox(server["Emil"].id)
    assert emil is not None
    assert not emil.closed
    assert emil.channel == server["Emil"].user.dm_channel.id


async def test_closed_direct_messages_of_who_left_a_lobby_are_no_trouble(server: SimulatedServer) -> None:
    match = await server.open_lobby(rounds=1)
    bela = server["Bela"].user.dm_channel
    server.cut_connections("POST", f"/channels/{bela.id}/messages", times=None)
    await server.join_lobby(match, "Bela")
    server.close_dms("Bela")
    await server.press_in_menu("Bela", match, "Leave the match")
    server.connection_cuts.clear()
    await server.env.advance_time(10)
    assert await server.bot.surfaces.find_surface(match, "hand", 1) is None
    before = len(server.sent_requests())
    await server.env.advance_time(60)
    assert server.sent_requests(before) == []


@pytest.mark.parametrize("after", [False, True])
async def test_somebody_who_has_left_sees_nothing_of_the_hand_whatever_fails(
    server: SimulatedServer, after: bool
) -> None:
    match = await server.seat_and_start(rounds=3)
    bela = server["Bela"].user.dm_channel
    server.cut_connections("PATCH", f"/channels/{bela.id}/messages/*", after=after, times=None)
    seen_count = len(server.seen_messages)
    await server.leave_match(match, "Bela")
    await server.press_button("Emil", await server.find_table(match), "Take the empty seat")
    for _ in range(6):
        await server.make_move(match)
    await server.env.advance_time(30)
    since = [each.message for each in server.seen_messages[seen_count:] if each.viewer == server["Bela"].id]
    assert not [m for m in since if "Your hand" in client_text(m)]
    server.open_dms()
    await server.env.advance_time(10)
    assert "no longer at this table" in message_text(server.public_messages(bela)[-1])
    assert "Your hand" in client_text(server.find_hand("Emil", match))


@pytest.mark.parametrize(("code", "after"), [(50007, False), (50278, True)])
async def test_no_hand_stays_with_who_can_be_sent_nothing(server: SimulatedServer, code: int, after: bool) -> None:
    match, bela = await server.seat_and_start(rounds=2), server["Bela"].user.dm_channel
    await cut_off_at_turn(server, match, f"/channels/{bela.id}/messages", after)
    assert len(server.public_messages(bela)) == 1 + after
    server.connection_cuts.clear()
    server.env.inject_error("POST", f"/channels/{bela.id}/messages", status=403, code=code, times=None)
    await server.leave_match(match, "Bela")
    await server.env.advance_time(10)
    assert all("no longer at this table" in message_text(message) for message in server.public_messages(bela))
    server.open_dms()
    await server.press_button("Bela", await server.find_table(match), "Take the empty seat")
    await server.env.advance_time(10)
    *old, new = show_hands(server, "Bela")
    assert new
    assert not any(old)


async def test_no_old_hand_stays_in_direct_messages_that_were_closed_for_a_while(server: SimulatedServer) -> None:
    match = await server.fill_lobby("Bela", "Chidi", rounds=1)
    await server.env.advance_time(HOUR + 10)
    server.close_dms("Bela")
    await server.start_match(match)
    while await server.due_name_now(match) != "Bela":  # whose hand is posted again then, which Discord refuses
        await server.make_move(match)
    await server.env.advance_time(60)
    assert show_hands(server, "Bela") == []
    server.open_dms()
    await server["Bela"].slash(server.table, "wizard status", match=match)
    await server.env.advance_time(10)
    assert show_hands(server, "Bela") == [True]


async def test_a_restart_and_a_spectators_status_send_nothing_however_old_things_are(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    await server.seat_and_start(("Dora", "Emil", "Fumi"), rounds=1)
    await server.make_move(match)
    await server.env.advance_time(3 * HOUR)
    before = len(server.sent_requests())
    await server.restart()
    sent = server.sent_requests(before)
    assert [path for _, path in sent if path.startswith("/channels/")] == []
    assert [path for method, path in sent if method != "GET"] == [], "the commands are known, too"
    before = len(server.sent_requests())
    await server.dispatch_event("ready")  # a second connection does not begin anew
    await server.env.settle()
    assert server.sent_requests(before) == []
    await server["Greta"].slash(server.thread, "wizard status", match=match)
    await server["Ada"].slash(server.thread, "wizard status", match=match)
    methods = [method for method, path in server.sent_requests(before) if not path.endswith("/callback")]
    assert methods == ["GET"] * 4  # whether table and lobby still stand


async def test_a_hand_that_changed_while_the_bot_was_away_is_posted_again_at_ones_turn(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    await server.env.advance_time(HOUR + 10)
    (name, message), (reached, stuck) = await server.due_hand(match), make_hang()
    server.patch(server.bot.reconciler.redraw_pass, "redraw_urgent", stuck)
    old = {each: server.find_hand(each, match)["id"] for each in THREE}
    await server.crash_during(server.press_button(name, message, move_buttons(message)[0]), reached)
    changed = [each for each in THREE if server.find_hand(each, match)["id"] != old[each]]
    assert changed == [await server.due_name_now(match)]
