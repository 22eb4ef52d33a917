"""The part of a person's settings about breaks, and the answer to a change of a break. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.features.breaks import words
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.page import Block, Line, Menu, Page, Press, Row, Text, press_rows
from engines.features.breaks import BREAK_SECONDS
from engines.store.match_store import MatchInfo

BACK = "back"  # the value that ends a break
MAX_LISTED_TABLES = 10  # tables with a limit of their own that a reply lists


def setting_blocks(until: int) -> tuple[Block, ...]:
    """Return what the settings say, with the control that begins a break, or the one that ends it."""
    if until:
        return Text(f"**You are on a break** until {words.break_end(until)}."), *press_rows((_end_press(),))
    said = "**A break** rests your clocks and pings while you are away, as far as each table allows."
    lines = tuple(Line(length.capitalize(), length) for length in BREAK_SECONDS)
    return Text(said), Row(Menu(feature_id("breaks", "", "choose"), "Take a break …", lines))


def break_page(until: int, seconds: int, matches: Sequence[MatchInfo], titles: Sequence[str]) -> Page:
    """Return the answer to a change of a break of so many seconds. Without `until` it has ended.

    The answer names the player's matches whose tables do not allow a decision to rest that long.
    """
    if not until:
        return Page((Text("**Your break is over.** Your clocks run again, and I ping you again."),))
    limits = [
        f"- {title}: {words.limit_text(info.table_options)}."
        for title, info in zip(titles, matches, strict=True)
        if info.table_options.rest_seconds is not None and info.table_options.rest_seconds < seconds
    ]
    more = [f"- and {len(limits) - MAX_LISTED_TABLES} more"] if len(limits) > MAX_LISTED_TABLES else []
    said = (
        f"**You are on a break until {words.break_end(until)}.** Until then I do not ping you about your turns, "
        "and your clocks rest; afterwards each starts from the beginning. Your tables show that you are on a break.\n"
        "You can still make moves. That does not end your break: only **End my break** does, or its time."
    )
    listed = "**Limits of your tables:**\n" + "\n".join([*limits[:MAX_LISTED_TABLES], *more])
    return Page((Text(said), *([Text(listed)] if limits else []), *press_rows((_end_press(),))))


def _end_press() -> Press:
    return Press("End my break", feature_id("breaks", "", "choose", BACK), "primary")
