"""Logging: the levels of libraries, and records without the values that they may contain."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from contextvars import copy_context
from datetime import datetime

import aiohttp
import pytest

from cogs.table.transport.log_context import set_log_context
from motley import logging_setup

SEED = "5eed" * 8


@pytest.fixture
def log_output() -> Iterator[io.StringIO]:
    """Yield what is logged at DEBUG by a handler like the bot's; afterwards restore all levels."""
    names = ("", *logging_setup.OWN_LOGGERS)
    before = {name: logging.getLogger(name).level for name in names}
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(logging_setup.redact_record)
    logging.getLogger().addHandler(handler)
    logging_setup.set_levels("DEBUG")
    yield stream
    logging.getLogger().removeHandler(handler)
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


def test_debug_is_for_what_motley_itself_says(log_output: io.StringIO) -> None:
    own = ["motley", "storage.writer", "engines.hosting.matches", "cogs.client"]
    for name in (*own, "aiosqlite", "discord.http", "asyncio"):
        logging.getLogger(name).debug("%s speaks", name)
    assert log_output.getvalue().splitlines() == [f"{name} speaks" for name in own]


@pytest.mark.parametrize(("level", "lines"), [("INFO", 2), ("WARNING", 1), ("ERROR", 0)])
def test_the_other_levels_are_for_all(log_output: io.StringIO, level: str, lines: int) -> None:
    logging_setup.set_levels(level)
    for name in ("motley", "discord.gateway"):
        logging.getLogger(name).info("a line")
        logging.getLogger(name).warning("a line")
    assert len(log_output.getvalue().splitlines()) == 2 * lines


def log_exception(error: Exception, text: str, *values: object) -> None:
    try:
        raise error
    except Exception:
        logging.getLogger("discord.client").exception(text, *values)


def test_an_error_is_told_by_its_kind_and_its_place_without_its_value(log_output: io.StringIO) -> None:
    log_exception(KeyError(SEED), "Ignoring exception in %s", "on_ready")
    text = log_output.getvalue()
    assert text.startswith("Ignoring exception in on_ready (KeyError)\n")
    assert "test_logging_setup.py" in text
    assert SEED not in text


def test_a_network_that_fails_is_told_in_a_line(log_output: io.StringIO) -> None:
    log_exception(aiohttp.ServerDisconnectedError(), "Attempting a reconnect in %.2fs", 1.5)
    assert log_output.getvalue() == "Attempting a reconnect in 1.50s (ServerDisconnectedError)\n"


def test_a_line_of_json_holds_what_the_text_does_and_the_match_and_decision_alone(log_output: io.StringIO) -> None:
    (handler,) = [each for each in logging.getLogger().handlers if getattr(each, "stream", None) is log_output]
    handler.setFormatter(logging_setup.JsonFormatter())
    logging.getLogger("motley").warning("Two\nlines and a “%s”", "quote")

    def at_work() -> None:
        set_log_context("abcd2345", 7)
        log_exception(KeyError(SEED), "Broken")

    copy_context().run(at_work)
    first, second = map(json.loads, log_output.getvalue().splitlines())
    assert datetime.fromisoformat(first.pop("time")).tzinfo is not None
    assert first == {"level": "WARNING", "logger": "motley", "message": "Two\nlines and a “quote”"}
    assert (second["match"], second["decision"], second["message"]) == ("abcd2345", 7, "Broken (KeyError)")
    assert "test_logging_setup.py" in second["where"]
    assert SEED not in log_output.getvalue()
    assert set(second) == {"time", "level", "logger", "message", "match", "decision", "where"}


async def test_asyncio_shows_none_of_what_it_handles(log_output: io.StringIO) -> None:
    asyncio.get_running_loop().call_exception_handler({"message": "Never retrieved", "task": SEED})
    logging.getLogger("asyncio").warning("Executing %s took %.3f seconds", f"<Handle f('{SEED}') at x.py:5>", 0.25)
    assert log_output.getvalue() == "Never retrieved\nA step of the event loop took 0.250 seconds\n"
