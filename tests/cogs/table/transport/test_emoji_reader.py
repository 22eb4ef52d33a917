"""The application's emoji are read at the start, at each session and after a refusal, and never without a pause."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from cogs.pictures.emoji import EmojiDrawing, suit_tile
from cogs.pictures.emoji_names import EmojiId, emoji_name
from cogs.pictures.studio import Studio
from cogs.system_clock import SystemClock
from cogs.table.transport import discord_views, emoji_reader
from cogs.table.transport.background_tasks import BackgroundTasks
from cogs.table.transport.emoji_reader import EmojiReader
from tests.cogs.discord_errors import http_error
from tests.cogs.waiting import wait_until

DRAWINGS = {"hearts": EmojiDrawing(suit_tile, ("H",)), "spades": EmojiDrawing(suit_tile, ("S",))}
HEARTS = EmojiId(emoji_name("hearts", DRAWINGS), 7)


class FakeApplication:
    """A client that counts how often the emoji are asked for."""

    def __init__(self) -> None:
        self.emoji: list[EmojiId] = [HEARTS, EmojiId("motley_spades_000000", 8), EmojiId("party_blob", 9)]
        self.error: Exception | None = None
        self.asked = 0

    async def fetch_application_emojis(self) -> list[EmojiId]:
        self.asked += 1
        if self.error:
            raise self.error
        return self.emoji


def make_reader(tasks: BackgroundTasks) -> tuple[FakeApplication, Studio, EmojiReader]:
    client, studio = FakeApplication(), Studio(())
    typed_client: Any = client
    return client, studio, EmojiReader(typed_client, studio, DRAWINGS, tasks, SystemClock())


async def test_the_studio_gets_the_emoji_with_current_drawings() -> None:
    async with BackgroundTasks() as tasks:
        _, studio, reader = make_reader(tasks)
        await reader.read()
        assert studio.emoji == {"hearts": HEARTS}


async def test_if_discord_does_not_answer_the_last_ones_stay(caplog: pytest.LogCaptureFixture) -> None:
    async with BackgroundTasks() as tasks:
        client, studio, reader = make_reader(tasks)
        client.error = http_error(503)
        with caplog.at_level(logging.WARNING):
            await reader.read()
        assert studio.emoji == {}
        assert [record.message for record in caplog.records] == [
            "The application's emoji could not be read (HTTPException 503 0). Text takes their place."
        ]
        client.error = None
        await reader.read()
        client.error = OSError()
        await reader.read()
        assert studio.emoji == {"hearts": HEARTS}


async def test_a_refusal_reads_them_again_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    async with BackgroundTasks() as tasks:
        client, studio, reader = make_reader(tasks)
        await reader.read()
        client.emoji = []
        studio.report_unknown_emoji()
        assert not tasks.is_running("emoji"), "they were read a moment ago"
        monkeypatch.setattr(emoji_reader, "MIN_PAUSE", 0)
        studio.report_unknown_emoji()
        await wait_until(lambda: not (studio.emoji or tasks.is_running("emoji")))
        assert client.asked == 2


def refusal(text: str) -> discord.HTTPException:
    tree = {"components": {"0": {"emoji": {"id": {"_errors": [{"code": "X", "message": text}]}}}}}
    response: Any = SimpleNamespace(status=400, reason="Bad Request")
    return discord.HTTPException(response, {"code": 50035, "message": "Invalid Form Body", "errors": tree})


async def test_a_page_with_an_unknown_emoji_is_sent_again_with_fallbacks() -> None:
    studio, sent, notices = Studio(()), [], []
    studio.emoji = {"hearts": HEARTS}
    studio.emoji_listeners.append(lambda: notices.append(1))

    async def send(emoji: Any) -> str:
        sent.append(dict(emoji))
        if emoji:
            raise refusal("Invalid emoji")
        return "sent"

    assert await discord_views.send_with_emoji(studio, send) == "sent"
    assert (sent, notices) == ([{"hearts": HEARTS}, {}], [1])
    assert studio.emoji == {"hearts": HEARTS}, "Discord sometimes refuses emoji that exist"


@pytest.mark.parametrize("error", [refusal("Must be 100 or fewer in length."), http_error(404, 10008), OSError()])
async def test_other_errors_are_not_retried(error: Exception) -> None:
    tries: list[int] = []

    async def send(emoji: Any) -> None:
        tries.append(1)
        raise error

    with pytest.raises(type(error)):
        await discord_views.send_with_emoji(Studio(()), send)
    assert tries == [1]
