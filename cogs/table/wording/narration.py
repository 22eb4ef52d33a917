"""What pages tell of a match beside what its screen shows: what people are called, and what has happened. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from cogs.pictures.raster.typeface import plate_names
from cogs.screens.screen import Context, GameScreen, LazyParagraphs
from cogs.table.wording import time_left
from cogs.table.wording.player_names import escape_markdown, mark_computer, markdown_name, seat_name, short_names
from engines.hosting.match import MatchEvent, MatchSnapshot
from engines.store.match_store import MatchInfo, Seat


def screen_context(snapshot: MatchSnapshot, news: Sequence[str] = ()) -> Context:
    """What a screen may know beside the view."""
    names, plates, brief, computers = _seat_names(snapshot.info.seats)
    return Context(names, snapshot.options, news, plates, brief, computers)


@lru_cache(256)  # matches: every page of theirs asks, some thrice
def _seat_names(seats: tuple[Seat, ...]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    """How people are called in sentences, on plates, and in a line of news; and where a computer plays."""
    whole = [seat.name for seat in seats]
    brief = tuple(mark_computer(name, seat) for name, seat in zip(short_names(whole), seats, strict=True))
    computers = tuple(number for number, seat in enumerate(seats) if seat.level)
    return tuple(map(seat_name, seats)), plate_names(whole), brief, computers


def narrate(snapshot: MatchSnapshot, screen: GameScreen, seat: int | None) -> Sequence[str]:
    """What has happened, in words: for the table since the last person's public move, for a seat from its own on."""
    return LazyParagraphs(lambda: _narrate(snapshot, screen, seat))


def _narrate(snapshot: MatchSnapshot, screen: GameScreen, seat: int | None) -> list[str]:
    context = screen_context(snapshot)
    lines = ((told.move, screen.narrate(told.event, context)) for told in _recent_events(snapshot, seat))
    return time_left.add_timeout_notes(
        snapshot,
        lines,
        lambda: [*map(markdown_name, _plain_names(snapshot))],
        "{}'s time ran out, so the computer moved.",
    )


def narrate_briefly(snapshot: MatchSnapshot, screen: GameScreen, seat: int | None) -> list[str]:
    """The same as briefly as it goes."""
    context = screen_context(snapshot)
    lines = ((told.move, screen.narrate_briefly(told.event, context)) for told in _recent_events(snapshot, seat))
    return time_left.add_timeout_notes(
        snapshot, lines, lambda: short_names(_plain_names(snapshot)), "{}'s time ran out, the computer moved"
    )


def escape_info(info: MatchInfo) -> Any:
    """The header with what holds people's names made safe for markdown."""
    names = sorted({seat.name for seat in info.seats}, key=len, reverse=True)
    parts = re.split(f"({'|'.join(map(re.escape, names))})", info.reason)
    return replace(
        info, reason="".join(markdown_name(part) if part in names else escape_markdown(part) for part in parts)
    )


def _plain_names(snapshot: MatchSnapshot) -> list[str]:
    """Who sits there, whoever plays."""
    return [seat.name for seat in snapshot.info.seats]


def _recent_events(snapshot: MatchSnapshot, seat: int | None) -> tuple[MatchEvent, ...]:
    """The events that are news, oldest first; also what a seat's own last move brought, such as whom it hit."""
    public = (told.move for told in reversed(snapshot.events) if told.event.is_visible_to(None))
    last = next((move for move in public if move not in snapshot.computer_moves), 0)
    return tuple(snapshot.visible_events(seat, (last if seat is None else snapshot.last_move_number(seat)) - 1))
