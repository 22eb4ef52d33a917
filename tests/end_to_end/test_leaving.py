"""Leaving a match, taking an empty seat, and ending it by votes."""

from __future__ import annotations

from engines.store.match_store import Status
from tests.end_to_end.players import THREE
from tests.end_to_end.world import PendingClick, SimulatedServer, full_reply_text, reply_text
from tests.messages import Message, button_labels, client_text, control_ids, message_text, move_buttons

FOUR = ("Ada", "Bela", "Chidi", "Dora")


def table_messages_with(w: SimulatedServer, text: str) -> list[Message]:
    return [message for message in w.public_messages(w.thread) if text in message_text(message)]


async def test_leaving_is_asked_first_pauses_the_match_and_says_so(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start()
    menu = await inn.press_button("Bela", await inn.find_table(match), "⋯")
    asked = await inn.press_answer("Bela", menu, "Leave the match")
    assert "Leave this match?" in reply_text(asked)
    assert await inn.status(match) is Status.RUNNING
    question = inn.private_messages("Bela")[-1]
    await inn.press_answer("Bela", asked, "Back to the hand")
    answer = inn.private_messages("Bela")[-1]
    assert "Your hand" in client_text(answer)
    assert answer["id"] == question["id"]
    assert await inn.status(match) is Status.RUNNING
    await inn.leave_match(match, "Bela")
    assert "not sitting" in reply_text(await inn.forge_click("Bela", question, f"t:{match}:leave"))
    assert await inn.status(match) is Status.PAUSED
    assert len(table_messages_with(inn, "Bela has left the match")) == 1
    assert "The match is paused. Bela left." in await inn.table_text(match)
    for name in ("Ada", "Chidi"):
        assert "paused" in inn.hand_text(name, match)
        assert move_buttons(inn.find_hand(name, match)) == []
    assert "paused" in await inn.lobby_text(match)
    status = reply_text(await inn["Ada"].slash(inn.thread, "wizard status"))
    for said in (await inn.table_text(match), inn.hand_text("Ada", match), await inn.lobby_text(match), status):
        assert "Waiting for" not in said
    assert "The match is paused. Bela left." in reply_text(await inn["Ada"].slash(inn.thread, "motley matches"))
    left = inn.newest_in_inbox("Bela")
    assert "no longer at this table" in message_text(left)
    assert "Your hand" not in client_text(left)
    assert left["attachments"] == []
    shown = await inn.press_button("Bela", await inn.find_lobby(match), "Show my hand")
    assert "not sitting at this table" in reply_text(shown)


async def test_the_empty_seat_is_offered_wherever_one_hears_of_it(inn: SimulatedServer) -> None:
    for where in ("news", "lobby", "table"):
        match = await inn.seat_and_start()
        await inn.leave_match(match, "Bela")
        (news,) = table_messages_with(inn, "Bela has left the match")
        assert button_labels(news) == ["Take the empty seat", "Vote to end it"]
        message = {"news": news, "lobby": await inn.find_lobby(match), "table": await inn.find_table(match)}[where]
        taken = await inn.press_button("Greta", message, "Take the empty seat")
        assert "The seat and its hand are yours" in reply_text(taken)
        (now,) = table_messages_with(inn, "Bela has left the match")
        assert button_labels(now) == [], "nothing can be done about it any more"
        late = reply_text(await inn.forge_click("Emil", news, f"t:{match}:seat"))
        assert late == "There is no empty seat at this table."
        assert "Take the empty seat" not in button_labels(await inn.find_lobby(match))


async def test_a_vote_is_joined_where_it_is_told_and_the_table_counts(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(FOUR)
    menu = await inn.press_button("Ada", await inn.find_table(match), "⋯")
    await inn.press_answer("Ada", menu, "Vote to end it")
    assert "1 of 4 has voted to end the match." in await inn.table_text(match)
    assert move_buttons(inn.find_hand(str(await inn.due_name(match)), match)), "the match goes on"
    for name, count in (("Bela", 2), ("Chidi", 3)):
        news = table_messages_with(inn, f"votes to end the match ({count - 1} of 4)")[-1]
        assert button_labels(news) == ["Vote to end it"]
        assert "You voted to end" in reply_text(await inn.press_button(name, news, "Vote to end it"))
    assert await inn.status(match) is Status.ENDED
    assert "was ended without a result" in reply_text(await inn.forge_click("Dora", news, f"t:{match}:stop"))


async def test_one_of_two_takes_a_seat_and_a_menu_that_is_out_of_date_says_so(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start()
    await inn.leave_match(match, "Bela")
    menu = await inn.press_button("Greta", await inn.find_table(match), "⋯")
    message = await inn.find_table(match)
    answers = await inn.click_at_once(*(PendingClick(name, message, f"t:{match}:seat") for name in ("Emil", "Fumi")))
    seats = [seat.name for seat in (await inn.load_snapshot(match)).info.seats]
    assert ("Emil" in seats) != ("Fumi" in seats)
    assert sum("no empty seat" in reply_text(answer) for answer in answers) == 1
    await inn.press_answer("Greta", menu, "Take the empty seat")
    (shown,) = inn.private_messages("Greta")
    assert "There is no empty seat at this table." in message_text(shown)
    assert "Waiting for" in message_text(shown)
    assert button_labels(shown) == ["Rules", "Score sheet", "In words", "Settings", "Something is wrong"]


async def test_what_is_done_in_a_menu_takes_the_menus_place(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start()
    await inn.leave_match(match, "Bela")
    await inn.press_button("Ada", await inn.find_table(match), "⋯")
    (menu,) = inn.private_messages("Ada")
    for label, said in (
        ("Vote to end it", "1 of 2 so far"),
        ("Leave the match", "Leave this match?"),
        ("Leave the match", "You have left the match. The player who takes your seat will play on with your hand."),
    ):
        await inn.press_button("Ada", menu, label)
        (menu,) = inn.private_messages("Ada")
        assert said in message_text(menu)
    assert message_text(menu) == said
    assert button_labels(menu) == []


async def test_a_substitute_takes_the_seat_and_the_hand(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start()
    then, name = await inn.load_snapshot(match), await inn.due_name_now(match)
    (seat,) = then.due_seats()
    refused = await inn.forge_click("Greta", await inn.find_table(match), f"t:{match}:seat")
    assert "no empty seat" in reply_text(refused)
    shown = await inn.press_button(name, await inn.find_table(match), "Show my hand")
    assert "Your hand" in full_reply_text(shown)
    await inn.leave_match(match, name)
    before, since = reply_text(shown), len(inn.seen_messages)
    answer = await inn.press_button("Greta", await inn.find_table(match), "Take the empty seat")
    assert "The seat and its hand are yours" in reply_text(answer)
    now = await inn.load_snapshot(match)
    assert now.info.status is Status.RUNNING
    assert now.info.seats[seat].user == inn["Greta"].id
    assert now.view(seat).hand == then.view(seat).hand
    assert len(table_messages_with(inn, "Greta has taken the empty seat")) == 1
    assert len(inn.inbox_messages("Greta")) == 1
    assert "Your hand" in client_text(inn.find_hand("Greta", match))
    assert move_buttons(inn.find_hand("Greta", match))
    assert "Greta" in await inn.table_text(match)
    await inn.make_move(match)
    assert reply_text(shown) == before  # a snapshot of what they held then, and of no later moment
    await inn.play_out(match)
    assert await inn.status(match) is Status.OVER
    assert "Your hand" not in client_text(inn.newest_in_inbox(name))
    assert [each for each in inn.seen_messages[since:] if each.viewer == inn[name].id] == []


async def test_who_left_may_come_back_to_the_seat_and_votes_count_again(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(FOUR)
    name, old = await inn.due_hand(match)
    await inn.leave_match(match, "Chidi")
    await inn.leave_match(match, "Bela")
    assert "paused" in reply_text(await inn.forge_click(name, inn.find_hand(name, match), move_buttons(old)[0]))
    assert await inn.move_count(match) == 0
    await inn.press_button("Ada", await inn.find_table(match), "Vote")
    assert len((await inn.load_snapshot(match)).info.votes) == 1
    await inn.press_button("Bela", await inn.find_table(match), "Take the empty seat")
    now = (await inn.load_snapshot(match)).info
    assert now.seats[1].user == inn["Bela"].id
    assert (now.status, now.votes) == (Status.PAUSED, ())
    assert "Your hand" in client_text(inn.newest_in_inbox("Bela"))
    await inn.press_button("Dora", await inn.find_table(match), "Take the empty seat")
    assert await inn.status(match) is Status.PAUSED  # Dora sits there already
    await inn.press_button("Greta", await inn.find_table(match), "Take the empty seat")
    assert await inn.status(match) is Status.RUNNING
    await inn.play_out(match)


async def test_more_than_half_of_those_who_are_left_end_the_match(inn: SimulatedServer) -> None:
    async def vote(name: str) -> str:
        return reply_text(await inn.press_button(name, await inn.find_table(match), "Vote"))

    match = await inn.seat_and_start(FOUR)
    await inn.leave_match(match, "Dora")
    await vote("Ada")
    assert await inn.status(match) is Status.PAUSED
    assert "1 of 3 so far" in await inn.table_text(match)
    assert "already voted" in await vote("Ada")
    assert "not sitting" in await vote("Greta")
    assert "not sitting" in await vote("Dora")
    await vote("Bela")
    assert await inn.status(match) is Status.ENDED
    assert "ended without a result" in await inn.table_text(match)
    assert "2 of 3 players voted" in await inn.table_text(match)
    for name in ("Ada", "Bela", "Chidi"):
        assert "ended without a result" in message_text(inn.newest_in_inbox(name))
        assert "Your hand" not in client_text(inn.newest_in_inbox(name))


async def test_another_host_follows_who_leaves_and_when_all_leave_it_ends(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start()
    await inn.leave_match(match, "Ada")
    assert (await inn.load_snapshot(match)).info.host == inn["Bela"].id
    for name in THREE[1:]:
        await inn.leave_match(match, name)
    assert await inn.status(match) is Status.ENDED
    assert "Everybody has left" in await inn.table_text(match)
    assert "Everybody has left" in await inn.lobby_text(match)
    assert control_ids(await inn.find_table(match)) == []
