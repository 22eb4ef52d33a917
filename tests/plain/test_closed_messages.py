"""Somebody with closed direct messages plays behind *Show my hand*, and nothing that they see promises a message."""

from __future__ import annotations

import re

import pytest

from cogs.features.lessons.game_lesson import lesson_match
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.features.exercises import LESSONS
from tests.game_uis import GAME_UIS
from tests.plain.payloads import CHANNEL
from tests.plain.plain_bot import PlainBot, start_plain_bot

HOST, CLOSED = "Ada", "Bela"
HONEST = re.compile(r"show my hand|if you allow|if they allow|if allowed|cannot send|\(or allow", re.IGNORECASE)


def promises_of(texts: list[str]) -> list[str]:
    """The sentences and lines that speak of a direct message, and of no other way to a hand."""
    parts = [part for text in texts for part in re.split(r"\\n|\n|(?<=[.!?])\s", text)]
    return [part for part in parts if "direct message" in part.lower() and not HONEST.search(part)]


async def sent_texts(plain_bot: PlainBot, name: str) -> list[str]:
    """All that was sent to somebody, or to everybody."""
    own = plain_bot.wire.people[name]
    return [each.text for each in plain_bot.wire.sent_requests if each.reader in (None, own)]


@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS)
async def test_nobody_with_closed_messages_is_promised_one(helper: GameHelper) -> None:
    async with start_plain_bot("5a" * 16) as plain_bot:
        plain_bot.wire.closed_inboxes.add(plain_bot.wire.people[CLOSED])
        key = helper.game.key
        match, lobby = await plain_bot.open_lobby(CLOSED, helper.game, **helper.brief_options)
        for name in (HOST, "Chidi", "Dora")[: max(min(helper.game.seats) - 1, 1)]:
            await plain_bot.click_control(name, lobby, f"t:{match}:join")
        menu = (await plain_bot.click_control(CLOSED, lobby, f"t:{match}:more")).answer
        assert menu is not None
        waiting_hand = await plain_bot.click_control(CLOSED, lobby, f"t:{match}:hand")
        assert waiting_hand.answer is not None
        await plain_bot.click_control(CLOSED, menu, f"t:{match}:start")
        hand = (await plain_bot.press(CLOSED, match, "hand")).answer
        assert hand is not None
        for action in ("more", "minute", "words", "settings"):
            await plain_bot.click_control(CLOSED, hand, f"t:{match}:{action}")
        for command in ("motley help", "motley matches", f"{key} hand", f"{key} status", f"{key} rules"):
            await plain_bot.run_command(CLOSED, command)
        if key in GAME_UIS:
            lesson = (await plain_bot.run_command(CLOSED, "motley learn", game=key)).answer
            assert lesson is not None
            await plain_bot.click_control(CLOSED, lesson, f"t:{lesson_match(key, LESSONS[key].step_count)}:show")
        help_page = {"id": "1", "channel_id": str(CHANNEL), "type": 0, "content": "", "components": [], "flags": 64}
        plain_bot.wire.place_message(help_page, plain_bot.wire.people[CLOSED])
        await plain_bot.click_control(CLOSED, help_page, "i:help")
        found = await sent_texts(plain_bot, CLOSED)
        assert any("direct message" in each for each in found), "nothing speaks of messages"
        assert promises_of(found) == []


def test_a_promise_is_found() -> None:
    assert promises_of(["Your hand comes by direct message."]) == ["Your hand comes by direct message."]
    assert promises_of(["Hands: direct message or **Show my hand**."]) == []
