"""A reply that comes in time is not acknowledged first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from cogs.pictures.studio import Studio
from cogs.system_clock import SystemClock
from cogs.table.state.person_shares import PersonShares
from cogs.table.transport import interaction_response
from cogs.table.transport.interaction_response import (
    ACKNOWLEDGE_AFTER,
    ALREADY_ANSWERED,
    InteractionReply,
    reply_boundary,
)
from tests.cogs.discord_errors import http_error


class FakeTimer:
    def __init__(self, seconds: float, act: Callable[[], object]) -> None:
        self.seconds, self.act, self.ended = seconds, act, False

    def cancel(self) -> None:
        self.ended = True


class TimerClock(SystemClock):
    """A clock whose timers go off only when a test says so."""

    def __init__(self) -> None:
        self.timers: list[FakeTimer] = []

    def call_later(self, seconds: float, act: Callable[[], object]) -> FakeTimer:
        self.timers.append(FakeTimer(seconds, act))
        return self.timers[-1]


@pytest.fixture
def clock() -> TimerClock:
    return TimerClock()


def unanswered_click() -> Any:
    client = SimpleNamespace(dispatch=lambda *arguments: None, is_closed=lambda: True)
    return SimpleNamespace(
        id=1, user=SimpleNamespace(id=2), client=client, response=SimpleNamespace(is_done=lambda: False)
    )


async def test_nothing_is_left_to_be_done_of_an_answer_that_came_in_time(clock: TimerClock) -> None:
    before = asyncio.all_tasks()
    async with reply_boundary(unanswered_click(), Studio(()), clock, PersonShares(clock.monotonic)):
        assert asyncio.all_tasks() == before, "most answers come in time, and need no task"
    assert [(timer.seconds, timer.ended) for timer in clock.timers] == [(ACKNOWLEDGE_AFTER, True)]


async def test_a_late_word_ends_with_the_answer(clock: TimerClock, monkeypatch: pytest.MonkeyPatch) -> None:
    is_late = asyncio.Event()

    async def slowly(answer: InteractionReply) -> None:
        is_late.set()
        await asyncio.sleep(60)

    monkeypatch.setattr(InteractionReply, "acknowledge_late", slowly)
    before = asyncio.all_tasks()
    async with reply_boundary(unanswered_click(), Studio(()), clock, PersonShares(clock.monotonic)):
        clock.timers[0].act()
        await is_late.wait()
        (word,) = asyncio.all_tasks() - before
    with pytest.raises(asyncio.CancelledError):
        await word


@pytest.mark.parametrize("first", [http_error(400, ALREADY_ANSWERED), TimeoutError(), http_error(404, 10062)], ids=str)
async def test_only_the_first_try_of_a_reply_can_tell_that_another_process_has_answered(
    first: Exception, clock: TimerClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If all tries of our first response are lost, Discord may have accepted one: a later text then gets 40060."""
    failures = [first, http_error(400, ALREADY_ANSWERED)]

    async def fail(respond: object) -> None:
        raise failures.pop(0)

    monkeypatch.setattr(interaction_response, "retry_response", fail)
    reply = InteractionReply(unanswered_click(), Studio(()), clock)
    for _ in range(2):
        with pytest.raises((discord.HTTPException, TimeoutError)):
            await reply.send_text("Hello")
        assert reply.was_answered_elsewhere == (getattr(first, "code", 0) == ALREADY_ANSWERED)
