"""The lobby in the page: options on a telephone, a question before a hasty start, and playing again."""

from __future__ import annotations

from playwright.async_api import expect

from tests.page.inn import Inn
from tests.page.test_phone import fits

DEAL = "fedcba9876543210fedcba9876543210"
LOBBY = '[data-custom-id$=":join"]'


async def test_the_host_changes_options_on_a_telephone_and_is_asked_before_a_hasty_start(phone: Inn) -> None:
    await phone.seat("/court new", "Ada", "Bela", "Chidi", "Dora")
    await expect(phone.newest(LOBBY)).to_contain_text("340 to over 2,000 turns")
    await fits(phone)
    await phone.be("Bela")
    await phone.press("3 banners")
    await expect(phone.saying("Only the host can do that")).to_be_visible()
    await phone.be("Ada")
    await phone.press("Options")
    turns = phone.page.locator('[data-custom-id$=":turns"]')
    await turns.click()
    await expect(phone.page.get_by_role("option").last).to_be_attached()
    await phone.page.get_by_role("option", name="at most 60").click()
    await expect(turns).to_contain_text("at most 60")
    await expect(phone.saying("options have changed at")).to_contain_text("turns: at most 60")
    await expect(phone.newest(LOBBY)).not_to_contain_text("340")
    await fits(phone)
    await phone.press("Start")
    asked = phone.saying("have only just changed")
    await expect(asked).to_contain_text("Turns: at most 60")
    await fits(phone)
    await phone.press("Start with these")
    await phone.visitor.until(phone.due, "the table")


async def test_those_who_have_played_sit_down_again_by_one_button(desk: Inn) -> None:
    await desk.seat("/jest new", "Ada", "Bela", "Chidi")
    await desk.ahead(DEAL, lambda look: look.outcome() is not None)
    for name, said in (
        ("Greta", "for those who have played"),
        ("Bela", "I have called the others"),
        ("Ada", "You have joined the new table"),
        ("Bela", "You already sit at the new table"),
    ):
        await desk.to_table(name)
        await desk.press("Play again")
        await expect(desk.saying(said)).to_be_visible()
    await desk.to_games("Ada")
    await expect(desk.newest(LOBBY)).to_contain_text("2 players; 1 more needed")
    await expect(desk.newest(LOBBY)).to_contain_text("Bela (host)")
