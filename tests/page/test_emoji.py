"""The page shows the application's emoji: on buttons, in lists and in texts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Locator, expect

from engines.hosting.match import MatchSnapshot
from engines.kit.cards import SUIT_WORDS
from engines.wizard.deck import JESTER
from playground.world.application_emoji import StoredEmoji
from tests.page.bot_forker import BotForker
from tests.page.page_driver import MOVE_SELECTOR, NARROW_SIZE, BrowserWindows, PageDriver

SEED = "00112233445566778899aabbccddeeff"


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: BrowserWindows, bot_forker: BotForker, tmp_path: Path) -> AsyncIterator[PageDriver]:
    """The page on a phone, with all emoji uploaded."""
    async with PageDriver.open(browser, bot_forker, tmp_path / "motley.db", NARROW_SIZE, emoji=True) as driver:
        yield driver
        assert driver.complaints == []


def emoji_of(phone: PageDriver, key: str) -> StoredEmoji:
    stored = phone.playground.simulation.emoji.by_id.values()
    return next(each for each in stored if each.name.startswith(f"motley_{key}_"))


async def loaded_names(place: Locator) -> list[str]:
    """The names of the emoji in front of us, all of them loaded."""
    images = place.locator("img.custom-emoji")
    await expect(images.first).to_be_visible()
    found = []
    for number in range(await images.count()):
        image = images.nth(number)
        assert await image.evaluate("one => one.decode().then(() => one.naturalWidth)") == 128
        found.append(str(await image.get_attribute("title")))
    return found


async def test_buttons_and_lists_show_the_cards_they_stand_for(phone: PageDriver) -> None:
    await phone.seat_people("/jokers new", "Ada", "Bela")
    await phone.press_button("Start")
    await phone.visitor.wait_until(phone.due_names, "the table")
    await phone.go_to_hand(phone.due_names()[0])
    await phone.newest_holding(MOVE_SELECTOR).locator('[data-custom-id^="o:"]').first.click()
    await phone.wait_answered()
    for label in ("Trade", "Safety 1"):
        await phone.press_button(label)
    hand = phone.newest_holding(MOVE_SELECTOR)
    assert len(await loaded_names(hand.locator('[data-custom-id^="m:"]'))) == 1, "the card to take"
    await hand.get_by_role("button", name="Keep").click()
    await phone.wait_answered()
    await phone.newest_holding(MOVE_SELECTOR).locator('[data-custom-id^="s:"]').click()
    listed = phone.page.get_by_test_id("select-list")
    labels = await listed.locator("[role=option]").all_inner_texts()
    assert len(await loaded_names(listed)) == len(labels) == 9, "one beside each card"
    await phone.page.keyboard.press("Escape")


async def test_card_buttons_stand_side_by_side(phone: PageDriver) -> None:
    await phone.seat_people("/wizard new", "Ada", "Bela", "Chidi")
    await phone.skip_ahead(f"{1:032x}", _leads_eight_plain_cards)
    await phone.go_to_hand(phone.due_names()[0])
    hand = phone.newest_holding(MOVE_SELECTOR)
    buttons = hand.locator('[data-custom-id^="m:"]')
    assert len(await loaded_names(buttons)) == await buttons.count() == 8
    tops = await buttons.evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")  # the page may scroll
    assert len({*tops}) == 2, f"two rows of four, not {tops}"


def _leads_eight_plain_cards(snapshot: MatchSnapshot) -> bool:
    """Any of eight cards may be led, and none is a Wizard or Jester, whose buttons are broader."""
    view = snapshot.view(None)
    if (view.round, view.phase) != (8, "play") or view.trick or view.tricks:
        return False
    return bool(max(snapshot.view(view.turn).hand) < JESTER)


async def test_news_show_the_suits_on_the_table(phone: PageDriver) -> None:
    await phone.seat_people("/wizard new", "Ada", "Bela", "Chidi")
    await phone.skip_ahead(SEED, _follows_a_plain_card)
    await phone.go_to_hand(phone.due_names()[0])
    hand = phone.newest_holding(MOVE_SELECTOR)
    sentence = hand.locator("p", has_text="Ada").first
    assert set(await loaded_names(sentence)) <= {f":{emoji_of(phone, suit).name}:" for suit in SUIT_WORDS}


def _follows_a_plain_card(snapshot: MatchSnapshot) -> bool:
    view = snapshot.view(None)
    return (
        view.phase == "play"
        and len(view.trick) == 1
        and view.trick[0] < JESTER
        and len(snapshot.view(view.turn).hand) == 5
    )


async def test_an_emoji_in_a_text_is_shown_and_an_unknown_one_named(phone: PageDriver) -> None:
    king = emoji_of(phone, "king_of_hearts")
    await phone.go_to_games("Ada")
    await phone.type_command(f"they say <:{king.name}:{king.id}> and <:joker:123>")
    message = phone.newest_saying("they say")
    assert await loaded_names(message) == [f":{king.name}:"]
    assert await message.locator("img.custom-emoji").get_attribute("alt") == f":{king.name}:"
    await expect(message.locator(".emoji-name")).to_have_text(":joker:")
