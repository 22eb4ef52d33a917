"""A second bot with the same token: the first one notices that somebody else answers."""

from __future__ import annotations

import pytest

from tests.end_to_end.simulated_server import SimulatedServer, reply_text

WORDS = "Another process"


def warnings(caplog: pytest.LogCaptureFixture) -> int:
    return sum(record.getMessage().startswith(WORDS) for record in caplog.records)


async def answer_of_check(w: SimulatedServer) -> str:
    return reply_text(await w["Ada"].slash(w.table, "motley check"))


async def test_an_answer_of_another_process_is_said_once_and_shown_by_check(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    await server.open_lobby()
    assert WORDS not in await answer_of_check(server)
    for _ in range(2):
        server.env.inject_error("POST", "*/callback", status=400, code=40060, times=1)
        await server["Bela"].slash(server.table, "motley help")
    assert warnings(caplog) == 1
    assert f"{WORDS} with my token" in await answer_of_check(server)


async def test_an_answer_of_our_own_that_was_lost_is_none_of_another_process(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    await server.open_lobby()
    server.cut_connections("POST", "*/callback", after=True, times=1)
    await server["Bela"].slash(server.table, "motley help")
    assert warnings(caplog) == 0
    assert WORDS not in await answer_of_check(server)
