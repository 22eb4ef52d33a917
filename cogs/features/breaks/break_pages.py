"""Breaks on pages: who is on one, until when, and the control in the settings. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.page import Block, Line, Menu, Page, Press, Row, Text, press_rows
from cogs.table.wording.player_names import markdown_name
from engines.features.breaks import BREAK_SECONDS, LIMIT
from engines.store.match_store import MatchInfo, Seat
from engines.store.table_options import TableOptions

BACK = "back"  # the value that ends a break
MAX_LISTED_TABLES = 10  # tables with a limit of their own that a reply lists


def break_end(until: int) -> str:
    """Return the end of a break as Discord renders it: `28 November 2026 18:00 (in 3 hours)`."""
    return f"<t:{until}:f> (<t:{until}:R>)"


def table_note(info: MatchInfo) -> str:
    """Return who at the table is on a break and until when, in one line; empty if nobody is."""
    resting = [f"{markdown_name(seat.name)} (back <t:{seat.rest_until}:R>)" for seat in info.seats if seat.is_resting]
    return f"On a break: {', '.join(resting)}. {_rest_text(info.table_options)}".rstrip() if resting else ""


def hand_note(info: MatchInfo, seat: Seat) -> str:
    """Return until when the owner of a hand is on a break, in one line; empty if they are on none."""
    if not seat.is_resting:
        return ""
    return f"You are on a break until {break_end(seat.rest_until)}. {_rest_text(info.table_options)}".rstrip()


def lobby_note(seat: Seat) -> str:
    """Return what a lobby says behind the name of a player: ` (on a break, back in 3 hours)`; empty without a break."""
    return f" (on a break, back <t:{seat.rest_until}:R>)" if seat.is_resting else ""


def limit_text(options: TableOptions) -> str:
    """Return how far a table's limit cuts breaks short, as the end of a sentence; empty if it never does."""
    if options.rest_seconds is None:
        return ""
    return f"a move waits at most {options.of(LIMIT)}" if options.rest_seconds else "the clock does not stop for breaks"


def _rest_text(options: TableOptions) -> str:
    limit = limit_text(options)
    return f"At this table {limit}." if limit else ""


def setting_blocks(until: int) -> tuple[Block, ...]:
    """Return what the settings say, with the control that begins a break, or the one that ends it."""
    if until:
        return Text(f"**You are on a break** until {break_end(until)}."), *press_rows((_end_press(),))
    text = "**A break** pauses your clocks and pings while you are away, as far as each table allows."
    lines = tuple(Line(length.capitalize(), length) for length in BREAK_SECONDS)
    return Text(text), Row(Menu(feature_id("breaks", "", "choose"), "Take a break…", lines))


def ask_page(until: int) -> Page:
    """Return the control that begins a break, or the one that ends it."""
    return Page(setting_blocks(until))


def break_page(until: int, seconds: int, matches: Sequence[MatchInfo], titles: Sequence[str]) -> Page:
    """Return the answer to a change of a break of so many seconds. Without `until` it has ended.

    The answer names the player's matches whose tables do not allow a decision to rest that long.
    """
    if not until:
        return Page((Text("**Your break is over.** Your clocks run again, and I ping you again."),))
    limits = [
        f"- {title}: {limit_text(info.table_options)}."
        for title, info in zip(titles, matches, strict=True)
        if info.table_options.rest_seconds is not None and info.table_options.rest_seconds < seconds
    ]
    more = [f"- and {len(limits) - MAX_LISTED_TABLES} more"] if len(limits) > MAX_LISTED_TABLES else []
    text = (
        f"**You are on a break until {break_end(until)}.** Until then I do not ping you about your turns, "
        "and your clocks are paused; after your break, each starts again with its full time. Your tables "
        "show that you are on a break.\n"
        "You can still make moves. That does not end your break. It ends when its time is up, or when you "
        "press **End my break**."
    )
    listed = "**Limits of your tables:**\n" + "\n".join([*limits[:MAX_LISTED_TABLES], *more])
    return Page((Text(text), *([Text(listed)] if limits else []), *press_rows((_end_press(),))))


def _end_press() -> Press:
    return Press("End my break", feature_id("breaks", "", "choose", BACK), "primary")
