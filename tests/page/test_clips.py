"""A clip moves in the page, for the one who looks at it and, once it is posted, for everybody."""

from __future__ import annotations

import asyncio

from playwright.async_api import Locator, expect

from engines.store.match_store import Status
from tests.page.page_driver import PageDriver

DRAWN_MS = 120_000.0  # workers have a low priority, and a busy machine lets them wait
SEED = f"{1:032x}"
PHONE_HEIGHT = 640


async def wait_moving(picture: Locator) -> None:
    """Wait until a picture looks different."""
    await picture.scroll_into_view_if_needed()
    before = await picture.screenshot()
    async with asyncio.timeout(30):
        while await picture.screenshot() == before:  # noqa: ASYNC110  # a page does not tell that a GIF moves on
            await asyncio.sleep(0.2)


async def test_a_clip_moves_and_is_posted(phone: PageDriver) -> None:
    await phone.seat_people("/wizard new rounds:2", "Ada", "Bela", "Chidi")
    await phone.press_button("Start")
    await phone.visitor.wait_until(phone.due_names, "the table")
    await phone.skip_ahead(SEED, lambda snapshot: snapshot.info.status is Status.OVER)
    await phone.go_to_table("Ada")
    result = phone.newest_holding('[data-custom-id$=":again"]')
    await result.get_by_role("button", name="Share", exact=True).click()
    private = phone.newest_holding('[data-custom-id$=":pick"]')
    await private.wait_for(timeout=DRAWN_MS)
    await expect(private).to_contain_text("The moments that mattered")
    await expect(private).to_contain_text("Only you")
    await phone.wait_pictures_loaded()
    picture = private.locator("img[src$='/clip.gif']")
    await wait_moving(picture)
    assert "is scored" in (await picture.get_attribute("alt") or "")
    await private.locator('[data-custom-id$=":pick"]').click()
    await phone.page.get_by_role("option").nth(1).click()
    await expect(private).to_contain_text("Wizard · Round 1", timeout=DRAWN_MS)
    await phone.wait_pictures_loaded()
    box = await private.bounding_box()
    assert box is not None
    assert box["height"] <= PHONE_HEIGHT
    await private.get_by_role("button", name="Post").click()
    posted = phone.newest_saying("posted by Ada")
    await posted.wait_for()
    await phone.play_as("Greta")
    await phone.go_to_channel(phone.newest_thread)
    await expect(posted.locator("img")).to_have_count(1)
    await wait_moving(posted.locator("img"))
    await expect(phone.messages().filter(has=phone.page.locator('[data-custom-id$=":pick"]'))).to_have_count(0)
