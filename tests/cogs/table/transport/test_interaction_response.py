"""A reply that comes in time is not acknowledged first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.pictures.studio import Studio
from cogs.table.transport import interaction_response
from cogs.table.transport.interaction_response import ACKNOWLEDGE_AFTER, InteractionReply, reply_boundary


class FakeTimer:
    def __init__(self, seconds: float, act: Callable[[], object]) -> None:
        self.seconds, self.act, self.ended = seconds, act, False

    def cancel(self) -> None:
        self.ended = True


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> list[FakeTimer]:
    found: list[FakeTimer] = []

    def later(seconds: float, act: Callable[[], object]) -> FakeTimer:
        found.append(FakeTimer(seconds, act))
        return found[-1]

    monkeypatch.setattr(interaction_response, "call_later", later)
    return found


def unanswered_click() -> Any:
    client = SimpleNamespace(dispatch=lambda *told: None)
    return SimpleNamespace(id=1, client=client, response=SimpleNamespace(is_done=lambda: False))


async def test_nothing_is_left_to_be_done_of_an_answer_that_came_in_time(timers: list[FakeTimer]) -> None:
    before = asyncio.all_tasks()
    async with reply_boundary(unanswered_click(), Studio(())):
        assert asyncio.all_tasks() == before, "most answers come in time, and need no task"
    assert [(timer.seconds, timer.ended) for timer in timers] == [(ACKNOWLEDGE_AFTER, True)]


async def test_a_late_word_ends_with_the_answer(timers: list[FakeTimer], monkeypatch: pytest.MonkeyPatch) -> None:
    said = asyncio.Event()

    async def slowly(answer: InteractionReply) -> None:
        said.set()
        await asyncio.sleep(60)

    monkeypatch.setattr(InteractionReply, "acknowledge_late", slowly)
    before = asyncio.all_tasks()
    async with reply_boundary(unanswered_click(), Studio(())):
        timers[0].act()
        await said.wait()
        (word,) = asyncio.all_tasks() - before
    with pytest.raises(asyncio.CancelledError):
        await word
