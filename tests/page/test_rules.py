"""The rules on a telephone: every leaf is seen whole, its heading and its controls; no line runs out of the page."""

from __future__ import annotations

import pytest

from cogs.table.pages.page import Page, Press, Row, Text
from tests.fronts import RULES
from tests.page.inn import NARROW_SIZE
from tests.page.measure import SCREEN_HEIGHT
from tests.page.ruler import MessageRuler
from tests.page.windows import BrowserWindows

BACK, OFFER, MORE = (
    Press(label, f"t:abcd2345:{action}") for label, action in (("Back", "back"), ("Rules", "minute"), ("⋯", "more"))
)


@pytest.mark.parametrize("key", RULES)
async def test_every_leaf_is_one_screen_the_first_below_its_picture(browser: BrowserWindows, key: str) -> None:
    pages = [RULES[key].render_page(leaf) for leaf in range(len(RULES[key].pages))]
    async with MessageRuler.open(browser, NARROW_SIZE) as ruler:
        minute, *others = await ruler.measure(pages)
    assert [found.wide for found in (minute, *others)] == [0] * len(pages)
    assert minute.picture[1] > 0
    assert minute.height - minute.picture[1] <= SCREEN_HEIGHT
    assert max(found.height for found in others) <= SCREEN_HEIGHT


async def test_what_offers_the_rules_stands_in_the_last_row_of_a_hand_and_makes_it_no_higher(
    browser: BrowserWindows,
) -> None:
    pages = [Page((Text("Play a card."), Row(presses))) for presses in ((MORE,), (BACK, OFFER, MORE))]
    async with MessageRuler.open(browser, NARROW_SIZE) as ruler:
        without, with_it = await ruler.measure(pages)
    assert with_it.height == without.height
    assert with_it.wide == 0
