"""What stands before the names of places: a # is a text channel's alone, wherever its name is written."""

from __future__ import annotations

from playwright.async_api import expect

from playground.world import ids
from tests.page.inn import PageDriver


async def test_a_voice_channel_has_no_hash_in_its_head_its_first_line_or_a_list(desk: PageDriver) -> None:
    composer = desk.page.get_by_test_id("composer")
    await desk.go_to_games("Ada")
    await expect(composer).to_have_attribute("placeholder", "Message #games or type /")
    await expect(desk.page.locator(".intro-mark")).to_have_text("#")
    await desk.type_command("/motley server")
    await desk.press_button("Only in some channels")
    for channel, hashes in ((ids.GAMES_CHANNEL, 1), (ids.NEWS_CHANNEL, 0), (ids.SNUG_CHANNEL, 0)):
        option = desk.page.get_by_test_id(f"select-option-{channel}")
        await expect(option.locator(".hash")).to_have_count(hashes)
        await expect(option.locator("svg.icon:not(.tick *)")).to_have_count(1 - hashes)
    await desk.page.keyboard.press("Escape")
    await desk.go_to_channel(str(ids.SNUG_CHANNEL))
    await expect(composer).to_have_attribute("placeholder", "Message snug or type /")
    await expect(desk.page.locator(".intro-mark svg")).to_be_visible()


async def test_a_thread_is_named_as_one(desk: PageDriver) -> None:
    await desk.seat_people("/jokers new", "Ada", "Bela")
    await desk.press_button("Start")
    await desk.visitor.wait_until(desk.due_names, "the table")
    await desk.go_to_table("Ada")
    await expect(desk.page.get_by_test_id("composer")).to_have_attribute(
        "placeholder", "Message “Jokers: Ada, Bela” or type /"
    )
