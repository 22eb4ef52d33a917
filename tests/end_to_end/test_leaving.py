"""Leaving a match, taking an empty seat, and ending it by votes."""

from __future__ import annotations

from engines.store.match_store import Status
from tests.end_to_end.players import THREE
from tests.end_to_end.simulated_server import PendingClick, SimulatedServer, full_reply_text, reply_text
from tests.messages import Message, button_labels, client_text, control_ids, message_text, move_buttons

FOUR = ("Ada", "Bela", "Chidi", "Dora")


def table_messages_with(w: SimulatedServer, text: str) -> list[Message]:
    return [message for message in w.public_messages(w.thread) if text in message_text(message)]


async def test_leaving_is_asked_first_pauses_the_match_and_says_so(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    menu = await server.press_button("Bela", await server.find_table(match), "More")
    confirmation = await server.press_answer("Bela", menu, "Leave the match")
    assert "Leave this match?" in reply_text(confirmation)
    assert await server.status(match) is Status.RUNNING
    question = server.private_messages("Bela")[-1]
    await server.press_answer("Bela", confirmation, "Back to the hand")
    answer = server.private_messages("Bela")[-1]
    assert "Your hand" in client_text(answer)
    assert answer["id"] == question["id"]
    assert await server.status(match) is Status.RUNNING
    await server.leave_match(match, "Bela")
    assert "not sitting" in reply_text(await server.forge_click("Bela", question, f"t:{match}:leave"))
    assert await server.status(match) is Status.PAUSED
    assert len(table_messages_with(server, "Bela has left the match")) == 1
    assert "The match is paused. Bela left." in await server.table_text(match)
    for name in ("Ada", "Chidi"):
        assert "paused" in server.hand_text(name, match)
        assert move_buttons(server.find_hand(name, match)) == []
    assert "paused" in await server.lobby_text(match)
    status = reply_text(await server["Ada"].slash(server.thread, "wizard status"))
    for expected_text in (
        await server.table_text(match),
        server.hand_text("Ada", match),
        await server.lobby_text(match),
        status,
    ):
        assert "Waiting for" not in expected_text
    assert "The match is paused. Bela left." in reply_text(await server["Ada"].slash(server.thread, "motley matches"))
    left = server.newest_in_inbox("Bela")
    assert "no longer at this table" in message_text(left)
    assert "Your hand" not in client_text(left)
    assert left["attachments"] == []
    shown_hand = await server.press_button("Bela", await server.find_lobby(match), "Show my hand")
    assert "not sitting at this table" in reply_text(shown_hand)


async def test_the_empty_seat_is_offered_on_every_page_that_mentions_it(server: SimulatedServer) -> None:
    for where in ("news", "lobby", "table"):
        match = await server.seat_and_start()
        await server.leave_match(match, "Bela")
        (news,) = table_messages_with(server, "Bela has left the match")
        assert button_labels(news) == ["Take the empty seat", "Vote to end it"]
        message = {"news": news, "lobby": await server.find_lobby(match), "table": await server.find_table(match)}[
            where
        ]
        taken = await server.press_button("Greta", message, "Take the empty seat")
        assert "The seat and its hand are yours" in reply_text(taken)
        (now,) = table_messages_with(server, "Bela has left the match")
        assert button_labels(now) == [], "nothing can be done about it any more"
        late = reply_text(await server.forge_click("Emil", news, f"t:{match}:seat"))
        assert late == "There is no empty seat at this table."
        assert "Take the empty seat" not in button_labels(await server.find_lobby(match))


async def test_a_vote_is_joined_where_it_is_told_and_the_table_counts(server: SimulatedServer) -> None:
    match = await server.seat_and_start(FOUR)
    menu = await server.press_button("Ada", await server.find_table(match), "More")
    await server.press_answer("Ada", menu, "Vote to end it")
    assert "1 of 4 has voted to end the match." in await server.table_text(match)
    assert move_buttons(server.find_hand(str(await server.due_name(match)), match)), "the match goes on"
    for name, count in (("Bela", 2), ("Chidi", 3)):
        news = table_messages_with(server, f"has voted to end the match ({count - 1} of 4)")[-1]
        assert button_labels(news) == ["Vote to end it"]
        assert "You voted to end" in reply_text(await server.press_button(name, news, "Vote to end it"))
    assert await server.status(match) is Status.ENDED
    assert "was ended without a result" in reply_text(await server.forge_click("Dora", news, f"t:{match}:stop"))


async def test_one_of_two_takes_a_seat_and_a_menu_that_is_out_of_date_says_so(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    await server.leave_match(match, "Bela")
    menu = await server.press_button("Greta", await server.find_table(match), "More")
    message = await server.find_table(match)
    answers = await server.click_at_once(*(PendingClick(name, message, f"t:{match}:seat") for name in ("Emil", "Fumi")))
    seats = [seat.name for seat in (await server.load_snapshot(match)).info.seats]
    assert ("Emil" in seats) != ("Fumi" in seats)
    assert sum("no empty seat" in reply_text(answer) for answer in answers) == 1
    await server.press_answer("Greta", menu, "Take the empty seat")
    (shown_message,) = server.private_messages("Greta")
    assert "There is no empty seat at this table." in message_text(shown_message)
    assert "Waiting for" in message_text(shown_message)
    assert button_labels(shown_message) == [
        "Rules",
        "Score sheet",
        "Show as text",
        "Options",
        "Settings",
        "Report a problem",
    ]


async def test_the_result_of_a_menu_takes_its_place(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    await server.leave_match(match, "Bela")
    await server.press_button("Ada", await server.find_table(match), "More")
    (menu,) = server.private_messages("Ada")
    for label, expected_text in (
        ("Vote to end it", "1 of 2 so far"),
        ("Leave the match", "Leave this match?"),
        ("Leave the match", "You have left the match. The player who takes your seat will play on with your hand."),
    ):
        await server.press_button("Ada", menu, label)
        (menu,) = server.private_messages("Ada")
        assert expected_text in message_text(menu)
    assert message_text(menu) == expected_text
    assert button_labels(menu) == []


async def test_a_substitute_takes_the_seat_and_the_hand(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    then, name = await server.load_snapshot(match), await server.due_name_now(match)
    (seat,) = then.due_seats()
    refused = await server.forge_click("Greta", await server.find_table(match), f"t:{match}:seat")
    assert "no empty seat" in reply_text(refused)
    shown_hand = await server.press_button(name, await server.find_table(match), "Show my hand")
    assert "Your hand" in full_reply_text(shown_hand)
    await server.leave_match(match, name)
    before, since = reply_text(shown_hand), len(server.seen_messages)
    answer = await server.press_button("Greta", await server.find_table(match), "Take the empty seat")
    assert "The seat and its hand are yours" in reply_text(answer)
    now = await server.load_snapshot(match)
    assert now.info.status is Status.RUNNING
    assert now.info.seats[seat].user == server["Greta"].id
    assert now.view(seat).hand == then.view(seat).hand
    assert len(table_messages_with(server, "Greta has taken the empty seat")) == 1
    assert len(server.inbox_messages("Greta")) == 1
    assert "Your hand" in client_text(server.find_hand("Greta", match))
    assert move_buttons(server.find_hand("Greta", match))
    assert "Greta" in await server.table_text(match)
    await server.make_move(match)
    assert reply_text(shown_hand) == before  # a snapshot of what they held then, and of no later moment
    await server.play_out(match)
    assert await server.status(match) is Status.OVER
    assert "Your hand" not in client_text(server.newest_in_inbox(name))
    assert [each for each in server.seen_messages[since:] if each.viewer == server[name].id] == []


async def test_somebody_who_left_may_come_back_to_the_seat_and_votes_count_again(server: SimulatedServer) -> None:
    match = await server.seat_and_start(FOUR)
    name, old = await server.due_hand(match)
    await server.leave_match(match, "Chidi")
    await server.leave_match(match, "Bela")
    assert "paused" in reply_text(await server.forge_click(name, server.find_hand(name, match), move_buttons(old)[0]))
    assert await server.move_count(match) == 0
    await server.press_button("Ada", await server.find_table(match), "Vote")
    assert len((await server.load_snapshot(match)).info.votes) == 1
    await server.press_button("Bela", await server.find_table(match), "Take the empty seat")
    now = (await server.load_snapshot(match)).info
    assert now.seats[1].user == server["Bela"].id
    assert (now.status, now.votes) == (Status.PAUSED, ())
    assert "Your hand" in client_text(server.newest_in_inbox("Bela"))
    await server.press_button("Dora", await server.find_table(match), "Take the empty seat")
    assert await server.status(match) is Status.PAUSED  # Dora sits there already
    await server.press_button("Greta", await server.find_table(match), "Take the empty seat")
    assert await server.status(match) is Status.RUNNING
    await server.play_out(match)


async def test_more_than_half_of_those_who_are_left_end_the_match(server: SimulatedServer) -> None:
    async def vote(name: str) -> str:
        return reply_text(await server.press_button(name, await server.find_table(match), "Vote"))

    match = await server.seat_and_start(FOUR)
    await server.leave_match(match, "Dora")
    await vote("Ada")
    assert await server.status(match) is Status.PAUSED
    assert "1 of 3 so far" in await server.table_text(match)
    assert "already voted" in await vote("Ada")
    assert "not sitting" in await vote("Greta")
    assert "not sitting" in await vote("Dora")
    await vote("Bela")
    assert await server.status(match) is Status.ENDED
    assert "ended without a result" in await server.table_text(match)
    assert "2 of 3 players voted" in await server.table_text(match)
    for name in ("Ada", "Bela", "Chidi"):
        assert "ended without a result" in message_text(server.newest_in_inbox(name))
        assert "Your hand" not in client_text(server.newest_in_inbox(name))


async def test_another_host_follows_who_leaves_and_when_all_leave_it_ends(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    await server.leave_match(match, "Ada")
    assert (await server.load_snapshot(match)).info.host == server["Bela"].id
    for name in THREE[1:]:
        await server.leave_match(match, name)
    assert await server.status(match) is Status.ENDED
    assert "Everybody has left" in await server.table_text(match)
    assert "Everybody has left" in await server.lobby_text(match)
    assert control_ids(await server.find_table(match)) == []
