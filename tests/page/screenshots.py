"""`make screenshots`: every picture of the README and the docs, anew from the running page."""

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
from tests.page.ahead import choose_sensible
from tests.page.inn import CHROMIUM, MOVE_SELECTOR, NARROW_SIZE, ROOT, WIDE_SIZE, BrowserWindows, PageDriver
from tests.page.nursery import BotForker

PICTURES: Final = ROOT / "docs" / "pictures"
MAX_BYTES: Final = 300_000
SEED: Final = "00112233445566778899aabbccddeeff"
PLAYERS: Final = ("Ada", "Bela", "Chidi", "Dora")
WINDOW_SCALE: Final = 2  # pixels of a photograph to one of the page
GAP_PIXELS: Final = 24  # pixels of the page between two telephones
TELEPHONE_SIZES: Final = (26, 27, 31)  # what is between them
COLOUR_COUNT: Final = 256


async def main() -> None:
    async with BrowserWindows.open() as browser, BotForker.open() as nursery:
        for play in (_shoot_first_steps, _shoot_wizard, _shoot_jest, _shoot_jokers, _shoot_court, _shoot_jesters):
            size = WIDE_SIZE if play is _shoot_first_steps else NARROW_SIZE
            with tempfile.TemporaryDirectory() as folder:
                database = Path(folder) / "motley.db"
                async with PageDriver.open(browser, nursery, database, size, WINDOW_SCALE, emoji=True) as inn:
                    await play(inn)
                    assert not inn.complaints, inn.complaints


async def _shoot_first_steps(inn: PageDriver) -> None:
    await inn.page.get_by_test_id("first-steps").wait_for()
    _save_picture("playground", await _photograph(inn))


async def _shoot_wizard(inn: PageDriver) -> None:
    await inn.seat_people("/wizard new rounds:8", *PLAYERS)
    _save_picture("lobby", await _photograph(inn, inn.newest_holding('[data-custom-id$=":join"]')))
    await inn.skip_ahead(SEED, _is_half_trick)
    await _shoot_pair(inn, "wizard")
    await inn.skip_ahead(SEED, _is_over)
    await _shoot_result(inn, "wizard-result")


async def _shoot_jest(inn: PageDriver) -> None:
    await inn.seat_people("/jest new", *PLAYERS)
    await inn.skip_ahead(SEED, lambda look: _has_taken(look, rounds=2, takes=1))
    await _shoot_pair(inn, "jest")
    await inn.skip_ahead(SEED, _is_over)
    await _shoot_result(inn, "jest-result")


async def _shoot_jokers(inn: PageDriver) -> None:
    await inn.seat_people("/jokers new rounds:2", *PLAYERS[:2])
    await inn.skip_ahead(SEED, lambda look: look.view(None).phase == "safety" and len(look.view(None).discard) > 13)
    await _shoot_pair(inn, "jokers", PLAYERS[:2])
    await inn.skip_ahead(SEED, lambda look: look.view(None).round == 2 and look.view(None).trades == 2)
    await inn.go_to_hand(inn.due_names()[0])
    await _shoot_order(inn, inn.newest_holding(MOVE_SELECTOR))
    await inn.skip_ahead(SEED, _is_over)
    await _shoot_result(inn, "jokers-result")


async def _shoot_court(inn: PageDriver) -> None:
    await inn.seat_people("/court new banners:3", *PLAYERS)
    await inn.skip_ahead(SEED, _is_pushing)
    await _shoot_pair(inn, "court")
    await inn.go_to_hand(inn.due_names()[0])
    await _shoot_card(inn, inn.newest_holding(MOVE_SELECTOR))
    await inn.skip_ahead(SEED, _is_over)
    await _shoot_result(inn, "court-result")


def _is_pushing(look: MatchSnapshot) -> bool:
    """Phase Two after an attack that hit; there are banners and Menhirs, and who is in turn holds number cards."""
    view = look.view(None)
    if view.phase != "hinder" or view.owed or view.menhirs.count(OFF_BOARD) > 1:
        return False
    numbers = NUMBER_CARDS.intersection(look.view(view.turn).hand)
    return view.attacked is not None and any(one.hit for one in view.attacked.defences) and len(numbers) > 2


async def _shoot_card(inn: PageDriver, hand: Locator) -> None:
    await hand.locator('[data-custom-id^="n:"]').filter(has_text=re.compile(r"\d")).first.click()
    await inn.wait_answered()
    _save_picture("court-card", await _photograph(inn, hand))


async def _shoot_jesters(inn: PageDriver) -> None:
    await inn.seat_people("/jesters new", *PLAYERS)
    await inn.skip_ahead(SEED, _is_attempting, choose_sensible)
    await _shoot_pair(inn, "jesters")
    await inn.skip_ahead(SEED, _is_over, choose_sensible)
    await _shoot_result(inn, "jesters-result")


def _is_attempting(look: MatchSnapshot) -> bool:
    """An attempt with several dice; who makes it holds Jest cards to change them."""
    view = look.view(None)
    if view.phase != "attempt" or view.attempt is None:
        return False
    return len(view.attempt.dice) > 2 and len(look.view(view.turn).hand) > 1


def _is_over(look: MatchSnapshot) -> bool:
    return look.outcome() is not None


def _has_taken(look: MatchSnapshot, rounds: int, takes: int) -> bool:
    view = look.view(None)
    return (view.round, view.phase, len(view.takes)) == (rounds, "take", takes)


async def _shoot_order(inn: PageDriver, hand: Locator) -> None:
    shown = inn.page.get_by_test_id(str(await hand.get_attribute("data-testid")))
    await shown.locator('[data-custom-id^="p:"]').click()
    for i in (1, 4, 6):
        await inn.page.get_by_role("option").nth(i).click()
    await inn.page.get_by_test_id("select-done").click()
    await inn.wait_answered()
    _save_picture("jokers-order", await _photograph(inn, shown))


def _is_half_trick(look: MatchSnapshot) -> bool:
    """A trick of the sixth round that is half played; who is to follow has a choice, and other cards, but no Wizard."""
    view = look.view(None)
    if (view.round, view.phase, len(view.trick)) != (6, "play", 2):
        return False
    (seat,) = look.due_seats()
    hand, moves = look.view(seat).hand, look.moves(seat)
    return max(hand) < JESTER and 1 < len(moves) < len(hand) and len(hand) > 3


async def _shoot_pair(inn: PageDriver, name: str, seated: Sequence[str] = PLAYERS) -> None:
    """Two telephones side by side: the table as others see it, and the hand of whoever is due."""
    due = inn.due_names()[0]
    for player in seated:  # so that nothing is news to anybody
        await inn.go_to_hand(player)
        await inn.go_to_table(player)
    await inn.go_to_hand(due)
    await inn.newest_holding(MOVE_SELECTOR).wait_for()
    hand = await _photograph(inn)
    await inn.go_to_table(next(player for player in seated if player != due))
    table = await _photograph(inn)
    width, height, gap = table.width, table.height, GAP_PIXELS * WINDOW_SCALE
    both = Image.new("RGB", (2 * width + gap, height), TELEPHONE_SIZES)
    both.paste(table, (0, 0))
    both.paste(hand, (width + gap, 0))
    _save_picture(name, both)


async def _shoot_result(inn: PageDriver, name: str) -> None:
    await inn.go_to_table(PLAYERS[0])
    _save_picture(name, await _photograph(inn, inn.newest_holding('[data-custom-id$=":again"]')))


async def _photograph(inn: PageDriver, part: Locator | None = None) -> Image.Image:
    await expect(inn.page.get_by_test_id("banner")).to_be_hidden()
    await inn.wait_pictures_loaded()
    await inn.page.mouse.move(0, 0)
    await inn.page.evaluate("document.activeElement?.blur()")
    missing = without_glyph(await (part or inn.page.locator("body")).inner_text())
    assert not missing, f"no font has {missing}"
    shot = await (part.screenshot() if part else inn.page.screenshot())
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
