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
from tests.end_to_end.players import THREE, choose_first
from tests.end_to_end.simulated_server import PendingClick, SimulatedServer, reply_text
from tests.messages import client_text, message_text, move_buttons

NO_MOVES = ("bid 2|bid -1|bid x|bid|play AS|play|trump hearts|🂡|bid 0\nbid 1|bid ٣| |" + "bid 0 " * 9).split("|")
NO_CONTROLS = (
    "old-button|m:short:0:bid 0|m:{match}:abc:bid 0|m:{match}:9999999:bid 0|m:{match}:٣:bid 0|t:{match}:unheard-of"
    "|t:{match}:|r:chess|r:wizard|s:{match}:0:x|a:{match}:reset:1|t:zzzzzzzz:hand|m:zzzzzzzz:0:bid 0|x"
)


async def test_a_click_for_a_decision_that_is_past_changes_nothing_and_shows_the_hand(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    name, old = await server.due_hand(match)
    stale, since = move_buttons(old)[0], len(server.env.http_requests)
    await server.press_button(name, old, stale)
    (callback,) = [each for each in server.env.http_requests[since:] if each.path.endswith("/callback")]
    assert not callback.params  # Discord need not send back what the click was answered with
    before = (await server.load_snapshot(match)).info
    answer = await server.forge_click(name, server.find_hand(name, match), stale)
    assert "no longer open" in reply_text(answer)
    assert "no longer open" in server.hand_text(name, match)
    assert "Your hand" in client_text(server.find_hand(name, match))
    assert (await server.load_snapshot(match)).info == before
    await server.make_move(match)
    assert "no longer open" not in server.hand_text(name, match)  # the note goes with the next change


async def test_a_page_that_a_click_has_overtaken_is_not_shown(server: SimulatedServer) -> None:
    match, name = await server.start_due(rounds=2)
    reconciler, before, seat = server.bot.reconciler, await server.load_snapshot(match), THREE.index(name)
    known = await server.bot.surfaces.find_surface(match, "hand", seat)
    assert known is not None
    page = match_pages.hand_page(before, seat, await reconciler.surface_sync.page_context_of(before))
    await server.make_move(match)
    answered = server.find_hand(name, match)
    await reconciler.surface_sync.bring_up_to_date(
        before, known, page
    )  # as a loop does that had looked before the click
    assert server.find_hand(name, match) == answered


async def test_a_move_on_a_hand_that_is_gone_counts(server: SimulatedServer) -> None:
    match, name = await server.start_due(rounds=2)
    message, redraw = server.find_hand(name, match), server.bot.actions.hands.redraw_hand

    async def deleted_before(*args: Any, **more: Any) -> None:
        server.delete_message(message)
        await redraw(*args, **more)

    with server.patched(server.bot.actions.hands, "redraw_hand", deleted_before):
        reply = reply_text(await server.press_button(name, message, move_buttons(message)[0]))
    assert "newer message" in reply
    assert "saved" in reply
    assert "wrong" not in reply
    await server.env.advance_time(10)
    assert await server.move_count(match) == 1
    assert server.find_hand(name, match)["id"] != message["id"]
    assert move_buttons(server.find_hand(name, match)) == []


@pytest.mark.parametrize("which", [(0, 0, 0), (0, 1), (0, -1, -1)])
async def test_one_of_several_simultaneous_clicks_counts(server: SimulatedServer, which: tuple[int, ...]) -> None:
    match, name = await server.start_due(rounds=2)
    message = server.find_hand(name, match)
    choices = [*move_buttons(message), f"t:{match}:more"]  # the last one looks at the menu
    await server.click_at_once(*(PendingClick(name, message, choices[number]) for number in which))
    assert await server.move_count(match) == 1
    assert move_buttons(server.find_hand(name, match)) == []


async def test_somebody_elses_click_makes_no_move_and_a_stranger_has_no_hand(server: SimulatedServer) -> None:
    match, name = await server.start_due()
    forged, table = move_buttons(server.find_hand(name, match))[0], await server.find_table(match)
    other = next(each for each in THREE if each != name)
    for message in (server.find_hand(other, match), table):
        assert reply_text(await server.forge_click(other, message, forged))
        assert await server.move_count(match) == 0
    answer = await server.press_button("Greta", table, "Show my hand")
    assert "watch" in reply_text(answer)
    for each in (answer, await server.forge_click("Greta", table, forged)):
        assert "not sitting at this table" in reply_text(each)
        assert each.ephemeral
    assert await server.move_count(match) == 0
    assert "Round 1 of 1" in client_text(await server.find_table(match))


async def test_a_forged_click_on_the_table_does_not_show_a_hand_to_all(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    for control in ("m:{}:0:bid 0", "m:{}:7:bid 0", "t:{}:back", "t:{}:return", "c:{}:0:bid 0"):
        for name in THREE:
            await server.forge_click(name, await server.find_table(match), control.format(match))
            for message in (*server.public_messages(server.thread), *server.public_messages(server.table)):
                assert "Your hand" not in client_text(message)


async def test_forged_moves_are_refused_with_a_sentence_and_the_hand_is_shown(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=1)
    await server.play_on(match, "bid")
    (name, _), before = await server.due_hand(match), await server.load_snapshot(match)
    number = before.decisions()[before.due_seats()[0]].number
    lists: list[list[str]] = [["bid 9"], ["play wizard"], ["nonsense"], [""], [], ["bid 0", "bid 1"], ["bid 0" * 50]]
    clicks = *((f"m:{match}:{number}:{rest}", None) for rest in NO_MOVES), *((f"s:{match}:0:0", each) for each in lists)
    for control, values in clicks:
        reply = reply_text(await server.forge_click(name, server.find_hand(name, match), control, values))
        assert len(reply) > 10, control
        assert "bid" in reply.lower() or "play AS" not in control
        assert (await server.load_snapshot(match)).info == before.info, control
        assert move_buttons(server.find_hand(name, match)), control
        assert "Your hand" in client_text(server.find_hand(name, match)), control


async def test_unknown_controls_and_forms_get_a_sentence(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    before = (await server.load_snapshot(match)).info
    for custom_id in NO_CONTROLS.format(match=match).split("|"):
        answer = await server.forge_click("Bela", await server.find_table(match), custom_id)
        assert len(reply_text(answer)) > 10, custom_id
        assert all(each.ephemeral for each in (answer.response, *answer.followups) if each), custom_id
        assert (await server.load_snapshot(match)).info == before, custom_id
    assert "out of date" in reply_text(await server.forge_form("Bela", "a form of long ago"))


async def test_a_card_that_does_not_follow_suit_is_refused_when_forged(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=4)
    while not (illegal := _forbidden_cards(await server.load_snapshot(match))):
        await server.make_move(match, choose_first)
    name = await server.due_name_now(match)
    now = await server.load_snapshot(match)
    number = now.decisions()[now.due_seats()[0]].number
    answer = await server.forge_click(name, server.find_hand(name, match), f"m:{match}:{number}:{illegal[0]}")
    assert "follow" in reply_text(answer)
    assert await server.move_count(match) == now.info.moves


def _forbidden_cards(now: MatchSnapshot) -> list[str]:
    (seat,) = now.due_seats()
    if now.state.phase != "play":
        return []
    moves = now.moves(seat)
    return [now.game.format_move(Play(card)) for card in now.view(seat).hand if Play(card) not in moves]


async def start_asking(w: SimulatedServer) -> tuple[str, str, str]:
    """A match that waits for a bid, by whom, and the custom_id of the bid."""
    match = await w.seat_and_start(rounds=2)
    await w.play_on(match, "bid")
    name, message = await w.due_hand(match)
    return match, name, move_buttons(message)[0]


async def test_a_move_that_asks_first_is_made_by_the_second_click(server: SimulatedServer) -> None:
    match, name, clicked = await start_asking(server)
    before, asking = await server.load_snapshot(match), f"c:{clicked.removeprefix('m:')}"
    await server.forge_click(name, server.find_hand(name, match), asking)
    message = server.newest_in_inbox(name)
    assert "are you sure" in message_text(message)
    assert (await server.load_snapshot(match)).info == before.info
    await server.press_button(name, message, "Back to the hand")
    assert "Your hand" in client_text(server.newest_in_inbox(name))
    await server.forge_click(name, server.newest_in_inbox(name), asking)
    await server.press_button(name, server.newest_in_inbox(name), clicked)
    assert await server.move_count(match) == before.info.moves + 1
    assert "Your hand" in client_text(server.newest_in_inbox(name))


async def test_a_question_that_is_left_open_gives_way_to_the_next_change(server: SimulatedServer) -> None:
    match, name, clicked = await start_asking(server)
    await server.forge_click(name, server.find_hand(name, match), f"c:{clicked.removeprefix('m:')}")
    message = server.newest_in_inbox(name)
    shown_hand = await server.show_hand(name, match)
    await server.press_button(name, shown_hand, clicked)
    assert await server.move_count(match) > 0
    assert "are you sure" not in message_text(server.newest_in_inbox(name))
    (kept_message,) = server.private_messages(name)
    assert move_buttons(kept_message) == []
    assert "Waiting for" in message_text(kept_message)
    assert "no longer open" in reply_text(await server.forge_click(name, message, clicked))


async def test_a_question_that_is_shown_late_gives_way_to_what_was_decided_meanwhile(server: SimulatedServer) -> None:
    match, name, clicked = await start_asking(server)
    update = InteractionReply.update_message

    async def late(answer: InteractionReply, page: Page) -> None:
        server.patches.undo()
        _, _, decision, notation = clicked.split(":", 3)
        await server.bot.matches.moves.play_move(match, answer.interaction.user.id, int(decision), notation)
        for _ in range(100):  # time enough for the hand to be drawn anew
            await asyncio.sleep(0.002)
        await update(answer, page)

    server.patch(InteractionReply, "update_message", late)
    await server.forge_click(name, server.find_hand(name, match), f"c:{clicked.removeprefix('m:')}")
    assert await server.move_count(match) > 0
    assert "are you sure" not in message_text(server.newest_in_inbox(name))
