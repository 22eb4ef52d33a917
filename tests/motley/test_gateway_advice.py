"""Every code with which the gateway closes a connection has advice, and those that end the bot end it for good."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import discord
import pytest

import bot
from motley.gateway_advice import CLOSE_ADVICE, OTHER_ADVICE, TOKEN_RESET
from storage import StorageError
from tests.cogs.discord_errors import http_error

FINAL = (4004, 4010, 4011, 4012, 4013, 4014)


def connection_closed(code: int) -> discord.ConnectionClosed:
    socket: Any = SimpleNamespace(close_code=code)
    return discord.ConnectionClosed(socket, shard_id=None, code=code)


def test_every_close_code_has_advice() -> None:
    assert CLOSE_ADVICE.keys() >= {*range(4001, 4015)}
    assert OTHER_ADVICE not in CLOSE_ADVICE.values()


@pytest.mark.parametrize("code", FINAL)
def test_a_final_close_code_ends_the_bot_with_its_advice(code: int, caplog: pytest.LogCaptureFixture) -> None:
    error = discord.PrivilegedIntentsRequired(None) if code == 4014 else connection_closed(code)
    assert bot._report_end(error) == 2
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert CLOSE_ADVICE[code] in record.getMessage()


def test_an_error_that_a_restart_may_mend_ends_with_another_status(caplog: pytest.LogCaptureFixture) -> None:
    assert bot._report_end(http_error(403)) == 1
    assert bot._report_end(StorageError("The disk is full.")) == 1
    assert bot._report_end(bot.TokenReset()) == 2
    assert caplog.records[-1].getMessage() == TOKEN_RESET
