"""The switch of servers at the left: none if there is one server; otherwise the last channel, and what is new."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Error, Page, expect

from playground.page.client import PlaygroundClient
from playground.server import Playground
from playground.simulation.simulation import Simulation
from playground.world import ids
from tests.page.page_driver import NARROW_SIZE, WIDE_SIZE, BrowserWindows
from tests.playground.simulation.test_gateway import identify

GUILDS = [ids.id_in_guild(ids.GUILD, number) for number in range(4)]
LOUNGES = [ids.id_in_guild(ids.LOUNGE_CHANNEL, number) for number in range(4)]

OpenPage = tuple[Page, PlaygroundClient, Simulation]


@asynccontextmanager
async def open_page(browser: BrowserWindows, size: tuple[int, int], guilds: int) -> AsyncIterator[OpenPage]:
    async with (
        Playground(rate_limited=False, guilds=guilds, shards=8, bot_name="Merry") as playground,
        PlaygroundClient.connect(playground.base_url) as visitor,
        browser.window(size) as page,
    ):
        wrong = list[str]()

        def note(error: Error) -> None:
            wrong.append(str(error))

        page.on("pageerror", note)
        await page.goto(playground.base_url)
        await page.locator("html[data-ready]").wait_for()
        yield page, visitor, playground.simulation
        page.remove_listener("pageerror", note)
        assert wrong == []


async def test_one_server_needs_no_switch(browser: BrowserWindows) -> None:
    async with open_page(browser, WIDE_SIZE, 1) as (page, _, _):
        await expect(page.get_by_test_id("guild-name")).to_have_text("The Jesters' Inn")
        await expect(page.get_by_test_id("servers")).to_have_count(0)


@pytest.mark.parametrize("size", [WIDE_SIZE, NARROW_SIZE])
async def test_each_server_has_its_channels_and_its_last_one(browser: BrowserWindows, size: tuple[int, int]) -> None:
    async with open_page(browser, size, 4) as (page, visitor, _):
        name, channel = page.get_by_test_id("guild-name"), page.get_by_test_id("channel-name")

        async def to(testid: str) -> None:
            if size == NARROW_SIZE and not await page.locator("body.sidebar-open").count():
                await page.get_by_test_id("open-sidebar").click()
            await page.get_by_test_id(testid).click()

        await to(f"server-{GUILDS[1]}")
        await expect(name).to_have_text("The Old Mill")
        await expect(page.get_by_test_id(f"channel-{LOUNGES[0]}")).to_have_count(0)
        await to(f"channel-{LOUNGES[1]}")
        await to(f"server-{GUILDS[2]}")
        await expect(channel).to_have_text("games")
        await to(f"server-{GUILDS[1]}")
        await expect(channel).to_have_text("lounge")
        await expect(page.locator(".server [aria-current=true]")).to_have_attribute("data-server", str(GUILDS[1]))
        bela = visitor.player("Bela")
        await bela.send_message("Is anybody there?", "Harbour Lights/lounge")
        await bela.send_message(f"<@{ids.ADA}>, are you?", "Moonrakers/lounge")
        await expect(page.get_by_test_id(f"server-{GUILDS[2]}")).to_have_attribute("data-unread", "1")
        await expect(page.locator(".server .count")).to_have_text("1")
        await to(f"server-{GUILDS[3]}")
        await to(f"channel-{LOUNGES[3]}")
        await expect(page.locator(".server .count")).to_have_count(0)
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert await page.evaluate(overflow) == 0


async def test_the_admin_and_the_bot_belong_to_one_server(browser: BrowserWindows) -> None:
    async with open_page(browser, WIDE_SIZE, 4) as (page, _, house):
        for number in {ids.shard_of(guild, 8) for guild in GUILDS[1:]}:
            identify(house, shard=[number, 8])
        await expect(page.get_by_test_id("banner")).to_have_text("Merry is offline in The Jesters' Inn.")
        members = page.get_by_test_id("members").locator("li")
        await expect(members.nth(0)).to_have_text("MMerrybot, offline")
        await expect(members.nth(1)).to_contain_text("admin")
        await page.get_by_test_id(f"server-{GUILDS[1]}").click()
        await expect(members.nth(0)).to_have_text("MMerrybot, online")
        await expect(members.nth(2)).to_contain_text("admin")
        await expect(members.nth(1)).not_to_contain_text("admin")
