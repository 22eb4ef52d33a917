"""A private note is written in the page's form, of several lines, and stands under the hand."""

from __future__ import annotations

from playwright.async_api import Locator, expect

from tests.page.page_driver import MOVE_SELECTOR, PageDriver

NOTE = "Bela keeps <b>trumps</b>\nChidi has no hearts"


async def open_form(driver: PageDriver) -> Locator:
    await driver.newest_holding(MOVE_SELECTOR).get_by_role("button", name="More", exact=True).click()
    await driver.press_button("Note")
    form = driver.page.get_by_test_id("modal")
    await expect(form).to_be_visible()
    return form


async def submit(driver: PageDriver) -> None:
    await driver.page.get_by_test_id("modal-submit").click()
    await expect(driver.page.get_by_test_id("modal")).to_have_count(0)


async def test_a_note_is_written_changed_and_deleted_in_a_form(phone: PageDriver) -> None:
    await phone.seat_people("/wizard new", "Ada", "Bela", "Chidi")
    await phone.press_button("Start")
    await phone.visitor.wait_until(phone.due_names, "the table")
    due = phone.due_names()[0]
    await phone.go_to_hand(due)
    hand = phone.newest_holding(MOVE_SELECTOR)
    form = await open_form(phone)
    field = form.locator("textarea")
    await expect(form).to_contain_text("Only you can see it")
    await expect(field).to_have_attribute("maxlength", "300")
    await expect(field).to_have_value("")
    await field.fill(NOTE)
    await submit(phone)
    menu = phone.newest_saying("Your note")
    await expect(menu).to_contain_text("Your note is saved.")
    await expect(menu).to_contain_text("Note: Bela keeps <b>trumps</b>")
    await expect(hand).to_contain_text("Note: Bela keeps <b>trumps</b> · Chid")
    form = await open_form(phone)
    await expect(form.locator("textarea")).to_have_value(NOTE)
    await form.locator("textarea").fill("")
    await submit(phone)
    await expect(phone.newest_saying("You have no note")).to_be_visible()
    await expect(hand).not_to_contain_text("Note:")


async def test_no_more_than_fits_is_typed_and_a_closed_form_changes_nothing(desktop: PageDriver) -> None:
    await desktop.seat_people("/wizard new", "Ada", "Bela", "Chidi")
    await desktop.press_button("Start")
    await desktop.visitor.wait_until(desktop.due_names, "the table")
    due = desktop.due_names()[0]
    await desktop.go_to_hand(due)
    form = await open_form(desktop)
    await form.locator("textarea").fill("x" * 310)
    await expect(form.locator("textarea")).to_have_value("x" * 300)
    await desktop.page.get_by_test_id("modal-cancel").click()
    await expect(desktop.page.get_by_test_id("modal")).to_have_count(0)
    await expect(await desktop.newest_hand()).not_to_contain_text("Note:")
