"""`make screenshots`: every picture of the README and the docs, anew from the running page."""

from __future__ import annotations

import asyncio
import io
import sys
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.async_api import Locator, expect

from engines.court.board import OFF
from engines.court.deck import NUMBERS
from engines.match import Look
from engines.wizard.deck import JESTER
from tests.page.ahead import sensible
from tests.page.inn import CHROMIUM, MOVES, NARROW, ROOT, Inn, open_browser

PICTURES: Final = ROOT / "docs" / "pictures"
LARGEST: Final = 200_000
SEED: Final = "00112233445566778899aabbccddeeff"
PLAYERS: Final = ("Ada", "Bela", "Chidi", "Dora")
DESK: Final = (1024, 914)
COLUMN: Final = (900, 2000)  # no wider than the messages need, and as high as the longest
ABOVE: Final = 12  # pixels between the header and the message below it
COLOURS: Final = 256


async def main() -> None:
    """Play a match of each game by script, and look at it here and there."""
    async with open_browser() as browser:
        for play in (_wizard, _jest, _jokers, _court, _jesters):
            with tempfile.TemporaryDirectory() as folder:
                async with Inn.open(browser, Path(folder) / "motley.db", COLUMN) as inn:
                    await play(inn)
                    assert not inn.wrong, inn.wrong


async def _wizard(inn: Inn) -> None:
    await inn.seat("/wizard new rounds:8", *PLAYERS)
    await _save("lobby", inn, inn.newest('[data-custom-id$=":join"]'))
    await inn.ahead(SEED, _telling)
    await _hand(inn, "hand")
    await _table(inn, "table", *PLAYERS)
    await inn.ahead(SEED, _over)
    await _result(inn, "result")


async def _jest(inn: Inn) -> None:
    await inn.seat("/jest new", *PLAYERS)
    await inn.ahead(SEED, lambda look: _some_taken(look, rounds=2, takes=1))
    await _hand(inn, "jest-hand")
    await _table(inn, "jest-table", *PLAYERS)
    await inn.ahead(SEED, _over)
    await _result(inn, "jest-result")


async def _jokers(inn: Inn) -> None:
    await inn.seat("/jokers new rounds:2", *PLAYERS[:2])
    await inn.ahead(SEED, lambda look: look.view(None).phase == "safety" and len(look.view(None).discard) > 13)
    await _hand(inn, "jokers-hand")
    await _table(inn, "jokers-table", *PLAYERS[:2])
    await inn.ahead(SEED, lambda look: look.view(None).round == 2 and look.view(None).trades == 2)
    await inn.to_hand(inn.due()[0])
    await _order(inn, inn.newest(MOVES))
    await inn.ahead(SEED, _over)
    await _result(inn, "jokers-result")


async def _court(inn: Inn) -> None:
    await inn.seat("/court new banners:3", *PLAYERS)
    await inn.ahead(SEED, _pushing)
    await _hand(inn, "court-hand")
    await _table(inn, "court-table", *PLAYERS)
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
    await hand.locator('[data-custom-id^="f:"]').click()
    await inn.page.get_by_role("option").filter(has_text="moves another Mage").first.click()
    await inn.answered()
    await _save("court-card", inn, hand)


async def _jesters(inn: Inn) -> None:
    await inn.seat("/jesters new", *PLAYERS)
    await inn.ahead(SEED, _attempting, sensible)
    await _hand(inn, "jesters-hand")
    await _table(inn, "jesters-table", *PLAYERS)
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
    """Three cards of a trade in their order."""
    await hand.locator('[data-custom-id^="p:"]').click()
    for i in (1, 4, 6):
        await inn.page.get_by_role("option").nth(i).click()
    await inn.page.get_by_test_id("select-done").click()
    await hand.locator('[data-custom-id^="o:"]').first.wait_for()
    await _save("jokers-order", inn, hand)


def _telling(look: Look) -> bool:
    """A trick of the sixth round that is half played; who is to follow has a choice, and other cards, but no Wizard."""
    view = look.view(None)
    if (view.round, view.phase, len(view.trick)) != (6, "play", 2):
        return False
    (seat,) = look.due()
    hand, moves = look.view(seat).hand, look.moves(seat)
    return max(hand) < JESTER and 1 < len(moves) < len(hand) and len(hand) > 3


async def _hand(inn: Inn, name: str) -> None:
    await inn.to_hand(inn.due()[0])
    await inn.newest(MOVES).wait_for()
    await _save(name, inn, inn.newest(MOVES))
    await inn.page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    await _to_top(inn, inn.newest(MOVES))
    await _save(f"{name}-phone", inn)


async def _table(inn: Inn, name: str, *players: str) -> None:
    for player in players:  # so that the table is the only news
        await inn.to_hand(player)
    await inn.page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    await inn.to_table(inn.due()[0])
    await _to_top(inn, inn.newest('[data-custom-id$=":sheet"]'))
    await _save(name, inn)
    await inn.page.set_viewport_size({"width": COLUMN[0], "height": COLUMN[1]})


async def _result(inn: Inn, name: str) -> None:
    await inn.to_table(PLAYERS[0])
    await _save(name, inn, inn.newest('[data-custom-id$=":again"]'))


async def _to_top(inn: Inn, message: Locator) -> None:
    """Scroll until a message begins below the header, without the button that leads down again."""
    await expect(inn.page.get_by_test_id("banner")).to_be_hidden()
    await message.evaluate("one => one.scrollIntoView({block: 'start'})")
    await inn.page.get_by_test_id("messages").evaluate(f"one => one.scrollBy(0, -{ABOVE})")
    await inn.page.get_by_test_id("jump-to-present").evaluate("one => one.style.display = 'none'")


async def _save(name: str, inn: Inn, part: Locator | None = None) -> None:
    """Photograph a message or the whole page, in as few colours as serve."""
    await inn.loaded()
    await inn.page.mouse.move(0, 0)
    await inn.page.evaluate("document.activeElement?.blur()")
    shot = await (part.screenshot() if part else inn.page.screenshot())
    image = Image.open(io.BytesIO(shot)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    path = PICTURES / f"{name}.png"
    image.save(path)
    size = path.stat().st_size
    assert size < LARGEST, f"{path} has {size} bytes"
    print(f"{path.relative_to(ROOT)}: {image.width} × {image.height}, {size // 1024} KB")


if __name__ == "__main__":
    if CHROMIUM is None:
        sys.exit("The pictures are taken by Chromium, which is not installed.")
    asyncio.run(main())
