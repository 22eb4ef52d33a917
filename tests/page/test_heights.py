"""Whoever looks at a telephone sees what to do and all that it depends on: no message is longer than the screen."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from cogs.table.pages.page import Page, Press, Row, Text
from tests.contract.helpers import HELPERS
from tests.page.inn import NARROW, WIDE
from tests.page.measure import END, SCREEN, Found, measured, of_game
from tests.page.moments import WIDE as NAMES
from tests.page.moments import Shown, hardest
from tests.page.ruler import Ruler
from tests.page.windows import Windows

SOME: Final = 5  # messages of each kind, by each of three ways to choose them


@pytest.mark.parametrize("key", HELPERS)
async def test_messages_of_whole_matches_fit_a_telephone_and_a_desk(browser: Windows, key: str) -> None:
    shown = of_game(key, NAMES)
    some = hardest(shown, SOME, Random(f"heights of {key}"))
    found = []
    for size in (NARROW, WIDE):
        async with Ruler.open(browser, size) as ruler:
            found += await measured(some, ruler, size)
    wrong = [f"{each.shown}, {each.size[0]} wide: {'; '.join(each.problems)}" for each in found if any(each.problems)]
    assert wrong == []


BUTTON = Row((Press("Play", "m:abcd2345:1:play 10H"),))
THERE = Press("⋯", "t:abcd2345:more")
MORE = Row((THERE,))
LONG_ONES: Final = {
    "words": ("hand", Page((Text("Word\n" * 29), BUTTON)), f"{SCREEN} at most"),
    "controls": ("step", Page((*[BUTTON] * 13, MORE)), f"{SCREEN} at most"),
    "below": ("hand", Page((BUTTON, Text("Word\n\n"), MORE, MORE)), f"above the end, {END} at most"),
    "result": ("result", Page((Text("Word\n" * 40),)), "900 at most"),
    "⋯": ("result", Page((Row((Press("W" * 10, "a"), Press("W" * 7, "b"), THERE)),)), "⋯ stands alone"),
}


@pytest.mark.parametrize("what", LONG_ONES)
async def test_what_is_too_long_is_found(browser: Windows, what: str) -> None:
    kind, page, said = LONG_ONES[what]
    async with Ruler.open(browser, NARROW) as ruler:
        (found,) = await measured([Shown("any", 2, kind, "turn", page)], ruler, NARROW)
    assert said in "; ".join(found.problems)


async def test_what_fits_is_let_be(browser: Windows) -> None:
    page = Page((Text("Word\n" * 15), BUTTON, MORE))
    async with Ruler.open(browser, NARROW) as ruler:
        found: list[Found] = await measured([Shown("any", 2, "hand", "turn", page)], ruler, NARROW)
    assert [*found[0].problems] == []
