"""How the page says times that are near: as Discord's clients do."""

from __future__ import annotations

from tests.page.inn import WIDE_SIZE
from tests.page.ruler import MessageRuler
from tests.page.windows import BrowserWindows

MINUTE, HOUR, DAY = 60, 3600, 86400
SAID = [
    (0, "now"),
    (1, "in 1 second"),
    (44, "in 44 seconds"),
    (45, "in a minute"),
    (-90, "2 minutes ago"),
    (44 * MINUTE, "in 44 minutes"),
    (45 * MINUTE, "in an hour"),
    (21 * HOUR, "in 21 hours"),
    (22 * HOUR, "in a day"),
    (DAY, "in a day"),
    (-35 * HOUR, "a day ago"),
    (36 * HOUR, "in 2 days"),
    (25 * DAY, "in 25 days"),
    (26 * DAY, "in a month"),
    (-60 * DAY, "2 months ago"),
    (400 * DAY, "in a year"),
]
_RELATIVE = """async (seconds) => {
    const { relative } = await import("/static/markdown.js"), now = 1790000000;
    Date.now = () => now * 1000;
    return seconds.map((each) => relative(now + each));
}"""


async def test_times_are_rounded_as_in_discord(browser: BrowserWindows) -> None:
    async with MessageRuler.open(browser, WIDE_SIZE) as ruler:
        found = await ruler.page.evaluate(_RELATIVE, [seconds for seconds, _ in SAID])
    assert found == [said for _, said in SAID]
