"""Headless Chromium, and windows of it that are used again: to open one costs more than most of what is done in it."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, Self

from playwright.async_api import Browser, Page, async_playwright, expect

CHROMIUM: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
BLANK_URL: Final = "about:blank"
WAIT_MS: Final = 20_000.0
_FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class BrowserWindows:
    """A browser, and those of its windows that nobody has at the moment."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle_pages: list[Page] = []

    @classmethod
    @asynccontextmanager
    async def open(cls) -> AsyncIterator[Self]:
        """Headless Chromium, without a window yet."""
        assert CHROMIUM is not None, "Chromium is not installed"
        expect.set_options(timeout=WAIT_MS)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(_FLAGS))
            yield cls(browser)
            await browser.close()

    @asynccontextmanager
    async def window(self, size: tuple[int, int], scale: float = 1) -> AsyncIterator[Page]:
        """A window of that size, which remembers nothing of those who had it before; `scale` is for photographs."""
        if scale != 1 or not self._idle_pages:
            page = await self._new_page(size, scale)
        else:
            page = self._idle_pages.pop()
            await page.set_viewport_size({"width": size[0], "height": size[1]})
        kept = False
        try:
            yield page
            await _clear_page(page)
            kept = scale == 1
        finally:
            if kept:
                self._idle_pages.append(page)
            else:
                await page.context.close()

    async def _new_page(self, size: tuple[int, int], scale: float) -> Page:
        context = await self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            device_scale_factor=scale,
            reduced_motion="reduce",
            locale="en-GB",
        )
        context.set_default_timeout(WAIT_MS)
        return await context.new_page()


async def _clear_page(page: Page) -> None:
    """Leave nothing behind for whoever has the window next."""
    await page.unroute_all(behavior="wait")
    if page.url != BLANK_URL:
        await page.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
    await page.mouse.move(0, 0)
    await page.goto(BLANK_URL)
    await page.context.clear_cookies()
