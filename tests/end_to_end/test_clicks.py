"""Clicks that come too late, twice, at once, or from somebody else; and what was never offered."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.transport.interaction_response import Answer
from engines.hosting.match import Look
from engines.wizard.model import Play
from tests.end_to_end.players import THREE, due, first, hand, look, move, play_on, seat_and_start, table
from tests.end_to_end.world import Click, World, move_buttons, told, words
from tests.messages import everything

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


async def test_a_click_for_a_decision_that_is_past_changes_nothing_and_shows_the_hand(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due(inn, match)
    assert name is not None
    old = hand(inn, name, match)
    stale = move_buttons(old)[0]
    await inn.press(name, old, stale)
    before = (await look(inn, match)).info
    answer = await inn.forge(name, hand(inn, name, match), stale)
    assert "no longer open" in told(answer)
    assert "no longer open" in words(hand(inn, name, match))
    assert "Your hand" in everything(hand(inn, name, match))
    assert (await look(inn, match)).info == before


async def test_discord_need_not_send_back_what_a_click_was_answered_with(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    since = len(inn.env.http_requests)
    await move(inn, match)
    (answer,) = [each for each in inn.env.http_requests[since:] if each.path.endswith("/callback")]
    assert not answer.params


async def test_the_note_on_a_stale_click_goes_with_the_next_change(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due(inn, match)
    assert name is not None
    stale = move_buttons(hand(inn, name, match))[0]
    await move(inn, match)
    await inn.forge(name, hand(inn, name, match), stale)
    await move(inn, match)
    assert "no longer open" not in words(hand(inn, name, match))


async def test_a_page_that_a_click_has_overtaken_is_not_shown(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due(inn, match)
    assert name is not None
    keeper, before, seat = inn.bot.keeper, await look(inn, match), THREE.index(name)
    known = await keeper.surface(match, "hand", seat)
    assert known is not None
    page = match_pages.hand(before, seat, await keeper.showing.setting(before))
    await move(inn, match)
    answered = hand(inn, name, match)
    await keeper.showing.bring(before, known, page)  # as a loop does that had looked before the click
    assert hand(inn, name, match) == answered


async def test_what_a_hand_that_is_out_of_date_offers_shows_the_present_hand(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due(inn, match)
    assert name is not None
    (number,) = (each.number for each in (await look(inn, match)).decisions().values())
    before = (await look(inn, match)).info
    answer = await inn.forge(name, hand(inn, name, match), f"m:{match}:{number}:play AS")
    assert "bid" in told(answer).lower()
    assert "Your hand" in everything(hand(inn, name, match))
    assert move_buttons(hand(inn, name, match))
    assert (await look(inn, match)).info == before


async def test_a_click_that_is_delivered_twice_counts_once(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due(inn, match)
    assert name is not None
    message = hand(inn, name, match)
    click = Click(name, message, move_buttons(message)[0])
    await inn.at_once(click, click, click)
    assert (await look(inn, match)).info.moves == 1


async def test_a_move_on_a_hand_that_is_gone_before_its_answer_counts_and_is_no_error(
    inn: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due(inn, match)
    assert name is not None
    message, redraw = hand(inn, name, match), inn.bot.desk.hands.redraw

    async def deleted_before(*args: Any, **more: Any) -> None:
        inn.delete_message(message)
        await redraw(*args, **more)

    with monkeypatch.context() as patched:
        patched.setattr(inn.bot.desk.hands, "redraw", deleted_before)
        said = told(await inn.press(name, message, move_buttons(message)[0]))
    assert "newer message" in said
    assert "saved" in said
    assert "wrong" not in said
    assert "ERROR" not in {record.levelname for record in caplog.records}
    await inn.env.advance_time(10)
    assert (await look(inn, match)).info.moves == 1
    assert hand(inn, name, match)["id"] != message["id"]
    assert move_buttons(hand(inn, name, match)) == []


async def test_of_two_different_clicks_at_once_one_counts(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due(inn, match)
    assert name is not None
    message = hand(inn, name, match)
    choices = move_buttons(message)
    await inn.at_once(Click(name, message, choices[0]), Click(name, message, choices[1]))
    now = await look(inn, match)
    assert now.info.moves == 1
    assert move_buttons(hand(inn, name, match)) == []


@pytest.mark.parametrize("where", ["own hand", "table"])
async def test_somebody_elses_click_makes_no_move(inn: World, where: str) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due(inn, match)
    assert name is not None
    forged = move_buttons(hand(inn, name, match))[0]
    other = next(each for each in THREE if each != name)
    on = hand(inn, other, match) if where == "own hand" else await table(inn, match)
    answer = await inn.forge(other, on, forged)
    assert told(answer)
    assert (await look(inn, match)).info.moves == 0


async def test_a_stranger_is_told_kindly_that_there_is_no_hand(inn: World) -> None:
    match = await seat_and_start(inn)
    answer = await inn.press("Greta", await table(inn, match), "Show my hand")
    assert "not sitting at this table" in told(answer)
    assert "watch" in told(answer)
    assert answer.ephemeral
    forged = move_buttons(hand(inn, await due(inn, match) or "", match))[0]
    answer = await inn.forge("Greta", await table(inn, match), forged)
    assert "not sitting at this table" in told(answer)
    assert answer.ephemeral
    assert (await look(inn, match)).info.moves == 0
    assert "Round 1 of 1" in everything(await table(inn, match))


async def test_a_forged_click_on_the_table_does_not_show_a_hand_to_all(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    for custom_id in (
        f"m:{match}:0:bid 0",
        f"m:{match}:7:bid 0",
        f"t:{match}:back",
        f"t:{match}:return",
        f"c:{match}:0:bid 0",
    ):
        for name in THREE:
            await inn.forge(name, await table(inn, match), custom_id)
            for message in (*inn.public(inn.thread), *inn.public(inn.table)):
                assert "Your hand" not in everything(message)


async def test_a_select_only_takes_what_it_offers(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due(inn, match)
    assert name is not None
    message = hand(inn, name, match)
    for values in (["bid 9"], ["play wizard"], ["nonsense"], [""], [], ["bid 0", "bid 1"], ["bid 0" * 50]):
        answer = await inn.forge(name, message, f"s:{match}:0:0", values)
        assert told(answer), values
        assert (await look(inn, match)).info.moves == 0


async def test_forged_moves_are_refused_with_a_sentence(inn: World) -> None:
    match = await seat_and_start(inn, rounds=1)
    await play_on(inn, match, "bid")
    name = await due(inn, match)
    assert name is not None
    before = await look(inn, match)
    number = before.decisions()[before.due()[0]].number
    for rest in NO_MOVES:
        answer = await inn.forge(name, hand(inn, name, match), f"m:{match}:{number}:{rest}")
        assert len(told(answer)) > 10, rest
        assert (await look(inn, match)).info == before.info, rest
        assert move_buttons(hand(inn, name, match)), rest


async def test_unknown_controls_get_a_sentence(inn: World) -> None:
    match = await seat_and_start(inn)
    before = (await look(inn, match)).info
    for custom_id in NO_CONTROLS:
        answer = await inn.forge("Bela", await table(inn, match), custom_id.format(match=match))
        assert len(told(answer)) > 10, custom_id
        assert all(each.ephemeral for each in (answer.response, *answer.followups) if each), custom_id
        assert (await look(inn, match)).info == before, custom_id


async def test_an_unknown_form_gets_a_sentence(inn: World) -> None:
    answer = await inn.submit_unknown_modal("Bela", "a form of long ago")
    assert "older version" in told(answer)


async def test_a_card_that_does_not_follow_suit_is_refused_when_forged(inn: World) -> None:
    match = await seat_and_start(inn, rounds=4)
    while not (illegal := _cards_that_may_not_be_played(await look(inn, match))):
        await move(inn, match, first)
    name = await due(inn, match)
    assert name is not None
    now = await look(inn, match)
    number = now.decisions()[now.due()[0]].number
    answer = await inn.forge(name, hand(inn, name, match), f"m:{match}:{number}:{illegal[0]}")
    assert "follow" in told(answer)
    assert (await look(inn, match)).info.moves == now.info.moves


def _cards_that_may_not_be_played(now: Look) -> list[str]:
    """The moves with cards in the hand of whose turn it is that the rules forbid now."""
    (seat,) = now.due()
    if now.state.phase != "play":
        return []
    moves = now.moves(seat)
    return [now.game.write(Play(card)) for card in now.view(seat).hand if Play(card) not in moves]


async def test_people_at_one_table_move_at_once_and_the_order_holds(inn: World) -> None:
    match = await seat_and_start(inn, rounds=1)
    messages = {name: hand(inn, name, match) for name in THREE}
    name = await due(inn, match)
    assert name is not None
    forged = move_buttons(messages[name])[0]
    clicks = [Click(name, messages[name], forged)]
    await inn.at_once(
        *clicks, Click(name, messages[name], f"t:{match}:more"), Click(name, messages[name], f"t:{match}:more")
    )
    assert (await look(inn, match)).info.moves == 1


async def test_a_move_that_asks_first_is_made_by_the_second_click(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    await play_on(inn, match, "bid")
    name = await due(inn, match)
    assert name is not None
    before = await look(inn, match)
    asking = f"c:{move_buttons(hand(inn, name, match))[0].removeprefix('m:')}"
    await inn.forge(name, hand(inn, name, match), asking)
    message = inn.hand_of(name)
    assert "are you sure" in words(message)
    assert (await look(inn, match)).info == before.info
    await inn.press(name, message, "Back to the hand")
    assert "Your hand" in everything(inn.hand_of(name))
    await inn.forge(name, inn.hand_of(name), asking)
    await inn.press(name, inn.hand_of(name), f"m{asking[1:]}")
    assert (await look(inn, match)).info.moves == before.info.moves + 1
    assert "Your hand" in everything(inn.hand_of(name))


async def test_a_question_that_is_left_open_gives_way_to_the_next_change(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    await play_on(inn, match, "bid")
    name = await due(inn, match)
    assert name is not None
    clicked = move_buttons(hand(inn, name, match))[0]
    await inn.forge(name, hand(inn, name, match), f"c:{clicked.removeprefix('m:')}")
    message = inn.hand_of(name)
    shown = await inn.press(name, await table(inn, match), "Show my hand")
    assert shown.response is not None
    await inn[name].click(shown.response, custom_id=clicked)
    assert (await look(inn, match)).info.moves > 0
    assert "are you sure" not in words(inn.hand_of(name))
    answer = await inn.forge(name, message, clicked)
    assert "no longer open" in told(answer)


async def test_a_question_that_is_shown_late_gives_way_to_what_was_decided_meanwhile(
    inn: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seat_and_start(inn, rounds=2)
    await play_on(inn, match, "bid")
    name = await due(inn, match)
    assert name is not None
    clicked = move_buttons(hand(inn, name, match))[0]
    update = Answer.update

    async def late(answer: Answer, page: Page) -> None:
        monkeypatch.undo()
        _, _, decision, notation = clicked.split(":", 3)
        await inn.bot.matches.play(match, answer.interaction.user.id, int(decision), notation)
        for _ in range(100):  # time enough for the hand to be drawn anew
            await asyncio.sleep(0.002)
        await update(answer, page)

    monkeypatch.setattr(Answer, "update", late)
    await inn.forge(name, hand(inn, name, match), f"c:{clicked.removeprefix('m:')}")
    assert (await look(inn, match)).info.moves > 0
    assert "are you sure" not in words(inn.hand_of(name))


async def test_a_hand_shown_twice_stays_the_same_in_both_places(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    await play_on(inn, match, "bid")
    name = await due(inn, match)
    assert name is not None
    shown = await inn.press(name, await table(inn, match), "Show my hand")
    await move(inn, match)
    assert "Bid" not in told(shown).split("Your hand")[0] or "Waiting for" in told(shown)
    (kept,) = [seen.message for seen in inn.ephemerals() if seen.by == inn[name].id]
    assert move_buttons(kept) == []
