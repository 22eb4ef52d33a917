"""The page's messages are as large as playground/PAGE.md says that Discord's clients make them."""

from __future__ import annotations

import re
from typing import Final

import pytest

from cogs.pictures.spec import ScoreSheet
from cogs.screens.screen import Picture
from cogs.table.pages.page import Line, Menu, Page, Press, Row, Section, Text
from tests.page.message_heights import MessageRuler, blank_picture, discord_message
from tests.page.page_driver import NARROW_SIZE, ROOT, WIDE_SIZE, BrowserWindows

COLUMN: Final = 348  # pixels of a picture on a telephone
ROWS: Final = re.findall(
    r"^\| [^|]+ \| `(--[\w-]+)` \| (\S+) \| (\S+) \| [^|]+ \|$", (ROOT / "playground" / "PAGE.md").read_text(), re.M
)
PICTURE: Final = Picture(ScoreSheet((), ("0", "0")), "sheet.png", "A sheet.")
WORDS: Final = (Text("# One"), Text("## Two"), Text("### Three"), Text("Words\n-# Small words\n## Later"))
BUTTONS: Final = Row((Press("Ok", "t:abcd2345:join"), Press("A second button", "t:abcd2345:leave")))
MENU: Final = Row(Menu("s:abcd2345:1:0", "Choose", (Line("One", "one"),)))
SECTION: Final = Section("Words", Picture(ScoreSheet((), ("0",)), "sign.png", "A sign."))
MESSAGE: Final = Page((*WORDS, PICTURE, SECTION, BUTTONS, MENU))
STYLES_OF: Final = {
    ".text > p": "text-size:font-size text-line:line-height",
    ".text > .subtext": "small-size:font-size small-line:line-height",
    ".md-h1": "h1-size:font-size h1-line:line-height",
    ".md-h2": "h2-size:font-size h2-line:line-height heading-above:margin-top heading-below:margin-bottom",
    ".md-h3": "h3-size:font-size h3-line:line-height h3-above:margin-top",
    "p + .md-h2": "heading-between:margin-top",
    ".message:first-child .avatar": "avatar:width",
    ".message:last-child .avatar": "avatar-above:width",
    ".message": "message-left:padding-left message-right:padding-right message-pad:padding-top "
    "message-apart:margin-top",
    ".message-row": "message-gap:column-gap",
    ".message-header": "header-line:line-height",
    ".components": "body-width:max-width",
    ".container": "container-pad:padding-left container-border:border-left-width stack-gap:row-gap "
    "container-corner:border-top-left-radius",
    ".container::before": "accent-width:width",
    ".button": "button-high:height button-least:width button-pad:padding-left button-text:font-size "
    "button-line:line-height button-corner:border-top-left-radius",
    ".action-row": "button-gap:column-gap",
    ".select": "select-high:height select-widest:max-width select-pad:padding-left select-text:font-size "
    "select-corner:border-top-left-radius",
    ".gallery img": "picture-high:max-height",
    ".gallery": "picture-corner:border-top-left-radius",
    ".thumbnail": "thumbnail-corner:border-top-left-radius",
    ".thumbnail img": "thumbnail:width",
    ".section": "section-gap:column-gap",
}
PLACES: Final = {
    f"--{size}": (selector, style)
    for selector, styles in STYLES_OF.items()
    for size, style in (each.split(":") for each in styles.split())
}
"""Where each size is seen: an element of the message above, and a property of its style."""
_STYLES: Final = """places => Object.fromEntries(Object.entries(places).map(([variable, [where, property]]) => {
    const [what, pseudo] = where.split("::");
    return [variable, getComputedStyle(document.querySelector(what), pseudo && `::${pseudo}`)[property]];
}))"""


def test_every_size_is_written_down_and_looked_at() -> None:
    sizes = (ROOT / "playground" / "static" / "sizes.css").read_text()
    assert {row[0] for row in ROWS} == set(PLACES)
    assert set(re.findall(r"(--[\w-]+):", sizes)) == set(PLACES)


@pytest.mark.parametrize(("size", "column"), [(WIDE_SIZE, 1), (NARROW_SIZE, 2)], ids=["desktop", "phone"])
async def test_messages_are_as_large_as_in_discord(browser: BrowserWindows, size: tuple[int, int], column: int) -> None:
    async with MessageRuler.open(browser, size) as ruler:
        message = discord_message(Page(()), blank_picture) | {"flags": 0, "components": [], "content": "Words"}
        await ruler.page.evaluate("messages => draw(messages)", [message, discord_message(MESSAGE, blank_picture)])
        found = await ruler.page.evaluate(_STYLES, PLACES)
    assert found == {row[0]: row[column] if row[column].endswith(("%", "e")) else f"{row[column]}px" for row in ROWS}


async def test_a_picture_fills_the_column_of_a_phone_and_a_desktop_shows_it_no_higher(browser: BrowserWindows) -> None:
    async with MessageRuler.open(browser, NARROW_SIZE) as phone, MessageRuler.open(browser, WIDE_SIZE) as desktop:
        (narrow,), (wide,) = await phone.measure([MESSAGE]), await desktop.measure([MESSAGE])
    assert narrow.picture[0] == COLUMN
    ratio = narrow.picture[1] / COLUMN
    assert wide.picture == pytest.approx((min(566, 350 / ratio), min(566 * ratio, 350)), abs=1)
    assert narrow.wide == wide.wide == 0
