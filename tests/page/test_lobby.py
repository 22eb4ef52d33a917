"""The lobby in the page: options on a telephone, a question before a hasty start, and playing again."""

from __future__ import annotations

from playwright.async_api import expect

from tests.page.inn import PageDriver
from tests.page.test_phone import check_fits

DEAL = "fedcba9876543210fedcba9876543210"
LOBBY = '[data-custom-id$=":join"]'


async def test_the_host_changes_options_on_a_telephone_and_is_asked_before_a_hasty_start(phone: PageDriver) -> None:
    await phone.seat_people("/court new", "Ada", "Bela", "Chidi", "Dora")
    await expect(phone.newest_holding(LOBBY)).to_contain_text("340 to over 2,000 turns")
    await check_fits(phone)
    await phone.play_as("Bela")
    await phone.press_button("3 banners")
    await expect(phone.newest_saying("Only the host can do that")).to_be_visible()
    await phone.play_as("Ada")
    await phone.press_button("Options")
    turns = phone.page.locator('[data-custom-id$=":turns"]')
    await turns.click()
    await expect(phone.page.get_by_role("option").last).to_be_attached()
    await phone.page.get_by_role("option", name="at most 60").click()
    await expect(turns).to_contain_text("at most 60")
    await expect(phone.newest_saying("options have changed at")).to_contain_text("turns: at most 60")
    await expect(phone.newest_holding(LOBBY)).not_to_contain_text("340")
    await check_fits(phone)
    await phone.press_button("Start")
    asked = phone.newest_saying("have just changed")
    await expect(asked).to_contain_text("Turns: at most 60")
    await check_fits(phone)
    await phone.press_button("Start with these")
    await phone.visitor.wait_until(phone.due_names, "the table")


async def test_those_who_have_played_sit_down_again_by_one_button(desk: PageDriver) -> None:
    await desk.seat_people("/jest new", "Ada", "Bela", "Chidi")
    await desk.skip_ahead(DEAL, lambda look: look.outcome() is not None)
    for name, said in (
        ("Greta", "people who played"),
        ("Bela", "I have pinged the others"),
        ("Ada", "You have joined the new table"),
        ("Bela", "You are already at the new table"),
    ):
        await desk.go_to_table(name)
        await desk.press_button("Play again")
        await expect(desk.newest_saying(said)).to_be_visible()
    await desk.go_to_games("Ada")
    await expect(desk.newest_holding(LOBBY)).to_contain_text("2 players; 1 more needed")
    await expect(desk.newest_holding(LOBBY)).to_contain_text("Bela (host)")
