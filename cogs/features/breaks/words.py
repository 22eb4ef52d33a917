"""Breaks in words: who is on one, until when, and what that means at a table. Pure functions."""

from __future__ import annotations

from cogs.table.wording.player_names import markdown_name
from engines.features.breaks import LIMIT
from engines.store.match_store import MatchInfo, Seat
from engines.store.table_options import TableOptions


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
    return (
        f"a decision rests {options.of(LIMIT)} at most"
        if options.rest_seconds
        else "the clock does not stop for breaks"
    )


def _rest_text(options: TableOptions) -> str:
    said = limit_text(options)
    return f"At this table {said}." if said else ""
