"""Every message is posted once, and only what has changed is posted anew."""

from __future__ import annotations

import pytest

from engines.store.surface_storage import Surface
from tests.end_to_end.players import THREE
from tests.end_to_end.test_calls import sent_nonces, start_untimed, thread_mentions
from tests.end_to_end.world import SimulatedServer, make_hang
from tests.messages import button_labels, client_text, message_text, move_buttons, move_selects

HOUR = 60 * 60


def show_hands(w: SimulatedServer, name: str) -> list[bool]:
    return ["Your hand" in client_text(message) for message in w.public_messages(w[name].user.dm_channel)]


async def test_whoever_leaves_and_joins_again_gets_the_hand_anew(inn: SimulatedServer) -> None:
    match = await inn.fill_lobby("Bela", rounds=1)
    for _ in range(2):
        await inn.press_button("Bela", await inn.find_lobby(match), "Leave")
        assert "no longer at this table" in message_text(inn.newest_in_inbox("Bela"))
        await inn.join_lobby(match, "Bela")
        assert "You are in" in message_text(inn.newest_in_inbox("Bela"))
        assert (await inn.find_surface(match, "hand", 1))["id"] == inn.newest_in_inbox("Bela")["id"]
    assert [message_text(m).count("You are in") for m in inn.public_messages(inn["Bela"].user.dm_channel)] == [0, 0, 1]
    await inn.join_lobby(match, "Chidi")
    await inn.start_match(match)
    await inn.play_out(match)
    assert "Scoring" in button_labels(inn.newest_in_inbox("Bela"))


async def test_a_nonce_tells_nothing(inn: SimulatedServer) -> None:
    """A Jest offer may be changed in secret: what is posted after it is no different for that."""
    shown = []
    for changes in (0, 3):
        match = await inn.seat_and_start(game="jest")
        for name in THREE:
            for _ in range(1 + changes * (name == "Ada")):
                message = inn.find_hand(name, match)
                if buttons := move_buttons(message):
                    await inn.press_button(name, message, buttons[0])
                else:
                    custom_id, values = next(iter(move_selects(message).items()))
                    await inn.choose_options(name, message, custom_id, values[0])
        since = [nonce for nonce in sent_nonces(inn) if nonce not in shown]
        shown += since
        assert all(len(nonce) <= 25 for nonce in since)
        assert not [nonce for nonce in since if match in nonce or match in bytes.fromhex(nonce).decode("latin1")]
    assert len(shown) == len(set(shown))  # two matches dealt alike have no nonce in common


async def test_a_table_that_was_posted_before_a_crash_shows_what_has_changed_since(inn: SimulatedServer) -> None:
    """Discord answers a nonce that it knows with the message of then, whatever is sent with it."""
    match = await inn.seat_and_start(rounds=2)
    await inn.env.advance_time(HOUR + 10)
    (name, message), (reached, stuck) = await inn.due_hand(match), make_hang()
    shown, put, old = inn.bot.surfaces, inn.bot.surfaces.put, await inn.find_table(match)

    async def stuck_put(kept: Surface) -> None:  # when the table is posted anew, and not noted
        await (stuck() if kept.kind == "table" and kept.old else put(kept))

    inn.patch(shown, "put", stuck_put)
    clicking = inn.press_button(name, message, move_buttons(message)[0])
    inn.patch(inn.bot.matches.editor, "on_changed", inn.bot.reconciler.wake)
    await inn.crash_during(clicking, reached)
    (now,) = [m for m in inn.public_messages(inn.thread) if not m["content"]]
    assert now["id"] != old["id"]
    assert f"Waiting for {await inn.due_name_now(match)} to" in message_text(now)
    await inn.make_move(match)
    assert f"Waiting for {await inn.due_name_now(match)} to" in await inn.table_text(match)


async def test_a_message_that_was_replaced_goes_though_that_fails_or_after_a_crash(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=1)
    await inn.env.advance_time(HOUR + 10)
    inn.cut_connections("DELETE", f"/channels/{inn.thread.id}/messages/*", times=3)
    await inn.make_move(match)
    await inn.env.advance_time(10)
    assert len([m for m in inn.public_messages(inn.thread) if not m["content"]]) == 1
    inn.cut_connections("DELETE", "*", times=None)
    await inn.play_out(match)
    assert len([m for m in inn.public_messages(inn.thread) if not m["content"]]) >= 2
    inn.open_dms()
    await inn.restart()
    assert ["The score sheet of 1 round." in client_text(m) for m in inn.public_messages(inn.thread)] == [True]


async def test_a_mention_whose_answer_was_lost_goes_with_its_turn(inn: SimulatedServer) -> None:
    match = await start_untimed(inn, *THREE)
    await inn.make_move(match)
    assert thread_mentions(inn) == []
    path = f"/channels/{inn.thread.id}/messages"
    inn.cut_connections("POST", path, after=True, times=None)
    await inn.env.advance_time(60)
    assert len(thread_mentions(inn)) == 1  # it is there, and nobody knows it
    inn.cut_connections("DELETE", "*", times=None)
    await inn.make_move(match)
    inn.connection_cuts.clear()
    await inn.env.advance_time(10)
    assert thread_mentions(inn) == []
    sent = [r.json for r in inn.env.http_requests if r.path == path and r.json and r.json.get("content") == "…"]
    assert all(each["allowed_mentions"] == {"parse": []} for each in sent)


async def test_a_hand_whose_answer_was_lost_is_taken_from_who_leaves(inn: SimulatedServer) -> None:
    match, channel = await inn.open_lobby(rounds=1), inn["Bela"].user.dm_channel
    inn.cut_connections("POST", f"/channels/{channel.id}/messages", after=True, times=None)
    await inn.join_lobby(match, "Bela")
    assert len(inn.public_messages(channel)) == 1
    inn.open_dms()
    inn.cut_connections("PATCH", "*", times=None)
    await inn.press_button("Bela", await inn.find_lobby(match), "Leave")
    inn.open_dms()
    await inn.env.advance_time(10)
    (one,) = inn.public_messages(channel)
    assert "no longer at this table" in message_text(one)


async def cut_off_at_turn(w: SimulatedServer, match: str, path: str, after: bool) -> None:
    """Play until it is Bela's turn, at which the hand is posted anew, while requests to that path are cut off."""
    await w.env.advance_time(HOUR + 10)
    while await w.due_name_now(match) != "Bela":
        w.cut_connections("POST", path, after=after, times=None)
        await w.make_move(match)


async def test_closed_direct_messages_of_who_left_are_not_taken_for_those_of_who_came(inn: SimulatedServer) -> None:
    match, path = await inn.seat_and_start(rounds=2), f"/channels/{inn['Bela'].user.dm_channel.id}/messages"
    await cut_off_at_turn(inn, match, path, after=True)
    inn.cut_connections("POST", path, times=None)
    inn.close_dms("Bela")
    await inn.leave_match(match, "Bela")
    await inn.press_button("Emil", await inn.find_table(match), "Take the empty seat")
    inn.connection_cuts.clear()
    await inn.env.advance_time(10)
    assert "Your hand" in client_text(inn.find_hand("Emil", match))
    emil = await inn.bot.surfaces.inbox(inn["Emil"].id)
    assert emil is not None
    assert not emil.closed
    assert emil.channel == inn["Emil"].user.dm_channel.id


async def test_closed_direct_messages_of_who_left_a_lobby_are_no_trouble(inn: SimulatedServer) -> None:
    match = await inn.open_lobby(rounds=1)
    bela = inn["Bela"].user.dm_channel
    inn.cut_connections("POST", f"/channels/{bela.id}/messages", times=None)
    await inn.join_lobby(match, "Bela")
    inn.close_dms("Bela")
    await inn.press_button("Bela", await inn.find_lobby(match), "Leave")
    inn.connection_cuts.clear()
    await inn.env.advance_time(10)
    assert await inn.bot.surfaces.find_surface(match, "hand", 1) is None
    before = len(inn.sent_requests())
    await inn.env.advance_time(60)
    assert inn.sent_requests(before) == []


@pytest.mark.parametrize("after", [False, True])
async def test_who_has_left_sees_nothing_of_the_hand_whatever_fails(inn: SimulatedServer, after: bool) -> None:
    match = await inn.seat_and_start(rounds=3)
    bela = inn["Bela"].user.dm_channel
    inn.cut_connections("PATCH", f"/channels/{bela.id}/messages/*", after=after, times=None)
    seen = len(inn.seen_messages)
    await inn.leave_match(match, "Bela")
    await inn.press_button("Emil", await inn.find_table(match), "Take the empty seat")
    for _ in range(6):
        await inn.make_move(match)
    await inn.env.advance_time(30)
    since = [each.message for each in inn.seen_messages[seen:] if each.viewer == inn["Bela"].id]
    assert not [m for m in since if "Your hand" in client_text(m)]
    inn.open_dms()
    await inn.env.advance_time(10)
    assert "no longer at this table" in message_text(inn.public_messages(bela)[-1])
    assert "Your hand" in client_text(inn.find_hand("Emil", match))


@pytest.mark.parametrize(("code", "after"), [(50007, False), (50278, True)])
async def test_no_hand_stays_with_who_can_be_sent_nothing(inn: SimulatedServer, code: int, after: bool) -> None:
    match, bela = await inn.seat_and_start(rounds=2), inn["Bela"].user.dm_channel
    await cut_off_at_turn(inn, match, f"/channels/{bela.id}/messages", after)
    assert len(inn.public_messages(bela)) == 1 + after
    inn.connection_cuts.clear()
    inn.env.inject_error("POST", f"/channels/{bela.id}/messages", status=403, code=code, times=None)
    await inn.leave_match(match, "Bela")
    await inn.env.advance_time(10)
    assert all("no longer at this table" in message_text(message) for message in inn.public_messages(bela))
    inn.open_dms()
    await inn.press_button("Bela", await inn.find_table(match), "Take the empty seat")
    await inn.env.advance_time(10)
    *old, new = show_hands(inn, "Bela")
    assert new
    assert not any(old)


async def test_no_old_hand_stays_in_direct_messages_that_were_closed_for_a_while(inn: SimulatedServer) -> None:
    match = await inn.fill_lobby("Bela", "Chidi", rounds=1)
    await inn.env.advance_time(HOUR + 10)
    inn.close_dms("Bela")
    await inn.start_match(match)
    while await inn.due_name_now(match) != "Bela":  # whose hand is posted anew then, which Discord refuses
        await inn.make_move(match)
    await inn.env.advance_time(60)
    assert show_hands(inn, "Bela") == []
    inn.open_dms()
    await inn["Bela"].slash(inn.table, "wizard status", match=match)
    await inn.env.advance_time(10)
    assert show_hands(inn, "Bela") == [True]


async def test_a_restart_and_a_spectators_status_send_nothing_however_old_things_are(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=2)
    await inn.seat_and_start(("Dora", "Emil", "Fumi"), rounds=1)
    await inn.make_move(match)
    await inn.env.advance_time(3 * HOUR)
    before = len(inn.sent_requests())
    await inn.restart()
    sent = inn.sent_requests(before)
    assert [path for _, path in sent if path.startswith("/channels/")] == []
    assert [path for method, path in sent if method != "GET"] == [], "the commands are known, too"
    before = len(inn.sent_requests())
    await inn.dispatch_event("ready")  # a second connection does not begin anew
    await inn.env.settle()
    assert inn.sent_requests(before) == []
    await inn["Greta"].slash(inn.thread, "wizard status", match=match)
    await inn["Ada"].slash(inn.thread, "wizard status", match=match)
    asked = [method for method, path in inn.sent_requests(before) if not path.endswith("/callback")]
    assert asked == ["GET"] * 4  # whether table and lobby still stand


async def test_what_changed_while_the_bot_was_away_is_posted_anew_at_ones_turn(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=2)
    await inn.env.advance_time(HOUR + 10)
    (name, message), (reached, stuck) = await inn.due_hand(match), make_hang()
    inn.patch(inn.bot.reconciler.redraw_pass, "redraw_urgent", stuck)
    old = {each: inn.find_hand(each, match)["id"] for each in THREE}
    await inn.crash_during(inn.press_button(name, message, move_buttons(message)[0]), reached)
    changed = [each for each in THREE if inn.find_hand(each, match)["id"] != old[each]]
    assert changed == [await inn.due_name_now(match)]
