"""The page at 390 pixels: nothing runs out of it, and everything can be reached."""

from __future__ import annotations

from playwright.async_api import expect

from tests.page.inn import MOVES, NARROW, Inn
from tests.page.test_match import shown, to_moves

DEAL = "fedcba9876543210fedcba9876543210"
_OVERFLOW = """() => [...document.querySelectorAll('html, body, #app, #scroller, [data-message-id]')]
    .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.id || one.dataset.testid || one.tagName)"""


async def fits(inn: Inn) -> None:
    """Nothing can be scrolled sideways, and every control of the messages is wholly on the screen's width."""
    await inn.loaded()
    assert await inn.page.evaluate(_OVERFLOW) == []
    for control in await inn.messages().locator("[data-custom-id]").all():
        box = await control.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= NARROW[0]
        assert box["height"] >= 36


async def test_lobby_bids_tricks_and_lists_on_a_telephone(phone: Inn) -> None:
    await phone.seat("Ada", "Bela", "Emil", rounds=2)
    await fits(phone)
    await phone.press("Start")
    await phone.visitor.until(phone.due, "the table")
    for _ in range(6):
        table = shown(phone)
        await to_moves(phone, phone.due())
        await fits(phone)
        await phone.move()
        await phone.turned(table)
    await phone.to_table("Greta")
    await fits(phone)
    await phone.press("Rules")
    await expect(phone.page.locator(".reply").last).to_contain_text("of 2 Waiting for")  # lines do not run together
    await phone.newest('[data-custom-id="r:wizard"]').wait_for()
    await phone.page.locator('[data-custom-id="r:wizard"]').last.click()
    options = phone.page.get_by_test_id("select-list").get_by_role("option")
    await expect(options.last).to_be_in_viewport()
    wanted = await options.nth(3).inner_text()
    await options.nth(3).click()
    await expect(phone.page.locator('[data-custom-id="r:wizard"]').last).to_contain_text(wanted)
    await fits(phone)


async def test_a_large_hand_and_the_drawers_on_a_telephone(phone: Inn) -> None:
    await phone.seat("Ada", "Bela", "Chidi", rounds=13)
    await phone.ahead(DEAL, lambda look: look.view(None).round == 13 and look.view(None).phase == "play")
    table, name = shown(phone), phone.due()
    await phone.to_hand(name)
    await phone.newest(MOVES).wait_for()
    await fits(phone)
    await phone.make(phone.newest(MOVES).locator('[data-custom-id^="s:"]'), option=-1)
    await phone.turned(table)
    for drawer in ("log", "faults"):
        await phone.page.get_by_test_id(f"{drawer}-toggle").click()
        box = await phone.page.get_by_test_id(f"{drawer}-drawer").bounding_box()
        assert box is not None
        assert box["width"] <= NARROW[0]
        await phone.page.keyboard.press("Escape")
    await fits(phone)
