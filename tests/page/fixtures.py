"""Chromium for the tests of the page. Without one they are skipped, which CI does not allow."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.page.bot_forker import BotForker
from tests.page.page_driver import CHROMIUM, NARROW_SIZE, BrowserWindows, PageDriver


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the page run in the event loop that their browser lives in."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[BrowserWindows]:
    """One browser for all tests of a worker; each has a window to itself in it, which remembers nothing."""
    if CHROMIUM is None:
        pytest.skip("No Chromium here: neither chromium nor chromium-browser nor google-chrome is on the path")
    async with BrowserWindows.open() as windows:
        yield windows


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def bot_forker() -> AsyncIterator[BotForker]:
    async with BotForker.open() as forker:
        yield forker


@pytest_asyncio.fixture(loop_scope="session")
async def desktop(browser: BrowserWindows, bot_forker: BotForker, tmp_path: Path) -> AsyncIterator[PageDriver]:
    """The page in a window of a desktop; the browser must have had nothing to complain of."""
    async with PageDriver.open(browser, bot_forker, tmp_path / "motley.db") as driver:
        yield driver
        assert driver.complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: BrowserWindows, bot_forker: BotForker, tmp_path: Path) -> AsyncIterator[PageDriver]:
    async with PageDriver.open(browser, bot_forker, tmp_path / "motley.db", NARROW_SIZE) as driver:
        yield driver
        assert driver.complaints == []
