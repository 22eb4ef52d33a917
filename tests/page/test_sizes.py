"""The page's messages are as large as the playground's README says that Discord's clients make them."""

from __future__ import annotations

import re
from typing import Final

import pytest

from cogs.pictures.spec import ScoreSheet
from cogs.screens.screen import Picture
from cogs.table.pages.page import Line, Menu, Page, Press, Row, Text
from tests.page.inn import NARROW_SIZE, ROOT, WIDE_SIZE
from tests.page.ruler import MessageRuler, blank_picture, discord_message
from tests.page.windows import BrowserWindows

COLUMN: Final = 348  # pixels of a picture on a telephone
ROWS: Final = re.findall(
    r"^\| [^|]+ \| `(--[\w-]+)` \| (\S+) \| (\S+) \| [^|]+ \|$", (ROOT / "playground" / "README.md").read_text(), re.M
)
PICTURE: Final = Picture(ScoreSheet((), ("0", "0")), "sheet.png", "A sheet.")
MESSAGE: Final = Page(
    (
        Text("# One"),
        Text("## Two"),
        Text("### Three"),
        Text("Words\n-# Small words\n## Later"),
        PICTURE,
        Row((Press("Ok", "t:abcd2345:join"), Press("A second button", "t:abcd2345:leave"))),
        Row(Menu("s:abcd2345:1:0", "Choose", (Line("One", "one"),))),
    )
)
PLACES: Final = {
    "--text-size": (".text > p", "font-size"),
    "--text-line": (".text > p", "line-height"),
    "--small-size": (".text > .subtext", "font-size"),
    "--small-line": (".text > .subtext", "line-height"),
    "--h1-size": (".md-h1", "font-size"),
    "--h2-size": (".md-h2", "font-size"),
    "--h3-size": (".md-h3", "font-size"),
    "--h1-line": (".md-h1", "line-height"),
    "--h2-line": (".md-h2", "line-height"),
    "--h3-line": (".md-h3", "line-height"),
    "--h3-above": (".md-h3", "margin-top"),
    "--heading-between": ("p + .md-h2", "margin-top"),
    "--heading-above": (".md-h2", "margin-top"),
    "--heading-below": (".md-h2", "margin-bottom"),
    "--avatar": (".message:first-child .avatar", "width"),
    "--avatar-above": (".message:last-child .avatar", "width"),
    "--message-left": (".message", "padding-left"),
    "--message-gap": (".message-row", "column-gap"),
    "--message-right": (".message", "padding-right"),
    "--message-pad": (".message", "padding-top"),
    "--message-apart": (".message", "margin-top"),
    "--header-line": (".message-header", "line-height"),
    "--body-width": (".components", "max-width"),
    "--container-pad": (".container", "padding-left"),
    "--container-border": (".container", "border-left-width"),
    "--container-corner": (".container", "border-top-left-radius"),
    "--accent-width": (".container::before", "width"),
    "--stack-gap": (".container", "row-gap"),
    "--button-high": (".button", "height"),
    "--button-least": (".button", "width"),
    "--button-pad": (".button", "padding-left"),
    "--button-text": (".button", "font-size"),
    "--button-line": (".button", "line-height"),
    "--button-corner": (".button", "border-top-left-radius"),
    "--button-gap": (".action-row", "column-gap"),
    "--select-high": (".select", "height"),
    "--select-widest": (".select", "max-width"),
    "--select-pad": (".select", "padding-left"),
    "--select-corner": (".select", "border-top-left-radius"),
    "--select-text": (".select", "font-size"),
    "--picture-high": (".gallery img", "max-height"),
    "--picture-corner": (".gallery", "border-top-left-radius"),
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


@pytest.mark.parametrize(("size", "column"), [(WIDE_SIZE, 1), (NARROW_SIZE, 2)], ids=["desk", "phone"])
async def test_messages_are_as_large_as_in_discord(browser: BrowserWindows, size: tuple[int, int], column: int) -> None:
    async with MessageRuler.open(browser, size) as ruler:
        said = discord_message(Page(()), blank_picture) | {"flags": 0, "components": [], "content": "Words"}
        await ruler.page.evaluate("messages => draw(messages)", [said, discord_message(MESSAGE, blank_picture)])
        found = await ruler.page.evaluate(_STYLES, PLACES)
    assert found == {row[0]: row[column] if row[column].endswith(("%", "e")) else f"{row[column]}px" for row in ROWS}


async def test_a_picture_fills_a_telephones_column_and_a_desk_shows_it_no_higher(browser: BrowserWindows) -> None:
    async with MessageRuler.open(browser, NARROW_SIZE) as phone, MessageRuler.open(browser, WIDE_SIZE) as desk:
        (narrow,), (wide,) = await phone.measure([MESSAGE]), await desk.measure([MESSAGE])
    assert narrow.picture[0] == COLUMN
    ratio = narrow.picture[1] / COLUMN
    assert wide.picture == pytest.approx((min(566, 350 / ratio), min(566 * ratio, 350)), abs=1)
    assert narrow.wide == wide.wide == 0
