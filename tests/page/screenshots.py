"""`make screenshots`: every picture of the README and the docs, again from the running page."""

from __future__ import annotations

import asyncio
import io
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.async_api import Locator, expect

from engines.court.board import OFF_BOARD
from engines.court.deck import NUMBER_CARDS
from engines.hosting.match import MatchSnapshot
from engines.wizard.deck import JESTER
from tests.glyphs import missing_packages, without_glyph
from tests.page.bot_forker import BotForker
from tests.page.fast_forward import choose_sensible
from tests.page.page_driver import CHROMIUM, MOVE_SELECTOR, NARROW_SIZE, ROOT, WIDE_SIZE, BrowserWindows, PageDriver

PICTURES: Final = ROOT / "docs" / "pictures"
MAX_BYTES: Final = 300_000
SEED: Final = "00112233445566778899aabbccddeeff"
PLAYERS: Final = ("Ada", "Bela", "Chidi", "Dora")
WINDOW_SCALE: Final = 2  # pixels of a photograph to one of the page
GAP_PIXELS: Final = 24  # pixels of the page between two telephones
TELEPHONE_SIZES: Final = (26, 27, 31)  # what is between them
COLOUR_COUNT: Final = 256


async def main() -> None:
    async with BrowserWindows.open() as browser, BotForker.open() as bot_forker:
        for play in (_shoot_first_steps, _shoot_wizard, _shoot_jest, _shoot_jokers, _shoot_court, _shoot_jesters):
            size = WIDE_SIZE if play is _shoot_first_steps else NARROW_SIZE
            with tempfile.TemporaryDirectory() as folder:
                database = Path(folder) / "motley.db"
                async with PageDriver.open(browser, bot_forker, database, size, WINDOW_SCALE, emoji=True) as driver:
                    await play(driver)
                    assert not driver.complaints, driver.complaints


async def _shoot_first_steps(driver: PageDriver) -> None:
    await driver.page.get_by_test_id("first-steps").wait_for()
    _save_picture("playground", await _photograph(driver))


async def _shoot_wizard(driver: PageDriver) -> None:
    await driver.seat_people("/wizard new rounds:8", *PLAYERS)
    _save_picture("lobby", await _photograph(driver, driver.newest_holding('[data-custom-id$=":join"]')))
    await driver.skip_ahead(SEED, _is_half_trick)
    await _shoot_pair(driver, "wizard")
    await driver.skip_ahead(SEED, _is_over)
    await _shoot_result(driver, "wizard-result")


async def _shoot_jest(driver: PageDriver) -> None:
    await driver.seat_people("/jest new", *PLAYERS)
    await driver.skip_ahead(SEED, lambda snapshot: _has_taken(snapshot, rounds=2, takes=1))
    await _shoot_pair(driver, "jest")
    await driver.skip_ahead(SEED, _is_over)
    await _shoot_result(driver, "jest-result")


async def _shoot_jokers(driver: PageDriver) -> None:
    await driver.seat_people("/jokers new rounds:2", *PLAYERS[:2])
    await driver.skip_ahead(
        SEED, lambda snapshot: snapshot.view(None).phase == "safety" and len(snapshot.view(None).discard) > 13
    )
    await _shoot_pair(driver, "jokers", PLAYERS[:2])
    await driver.skip_ahead(SEED, lambda snapshot: snapshot.view(None).round == 2 and snapshot.view(None).trades == 2)
    await driver.go_to_hand(driver.due_names()[0])
    await _shoot_order(driver, driver.newest_holding(MOVE_SELECTOR))
    await driver.skip_ahead(SEED, _is_over)
    await _shoot_result(driver, "jokers-result")


async def _shoot_court(driver: PageDriver) -> None:
    await driver.seat_people("/court new banners:3", *PLAYERS)
    await driver.skip_ahead(SEED, _is_pushing)
    await _shoot_pair(driver, "court")
    await driver.go_to_hand(driver.due_names()[0])
    await _shoot_card(driver, driver.newest_holding(MOVE_SELECTOR))
    await driver.skip_ahead(SEED, _is_over)
    await _shoot_result(driver, "court-result")


def _is_pushing(snapshot: MatchSnapshot) -> bool:
    """Phase Two after an attack that hit; there are banners and Menhirs, and who is in turn holds number cards."""
    view = snapshot.view(None)
    if view.phase != "hinder" or view.owed or view.menhirs.count(OFF_BOARD) > 1:
        return False
    numbers = NUMBER_CARDS.intersection(snapshot.view(view.turn).hand)
    return view.attacked is not None and any(one.hit for one in view.attacked.defences) and len(numbers) > 2


async def _shoot_card(driver: PageDriver, hand: Locator) -> None:
    await hand.locator('[data-custom-id^="n:"]').filter(has_text=re.compile(r"\d")).first.click()
    await driver.wait_answered()
    _save_picture("court-card", await _photograph(driver, hand))


async def _shoot_jesters(driver: PageDriver) -> None:
    await driver.seat_people("/jesters new", *PLAYERS)
    await driver.skip_ahead(SEED, _is_attempting, choose_sensible)
    await _shoot_pair(driver, "jesters")
    await driver.skip_ahead(SEED, _is_over, choose_sensible)
    await _shoot_result(driver, "jesters-result")


def _is_attempting(snapshot: MatchSnapshot) -> bool:
    """An attempt with several dice; who makes it holds Jest cards to change them."""
    view = snapshot.view(None)
    if view.phase != "attempt" or view.attempt is None:
        return False
    return len(view.attempt.dice) > 2 and len(snapshot.view(view.turn).hand) > 1


def _is_over(snapshot: MatchSnapshot) -> bool:
    return snapshot.outcome() is not None


def _has_taken(snapshot: MatchSnapshot, rounds: int, takes: int) -> bool:
    view = snapshot.view(None)
    return (view.round, view.phase, len(view.takes)) == (rounds, "take", takes)


async def _shoot_order(driver: PageDriver, hand: Locator) -> None:
    message = driver.page.get_by_test_id(str(await hand.get_attribute("data-testid")))
    cards = await message.locator('[data-custom-id^="o:"]').all_inner_texts()
    for i in (1, 4, 6):
        await message.get_by_role("button", name=cards[i].strip(), exact=True).click()
        await driver.wait_answered()
    _save_picture("jokers-order", await _photograph(driver, message))


def _is_half_trick(snapshot: MatchSnapshot) -> bool:
    """A trick of the sixth round that is half played; who is to follow has a choice, and other cards, but no Wizard."""
    view = snapshot.view(None)
    if (view.round, view.phase, len(view.trick)) != (6, "play", 2):
        return False
    (seat,) = snapshot.due_seats()
    hand, moves = snapshot.view(seat).hand, snapshot.moves(seat)
    return max(hand) < JESTER and 1 < len(moves) < len(hand) and len(hand) > 3


async def _shoot_pair(driver: PageDriver, name: str, seated: Sequence[str] = PLAYERS) -> None:
    """Two telephones side by side: the table as others see it, and the hand of the due player."""
    due = driver.due_names()[0]
    for player in seated:  # so that nothing is news to anybody
        await driver.go_to_hand(player)
        await driver.go_to_table(player)
    await driver.go_to_hand(due)
    await driver.newest_holding(MOVE_SELECTOR).wait_for()
    hand = await _photograph(driver)
    await driver.go_to_table(next(player for player in seated if player != due))
    table = await _photograph(driver)
    width, height, gap = table.width, table.height, GAP_PIXELS * WINDOW_SCALE
    both = Image.new("RGB", (2 * width + gap, height), TELEPHONE_SIZES)
    both.paste(table, (0, 0))
    both.paste(hand, (width + gap, 0))
    _save_picture(name, both)


async def _shoot_result(driver: PageDriver, name: str) -> None:
    await driver.go_to_table(PLAYERS[0])
    _save_picture(name, await _photograph(driver, driver.newest_holding('[data-custom-id$=":again"]')))


async def _photograph(driver: PageDriver, part: Locator | None = None) -> Image.Image:
    await expect(driver.page.get_by_test_id("banner")).to_be_hidden()
    await driver.wait_pictures_loaded()
    await driver.page.mouse.move(0, 0)
    await driver.page.evaluate("document.activeElement?.blur()")
    missing = without_glyph(await (part or driver.page.locator("body")).inner_text())
    assert not missing, f"no font has {missing}"
    shot = await (part.screenshot() if part else driver.page.screenshot())
    return Image.open(io.BytesIO(shot)).convert("RGB")


def _save_picture(name: str, image: Image.Image) -> None:
    path = PICTURES / f"{name}.png"
    image.quantize(COLOUR_COUNT, dither=Image.Dither.NONE).save(path, optimize=True)
    size = path.stat().st_size
    assert size < MAX_BYTES, f"{path} has {size} bytes"
    print(f"{path.relative_to(ROOT)}: {image.width} × {image.height}, {size // 1024} KB")


if __name__ == "__main__":
    if CHROMIUM is None:
        sys.exit("The pictures are taken by Chromium, which is not installed.")
    if missing := missing_packages():
        sys.exit(f"The pictures need fonts that are not installed: apt-get install {' '.join(missing)}")
    asyncio.run(main())
