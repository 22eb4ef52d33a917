"""The playground's page in headless Chromium with the unmodified bot behind it, and hands to play every seat there."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any, Final, Self
from unittest.mock import patch

from playwright.async_api import Browser, Locator, Page, async_playwright, expect

from play import bot_environment, create_playground, upload_emoji
from playground.page.client import PlaygroundClient, SeenMessage
from playground.running import BotProcess, BotSupervisor
from playground.server import Playground
from playground.world import ids
from tests.page.bot_forker import LOG_VARIABLE, BotForker
from tests.page.fast_forward import ChooseMove, StopCondition, play_ahead

ROOT: Final = Path(__file__).resolve().parents[2]
ABORTED_ERROR: Final = "net::ERR_ABORTED"
WIDE_SIZE: Final = (1280, 900)
NARROW_SIZE: Final = (390, 844)
Size = tuple[int, int]
MOVE_SELECTOR: Final = ", ".join(f'[data-custom-id^="{kind}:"]' for kind in "mcspfn")  # moves, or leads to one

_LOOK_SECONDS: Final = 0.05
_READY_SECONDS: Final = 60.0
_WAITING_PATTERN: Final = re.compile(r"Waiting for (.+?) to ")
_NAME_PATTERN: Final = re.compile(r"\b(?!and\b)\w\w+")  # names, without the letters before them


class BotRunner:
    """The unmodified bot as a process of its own, kept and restarted as `make play` does."""

    def __init__(self, playground: Playground, bot_forker: BotForker, database: Path) -> None:
        self.database, self._bot_forker, self._playground = database, bot_forker, playground
        self._keeping: asyncio.Task[None] | None = None
        self.log: Path | None = None  # where the next start logs, for a test that reads it

    async def start(self) -> None:
        self._keeping = asyncio.create_task(self._keep_running(), name="bot supervisor")
        await asyncio.wait_for(self._playground.simulation.bot_ready.wait(), _READY_SECONDS)

    async def stop(self) -> None:
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)

    def is_up_to_date(self) -> bool:
        """Whether the bot has noted that all it shows is as after the last change."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            return not connection.execute("SELECT 1 FROM behind").fetchone()

    def has_turn_pings(self) -> bool:
        """Whether a turn ping is due that was not sent yet: the bot sends that player's hand again for it."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            due = connection.execute("SELECT 1 FROM due WHERE kind = 'call' AND at <= unixepoch()")
            return bool(due.fetchone())

    async def _keep_running(self) -> None:
        log = {LOG_VARIABLE: str(self.log)} if self.log else {}
        with patch.dict(os.environ, {"MOTLEY_DATABASE": str(self.database), **log}):  # read at every start
            await BotSupervisor(self._playground, self._fork_bot).keep_running()

    async def _fork_bot(self) -> BotProcess:
        return await self._bot_forker.fork_bot(ROOT / "bot.py", bot_environment(self._playground))


class PageDriver:
    """One open page, in which everybody is played in turn. `wrong` gathers all that a browser complains of."""

    def __init__(self, page: Page, playground: Playground, visitor: PlaygroundClient, bot: BotRunner) -> None:
        self.page, self.playground, self.visitor, self.bot = page, playground, visitor, bot
        self.complaints: list[str] = []
        self._leaving = False

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        browser: BrowserWindows,
        bot_forker: BotForker,
        database: Path,
        size: Size = WIDE_SIZE,
        scale: float = 1,
        *,
        emoji: bool = False,
    ) -> AsyncIterator[Self]:
        """A playground, the bot and the page. A visitor beside it tells what the server shows; it does nothing.

        With `emoji`, the application has its emoji, as with `make play`; uploading them takes some seconds.
        """
        async with AsyncExitStack() as stack:
            playground = await stack.enter_async_context(create_playground(rate_limited=False))
            visitor = await stack.enter_async_context(PlaygroundClient.connect(playground.base_url))
            if emoji:
                await upload_emoji(playground)
            bot = BotRunner(playground, bot_forker, database)
            stack.push_async_callback(bot.stop)
            await bot.start()
            page = await stack.enter_async_context(browser.window(size, scale))
            driver = cls(page, playground, visitor, bot)
            with driver._recording_complaints():
                await page.goto(playground.base_url)
                await driver.wait_ready()
                yield driver

    @contextmanager
    def _recording_complaints(self) -> Iterator[None]:
        complaints: dict[str, Callable[[Any], None]] = {
            "console": lambda message: self._record_complaint(message.text, message.type in ("error", "warning")),
            "pageerror": lambda error: self._record_complaint(str(error)),
            # A picture that was still on its way as the page was left is nothing wrong.
            "requestfailed": lambda request: self._record_complaint(
                f"{request.url}: {request.failure}", not (self._leaving and request.failure == ABORTED_ERROR)
            ),
            "response": lambda answer: self._record_complaint(f"{answer.url}: {answer.status}", answer.status >= 400),
        }
        for event, callback in complaints.items():
            self.page.on(event, callback)  # type: ignore[call-overload]
        try:
            yield
        finally:
            for event, callback in complaints.items():
                self.page.remove_listener(event, callback)

    def _record_complaint(self, text: str, wrong: bool = True) -> None:
        if wrong:
            self.complaints.append(text)

    async def wait_ready(self) -> None:
        await self.page.locator("html[data-ready]").wait_for()

    async def reload(self) -> None:
        self._leaving = True
        await self.page.reload()
        self._leaving = False
        await self.wait_ready()

    # Going places

    async def play_as(self, name: str) -> None:
        chip = self.page.get_by_test_id(f"people-chip-{name}")
        await chip.click()
        await chip.and_(self.page.locator("[aria-pressed=true]")).wait_for()

    async def go_to_channel(self, channel: str) -> None:
        opener = self.page.get_by_test_id("open-sidebar")
        if await opener.is_visible():
            await opener.click()
        entry = self.page.get_by_test_id(f"channel-{channel}")
        await entry.click()
        await entry.and_(self.page.locator("[aria-current=page]")).wait_for(state="attached")

    async def go_to_games(self, name: str) -> None:
        await self.play_as(name)
        await self.go_to_channel(str(ids.GAMES_CHANNEL))

    async def go_to_table(self, name: str) -> None:
        await self.play_as(name)
        await self.go_to_channel(self.newest_thread)

    async def go_to_hand(self, name: str) -> None:
        """To a player's direct messages, once no turn ping is about to replace the hand there."""
        async with asyncio.timeout(WAIT_MS / 1000):
            while await asyncio.to_thread(self.bot.has_turn_pings):  # noqa: ASYNC110 - a database tells nobody
                await asyncio.sleep(_LOOK_SECONDS)
        await self.play_as(name)
        await self.go_to_channel(str(getattr(ids, name.upper()) + ids.DM_OFFSET))

    @property
    def newest_thread(self) -> str:
        return max((str(c["id"]) for c in self.visitor.channels.values() if c["type"] == 11), key=int)

    # Seeing

    def messages(self) -> Locator:
        return self.page.locator("[data-message-id]")

    def newest_holding(self, holding: str) -> Locator:
        return self.messages().filter(has=self.page.locator(holding)).last

    def newest_saying(self, text: str | re.Pattern[str]) -> Locator:
        return self.messages().filter(has_text=text).last

    def server_table(self) -> SeenMessage | None:
        """The table as the server shows it; None while there is none."""
        try:
            messages = self.visitor.messages[self.newest_thread].values()
        except (KeyError, ValueError):  # no thread, or nothing in it yet
            return None
        tables = (SeenMessage(one) for one in reversed(messages) if "visible_to" not in one)
        return next((one for one in tables if "match `" in one.text and one.buttons), None)

    def due_names(self) -> list[str]:
        """Whom the table waits for, in seating order; empty when it waits for nobody."""
        table = self.server_table()
        found = _WAITING_PATTERN.search(table.text) if table else None
        return _NAME_PATTERN.findall(found[1]) if found else []

    async def wait_pictures_loaded(self) -> list[str]:
        """Wait for every picture in front of us; their alt texts."""
        pictures = "[...document.querySelectorAll('[data-message-id] img')]"
        await self.page.wait_for_function(f"() => {pictures}.every(one => one.complete && one.naturalWidth > 0)")
        found: list[str] = await self.page.evaluate(f"{pictures}.map(one => one.alt)")
        return found

    # Acting

    async def press_button(self, label: str) -> None:
        await self.page.get_by_test_id("messages").get_by_role("button", name=label, exact=True).last.click()
        await self.wait_answered()

    async def wait_answered(self) -> None:
        await self.page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")

    async def type_command(self, typed: str) -> None:
        composer = self.page.get_by_test_id("composer")
        await composer.fill(typed)
        await composer.press("Enter")
        await expect(composer).to_have_value("")

    async def seat_people(self, command: str, host: str, *others: str) -> None:
        """A lobby with these people in it, that the host may start; the host, who types the command, is played."""
        await self.go_to_games(host)
        await self.type_command(command)
        lobby = self.newest_holding('[data-custom-id$=":join"]')
        for name in others:
            await self.play_as(name)
            await lobby.wait_for()
            await self.press_button("Join")
            await expect(lobby.get_by_alt_text(f"{name} (joined")).to_be_visible()
        await self.play_as(host)

    async def skip_ahead(self, seed: str, until: StopCondition, choose: ChooseMove | None = None) -> None:
        """End the bot, play the match on in its database, and start it again: it shows how things stand."""
        before = self.server_table()
        await self.bot.stop()
        await play_ahead(self.bot.database, seed, until, choose)
        await self.bot.start()
        await self.wait_table_changed(before)

    async def show_hand(self) -> None:
        notes = self.page.get_by_test_id("ephemeral-note")
        before = await notes.count()
        await self.press_button("Show my hand")
        await notes.nth(before).wait_for()

    async def newest_hand(self) -> Locator:
        """The newest hand that has moves in front of us, also when it has them no longer."""
        test_id = await self.newest_holding(MOVE_SELECTOR).get_attribute("data-testid")
        assert test_id is not None
        return self.page.get_by_test_id(test_id)

    async def hand_control(self) -> Locator:
        hand = self.newest_holding(MOVE_SELECTOR)
        await hand.wait_for()
        buttons = hand.locator('[data-custom-id^="m:"]')
        return buttons.first if await buttons.count() else hand.locator(MOVE_SELECTOR).first

    async def use_control(self, control: Locator, option: int = 0) -> None:
        custom_id = await control.get_attribute("data-custom-id")
        message = await control.locator("xpath=ancestor::*[@data-message-id]").get_attribute("data-testid")
        assert custom_id is not None
        assert message is not None
        await control.click()
        if custom_id.startswith("s:"):
            await self.page.get_by_role("option").nth(option).click()
        old_control = self.page.get_by_test_id(message).locator(f'[data-custom-id="{custom_id}"]')
        await old_control.wait_for(state="detached")

    async def wait_table_changed(self, table: SeenMessage | None) -> None:
        """Wait until the table shows the last change; other words than at that look, unless it has none for it."""
        async with asyncio.timeout(WAIT_MS / 1000):
            while (now := self.server_table()) is None or (table is not None and now.text == table.text):
                if await asyncio.to_thread(self.bot.is_up_to_date):
                    return
                await asyncio.sleep(_LOOK_SECONDS)


CHROMIUM: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
BLANK_URL: Final = "about:blank"
WAIT_MS: Final = 20_000.0
_FLAGS: Final = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)


class BrowserWindows:
    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle_pages: list[Page] = []

    @classmethod
    @asynccontextmanager
    async def open(cls) -> AsyncIterator[Self]:
        assert CHROMIUM is not None, "Chromium is not installed"
        expect.set_options(timeout=WAIT_MS)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(_FLAGS))
            yield cls(browser)
            await browser.close()

    @asynccontextmanager
    async def window(self, size: Size, scale: float = 1) -> AsyncIterator[Page]:
        """A window of that size, which remembers nothing of those who had it before; `scale` is for photographs."""
        if scale != 1 or not self._idle_pages:
            viewport: Any = {"width": size[0], "height": size[1]}
            options: dict[str, Any] = {"reduced_motion": "reduce", "locale": "en-GB"}
            context = await self._browser.new_context(viewport=viewport, device_scale_factor=scale, **options)
            context.set_default_timeout(WAIT_MS)
            page = await context.new_page()
        else:
            page = self._idle_pages.pop()
            await page.set_viewport_size({"width": size[0], "height": size[1]})
        is_reusable = False
        try:
            yield page
            await _clear_page(page)
            is_reusable = scale == 1
        finally:
            if is_reusable:
                self._idle_pages.append(page)
            else:
                await page.context.close()


async def _clear_page(page: Page) -> None:
    await page.unroute_all(behavior="wait")
    if page.url != BLANK_URL:
        await page.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
    await page.mouse.move(0, 0)
    await page.goto(BLANK_URL)
    await page.context.clear_cookies()
