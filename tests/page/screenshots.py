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

from engines.match import Look
from engines.wizard.deck import JESTER
from tests.page.inn import CHROMIUM, MOVES, NARROW, ROOT, Inn, open_browser

PICTURES: Final = ROOT / "docs" / "pictures"
LARGEST: Final = 200_000
SEED: Final = "00112233445566778899aabbccddeeff"
PLAYERS: Final = ("Ada", "Bela", "Chidi", "Dora")
DESK: Final = (1024, 914)
COLUMN: Final = (900, 1600)  # no wider than the messages need, and as high as the longest
ABOVE: Final = 12  # pixels between the header and the message below it
COLOURS: Final = 256


async def main() -> None:
    """Play one match by script, and look at it here and there."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_browser() as browser, Inn.open(browser, Path(folder) / "motley.db", COLUMN) as inn:
            await _lobby(inn)
            await inn.ahead(SEED, _telling)
            await _hand(inn)
            await _table(inn)
            await inn.ahead(SEED, lambda look: look.outcome() is not None)
            await _result(inn)
            assert not inn.wrong, inn.wrong


def _telling(look: Look) -> bool:
    """A trick of the sixth round that is half played; who is to follow has a choice, and other cards, but no Wizard."""
    view = look.view(None)
    if (view.round, view.phase, len(view.trick)) != (6, "play", 2):
        return False
    (seat,) = look.due()
    hand, moves = look.view(seat).hand, look.moves(seat)
    return max(hand) < JESTER and 1 < len(moves) < len(hand) and len(hand) > 3


async def _lobby(inn: Inn) -> None:
    await inn.seat("/wizard new rounds:8", *PLAYERS)
    await _save("lobby", inn, inn.newest('[data-custom-id$=":join"]'))


async def _hand(inn: Inn) -> None:
    await inn.to_hand(inn.due()[0])
    await inn.newest(MOVES).wait_for()
    await _save("hand", inn, inn.newest(MOVES))
    await inn.page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    await _to_top(inn, inn.newest(MOVES))
    await _save("hand-phone", inn)


async def _table(inn: Inn) -> None:
    for name in PLAYERS:  # so that the table is the only news
        await inn.to_hand(name)
    await inn.page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    await inn.to_table(inn.due()[0])
    await expect(inn.messages().last).to_contain_text("your turn")
    await _to_top(inn, inn.newest('[data-custom-id$=":sheet"]'))
    await _save("table", inn)


async def _result(inn: Inn) -> None:
    await inn.page.set_viewport_size({"width": COLUMN[0], "height": COLUMN[1]})
    await _save("result", inn, inn.newest('[data-custom-id$=":again"]'))


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
