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

from engines.court.board import OFF
from engines.court.deck import NUMBERS
from engines.hosting.match import Look
from engines.wizard.deck import JESTER
from tests.glyphs import missing_packages, without_glyph
from tests.page.ahead import sensible
from tests.page.inn import MOVES, NARROW, ROOT, WIDE, Inn
from tests.page.nursery import Nursery
from tests.page.windows import CHROMIUM, Windows

PICTURES: Final = ROOT / "docs" / "pictures"
LARGEST: Final = 300_000
SEED: Final = "00112233445566778899aabbccddeeff"
PLAYERS: Final = ("Ada", "Bela", "Chidi", "Dora")
SCALE: Final = 2  # pixels of a photograph to one of the page
BETWEEN: Final = 24  # pixels of the page between two telephones
TELEPHONES: Final = (26, 27, 31)  # what is between them
COLOURS: Final = 256


async def main() -> None:
    """Play a match of each game by script, and look at it here and there."""
    async with Windows.open() as browser, Nursery.open() as nursery:
        for play in (_first_steps, _wizard, _jest, _jokers, _court, _jesters):
            size = WIDE if play is _first_steps else NARROW
            with tempfile.TemporaryDirectory() as folder:
                async with Inn.open(browser, nursery, Path(folder) / "motley.db", size, SCALE) as inn:
                    await play(inn)
                    assert not inn.wrong, inn.wrong


async def _first_steps(inn: Inn) -> None:
    await inn.page.get_by_test_id("first-steps").wait_for()
    _save("playground", await _photograph(inn))


async def _wizard(inn: Inn) -> None:
    await inn.seat("/wizard new rounds:8", *PLAYERS)
    _save("lobby", await _photograph(inn, inn.newest('[data-custom-id$=":join"]')))
    await inn.ahead(SEED, _telling)
    await _pair(inn, "wizard")
    await inn.ahead(SEED, _over)
    await _result(inn, "wizard-result")


async def _jest(inn: Inn) -> None:
    await inn.seat("/jest new", *PLAYERS)
    await inn.ahead(SEED, lambda look: _some_taken(look, rounds=2, takes=1))
    await _pair(inn, "jest")
    await inn.ahead(SEED, _over)
    await _result(inn, "jest-result")


async def _jokers(inn: Inn) -> None:
    await inn.seat("/jokers new rounds:2", *PLAYERS[:2])
    await inn.ahead(SEED, lambda look: look.view(None).phase == "safety" and len(look.view(None).discard) > 13)
    await _pair(inn, "jokers", PLAYERS[:2])
    await inn.ahead(SEED, lambda look: look.view(None).round == 2 and look.view(None).trades == 2)
    await inn.to_hand(inn.due()[0])
    await _order(inn, inn.newest(MOVES))
    await inn.ahead(SEED, _over)
    await _result(inn, "jokers-result")


async def _court(inn: Inn) -> None:
    await inn.seat("/court new banners:3", *PLAYERS)
    await inn.ahead(SEED, _pushing)
    await _pair(inn, "court")
    await inn.to_hand(inn.due()[0])
    await _card(inn, inn.newest(MOVES))
    await inn.ahead(SEED, _over)
    await _result(inn, "court-result")


def _pushing(look: Look) -> bool:
    """Phase Two after an attack that hit; there are banners and Menhirs, and who is in turn holds number cards."""
    view = look.view(None)
    if view.phase != "hinder" or view.owed or view.menhirs.count(OFF) > 1:
        return False
    numbers = NUMBERS.intersection(look.view(view.turn).hand)
    return view.attacked is not None and any(one.hit for one in view.attacked.defences) and len(numbers) > 2


async def _card(inn: Inn, hand: Locator) -> None:
    """A card that is chosen, and what it can do."""
    await hand.locator('[data-custom-id^="n:"]').filter(has_text=re.compile(r"\d")).first.click()
    await inn.answered()
    _save("court-card", await _photograph(inn, hand))


async def _jesters(inn: Inn) -> None:
    await inn.seat("/jesters new", *PLAYERS)
    await inn.ahead(SEED, _attempting, sensible)
    await _pair(inn, "jesters")
    await inn.ahead(SEED, _over, sensible)
    await _result(inn, "jesters-result")


def _attempting(look: Look) -> bool:
    """An attempt with several dice; who makes it holds Jest cards to change them."""
    view = look.view(None)
    if view.phase != "attempt" or view.attempt is None:
        return False
    return len(view.attempt.dice) > 2 and len(look.view(view.turn).hand) > 1


def _over(look: Look) -> bool:
    return look.outcome() is not None


def _some_taken(look: Look, rounds: int, takes: int) -> bool:
    view = look.view(None)
    return (view.round, view.phase, len(view.takes)) == (rounds, "take", takes)


async def _order(inn: Inn, hand: Locator) -> None:
    """Three cards of a trade, picked at once from the list."""
    shown = inn.page.get_by_test_id(str(await hand.get_attribute("data-testid")))
    await shown.locator('[data-custom-id^="p:"]').click()
    for i in (1, 4, 6):
        await inn.page.get_by_role("option").nth(i).click()
    await inn.page.get_by_test_id("select-done").click()
    await inn.answered()
    _save("jokers-order", await _photograph(inn, shown))


def _telling(look: Look) -> bool:
    """A trick of the sixth round that is half played; who is to follow has a choice, and other cards, but no Wizard."""
    view = look.view(None)
    if (view.round, view.phase, len(view.trick)) != (6, "play", 2):
        return False
    (seat,) = look.due()
    hand, moves = look.view(seat).hand, look.moves(seat)
    return max(hand) < JESTER and 1 < len(moves) < len(hand) and len(hand) > 3


async def _pair(inn: Inn, name: str, seated: Sequence[str] = PLAYERS) -> None:
    """Two telephones side by side: the table as others see it, and the hand of whoever is due."""
    due = inn.due()[0]
    for player in seated:  # so that nothing is news to anybody
        await inn.to_hand(player)
        await inn.to_table(player)
    await inn.to_hand(due)
    await inn.newest(MOVES).wait_for()
    hand = await _photograph(inn)
    await inn.to_table(next(player for player in seated if player != due))
    table = await _photograph(inn)
    width, height, gap = table.width, table.height, BETWEEN * SCALE
    both = Image.new("RGB", (2 * width + gap, height), TELEPHONES)
    both.paste(table, (0, 0))
    both.paste(hand, (width + gap, 0))
    _save(name, both)


async def _result(inn: Inn, name: str) -> None:
    await inn.to_table(PLAYERS[0])
    _save(name, await _photograph(inn, inn.newest('[data-custom-id$=":again"]')))


async def _photograph(inn: Inn, part: Locator | None = None) -> Image.Image:
    """A message, or the whole page."""
    await expect(inn.page.get_by_test_id("banner")).to_be_hidden()
    await inn.loaded()
    await inn.page.mouse.move(0, 0)
    await inn.page.evaluate("document.activeElement?.blur()")
    missing = without_glyph(await (part or inn.page.locator("body")).inner_text())
    assert not missing, f"no font has {missing}"
    shot = await (part.screenshot() if part else inn.page.screenshot())
    return Image.open(io.BytesIO(shot)).convert("RGB")


def _save(name: str, image: Image.Image) -> None:
    """Keep it, in as few colours as serve."""
    path = PICTURES / f"{name}.png"
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    size = path.stat().st_size
    assert size < LARGEST, f"{path} has {size} bytes"
    print(f"{path.relative_to(ROOT)}: {image.width} × {image.height}, {size // 1024} KB")


if __name__ == "__main__":
    if CHROMIUM is None:
        sys.exit("The pictures are taken by Chromium, which is not installed.")
    if missing := missing_packages():
        sys.exit(f"The pictures need fonts that are not installed: apt-get install {' '.join(missing)}")
    asyncio.run(main())
