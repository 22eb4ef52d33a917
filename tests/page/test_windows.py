"""Windows that are used again, and bots that are forked: each is as if it were the first."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from playwright.async_api import Route

from tests.page.bot_forker import BotForker
from tests.page.page_driver import NARROW_SIZE, ROOT, WIDE_SIZE, BrowserWindows, PageDriver

ADDRESS = "http://window.test/"
_LEAVE = """() => {
    localStorage.setItem("left", "x"); sessionStorage.setItem("left", "x"); document.cookie = "left=x"; window.left = 1;
}"""
_FOUND = (
    "() => [localStorage.length, sessionStorage.length, document.cookie, `${window.left}`, innerWidth, innerHeight]"
)


async def test_a_window_that_is_used_again_remembers_nothing(browser: BrowserWindows) -> None:
    async def answer(route: Route) -> None:
        await route.fulfill(body="<!doctype html><title>A window</title>", content_type="text/html")

    had = None
    for size in (NARROW_SIZE, WIDE_SIZE):
        async with browser.window(size) as page:
            assert page.url == "about:blank"
            assert had in (None, page)
            had = page
            await page.route("**/*", answer)
            await page.goto(ADDRESS)
            assert await page.evaluate(_FOUND) == [0, 0, "", "undefined", *size]
            await page.evaluate(_LEAVE)
            async with browser.window(size) as other:
                assert other is not page


async def test_pictures_that_are_broken_off_by_a_reload_are_nothing_wrong(desktop: PageDriver) -> None:
    async def hold(route: Route) -> None:
        routes.append(route)

    routes: list[Route] = []
    await desktop.seat_people("/jokers new", "Ada", "Bela")
    await desktop.page.route("**/attachments/**", hold)
    try:
        await desktop.press_button("Start")
        await desktop.visitor.wait_until(desktop.due_names, "somebody to be due")
        await desktop.go_to_table("Ada")
        async with asyncio.timeout(30):
            while not routes:  # noqa: ASYNC110  # the page asks for it when it draws it
                await asyncio.sleep(0.01)
        await desktop.reload()
        assert desktop.complaints == []
    finally:  # a window with a request that is held cannot be cleared
        await desktop.page.unroute_all(behavior="ignoreErrors")


async def test_a_bot_is_what_its_environment_says_and_ends_with_a_status(tmp_path: Path) -> None:
    settings = {"DISCORD_TOKEN": "x", "MOTLEY_DATABASE": str(tmp_path)}  # a folder
    async with BotForker.open() as bot_forker:
        wrong = await bot_forker.fork_bot(ROOT / "bot.py", {"PATH": os.defpath, **settings})
        nameless = await bot_forker.fork_bot(ROOT / "bot.py", {"PATH": os.defpath})
        assert (await wrong.wait(), await nameless.wait()) == (1, 2)
        assert wrong.returncode == 1
