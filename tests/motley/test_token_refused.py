"""A refusal of the token ends the bot if the next attempt meets one too, because Discord may refuse it by mistake."""

from __future__ import annotations

from typing import Any

import discord
import pytest

import bot
from motley.gateway_advice import AUTHENTICATION_FAILED
from tests.manual_time import HastyClock
from tests.motley.test_gateway_advice import connection_closed

AWAY = "Discord cannot be reached (TimeoutError)."


class Attempts(HastyClock):
    """Attempts to connect that end one after the other in the given way, each after so many seconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *ends: Exception | str | None, lasting: float = 0) -> None:
        super().__init__()
        self.ends, self.lasting, self.seconds, self.count = ends, lasting, 0.0, 0
        monkeypatch.setattr(bot, "_connect_once", self.connect)

    def monotonic(self) -> float:
        return self.seconds

    async def connect(self, *args: Any) -> str | None:
        end = self.ends[self.count]
        self.count += 1
        self.seconds += self.lasting
        if isinstance(end, Exception):
            raise end
        return end

    async def run(self) -> None:
        make: Any = None
        await bot._stay_connected(make, "token", None, self)


def refusal(kind: str) -> Exception:
    return connection_closed(AUTHENTICATION_FAILED) if kind == "gateway" else discord.LoginFailure("no")


KINDS = ("login", "gateway")


@pytest.mark.parametrize("kind", KINDS)
async def test_one_refusal_ends_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = Attempts(monkeypatch, refusal(kind), None)
    await attempts.run()
    assert attempts.count == 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("then", KINDS)
async def test_two_in_a_row_end_the_bot_and_the_first_one_says_why(
    kind: str, then: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = Attempts(monkeypatch, first := refusal(kind), refusal(then))
    with pytest.raises(type(first)) as caught:
        await attempts.run()
    assert caught.value is first
    assert attempts.count == 2


async def test_an_attempt_that_reaches_nobody_confirms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = Attempts(monkeypatch, refusal("login"), AWAY, refusal("login"), None)
    await attempts.run()
    assert attempts.count == 4


async def test_a_refusal_after_a_long_connection_is_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = Attempts(monkeypatch, *(refusal("gateway") for _ in range(3)), None, lasting=bot.STEADY_SECONDS)
    await attempts.run()
    assert attempts.count == 4


async def test_every_other_close_code_ends_the_bot_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = Attempts(monkeypatch, connection_closed(4012), None)
    with pytest.raises(discord.ConnectionClosed):
        await attempts.run()
    assert attempts.count == 1
