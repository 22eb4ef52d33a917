"""Whoever looks at a telephone sees what to do and all that it depends on: no message is longer than the screen."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from cogs.table.pages.page import Page, Press, Row, Text
from tests.contract.helpers import HELPERS
from tests.page.inn import NARROW_SIZE, WIDE_SIZE
from tests.page.measure import MAX_BELOW, SCREEN_HEIGHT, MeasuredMessage, game_messages, measure_messages
from tests.page.moments import WIDEST_NAMES as NAMES
from tests.page.moments import ShownMessage, hardest_messages
from tests.page.ruler import MessageRuler
from tests.page.windows import BrowserWindows

SOME: Final = 5  # messages of each kind, by each of three ways to choose them


@pytest.mark.parametrize("key", HELPERS)
async def test_messages_of_whole_matches_fit_a_telephone_and_a_desk(browser: BrowserWindows, key: str) -> None:
    shown = game_messages(key, NAMES)
    some = hardest_messages(shown, SOME, Random(f"heights of {key}"))
    found = []
    for size in (NARROW_SIZE, WIDE_SIZE):
        async with MessageRuler.open(browser, size) as ruler:
            found += await measure_messages(some, ruler, size)
    wrong = [f"{each.message}, {each.size[0]} wide: {'; '.join(each.problems)}" for each in found if any(each.problems)]
    assert wrong == []


BUTTON = Row((Press("Play", "m:abcd2345:1:play 10H"),))
THERE = Press("⋯", "t:abcd2345:more")
MORE = Row((THERE,))
LONG_ONES: Final = {
    "words": ("hand", Page((Text("Word\n" * 29), BUTTON)), f"{SCREEN_HEIGHT} at most"),
    "controls": ("step", Page((*[BUTTON] * 13, MORE)), f"{SCREEN_HEIGHT} at most"),
    "below": ("hand", Page((BUTTON, Text("Word\n\n"), MORE, MORE)), f"above the end, {MAX_BELOW} at most"),
    "result": ("result", Page((Text("Word\n" * 40),)), "900 at most"),
    "⋯": ("result", Page((Row((Press("W" * 10, "a"), Press("W" * 7, "b"), THERE)),)), "⋯ stands alone"),
}


@pytest.mark.parametrize("what", LONG_ONES)
async def test_what_is_too_long_is_found(browser: BrowserWindows, what: str) -> None:
    kind, page, said = LONG_ONES[what]
    async with MessageRuler.open(browser, NARROW_SIZE) as ruler:
        (found,) = await measure_messages([ShownMessage("any", 2, kind, "turn", page)], ruler, NARROW_SIZE)
    assert said in "; ".join(found.problems)


async def test_what_fits_is_let_be(browser: BrowserWindows) -> None:
    page = Page((Text("Word\n" * 15), BUTTON, MORE))
    async with MessageRuler.open(browser, NARROW_SIZE) as ruler:
        found: list[MeasuredMessage] = await measure_messages(
            [ShownMessage("any", 2, "hand", "turn", page)], ruler, NARROW_SIZE
        )
    assert [*found[0].problems] == []
