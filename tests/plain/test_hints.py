"""Hints from the click to the move, and the costliest decisions of a match that is over, for every game."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import product
from random import Random
from typing import Any

import pytest

from cogs.features.hints import feature_ui as hint_ui
from players import Advice, advise_on_view, legal_moves
from players.review import past_decisions, review_decision
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.messages import kind_of
from tests.plain.fake_discord import SentRequest
from tests.plain.plain_bot import PEOPLE, WATCHER, PlainBot, start_plain_bot
from tests.worker_pool.immediate_pool import ImmediatePool
from worker_pool.pool import JobFailed

SEED = "0d" * 16
EVERY = pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
ANY = HELPERS["wizard"]


@asynccontextmanager
async def hint_match(helper: GameHelper = ANY, played: bool = False, **options: Any) -> AsyncIterator[Any]:
    """The bot, a match of as few as may play it, perhaps played to its end, and a seat that is due."""
    async with start_plain_bot(SEED) as plain_bot:
        names = PEOPLE[: helper.game.seats[0]]
        match = await plain_bot.seat_match(helper.game, names, {**helper.short_options, **options})
        seat = (await plain_bot.load_snapshot(match)).due_seats()[0]
        if played:
            await play_randomly(plain_bot, match, Random(SEED))
        yield plain_bot, match, seat


async def request_hint(plain_bot: PlainBot, match: str, seat: int) -> tuple[Any, list[SentRequest]]:
    """The menu in which somebody has pressed Hint behind More on their hand, and all that was sent for it."""
    menu = await plain_bot.press(PEOPLE[seat], match, "more", seat)
    start = len(plain_bot.wire.sent_requests)
    await plain_bot.click_control(PEOPLE[seat], menu.answer, f"hints:{match}:ask")  # type: ignore[arg-type]
    return menu.answer, plain_bot.wire.sent_requests[start:]


def is_still_there(plain_bot: PlainBot, message: Any) -> bool:
    return int(message["id"]) in plain_bot.wire.channels[int(message["channel_id"])]


def message_words(sent: SentRequest) -> str:
    return "\n".join(part["content"] for part in _nested_parts(json.loads(sent.body_text)) if part.get("content"))


def button_ids(sent: SentRequest) -> list[str]:
    return [part["custom_id"] for part in _nested_parts(json.loads(sent.body_text)) if "custom_id" in part]


def _nested_parts(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, list):
        return [part for each in value for part in _nested_parts(each)]
    return [value, *_nested_parts(list(value.values()))] if isinstance(value, dict) else []


async def play_randomly(plain_bot: PlainBot, match: str, rng: Random) -> None:
    while (snapshot := await plain_bot.load_snapshot(match)).due_seats():
        await plain_bot.click_move(snapshot, snapshot.due_seats()[0], rng)


@EVERY
async def test_a_hint_takes_the_menus_place_and_its_button_makes_the_move(helper: GameHelper) -> None:
    async with hint_match(helper) as (plain_bot, match, _):
        for _ in range(10):
            snapshot = await plain_bot.load_snapshot(match)
            if not snapshot.due_seats():
                break
            seat = snapshot.due_seats()[0]
            menu, sent = await request_hint(plain_bot, match, seat)
            assert [each.reader for each in sent] == [seat + 1], "somebody else is told of it"
            notation = next(each for each in button_ids(sent[0]) if kind_of(each) in {*"mc"}).split(":", 3)[3]
            move = snapshot.game.parse_move(notation)
            snapshot.game.check(snapshot.state, seat, move)
            assert "\n-# Hint: " in message_words(sent[0])
            decision = snapshot.decisions()[seat].number
            await plain_bot.click_control(PEOPLE[seat], menu, f"m:{match}:{decision}:{notation}")
            after = await plain_bot.load_snapshot(match)
            assert (after.info.moves, after.movers[-1]) == (snapshot.info.moves + 1, seat)
            assert not is_still_there(plain_bot, menu), "a second hand stands below the hand"
            assert is_still_there(plain_bot, await plain_bot.surface_message(match, "hand", seat))


async def test_back_to_the_hand_takes_the_menu_away_where_the_hand_stands_and_a_copy_stays() -> None:
    async with hint_match() as (plain_bot, match, seat):
        menu, _ = await request_hint(plain_bot, match, seat)
        await plain_bot.click_control(PEOPLE[seat], menu, f"t:{match}:return")
        assert not is_still_there(plain_bot, menu)
        copy = (await plain_bot.press(PEOPLE[seat], match, "hand")).answer
        second_menu = (await plain_bot.click_control(PEOPLE[seat], copy, f"t:{match}:more")).answer
        for message in (copy, second_menu):
            await plain_bot.click_control(PEOPLE[seat], message, f"t:{match}:return")
            assert is_still_there(plain_bot, message)


async def test_a_decision_is_thought_about_once_for_all_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    functions: list[Callable[..., Any]] = []
    run = ImmediatePool.run

    async def counted(self: ImmediatePool, owner: Any, function: Any, *args: Any, **more: Any) -> Any:
        functions.append(function)
        return await run(self, owner, function, *args, **more)

    monkeypatch.setattr(ImmediatePool, "run", counted)
    async with hint_match() as (plain_bot, match, seat):
        one, other = [(await request_hint(plain_bot, match, seat))[1][0] for _ in range(2)]
        assert message_words(one) == message_words(other)
        assert functions == [advise_on_view]


async def test_a_hint_goes_with_the_move_in_any_place() -> None:
    async with hint_match() as (plain_bot, match, _):
        for typed, command in product((False, True), repeat=2):
            snapshot = await plain_bot.load_snapshot(match)
            seat = snapshot.due_seats()[0]
            if command:
                start = len(plain_bot.wire.sent_requests)
                hint = (await plain_bot.run_command(PEOPLE[seat], "motley hint", match=match)).answer
                (sent,) = plain_bot.wire.sent_requests[start:]
                assert (sent.reader, "\n-# Hint: " in message_words(sent)) == (seat + 1, True)
            else:
                hint, _ = await request_hint(plain_bot, match, seat)
            assert is_still_there(plain_bot, hint)
            move = snapshot.game.format_move(snapshot.moves(seat)[0])
            if typed:
                await plain_bot.run_command(PEOPLE[seat], f"{ANY.game.key} move", match=match, move=move)
            else:
                await plain_bot.click_move(snapshot, seat)
            assert (await plain_bot.load_snapshot(match)).info.moves == snapshot.info.moves + 1
            assert not is_still_there(plain_bot, hint), "its button is past"
            assert is_still_there(plain_bot, await plain_bot.surface_message(match, "hand", seat))


async def test_a_hint_that_became_a_hand_stays_as_such() -> None:
    async with start_plain_bot(SEED) as plain_bot:
        plain_bot.wire.closed_inboxes |= {1, 2, 3}  # so that no hand stands elsewhere
        match = await plain_bot.seat_match(ANY.game, PEOPLE[:3], ANY.short_options)
        snapshot = await plain_bot.load_snapshot(match)
        seat = snapshot.due_seats()[0]
        hint = (await plain_bot.run_command(PEOPLE[seat], "motley hint", match=match)).answer
        assert hint is not None
        await plain_bot.click_control(PEOPLE[seat], hint, f"t:{match}:return")
        move = snapshot.game.format_move(snapshot.moves(seat)[0])
        await plain_bot.run_command(PEOPLE[seat], f"{ANY.game.key} move", match=match, move=move)
        assert (await plain_bot.load_snapshot(match)).info.moves == snapshot.info.moves + 1
        assert is_still_there(plain_bot, hint)


def think_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    run = ImmediatePool.run

    async def slow(self: ImmediatePool, owner: Any, function: Any, *args: Any, **more: Any) -> Any:
        await asyncio.sleep(0.01)
        return await run(self, owner, function, *args, **more)

    monkeypatch.setattr(ImmediatePool, "run", slow)


async def test_while_a_hint_is_worked_out_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    think_slowly(monkeypatch)
    monkeypatch.setattr(hint_ui, "THINKING_NOTICE_AFTER", 0.001)
    async with hint_match() as (plain_bot, match, seat):
        _, sent = await request_hint(plain_bot, match, seat)
        assert [message_words(each).partition(" ")[0] for each in sent] == ["I", "**Bid"]
        assert button_ids(sent[0]) == [], "it is asked for once"
    async with hint_match() as (plain_bot, match, seat):
        start = len(plain_bot.wire.sent_requests)
        await plain_bot.run_command(PEOPLE[seat], "motley hint", match=match)
        assert [message_words(each).partition(" ")[0] for each in plain_bot.wire.sent_requests[start:]] == [
            "I",
            "**Bid",
        ]
        assert {each.reader for each in plain_bot.wire.sent_requests[start:]} == {seat + 1}


async def test_a_hint_that_comes_after_the_decision_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    async with hint_match() as (plain_bot, match, seat):
        snapshot = await plain_bot.load_snapshot(match)

        async def late(self: ImmediatePool, owner: Any, function: Any, *args: Any, **more: Any) -> Any:
            await plain_bot.play_undrawn(snapshot, seat, snapshot.moves(seat)[0])
            return function(*args)

        monkeypatch.setattr(ImmediatePool, "run", late)
        _, sent = await request_hint(plain_bot, match, seat)
        text = "\n".join(message_words(each) for each in sent if each.reader == seat + 1)
        assert "nothing for you to decide right now" in text
        assert "Hint:" not in text


async def test_the_rules_of_thumb_advise_if_the_pool_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def none(self: ImmediatePool, owner: Any, function: Any, *args: Any, **more: Any) -> Any:
        raise JobFailed("2 workers were lost.")

    monkeypatch.setattr(ImmediatePool, "run", none)
    async with hint_match() as (plain_bot, match, seat):
        _, (sent,) = await request_hint(plain_bot, match, seat)
        assert "\n-# Hint: a rule of thumb, without calculating ahead." in message_words(sent)


async def test_somebody_who_is_not_asked_or_does_not_sit_there_gets_none() -> None:
    async with hint_match() as (plain_bot, match, seat):
        waits = next(each for each in range(3) if each != seat)
        table = await plain_bot.surface_message(match, "table")
        for name, why in ((PEOPLE[waits], "nothing for you to decide"), (WATCHER, "not sitting at this table")):
            start = len(plain_bot.wire.sent_requests)
            menu = await plain_bot.click_control(name, table, f"t:{match}:more")
            assert f"hints:{match}:ask" not in button_ids(plain_bot.wire.sent_requests[start])
            await plain_bot.click_control(name, menu.answer, f"hints:{match}:ask")
            assert why in message_words(plain_bot.wire.sent_requests[-1])
        await plain_bot.press(PEOPLE[0], match, "review")
        assert "after the match" in message_words(plain_bot.wire.sent_requests[-1])


async def test_a_table_without_hints_offers_none_and_gives_none() -> None:
    async with hint_match(hints="false") as (plain_bot, match, seat):
        start = len(plain_bot.wire.sent_requests)
        menu = await plain_bot.press(PEOPLE[seat], match, "more", seat)
        assert f"hints:{match}:ask" not in button_ids(plain_bot.wire.sent_requests[start])
        await plain_bot.click_control(PEOPLE[seat], menu.answer, f"hints:{match}:ask")
        assert "no hints at this table" in message_words(plain_bot.wire.sent_requests[-1])
        assert f"t:{match}:leave-ask" in button_ids(plain_bot.wire.sent_requests[-1]), "the menu stays"
        await plain_bot.click_control(PEOPLE[seat], menu.answer, f"t:{match}:hint")
        assert "no hints at this table" in message_words(plain_bot.wire.sent_requests[-1]), (
            "a button of an older version"
        )


@EVERY
async def test_everybody_may_see_what_has_cost_them_most(helper: GameHelper, caplog: pytest.LogCaptureFixture) -> None:
    async with hint_match(helper, played=True) as (plain_bot, match, _):
        table, hand = await plain_bot.surface_message(match, "table"), await plain_bot.surface_message(match, "hand", 1)
        assert f"hints:{match}:review" in str(hand)
        start = len(plain_bot.wire.sent_requests)
        await plain_bot.click_control(PEOPLE[1], table, f"t:{match}:more")
        assert f"hints:{match}:review" in button_ids(plain_bot.wire.sent_requests[start]), (
            "the menu of the table has it, too"
        )
        first, last = await plain_bot.sent_by(plain_bot.click_control(PEOPLE[1], table, f"hints:{match}:review"))
        assert {first.reader, last.reader} == {2}, "somebody else is told of it"
        assert message_words(first).startswith("I am reviewing your ")
        assert message_words(last).startswith("### Your costliest moves")
        assert "Judged by what you knew then" in message_words(last)
        sent = await plain_bot.sent_by(plain_bot.click_control(PEOPLE[1], table, f"hints:{match}:review"))
        repeated = [message_words(each) for each in sent]
        assert repeated == [message_words(last)], "it is worked out once"
        await plain_bot.click_control(WATCHER, table, f"hints:{match}:review")
        assert "You made no moves in this match" in message_words(plain_bot.wire.sent_requests[-1])
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def test_the_three_that_have_cost_most_after_a_closer_look_the_worst_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run, looked = ImmediatePool.run, []

    async def delayed_review(self: ImmediatePool, owner: Any, function: Any, *args: Any, **more: Any) -> Any:
        if function is not review_decision:
            return await run(self, owner, function, *args, **more)
        game, each, _, share = args
        looked.append((each.number, share))
        gain = 1000.0 - each.number if share == 1 else float(each.number)
        return Advice(legal_moves(game, each.view)[0], game.parse_move(each.notation), gain)

    async with hint_match(played=True, rounds=6) as (plain_bot, match, _):
        monkeypatch.setattr(ImmediatePool, "run", delayed_review)
        monkeypatch.setattr("cogs.features.hints.feature_ui.REVIEW_SECONDS", 1.0)
        await plain_bot.press(PEOPLE[0], match, "review")
        text = message_words(plain_bot.wire.sent_requests[-1])
    quick = [number for number, share in looked if share < 1]
    closer = [number for number, share in looked if share == 1]
    assert closer == sorted(quick, reverse=True)[:9], "the costliest at first sight are looked at again"
    worst = [1000 - number for number in sorted(closer)[:3]]
    assert [f"{number} points more" in text for number in worst] == [True] * 3
    assert text.count("; the better move is worth ") == 3
    assert text.index(str(worst[0])) < text.index(str(worst[1])) < text.index(str(worst[2]))


async def test_a_computers_move_after_a_deadline_is_nobodys_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    run, own = ImmediatePool.run, list[int]()

    async def run_once(self: ImmediatePool, owner: Any, function: Any, *args: Any, **more: Any) -> Any:
        found = await run(self, owner, function, *args, **more)
        if function is past_decisions:
            own.extend(each.number for each in found)
        return found

    async with hint_match(clock="5 minutes") as (plain_bot, match, late):
        while (await plain_bot.load_snapshot(match)).info.moves == 0:
            await plain_bot.pass_time(60)
        await play_randomly(plain_bot, match, Random(SEED))
        saved = await plain_bot.matches.records.load_moves(match)
        assert saved.moves[0].level
        assert saved.moves[0].user == late + 1
        monkeypatch.setattr(ImmediatePool, "run", run_once)
        await plain_bot.press(PEOPLE[late], match, "review")
    assert own
    assert {saved.moves[number - 1].level for number in own} == {""}


async def test_somebody_who_waits_for_a_review_is_told_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    async with hint_match(played=True) as (plain_bot, match, _):
        think_slowly(monkeypatch)
        monkeypatch.setattr(hint_ui, "PROGRESS_SECONDS", 0.001)
        table, start = await plain_bot.surface_message(match, "table"), len(plain_bot.wire.sent_requests)
        data = {"component_type": 2, "custom_id": f"hints:{match}:review"}
        asking = [
            plain_bot.wire.start_interaction(seat + 1, int(table["channel_id"]), 3, data, table) for seat in (0, 1)
        ]
        await plain_bot.dispatch_at_once(*(click for _, click in asking))
        sent = plain_bot.wire.sent_requests[start:]
    texts = {by: [message_words(each) for each in sent if each.reader == by] for by in (1, 2)}
    assert all(lines[-1].startswith("### Your costliest moves") for lines in texts.values())
    for lines in texts.values():
        assert lines[0].startswith("I am reviewing your ")
        percentages = [int(found[1]) for each in lines[1:-1] if (found := re.search(r"(\d+) of \d+ done", each))]
        assert len(set(percentages)) > 1
        assert percentages == sorted(percentages)


async def test_a_bot_that_ends_tells_nobody(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    async with hint_match(played=True) as (plain_bot, match, _):

        async def ended(self: ImmediatePool, owner: Any, function: Any, *args: Any, **more: Any) -> Any:
            if function is not review_decision:
                return function(*args)
            monkeypatch.setattr(plain_bot.bot, "is_closed", lambda: True)
            raise JobFailed("The worker pool is closed.")

        monkeypatch.setattr(ImmediatePool, "run", ended)
        sent = await plain_bot.sent_by(plain_bot.press(PEOPLE[1], match, "review"))
        assert [message_words(each)[:14] for each in sent] == ["I am reviewing"]
        monkeypatch.undo()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_decisions_that_could_not_be_reviewed_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    run, failing = ImmediatePool.run, {2, 5}

    async def failed(self: ImmediatePool, owner: Any, function: Any, *args: Any, **more: Any) -> Any:
        if function is review_decision and (not failing or args[1].number % 7 in failing):
            raise JobFailed("2 workers were lost.")
        return await run(self, owner, function, *args, **more)

    async with hint_match(played=True, rounds=6) as (plain_bot, match, _):
        monkeypatch.setattr(ImmediatePool, "run", failed)
        table = await plain_bot.surface_message(match, "table")
        await plain_bot.click_control(PEOPLE[0], table, f"hints:{match}:review")
        assert re.search(r"\d+ of \d+ decisions", message_words(plain_bot.wire.sent_requests[-1]))
        failing.clear()
        await plain_bot.click_control(PEOPLE[1], table, f"hints:{match}:review")
        assert "I could not review this match" in plain_bot.wire.sent_requests[-1].body_text
