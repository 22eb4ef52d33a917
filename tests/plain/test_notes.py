"""A private note of any game is told to its writer alone, whatever anybody asks, and every process knows it at once."""

from __future__ import annotations

from random import Random

import pytest

from cogs.features.notes.note_pages import form_id
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.contract.secrets import plan_match
from tests.games import GAMES
from tests.messages import message_text
from tests.plain.bot_group import check_all_right, settle_bot_group, start_bot_group
from tests.plain.leak_reader import ask_everything, capture_log, press_move, reader_in_seat, start_match
from tests.plain.plain_bot import PEOPLE, PlainBot, start_plain_bot

SEED = "0e" * 16
NOTE = "Zquirrel thinks"
MOVES = 6


async def hand_text(plain_bot: PlainBot, match: str, seat: int = 0) -> str:
    return message_text(await plain_bot.surface_message(match, "hand", seat))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS)
async def test_a_note_is_told_to_nobody_else(helper: GameHelper) -> None:
    start, rng = helper.starts()[0], Random(SEED)
    plan = plan_match(helper, start, MOVES)
    moves = [step.move for step in plan]
    with capture_log() as log:
        async with start_plain_bot(start.seed) as plain_bot:
            match = await start_match(plain_bot, helper, start)
            menu = await plain_bot.press(PEOPLE[0], match, "more", 0)
            form = await plain_bot.click_control(PEOPLE[0], menu.answer or {}, f"notes:{match}:open")
            assert form.form is not None
            assert form.form["custom_id"] == form_id(match)
            await plain_bot.submit_note(PEOPLE[0], match, NOTE, menu.answer)
            assert NOTE in await hand_text(plain_bot, match)
            for step in plan[:MOVES]:
                snapshot = await plain_bot.load_snapshot(match)
                for reader in (*map(reader_in_seat, range(start.seats)), reader_in_seat(None)):
                    own = () if reader.seat is None else snapshot.moves(reader.seat)
                    await ask_everything(plain_bot, snapshot, reader, moves, own, rng)
                await press_move(plain_bot, match, step.seat, step.move)
            for name in PEOPLE:
                await plain_bot.run_command(name, "motley matches")
                await plain_bot.run_command(name, "motley my-data")
                await plain_bot.run_command(name, "motley note", match=match)
            for seat in range(start.seats):
                assert (NOTE in await hand_text(plain_bot, match, seat)) == (seat == 0)
            sent_notes = [sent for sent in plain_bot.wire.sent_requests if "Zquirrel" in sent.text]
            assert len(sent_notes) > MOVES, "its writer is not told of it"
            assert {sent.reader for sent in sent_notes} == {plain_bot.wire.people[PEOPLE[0]]}
    assert not [line for line in log if "Zquirrel" in line]


async def test_the_hand_shows_it_whichever_process_is_told_of_it() -> None:
    game = next(iter(GAMES.values()))
    async with start_bot_group(SEED) as group:
        first, second = group.plain_bots
        match = await first.seat_match(game, PEOPLE[: max(game.seats[0], 3)], {})
        for plain_bot, text in (
            (second, f"{NOTE} one"),
            (first, f"{NOTE} two"),
            (second, ""),
            (second, f"{NOTE} three"),
        ):
            await plain_bot.submit_note(PEOPLE[0], match, text)
            await settle_bot_group(group)
            text_ = await hand_text(first, match)
            assert f"-# Note: {text}" in text_ if text else "Note:" not in text_
            await check_all_right(group, match)
            for each in group.plain_bots:
                form = await each.run_command(PEOPLE[0], "motley note", match=match)
                assert form.form is not None
                assert form.form["components"][0]["component"].get("value", "") == text


async def test_a_part_that_changes_hands_takes_the_notes_with_it() -> None:
    game = next(iter(GAMES.values()))
    async with start_bot_group(SEED) as group:
        first, second = group.plain_bots
        match = await first.seat_match(game, PEOPLE[: max(game.seats[0], 3)], {})
        await first.submit_note(PEOPLE[0], match, f"{NOTE} one")
        group.give_partition(0, group.bots[1])
        await second.wait_quiet()
        await first.submit_note(PEOPLE[0], match, f"{NOTE} two")
        await settle_bot_group(group)
        assert f"-# Note: {NOTE} two" in await hand_text(second, match)
        await check_all_right(group, match)


async def test_an_ephemeral_hand_of_another_process_shows_it() -> None:
    game = next(iter(GAMES.values()))
    async with start_bot_group(SEED) as group:
        first, second = group.plain_bots
        match = await first.seat_match(game, PEOPLE[: max(game.seats[0], 3)], {})
        interaction = await second.press(PEOPLE[0], match, "hand")
        assert interaction.answer is not None
        await second.submit_note(PEOPLE[0], match, NOTE)
        await settle_bot_group(group)
        assert NOTE in message_text(second.current_message(interaction.answer))
