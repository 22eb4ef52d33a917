"""What the owner and a server's managers do to others, seen in the page: an announcement, and somebody shut out."""

from __future__ import annotations

import asyncio
import os
import sys

from playwright.async_api import expect

from cogs.table.state.block_list import SHUT_OUT_TEXT
from tests.page.page_driver import MOVE_SELECTOR, PageDriver

ANNOUNCEMENT = "We restart at 22:00. Nothing is lost."
NOTICED_SECONDS = 30.0


async def seat_and_start(driver: PageDriver, command: str, *people: str) -> str:
    """A running match; its thread."""
    before = {*driver.visitor.channels}
    await driver.seat_people(command, *people)
    await driver.press_button("Start")
    await driver.visitor.wait_until(lambda: driver.due_names() and driver.newest_thread not in before, "the table")
    return driver.newest_thread


async def run_owner_command(driver: PageDriver, *words: str) -> None:
    environment = {**os.environ, "MOTLEY_DATABASE": str(driver.bot.database)}
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "motley", *words, env=environment)
    assert await process.wait() == 0


async def wait_announced(driver: PageDriver, count: int) -> None:
    """Click, as people do, until the bot has noticed; so many messages then say it."""

    def shown_count() -> int:
        return sum(
            ANNOUNCEMENT in str(message["content"])
            for channel in driver.visitor.messages.values()
            for message in channel.values()
        )

    async with asyncio.timeout(NOTICED_SECONDS):
        while shown_count() != count:
            await driver.visitor.player("Greta").run_command("motley help")
            await asyncio.sleep(0.5)


async def test_an_announcement_stands_at_each_running_table_and_is_withdrawn(phone: PageDriver) -> None:
    first = await seat_and_start(phone, "/wizard new", "Ada", "Bela", "Chidi")
    second = await seat_and_start(phone, "/jest new", "Dora", "Bela", "Chidi")
    await run_owner_command(phone, "say", ANNOUNCEMENT)
    await wait_announced(phone, 2)
    for thread in (first, second):
        await phone.go_to_channel(thread)
        await expect(phone.newest_saying(ANNOUNCEMENT)).to_contain_text("From the people who run me:")
        await expect(phone.messages().filter(has_text=ANNOUNCEMENT)).to_have_count(1)
    await run_owner_command(phone, "say", "--withdraw")
    await wait_announced(phone, 0)
    for thread in (first, second):
        await phone.go_to_channel(thread)
        await expect(phone.messages().filter(has_text="Waiting for")).to_have_count(1)
        await expect(phone.messages().filter(has_text=ANNOUNCEMENT)).to_have_count(0)


async def test_somebody_who_is_shut_out_gets_one_sentence_at_every_control(phone: PageDriver) -> None:
    table = await seat_and_start(phone, "/wizard new", "Ada", "Bela", "Chidi")
    await phone.seat_people("/court new", "Dora", "Chidi")
    await phone.go_to_games("Ada")
    await phone.type_command("/admin shut-out player:Bela")
    await expect(phone.newest_saying("You shut Bela out")).to_be_visible()
    lobby, refused = (
        phone.newest_holding('[data-custom-id$=":join"]'),
        phone.messages().filter(has_text=SHUT_OUT_TEXT.replace("`", "")),
    )

    await phone.play_as("Bela")
    await lobby.get_by_role("button", name="Join", exact=True).click()
    await expect(refused).to_have_count(1)
    await expect(lobby).not_to_contain_text("Bela")
    await phone.type_command("/wizard new")
    await expect(refused).to_have_count(2)
    await phone.go_to_channel(table)
    await expect(phone.newest_saying("the computer plays for them")).to_be_visible()
    await phone.press_button("I am back")
    await expect(refused).to_have_count(1)
    await phone.go_to_hand("Bela")
    await phone.press_button("I am back")
    await expect(refused).to_have_count(1)
    await expect(phone.page.locator(MOVE_SELECTOR)).to_have_count(0)

    await phone.go_to_games("Ada")
    await phone.type_command("/admin let-in player:Bela")
    await expect(phone.newest_saying("Bela may play at this server")).to_be_visible()
    await phone.go_to_hand("Bela")
    await phone.press_button("I am back")
    await expect(phone.messages().get_by_role("button", name="I am back", exact=True)).to_have_count(0)
