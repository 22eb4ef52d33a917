"""Leaving a match, taking an empty seat, and ending it by votes."""

from __future__ import annotations

from engines.store.match_store import Status
from tests.end_to_end.players import (
    THREE,
    due,
    hand,
    leave,
    lobby,
    look,
    move,
    open_lobby,
    play_out,
    seat_and_start,
    surface,
    table,
)
from tests.end_to_end.world import Click, Message, World, all_told, controls, labels, move_buttons, told, words
from tests.messages import everything

FOUR = ("Ada", "Bela", "Chidi", "Dora")


def said_in(w: World, text: str) -> list[Message]:
    """What everybody sees at the table that holds a text."""
    return [message for message in w.public(w.thread) if text in words(message)]


async def test_leaving_is_asked_first(inn: World) -> None:
    match = await seat_and_start(inn)
    menu = await inn.press("Bela", await table(inn, match), "⋯")
    assert menu.response is not None
    asked = await inn["Bela"].click(menu.response, label="Leave the match")
    assert "Leave this match?" in told(asked)
    assert (await look(inn, match)).info.status is Status.RUNNING
    assert asked.response is not None
    question = inn.ephemerals()[-1].message
    await inn["Bela"].click(asked.response, label="Back to the hand")
    answer = inn.ephemerals()[-1].message
    assert "Your hand" in everything(answer)
    assert answer["id"] == question["id"]
    assert (await look(inn, match)).info.status is Status.RUNNING


async def test_leaving_pauses_the_match_and_says_so(inn: World) -> None:
    match = await seat_and_start(inn)
    await leave(inn, match, "Bela")
    now = (await look(inn, match)).info
    assert now.status is Status.PAUSED
    assert len(said_in(inn, "Bela has left the match")) == 1
    said = words(await table(inn, match))
    assert "The match is paused. Bela left." in said
    for name in ("Ada", "Chidi"):
        assert "paused" in words(hand(inn, name, match))
        assert move_buttons(hand(inn, name, match)) == []
    assert "paused" in words(await lobby(inn, match))
    for message in (await table(inn, match), hand(inn, "Ada", match), await lobby(inn, match)):
        assert "Waiting for" not in words(message)
    assert "Waiting for" not in told(await inn["Ada"].slash(inn.thread, "wizard status"))
    assert "The match is paused. Bela left." in told(await inn["Ada"].slash(inn.thread, "motley matches"))


async def test_the_empty_seat_is_offered_wherever_one_hears_of_it(inn: World) -> None:
    for where in ("news", "lobby", "table"):
        match = await seat_and_start(inn)
        await leave(inn, match, "Bela")
        (news,) = said_in(inn, "Bela has left the match")
        assert labels(news) == ["Take the empty seat", "Vote to end it"]
        messages = {"news": news, "lobby": await lobby(inn, match), "table": await table(inn, match)}
        assert "The seat is yours" in told(await inn.press("Greta", messages[where], "Take the empty seat"))
        (now,) = said_in(inn, "Bela has left the match")
        assert labels(now) == [], "nothing can be done about it any more"
        late = told(await inn.forge("Emil", news, f"t:{match}:seat"))
        assert late == "There is no empty seat at this table."
        assert "Take the empty seat" not in labels(await lobby(inn, match))


async def test_a_vote_is_joined_where_it_is_told_and_the_table_counts(inn: World) -> None:
    match = await seat_and_start(inn, FOUR)
    menu = await inn.press("Ada", await table(inn, match), "⋯")
    assert menu.response is not None
    await inn["Ada"].click(menu.response, label="Vote to end it")
    assert "1 of 4 has voted to end the match." in words(await table(inn, match))
    assert move_buttons(hand(inn, str(await due(inn, match)), match)), "the match goes on"
    for name, count in (("Bela", 2), ("Chidi", 3)):
        news = said_in(inn, f"votes to end the match ({count - 1} of 4)")[-1]
        assert labels(news) == ["Vote to end it"]
        assert "is counted" in told(await inn.press(name, news, "Vote to end it"))
    assert (await look(inn, match)).info.status is Status.ENDED
    assert "was ended without a result" in told(await inn.forge("Dora", news, f"t:{match}:stop"))


async def test_a_menu_that_is_out_of_date_says_so_and_offers_what_there_is_now(inn: World) -> None:
    match = await seat_and_start(inn)
    await leave(inn, match, "Bela")
    menu = await inn.press("Greta", await table(inn, match), "⋯")
    assert menu.response is not None
    await inn.press("Emil", await table(inn, match), "Take the empty seat")
    await inn["Greta"].click(menu.response, label="Take the empty seat")
    (shown,) = [seen.message for seen in inn.ephemerals() if seen.by == inn["Greta"].id]
    assert "There is no empty seat at this table." in words(shown)
    assert "Waiting for" in words(shown)
    assert labels(shown) == ["Rules", "Score sheet", "In words", "Settings"]


async def test_what_is_done_in_a_menu_takes_the_menus_place(inn: World) -> None:
    match = await seat_and_start(inn)
    await leave(inn, match, "Bela")
    await inn.press("Ada", await table(inn, match), "⋯")
    for label, said in (("Vote to end it", "1 of 2 so far"), ("Leave the match", "Leave this match?")):
        (menu,) = [seen.message for seen in inn.ephemerals() if seen.by == inn["Ada"].id]
        await inn.press("Ada", menu, label)
        (menu,) = [seen.message for seen in inn.ephemerals() if seen.by == inn["Ada"].id]
        assert said in words(menu)
    await inn.press("Ada", menu, "Leave the match")
    (menu,) = [seen.message for seen in inn.ephemerals() if seen.by == inn["Ada"].id]
    assert words(menu) == "You have left the match. Whoever takes your seat plays on with your hand."
    assert labels(menu) == []


async def test_a_leavers_message_no_longer_shows_a_hand(inn: World) -> None:
    match = await seat_and_start(inn)
    await leave(inn, match, "Bela")
    assert "no longer sit" in words(inn.hand_of("Bela"))
    assert "Your hand" not in everything(inn.hand_of("Bela"))
    assert inn.hand_of("Bela")["attachments"] == []
    assert "not sitting at this table" in told(await inn.press("Bela", await lobby(inn, match), "Show my hand"))


async def test_nobody_moves_while_a_match_is_paused(inn: World) -> None:
    match = await seat_and_start(inn, FOUR)
    name = await due(inn, match)
    assert name is not None
    old = hand(inn, name, match)
    forged = move_buttons(old)[0]
    await leave(inn, match, next(each for each in FOUR if each != name))
    answer = await inn.forge(name, hand(inn, name, match), forged)
    assert "paused" in told(answer)
    assert (await look(inn, match)).info.moves == 0


async def test_a_substitute_takes_the_seat_and_the_hand(inn: World) -> None:
    match = await seat_and_start(inn)
    name = await due(inn, match)
    assert name is not None
    seat = (await look(inn, match)).due()[0]
    cards = (await look(inn, match)).view(seat).hand
    await leave(inn, match, name)
    answer = await inn.press("Greta", await table(inn, match), "Take the empty seat")
    assert "The seat is yours" in told(answer)
    now = await look(inn, match)
    assert now.info.status is Status.RUNNING
    assert now.info.seats[seat].user == inn["Greta"].id
    assert now.view(seat).hand == cards
    assert len(said_in(inn, "Greta has taken the empty seat")) == 1
    assert len(inn.inbox("Greta")) == 1
    assert "Your hand" in everything(hand(inn, "Greta", match))
    assert move_buttons(hand(inn, "Greta", match))
    assert "Greta" in words(await table(inn, match))
    await play_out(inn, match)
    assert (await look(inn, match)).info.status is Status.OVER
    assert "Your hand" not in everything(inn.hand_of(name))


async def test_who_left_may_come_back_to_the_seat(inn: World) -> None:
    match = await seat_and_start(inn, FOUR)
    await leave(inn, match, "Chidi")
    await leave(inn, match, "Bela")
    await inn.press("Bela", await table(inn, match), "Take the empty seat")
    now = (await look(inn, match)).info
    assert now.seats[1].user == inn["Bela"].id
    assert now.status is Status.PAUSED
    assert "Your hand" in everything(inn.hand_of("Bela"))
    await inn.press("Dora", await table(inn, match), "Take the empty seat")
    assert (await look(inn, match)).info.status is Status.PAUSED  # Dora sits there already
    await inn.press("Greta", await table(inn, match), "Take the empty seat")
    assert (await look(inn, match)).info.status is Status.RUNNING
    await play_out(inn, match)


async def test_two_who_want_the_same_seat(inn: World) -> None:
    match = await seat_and_start(inn)
    await leave(inn, match, "Bela")
    message = await table(inn, match)
    answers = await inn.at_once(*(Click(name, message, f"t:{match}:seat") for name in ("Emil", "Fumi")))
    seats = [seat.name for seat in (await look(inn, match)).info.seats]
    assert ("Emil" in seats) != ("Fumi" in seats)
    assert sum("no empty seat" in told(answer) for answer in answers) == 1


async def test_an_empty_seat_is_only_there_when_paused(inn: World) -> None:
    match = await seat_and_start(inn)
    answer = await inn.forge("Greta", await table(inn, match), f"t:{match}:seat")
    assert "no empty seat" in told(answer)


async def test_more_than_half_of_those_who_are_left_end_the_match(inn: World) -> None:
    match = await seat_and_start(inn, FOUR)
    await leave(inn, match, "Dora")
    await inn.press("Ada", await table(inn, match), "Vote")
    assert (await look(inn, match)).info.status is Status.PAUSED
    assert "1 of 3 so far" in words(await table(inn, match))
    assert "already voted" in told(await inn.press("Ada", await table(inn, match), "Vote"))
    assert "not sitting" in told(await inn.press("Greta", await table(inn, match), "Vote"))
    assert "not sitting" in told(await inn.press("Dora", await table(inn, match), "Vote"))
    await inn.press("Bela", await table(inn, match), "Vote")
    assert (await look(inn, match)).info.status is Status.ENDED
    said = words(await table(inn, match))
    assert "ended without a result" in said
    assert "2 of 3 players voted" in said
    for name in ("Ada", "Bela", "Chidi"):
        assert "ended without a result" in words(inn.hand_of(name))
        assert "Your hand" not in everything(inn.hand_of(name))


async def test_a_running_match_can_be_ended_by_votes_as_well(inn: World) -> None:
    match = await seat_and_start(inn)
    for name in ("Ada", "Bela"):
        await inn[name].slash(inn.thread, "motley stop")
    assert (await look(inn, match)).info.status is Status.ENDED
    assert said_in(inn, "Bela votes to end the match (2 of 3)")


async def test_votes_count_again_when_somebody_comes_in(inn: World) -> None:
    match = await seat_and_start(inn, FOUR)
    await leave(inn, match, "Dora")
    await inn.press("Ada", await table(inn, match), "Vote")
    await inn.press("Emil", await table(inn, match), "Take the empty seat")
    assert (await look(inn, match)).info.votes == ()


async def test_when_everybody_leaves_the_match_ends(inn: World) -> None:
    match = await seat_and_start(inn)
    for name in THREE:
        await leave(inn, match, name)
    now = (await look(inn, match)).info
    assert now.status is Status.ENDED
    assert "Everybody has left" in words(await table(inn, match))
    assert "Everybody has left" in words(await lobby(inn, match))


async def test_the_host_of_a_running_match_leaves_and_somebody_else_becomes_host(inn: World) -> None:
    match = await seat_and_start(inn)
    await leave(inn, match, "Ada")
    assert (await look(inn, match)).info.host == inn["Bela"].id


async def test_leaving_twice_is_refused(inn: World) -> None:
    match = await seat_and_start(inn)
    menu = await inn.press("Bela", await table(inn, match), "⋯")
    assert menu.response is not None
    asked = await inn["Bela"].click(menu.response, label="Leave the match")
    assert asked.response is not None
    old = inn.ephemerals()[-1].message
    await inn["Bela"].click(asked.response, label="Leave the match")
    again = await inn.forge("Bela", old, f"t:{match}:leave")
    assert "not sitting" in told(again)
    assert len(said_in(inn, "has left the match")) == 1


async def test_an_ephemeral_hand_of_a_leaver_is_not_refreshed_with_the_substitutes_play(inn: World) -> None:
    match = await seat_and_start(inn)
    name = await due(inn, match)
    assert name is not None
    shown = await inn.press(name, await table(inn, match), "Show my hand")
    assert "Your hand" in all_told(shown)
    await leave(inn, match, name)
    before = told(shown)
    await inn.press("Greta", await table(inn, match), "Take the empty seat")
    await move(inn, match)
    assert told(shown) == before  # a snapshot of what they held then, and of no later moment


async def test_a_lobby_says_nothing_of_leaving_to_a_stranger(inn: World) -> None:
    match = await open_lobby(inn)
    assert "not sitting" in told(await inn.press("Greta", await lobby(inn, match), "Leave"))


async def test_a_closed_match_offers_no_moves(inn: World) -> None:
    match = await seat_and_start(inn)
    for name in THREE:
        await leave(inn, match, name)
    assert controls(await surface(inn, match, "table")) == []
