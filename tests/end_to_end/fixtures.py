"""Fixtures of the tests that play the whole bot in the playground's simulation."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from cogs.pictures.studio import Studio
from tests.described_pictures import describe_picture
from tests.end_to_end.simulated_server import SimulatedServer, start_world

DEAL_SEED = "00112233445566778899aabbccddeeff"


def pytest_configure(config: pytest.Config) -> None:
    """Name the markers of these tests."""
    config.addinivalue_line("markers", "mishap: an error of the bot's own is expected in the log")
    config.addinivalue_line("markers", "dealt(seed): matches are dealt from that seed; None: from chance")
    config.addinivalue_line("markers", "painted: pictures are truly drawn")


@pytest.fixture
def painter(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures say what they would show, unless a test wants them drawn."""
    if request.node.get_closest_marker("painted") is None:
        monkeypatch.setattr(Studio, "render", describe_picture)


@pytest.fixture
def no_errors(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Every error in the log must be expected."""
    caplog.set_level(logging.INFO)
    yield
    found = [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    if request.node.get_closest_marker("mishap") is None:
        assert not found


@pytest.fixture
async def server(
    request: pytest.FixtureRequest, tmp_path: Path, painter: None, no_errors: None
) -> AsyncIterator[SimulatedServer]:
    """A server with a channel and seven people, Ada its owner. Every match is dealt alike unless a test is marked."""
    marked = request.node.get_closest_marker("dealt")
    async with start_world(tmp_path / "motley.db", seed=marked.args[0] if marked else DEAL_SEED) as world:
        yield world
