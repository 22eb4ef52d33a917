"""The page at 390 pixels: nothing runs out of it, and everything can be reached."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from cogs.screens.control_widths import MAX_DESCRIPTION, MAX_LABEL, MAX_OPTION, MAX_PLACEHOLDER
from playground.world.world import COMPONENTS_V2
from tests.page.page_driver import MOVE_SELECTOR, NARROW_SIZE, PageDriver
from tests.page.playing import RandomPlayer, current_table, go_to_moves
from tests.playground.discord_rest import GAMES_PATH, RestClient

DEAL = "fedcba9876543210fedcba9876543210"
_OVERFLOW = """() => [...document.querySelectorAll('html, body, #app, #scroller, [data-message-id]')]
    .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.id || one.dataset.testid || one.tagName)"""

_CONTROLS = """() => [...document.querySelectorAll('[data-message-id] [data-custom-id]')]
    .map(one => one.getBoundingClientRect()).map(({x, width, height}) => ({x, width, height}))"""


async def check_fits(desktop: PageDriver) -> None:
    """Nothing can be scrolled sideways, and every control of the messages is wholly on the screen's width."""
    await desktop.wait_pictures_loaded()
    assert await desktop.page.evaluate(_OVERFLOW) == []
    for box in await desktop.page.evaluate(_CONTROLS):  # all at once: a message may be changed or go between two looks
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= NARROW_SIZE[0]
        assert box["height"] >= 36


TALK = "Push Bela by the 4 of hearts to K11, then attack Chidi and Emil there"
_LINES = """one => { const style = getComputedStyle(one), height = one.getBoundingClientRect().height;
    return Math.round(height / (parseFloat(style.lineHeight) || 1.25 * parseFloat(style.fontSize))) }"""


async def test_controls_as_long_as_they_may_be_stand_on_one_line_each(phone: PageDriver) -> None:
    option = {"label": TALK[:MAX_OPTION], "value": "x", "description": TALK[:MAX_DESCRIPTION], "emoji": {"name": "♣️"}}
    menu = {"type": 3, "custom_id": "menu", "placeholder": TALK[:MAX_PLACEHOLDER], "options": [option]}
    button = {"type": 2, "style": 1, "custom_id": "button", "label": TALK[:MAX_LABEL]}
    async with RestClient.connect(phone.playground) as rest:
        rows = [{"type": 1, "components": [each]} for each in (button, menu)]
        await rest.send_request("POST", f"{GAMES_PATH}/messages", {"flags": COMPONENTS_V2, "components": rows})
    await phone.go_to_games("Ada")
    message = phone.newest_holding('[data-custom-id="menu"]')
    await message.locator('[data-custom-id="menu"]').click()
    row = phone.page.get_by_test_id("select-option-x").locator(".select-option-text > span")
    parts = [message.locator(".button .label"), message.locator(".select-value > *"), row.first, row.last]
    assert [await part.evaluate(_LINES) for part in parts] == [1, 1, 1, 1]


THREE = ("Bela", "Emil", "Chidi")
OTHERS = {"/jest new": THREE, "/jokers new": ("Emil",), "/court new turns:8": THREE, "/jesters new": THREE}


@pytest.mark.parametrize(("command", "others"), OTHERS.items())
async def test_other_games_fit_a_telephone(phone: PageDriver, command: str, others: tuple[str, ...]) -> None:
    await phone.seat_people(command, "Ada", *others)
    await check_fits(phone)
    await phone.skip_ahead(DEAL, lambda snapshot: snapshot.info.moves >= 12)
    player = RandomPlayer(phone, 2)
    for _ in range(4):
        table, name = current_table(phone), phone.due_names()[0]
        await go_to_moves(phone, name)
        await check_fits(phone)
        await player.make_move()
        await phone.wait_table_changed(table)
    await phone.go_to_table("Greta")
    await check_fits(phone)
    await phone.skip_ahead(DEAL, lambda snapshot: snapshot.outcome() is not None)
    await expect(phone.newest_holding('[data-custom-id$=":again"]')).to_be_visible()
    await check_fits(phone)


async def test_a_match_on_a_telephone(phone: PageDriver) -> None:
    await phone.seat_people("/wizard new rounds:13", "Ada", "Bela", "Emil")
    await check_fits(phone)
    await phone.skip_ahead(
        DEAL, lambda snapshot: snapshot.view(None).round == 13 and snapshot.view(None).phase == "bid"
    )
    for _ in range(3 + 1):  # the bids and a lead
        table, (name,) = current_table(phone), phone.due_names()
        await go_to_moves(phone, name)
        await check_fits(phone)
        lists = phone.newest_holding(MOVE_SELECTOR).locator('[data-custom-id^="s:"]')
        await phone.use_control(lists if await lists.count() else await phone.hand_control(), option=-1)
        await phone.wait_table_changed(table)
    await phone.go_to_table("Greta")
    await check_fits(phone)
    await phone.press_button("More")
    await phone.press_button("Rules")
    await check_fits(phone)
    await expect(phone.page.locator(".reply").last).to_contain_text(" Waiting for")  # lines do not run together
    rules = phone.page.locator('[data-custom-id="r:wizard"]').last
    await rules.click()
    options = phone.page.get_by_test_id("select-list").get_by_role("option")
    await expect(options.last).to_be_in_viewport()
    wanted = await options.nth(3).inner_text()
    await options.nth(3).click()
    await expect(rules).to_contain_text(wanted)
    await check_fits(phone)
    for drawer in ("log", "faults"):
        await phone.page.get_by_test_id(f"{drawer}-toggle").click()
        box = await phone.page.get_by_test_id(f"{drawer}-drawer").bounding_box()
        assert box is not None
        assert box["width"] <= NARROW_SIZE[0]
        await phone.page.keyboard.press("Escape")


LOBBY = '[data-custom-id$=":join"]'


async def test_the_host_changes_options_on_a_telephone_and_is_asked_before_a_hasty_start(phone: PageDriver) -> None:
    await phone.seat_people("/court new", "Ada", "Bela", "Chidi", "Dora")
    await check_fits(phone)
    await phone.press_button("More")
    await phone.press_button("Options")
    await check_fits(phone)
    await phone.press_button("Length")
    await expect(phone.newest_saying("3 banners")).to_contain_text("340 to 2,000 or more turns")
    turns = phone.page.locator('[data-custom-id$=":turns"]')
    await turns.click()
    await expect(phone.page.get_by_role("option").last).to_be_attached()
    await phone.page.get_by_role("option", name="at most 60").click()
    await expect(turns).to_contain_text("at most 60")
    await expect(phone.newest_saying("The options of ")).to_contain_text("60 turns at most")
    await expect(phone.newest_holding(LOBBY)).to_contain_text("60 turns at most")
    await check_fits(phone)
    await phone.press_button("Start")
    question = phone.newest_saying("have just changed")
    await expect(question).to_contain_text("60 turns at most")
    await check_fits(phone)
    await phone.press_button("Start with these")
    await phone.visitor.wait_until(phone.due_names, "the table")


async def test_those_who_have_played_sit_down_again_by_one_button(desktop: PageDriver) -> None:
    await desktop.seat_people("/jest new", "Ada", "Bela", "Chidi")
    await desktop.skip_ahead(DEAL, lambda snapshot: snapshot.outcome() is not None)
    replies = [("Greta", "people who played"), ("Bela", "I have pinged the others")]
    replies += [("Ada", "You have joined the new table"), ("Bela", "You are already at the new table")]
    for name, text in replies:
        await desktop.go_to_table(name)
        await desktop.press_button("Play again")
        await expect(desktop.newest_saying(text)).to_be_visible()
    await desktop.go_to_games("Ada")
    await expect(desktop.newest_holding(LOBBY)).to_contain_text("One more needed")
    assert any("Bela (host)" in alt for alt in await desktop.wait_pictures_loaded())
