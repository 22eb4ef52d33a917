"""The page at 390 pixels: nothing runs out of it, and everything can be reached."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from cogs.screens.control_widths import DESCRIPTION, LABEL, OPTION, PLACEHOLDER
from playground.world.world import COMPONENTS_V2
from tests.page.inn import MOVES, NARROW, Inn
from tests.page.playing import Player, shown, to_moves
from tests.playground.discord_rest import GAMES, Rest

DEAL = "fedcba9876543210fedcba9876543210"
_OVERFLOW = """() => [...document.querySelectorAll('html, body, #app, #scroller, [data-message-id]')]
    .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.id || one.dataset.testid || one.tagName)"""

_CONTROLS = """() => [...document.querySelectorAll('[data-message-id] [data-custom-id]')]
    .map(one => one.getBoundingClientRect()).map(({x, width, height}) => ({x, width, height}))"""


async def fits(desk: Inn) -> None:
    """Nothing can be scrolled sideways, and every control of the messages is wholly on the screen's width."""
    await desk.loaded()
    assert await desk.page.evaluate(_OVERFLOW) == []
    for box in await desk.page.evaluate(_CONTROLS):  # all at once: a message may be changed or go between two looks
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= NARROW[0]
        assert box["height"] >= 36


TALK = "Push Bela by the 4 of hearts to K11, then attack Chidi and Emil there"
_LINES = """one => { const style = getComputedStyle(one), height = one.getBoundingClientRect().height;
    return Math.round(height / (parseFloat(style.lineHeight) || 1.25 * parseFloat(style.fontSize))) }"""


async def test_controls_as_long_as_they_may_be_stand_on_one_line_each(phone: Inn) -> None:
    option = {"label": TALK[:OPTION], "value": "x", "description": TALK[:DESCRIPTION], "emoji": {"name": "♣️"}}
    menu = {"type": 3, "custom_id": "menu", "placeholder": TALK[:PLACEHOLDER], "options": [option]}
    button = {"type": 2, "style": 1, "custom_id": "button", "label": TALK[:LABEL]}
    async with Rest.to(phone.playground) as rest:
        rows = [{"type": 1, "components": [each]} for each in (button, menu)]
        await rest.ask("POST", f"{GAMES}/messages", {"flags": COMPONENTS_V2, "components": rows})
    await phone.to_games("Ada")
    message = phone.newest('[data-custom-id="menu"]')
    await message.locator('[data-custom-id="menu"]').click()
    row = phone.page.get_by_test_id("select-option-x").locator(".select-option-text > span")
    parts = [message.locator(".button .label"), message.locator(".select-value > *"), row.first, row.last]
    assert [await part.evaluate(_LINES) for part in parts] == [1, 1, 1, 1]


OTHERS = [
    ("/jest new", ("Bela", "Emil", "Chidi")),
    ("/jokers new", ("Emil",)),
    ("/court new turns:8", ("Bela", "Emil", "Chidi")),
    ("/jesters new", ("Bela", "Emil", "Chidi")),
]


@pytest.mark.parametrize(("command", "others"), OTHERS, ids=[command.split()[0][1:] for command, _ in OTHERS])
async def test_hands_and_tables_of_other_games_fit_a_telephone(
    phone: Inn, command: str, others: tuple[str, ...]
) -> None:
    await phone.seat(command, "Ada", *others)
    await fits(phone)
    await phone.ahead(DEAL, lambda look: look.info.moves >= 12)
    player = Player(phone, 2)
    for _ in range(4):
        table, name = shown(phone), phone.due()[0]
        await to_moves(phone, name)
        await fits(phone)
        await player.move()
        await phone.turned(table)
    await phone.to_table("Greta")
    await fits(phone)
    await phone.ahead(DEAL, lambda look: look.outcome() is not None)
    await expect(phone.newest('[data-custom-id$=":again"]')).to_be_visible()
    await fits(phone)


async def test_a_match_on_a_telephone(phone: Inn) -> None:
    await phone.seat("/wizard new rounds:13", "Ada", "Bela", "Emil")
    await fits(phone)
    await phone.ahead(DEAL, lambda look: look.view(None).round == 13 and look.view(None).phase == "bid")
    for _ in range(3 + 1):  # the bids and a lead
        table, (name,) = shown(phone), phone.due()
        await to_moves(phone, name)
        await fits(phone)
        lists = phone.newest(MOVES).locator('[data-custom-id^="s:"]')
        await phone.make(lists if await lists.count() else await phone.control(), option=-1)
        await phone.turned(table)
    await phone.to_table("Greta")
    await fits(phone)
    await phone.press("⋯")
    await phone.press("Rules")
    await expect(phone.page.locator(".reply").last).to_contain_text(" Waiting for")  # lines do not run together
    rules = phone.page.locator('[data-custom-id="r:wizard"]').last
    await rules.click()
    options = phone.page.get_by_test_id("select-list").get_by_role("option")
    await expect(options.last).to_be_in_viewport()
    wanted = await options.nth(3).inner_text()
    await options.nth(3).click()
    await expect(rules).to_contain_text(wanted)
    await fits(phone)
    for drawer in ("log", "faults"):
        await phone.page.get_by_test_id(f"{drawer}-toggle").click()
        box = await phone.page.get_by_test_id(f"{drawer}-drawer").bounding_box()
        assert box is not None
        assert box["width"] <= NARROW[0]
        await phone.page.keyboard.press("Escape")
