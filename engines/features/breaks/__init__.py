"""Breaks: a person says until when they rest. The host of a table limits how long a decision may rest for that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from engines.hosting.feature import Feature
from engines.hosting.match import RequestRefused
from engines.hosting.matches.rests import Rests
from engines.kit.contract import AnyGame
from engines.store.table_options import TableOption, TableOptions

HOUR, DAY = 60 * 60, 24 * 60 * 60
BREAK_SECONDS: Mapping[str, int] = {
    "2 hours": 2 * HOUR,
    "8 hours": 8 * HOUR,
    "1 day": DAY,
    "2 days": 2 * DAY,
    "3 days": 3 * DAY,
    "7 days": 7 * DAY,
}
RestLimit = Literal["1 day", "3 days", "7 days"]


def why_no_breaks(game: AnyGame, table_options: TableOptions) -> str:
    """Return why no clock is paused for breaks at such a table, as what follows “because”; empty if clocks are."""
    if table_options.clock is None:
        return "there is no clock"
    return "this clock does not stop for breaks" if table_options.has_short_clock else ""


LIMIT: TableOption[RestLimit | None] = TableOption(
    name="breaks",
    default="1 day",
    values=(None, *get_args(RestLimit)),
    description="How long a break can pause the clock of a move",
    rank=30,
    always_stored=True,
    rest_limits={None: 0, "1 day": DAY, "3 days": 3 * DAY, "7 days": 7 * DAY},
    phrases={None: "no breaks", **{limit: f"breaks of up to {limit}" for limit in get_args(RestLimit)}},
    no_effect=why_no_breaks,
)


class BreaksFeature(Feature):
    """Breaks store nothing of their own: the core stores until when people rest, and rests their clocks and pings."""

    name = "breaks"
    table_options = (LIMIT,)


async def take_break(rests: Rests, user: int, length: str) -> int:
    """Begin a person's break, or replace the one they are on. Return the second at which it ends.

    A move does not end it: only its player does, or its time.
    """
    if length not in BREAK_SECONDS:
        *others, last = BREAK_SECONDS
        raise RequestRefused(
            f"Please choose a length for your break: {', '.join(others)} or {last}. Nothing has changed."
        )
    return await rests.begin_rest(user, BREAK_SECONDS[length])


async def end_break(rests: Rests, user: int) -> None:
    """End a person's break now."""
    if not await rests.rest_until(user):
        raise RequestRefused("You are not on a break.")
    await rests.end_rest(user)
