"""Clicks that come too late, twice, at once, or from somebody else; and what was never offered."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import MatchSnapshot
from engines.wizard.model import Play
from tests.end_to_end.players import (
    THREE,
    choose_first,
    due_name,
    find_hand,
    find_table,
    load_snapshot,
    make_move,
    play_on,
    seat_and_start,
)
from tests.end_to_end.world import PendingClick, SimulatedServer, message_text, move_buttons, reply_text
from tests.messages import client_text

NO_MOVES = (
    "bid 2",
    "bid -1",
    "bid x",
    "bid",
    "play AS",
    "play",
    "trump hearts",
    "🂡",
    "bid 0\nbid 1",
    "bid ٣",
    " ",
    "bid 0 " * 9,
)
NO_CONTROLS = (
    "old-button",
    "m:short:0:bid 0",
    "m:{match}:abc:bid 0",
    "m:{match}:9999999:bid 0",
    "m:{match}:٣:bid 0",
    "t:{match}:unheard-of",
    "t:{match}:",
    "r:chess",
    "r:wizard",
    "s:{match}:0:x",
    "a:{match}:reset:1",
    "t:zzzzzzzz:hand",
    "m:zzzzzzzz:0:bid 0",
    "x",
)


async def test_a_click_for_a_decision_that_is_past_changes_nothing_and_shows_the_hand(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name(inn, match)
    assert name is not None
    old = find_hand(inn, name, match)
    stale = move_buttons(old)[0]
    await inn.press_button(name, old, stale)
    before = (await load_snapshot(inn, match)).info
    answer = await inn.forge_click(name, find_hand(inn, name, match), stale)
    assert "no longer open" in reply_text(answer)
    assert "no longer open" in message_text(find_hand(inn, name, match))
    assert "Your hand" in client_text(find_hand(inn, name, match))
    assert (await load_snapshot(inn, match)).info == before


async def test_discord_need_not_send_back_what_a_click_was_answered_with(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    since = len(inn.env.http_requests)
    await make_move(inn, match)
    (answer,) = [each for each in inn.env.http_requests[since:] if each.path.endswith("/callback")]
    assert not answer.params


async def test_the_note_on_a_stale_click_goes_with_the_next_change(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name(inn, match)
    assert name is not None
    stale = move_buttons(find_hand(inn, name, match))[0]
    await make_move(inn, match)
    await inn.forge_click(name, find_hand(inn, name, match), stale)
    await make_move(inn, match)
    assert "no longer open" not in message_text(find_hand(inn, name, match))


async def test_a_page_that_a_click_has_overtaken_is_not_shown(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name(inn, match)
    assert name is not None
    keeper, before, seat = inn.bot.reconciler, await load_snapshot(inn, match), THREE.index(name)
    known = await keeper.surface(match, "hand", seat)
    assert known is not None
    page = match_pages.hand_page(before, seat, await keeper.surface_sync.page_context_of(before))
    await make_move(inn, match)
    answered = find_hand(inn, name, match)
    await keeper.surface_sync.bring_up_to_date(before, known, page)  # as a loop does that had looked before the click
    assert find_hand(inn, name, match) == answered


async def test_what_a_hand_that_is_out_of_date_offers_shows_the_present_hand(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name(inn, match)
    assert name is not None
    (number,) = (each.number for each in (await load_snapshot(inn, match)).decisions().values())
    before = (await load_snapshot(inn, match)).info
    answer = await inn.forge_click(name, find_hand(inn, name, match), f"m:{match}:{number}:play AS")
    assert "bid" in reply_text(answer).lower()
    assert "Your hand" in client_text(find_hand(inn, name, match))
    assert move_buttons(find_hand(inn, name, match))
    assert (await load_snapshot(inn, match)).info == before


async def test_a_click_that_is_delivered_twice_counts_once(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name(inn, match)
    assert name is not None
    message = find_hand(inn, name, match)
    click = PendingClick(name, message, move_buttons(message)[0])
    await inn.click_at_once(click, click, click)
    assert (await load_snapshot(inn, match)).info.moves == 1


async def test_a_move_on_a_hand_that_is_gone_before_its_answer_counts_and_is_no_error(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name(inn, match)
    assert name is not None
    message, redraw = find_hand(inn, name, match), inn.bot.actions.hands.redraw_hand

    async def deleted_before(*args: Any, **more: Any) -> None:
        inn.delete_message(message)
        await redraw(*args, **more)

    with monkeypatch.context() as patched:
        patched.setattr(inn.bot.actions.hands, "redraw_hand", deleted_before)
        said = reply_text(await inn.press_button(name, message, move_buttons(message)[0]))
    assert "newer message" in said
    assert "saved" in said
    assert "wrong" not in said
    assert "ERROR" not in {record.levelname for record in caplog.records}
    await inn.env.advance_time(10)
    assert (await load_snapshot(inn, match)).info.moves == 1
    assert find_hand(inn, name, match)["id"] != message["id"]
    assert move_buttons(find_hand(inn, name, match)) == []


async def test_of_two_different_clicks_at_once_one_counts(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name(inn, match)
    assert name is not None
    message = find_hand(inn, name, match)
    choices = move_buttons(message)
    await inn.click_at_once(PendingClick(name, message, choices[0]), PendingClick(name, message, choices[1]))
    now = await load_snapshot(inn, match)
    assert now.info.moves == 1
    assert move_buttons(find_hand(inn, name, match)) == []


@pytest.mark.parametrize("where", ["own hand", "table"])
async def test_somebody_elses_click_makes_no_move(inn: SimulatedServer, where: str) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name(inn, match)
    assert name is not None
    forged = move_buttons(find_hand(inn, name, match))[0]
    other = next(each for each in THREE if each != name)
    on = find_hand(inn, other, match) if where == "own hand" else await find_table(inn, match)
    answer = await inn.forge_click(other, on, forged)
    assert reply_text(answer)
    assert (await load_snapshot(inn, match)).info.moves == 0


async def test_a_stranger_is_told_kindly_that_there_is_no_hand(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    answer = await inn.press_button("Greta", await find_table(inn, match), "Show my hand")
    assert "not sitting at this table" in reply_text(answer)
    assert "watch" in reply_text(answer)
    assert answer.ephemeral
    forged = move_buttons(find_hand(inn, await due_name(inn, match) or "", match))[0]
    answer = await inn.forge_click("Greta", await find_table(inn, match), forged)
    assert "not sitting at this table" in reply_text(answer)
    assert answer.ephemeral
    assert (await load_snapshot(inn, match)).info.moves == 0
    assert "Round 1 of 1" in client_text(await find_table(inn, match))


async def test_a_forged_click_on_the_table_does_not_show_a_hand_to_all(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    for custom_id in (
        f"m:{match}:0:bid 0",
        f"m:{match}:7:bid 0",
        f"t:{match}:back",
        f"t:{match}:return",
        f"c:{match}:0:bid 0",
    ):
        for name in THREE:
            await inn.forge_click(name, await find_table(inn, match), custom_id)
            for message in (*inn.public_messages(inn.thread), *inn.public_messages(inn.table)):
                assert "Your hand" not in client_text(message)


async def test_a_select_only_takes_what_it_offers(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name(inn, match)
    assert name is not None
    message = find_hand(inn, name, match)
    for values in (["bid 9"], ["play wizard"], ["nonsense"], [""], [], ["bid 0", "bid 1"], ["bid 0" * 50]):
        answer = await inn.forge_click(name, message, f"s:{match}:0:0", values)
        assert reply_text(answer), values
        assert (await load_snapshot(inn, match)).info.moves == 0


async def test_forged_moves_are_refused_with_a_sentence(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=1)
    await play_on(inn, match, "bid")
    name = await due_name(inn, match)
    assert name is not None
    before = await load_snapshot(inn, match)
    number = before.decisions()[before.due_seats()[0]].number
    for rest in NO_MOVES:
        answer = await inn.forge_click(name, find_hand(inn, name, match), f"m:{match}:{number}:{rest}")
        assert len(reply_text(answer)) > 10, rest
        assert (await load_snapshot(inn, match)).info == before.info, rest
        assert move_buttons(find_hand(inn, name, match)), rest


async def test_unknown_controls_get_a_sentence(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    before = (await load_snapshot(inn, match)).info
    for custom_id in NO_CONTROLS:
        answer = await inn.forge_click("Bela", await find_table(inn, match), custom_id.format(match=match))
        assert len(reply_text(answer)) > 10, custom_id
        assert all(each.ephemeral for each in (answer.response, *answer.followups) if each), custom_id
        assert (await load_snapshot(inn, match)).info == before, custom_id


async def test_an_unknown_form_gets_a_sentence(inn: SimulatedServer) -> None:
    answer = await inn.submit_unknown_modal("Bela", "a form of long ago")
    assert "older version" in reply_text(answer)


async def test_a_card_that_does_not_follow_suit_is_refused_when_forged(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=4)
    while not (illegal := _forbidden_cards(await load_snapshot(inn, match))):
        await make_move(inn, match, choose_first)
    name = await due_name(inn, match)
    assert name is not None
    now = await load_snapshot(inn, match)
    number = now.decisions()[now.due_seats()[0]].number
    answer = await inn.forge_click(name, find_hand(inn, name, match), f"m:{match}:{number}:{illegal[0]}")
    assert "follow" in reply_text(answer)
    assert (await load_snapshot(inn, match)).info.moves == now.info.moves


def _forbidden_cards(now: MatchSnapshot) -> list[str]:
    """The moves with cards in the hand of whose turn it is that the rules forbid now."""
    (seat,) = now.due_seats()
    if now.state.phase != "play":
        return []
    moves = now.moves(seat)
    return [now.game.format_move(Play(card)) for card in now.view(seat).hand if Play(card) not in moves]


async def test_people_at_one_table_move_at_once_and_the_order_holds(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=1)
    messages = {name: find_hand(inn, name, match) for name in THREE}
    name = await due_name(inn, match)
    assert name is not None
    forged = move_buttons(messages[name])[0]
    clicks = [PendingClick(name, messages[name], forged)]
    await inn.click_at_once(
        *clicks,
        PendingClick(name, messages[name], f"t:{match}:more"),
        PendingClick(name, messages[name], f"t:{match}:more"),
    )
    assert (await load_snapshot(inn, match)).info.moves == 1


async def test_a_move_that_asks_first_is_made_by_the_second_click(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    await play_on(inn, match, "bid")
    name = await due_name(inn, match)
    assert name is not None
    before = await load_snapshot(inn, match)
    asking = f"c:{move_buttons(find_hand(inn, name, match))[0].removeprefix('m:')}"
    await inn.forge_click(name, find_hand(inn, name, match), asking)
    message = inn.newest_in_inbox(name)
    assert "are you sure" in message_text(message)
    assert (await load_snapshot(inn, match)).info == before.info
    await inn.press_button(name, message, "Back to the hand")
    assert "Your hand" in client_text(inn.newest_in_inbox(name))
    await inn.forge_click(name, inn.newest_in_inbox(name), asking)
    await inn.press_button(name, inn.newest_in_inbox(name), f"m{asking[1:]}")
    assert (await load_snapshot(inn, match)).info.moves == before.info.moves + 1
    assert "Your hand" in client_text(inn.newest_in_inbox(name))


async def test_a_question_that_is_left_open_gives_way_to_the_next_change(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    await play_on(inn, match, "bid")
    name = await due_name(inn, match)
    assert name is not None
    clicked = move_buttons(find_hand(inn, name, match))[0]
    await inn.forge_click(name, find_hand(inn, name, match), f"c:{clicked.removeprefix('m:')}")
    message = inn.newest_in_inbox(name)
    shown = await inn.press_button(name, await find_table(inn, match), "Show my hand")
    assert shown.response is not None
    await inn[name].click(shown.response, custom_id=clicked)
    assert (await load_snapshot(inn, match)).info.moves > 0
    assert "are you sure" not in message_text(inn.newest_in_inbox(name))
    answer = await inn.forge_click(name, message, clicked)
    assert "no longer open" in reply_text(answer)


async def test_a_question_that_is_shown_late_gives_way_to_what_was_decided_meanwhile(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seat_and_start(inn, rounds=2)
    await play_on(inn, match, "bid")
    name = await due_name(inn, match)
    assert name is not None
    clicked = move_buttons(find_hand(inn, name, match))[0]
    update = InteractionReply.update_message

    async def late(answer: InteractionReply, page: Page) -> None:
        monkeypatch.undo()
        _, _, decision, notation = clicked.split(":", 3)
        await inn.bot.matches.play_move(match, answer.interaction.user.id, int(decision), notation)
        for _ in range(100):  # time enough for the hand to be drawn anew
            await asyncio.sleep(0.002)
        await update(answer, page)

    monkeypatch.setattr(InteractionReply, "update_message", late)
    await inn.forge_click(name, find_hand(inn, name, match), f"c:{clicked.removeprefix('m:')}")
    assert (await load_snapshot(inn, match)).info.moves > 0
    assert "are you sure" not in message_text(inn.newest_in_inbox(name))


async def test_a_hand_shown_twice_stays_the_same_in_both_places(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    await play_on(inn, match, "bid")
    name = await due_name(inn, match)
    assert name is not None
    shown = await inn.press_button(name, await find_table(inn, match), "Show my hand")
    await make_move(inn, match)
    assert "Bid" not in reply_text(shown).split("Your hand")[0] or "Waiting for" in reply_text(shown)
    (kept,) = [seen.message for seen in inn.ephemeral_messages() if seen.viewer == inn[name].id]
    assert move_buttons(kept) == []
