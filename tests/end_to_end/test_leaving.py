"""Leaving a match, taking an empty seat, and ending it by votes."""

from __future__ import annotations

from engines.store.match_store import Status
from tests.end_to_end.players import (
    THREE,
    due_name,
    find_hand,
    find_lobby,
    find_surface,
    find_table,
    leave_match,
    load_snapshot,
    make_move,
    open_lobby,
    play_out,
    seat_and_start,
)
from tests.end_to_end.world import (
    Message,
    PendingClick,
    SimulatedServer,
    button_labels,
    control_ids,
    full_reply_text,
    message_text,
    move_buttons,
    reply_text,
)
from tests.messages import client_text

FOUR = ("Ada", "Bela", "Chidi", "Dora")


def table_messages_with(w: SimulatedServer, text: str) -> list[Message]:
    """What everybody sees at the table that holds a text."""
    return [message for message in w.public_messages(w.thread) if text in message_text(message)]


async def test_leaving_is_asked_first(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    menu = await inn.press_button("Bela", await find_table(inn, match), "⋯")
    assert menu.response is not None
    asked = await inn["Bela"].click(menu.response, label="Leave the match")
    assert "Leave this match?" in reply_text(asked)
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING
    assert asked.response is not None
    question = inn.ephemeral_messages()[-1].message
    await inn["Bela"].click(asked.response, label="Back to the hand")
    answer = inn.ephemeral_messages()[-1].message
    assert "Your hand" in client_text(answer)
    assert answer["id"] == question["id"]
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING


async def test_leaving_pauses_the_match_and_says_so(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    await leave_match(inn, match, "Bela")
    now = (await load_snapshot(inn, match)).info
    assert now.status is Status.PAUSED
    assert len(table_messages_with(inn, "Bela has left the match")) == 1
    said = message_text(await find_table(inn, match))
    assert "The match is paused. Bela left." in said
    for name in ("Ada", "Chidi"):
        assert "paused" in message_text(find_hand(inn, name, match))
        assert move_buttons(find_hand(inn, name, match)) == []
    assert "paused" in message_text(await find_lobby(inn, match))
    for message in (await find_table(inn, match), find_hand(inn, "Ada", match), await find_lobby(inn, match)):
        assert "Waiting for" not in message_text(message)
    assert "Waiting for" not in reply_text(await inn["Ada"].slash(inn.thread, "wizard status"))
    assert "The match is paused. Bela left." in reply_text(await inn["Ada"].slash(inn.thread, "motley matches"))


async def test_the_empty_seat_is_offered_wherever_one_hears_of_it(inn: SimulatedServer) -> None:
    for where in ("news", "lobby", "table"):
        match = await seat_and_start(inn)
        await leave_match(inn, match, "Bela")
        (news,) = table_messages_with(inn, "Bela has left the match")
        assert button_labels(news) == ["Take the empty seat", "Vote to end it"]
        messages = {"news": news, "lobby": await find_lobby(inn, match), "table": await find_table(inn, match)}
        assert "The seat and its hand are yours" in reply_text(
            await inn.press_button("Greta", messages[where], "Take the empty seat")
        )
        (now,) = table_messages_with(inn, "Bela has left the match")
        assert button_labels(now) == [], "nothing can be done about it any more"
        late = reply_text(await inn.forge_click("Emil", news, f"t:{match}:seat"))
        assert late == "There is no empty seat at this table."
        assert "Take the empty seat" not in button_labels(await find_lobby(inn, match))


async def test_a_vote_is_joined_where_it_is_told_and_the_table_counts(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, FOUR)
    menu = await inn.press_button("Ada", await find_table(inn, match), "⋯")
    assert menu.response is not None
    await inn["Ada"].click(menu.response, label="Vote to end it")
    assert "1 of 4 has voted to end the match." in message_text(await find_table(inn, match))
    assert move_buttons(find_hand(inn, str(await due_name(inn, match)), match)), "the match goes on"
    for name, count in (("Bela", 2), ("Chidi", 3)):
        news = table_messages_with(inn, f"votes to end the match ({count - 1} of 4)")[-1]
        assert button_labels(news) == ["Vote to end it"]
        assert "You voted to end" in reply_text(await inn.press_button(name, news, "Vote to end it"))
    assert (await load_snapshot(inn, match)).info.status is Status.ENDED
    assert "was ended without a result" in reply_text(await inn.forge_click("Dora", news, f"t:{match}:stop"))


async def test_a_menu_that_is_out_of_date_says_so_and_offers_what_there_is_now(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    await leave_match(inn, match, "Bela")
    menu = await inn.press_button("Greta", await find_table(inn, match), "⋯")
    assert menu.response is not None
    await inn.press_button("Emil", await find_table(inn, match), "Take the empty seat")
    await inn["Greta"].click(menu.response, label="Take the empty seat")
    (shown,) = [seen.message for seen in inn.ephemeral_messages() if seen.viewer == inn["Greta"].id]
    assert "There is no empty seat at this table." in message_text(shown)
    assert "Waiting for" in message_text(shown)
    assert button_labels(shown) == ["Rules", "Score sheet", "In words", "Settings"]


async def test_what_is_done_in_a_menu_takes_the_menus_place(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    await leave_match(inn, match, "Bela")
    await inn.press_button("Ada", await find_table(inn, match), "⋯")
    for label, said in (("Vote to end it", "1 of 2 so far"), ("Leave the match", "Leave this match?")):
        (menu,) = [seen.message for seen in inn.ephemeral_messages() if seen.viewer == inn["Ada"].id]
        await inn.press_button("Ada", menu, label)
        (menu,) = [seen.message for seen in inn.ephemeral_messages() if seen.viewer == inn["Ada"].id]
        assert said in message_text(menu)
    await inn.press_button("Ada", menu, "Leave the match")
    (menu,) = [seen.message for seen in inn.ephemeral_messages() if seen.viewer == inn["Ada"].id]
    assert message_text(menu) == "You have left the match. The player who takes your seat will play on with your hand."
    assert button_labels(menu) == []


async def test_a_leavers_message_no_longer_shows_a_hand(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    await leave_match(inn, match, "Bela")
    assert "no longer at this table" in message_text(inn.newest_in_inbox("Bela"))
    assert "Your hand" not in client_text(inn.newest_in_inbox("Bela"))
    assert inn.newest_in_inbox("Bela")["attachments"] == []
    assert "not sitting at this table" in reply_text(
        await inn.press_button("Bela", await find_lobby(inn, match), "Show my hand")
    )


async def test_nobody_moves_while_a_match_is_paused(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, FOUR)
    name = await due_name(inn, match)
    assert name is not None
    old = find_hand(inn, name, match)
    forged = move_buttons(old)[0]
    await leave_match(inn, match, next(each for each in FOUR if each != name))
    answer = await inn.forge_click(name, find_hand(inn, name, match), forged)
    assert "paused" in reply_text(answer)
    assert (await load_snapshot(inn, match)).info.moves == 0


async def test_a_substitute_takes_the_seat_and_the_hand(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    name = await due_name(inn, match)
    assert name is not None
    seat = (await load_snapshot(inn, match)).due_seats()[0]
    cards = (await load_snapshot(inn, match)).view(seat).hand
    await leave_match(inn, match, name)
    answer = await inn.press_button("Greta", await find_table(inn, match), "Take the empty seat")
    assert "The seat and its hand are yours" in reply_text(answer)
    now = await load_snapshot(inn, match)
    assert now.info.status is Status.RUNNING
    assert now.info.seats[seat].user == inn["Greta"].id
    assert now.view(seat).hand == cards
    assert len(table_messages_with(inn, "Greta has taken the empty seat")) == 1
    assert len(inn.inbox_messages("Greta")) == 1
    assert "Your hand" in client_text(find_hand(inn, "Greta", match))
    assert move_buttons(find_hand(inn, "Greta", match))
    assert "Greta" in message_text(await find_table(inn, match))
    await play_out(inn, match)
    assert (await load_snapshot(inn, match)).info.status is Status.OVER
    assert "Your hand" not in client_text(inn.newest_in_inbox(name))


async def test_who_left_may_come_back_to_the_seat(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, FOUR)
    await leave_match(inn, match, "Chidi")
    await leave_match(inn, match, "Bela")
    await inn.press_button("Bela", await find_table(inn, match), "Take the empty seat")
    now = (await load_snapshot(inn, match)).info
    assert now.seats[1].user == inn["Bela"].id
    assert now.status is Status.PAUSED
    assert "Your hand" in client_text(inn.newest_in_inbox("Bela"))
    await inn.press_button("Dora", await find_table(inn, match), "Take the empty seat")
    assert (await load_snapshot(inn, match)).info.status is Status.PAUSED  # Dora sits there already
    await inn.press_button("Greta", await find_table(inn, match), "Take the empty seat")
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING
    await play_out(inn, match)


async def test_two_who_want_the_same_seat(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    await leave_match(inn, match, "Bela")
    message = await find_table(inn, match)
    answers = await inn.click_at_once(*(PendingClick(name, message, f"t:{match}:seat") for name in ("Emil", "Fumi")))
    seats = [seat.name for seat in (await load_snapshot(inn, match)).info.seats]
    assert ("Emil" in seats) != ("Fumi" in seats)
    assert sum("no empty seat" in reply_text(answer) for answer in answers) == 1


async def test_an_empty_seat_is_only_there_when_paused(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    answer = await inn.forge_click("Greta", await find_table(inn, match), f"t:{match}:seat")
    assert "no empty seat" in reply_text(answer)


async def test_more_than_half_of_those_who_are_left_end_the_match(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, FOUR)
    await leave_match(inn, match, "Dora")
    await inn.press_button("Ada", await find_table(inn, match), "Vote")
    assert (await load_snapshot(inn, match)).info.status is Status.PAUSED
    assert "1 of 3 so far" in message_text(await find_table(inn, match))
    assert "already voted" in reply_text(await inn.press_button("Ada", await find_table(inn, match), "Vote"))
    assert "not sitting" in reply_text(await inn.press_button("Greta", await find_table(inn, match), "Vote"))
    assert "not sitting" in reply_text(await inn.press_button("Dora", await find_table(inn, match), "Vote"))
    await inn.press_button("Bela", await find_table(inn, match), "Vote")
    assert (await load_snapshot(inn, match)).info.status is Status.ENDED
    said = message_text(await find_table(inn, match))
    assert "ended without a result" in said
    assert "2 of 3 players voted" in said
    for name in ("Ada", "Bela", "Chidi"):
        assert "ended without a result" in message_text(inn.newest_in_inbox(name))
        assert "Your hand" not in client_text(inn.newest_in_inbox(name))


async def test_a_running_match_can_be_ended_by_votes_as_well(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    for name in ("Ada", "Bela"):
        await inn[name].slash(inn.thread, "motley stop")
    assert (await load_snapshot(inn, match)).info.status is Status.ENDED
    assert table_messages_with(inn, "Bela votes to end the match (2 of 3)")


async def test_votes_count_again_when_somebody_comes_in(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, FOUR)
    await leave_match(inn, match, "Dora")
    await inn.press_button("Ada", await find_table(inn, match), "Vote")
    await inn.press_button("Emil", await find_table(inn, match), "Take the empty seat")
    assert (await load_snapshot(inn, match)).info.votes == ()


async def test_when_everybody_leaves_the_match_ends(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    for name in THREE:
        await leave_match(inn, match, name)
    now = (await load_snapshot(inn, match)).info
    assert now.status is Status.ENDED
    assert "Everybody has left" in message_text(await find_table(inn, match))
    assert "Everybody has left" in message_text(await find_lobby(inn, match))


async def test_the_host_of_a_running_match_leaves_and_somebody_else_becomes_host(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    await leave_match(inn, match, "Ada")
    assert (await load_snapshot(inn, match)).info.host == inn["Bela"].id


async def test_leaving_twice_is_refused(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    menu = await inn.press_button("Bela", await find_table(inn, match), "⋯")
    assert menu.response is not None
    asked = await inn["Bela"].click(menu.response, label="Leave the match")
    assert asked.response is not None
    old = inn.ephemeral_messages()[-1].message
    await inn["Bela"].click(asked.response, label="Leave the match")
    again = await inn.forge_click("Bela", old, f"t:{match}:leave")
    assert "not sitting" in reply_text(again)
    assert len(table_messages_with(inn, "has left the match")) == 1


async def test_an_ephemeral_hand_of_a_leaver_is_not_refreshed_with_the_substitutes_play(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    name = await due_name(inn, match)
    assert name is not None
    shown = await inn.press_button(name, await find_table(inn, match), "Show my hand")
    assert "Your hand" in full_reply_text(shown)
    await leave_match(inn, match, name)
    before = reply_text(shown)
    await inn.press_button("Greta", await find_table(inn, match), "Take the empty seat")
    await make_move(inn, match)
    assert reply_text(shown) == before  # a snapshot of what they held then, and of no later moment


async def test_a_lobby_says_nothing_of_leaving_to_a_stranger(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    assert "not sitting" in reply_text(await inn.press_button("Greta", await find_lobby(inn, match), "Leave"))


async def test_a_closed_match_offers_no_moves(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    for name in THREE:
        await leave_match(inn, match, name)
    assert control_ids(await find_surface(inn, match, "table")) == []
