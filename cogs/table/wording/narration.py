"""What pages tell of a match beside what its screen shows: what people are called, and what has happened. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from cogs.pictures.raster.typeface import plate_names
from cogs.screens.screen import Context, GameScreen, Unwritten
from cogs.table.wording import time_left
from cogs.table.wording.player_names import marked, plain, seated, short, shown
from engines.hosting.match import Look, Told
from engines.store.match_store import Info, Seat


def context(look: Look, news: Sequence[str] = ()) -> Context:
    """What a screen may know beside the view."""
    names, plates, brief, computers = _called(look.info.seats)
    return Context(names, look.options, news, plates, brief, computers)


@lru_cache(256)  # matches: every page of theirs asks, some thrice
def _called(seats: tuple[Seat, ...]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    """How people are called in sentences, on plates, and in a line of news; and where a computer plays."""
    whole = [seat.name for seat in seats]
    brief = tuple(marked(name, seat) for name, seat in zip(short(whole), seats, strict=True))
    computers = tuple(number for number, seat in enumerate(seats) if seat.level)
    return tuple(map(seated, seats)), plate_names(whole), brief, computers


def news(look: Look, screen: GameScreen, seat: int | None) -> Sequence[str]:
    """What has happened, in words: for the table since the last person's public move, for a seat from its own on."""
    return Unwritten(lambda: _news(look, screen, seat))


def _news(look: Look, screen: GameScreen, seat: int | None) -> list[str]:
    around = context(look)
    lines = ((told.move, screen.tell(told.event, around)) for told in _happened(look, seat))
    return time_left.told(look, lines, lambda: [*map(shown, _bare(look))], "{}'s time ran out, so the computer moved.")


def brief_news(look: Look, screen: GameScreen, seat: int | None) -> list[str]:
    """The same as briefly as it goes."""
    around = context(look)
    lines = ((told.move, screen.brief(told.event, around)) for told in _happened(look, seat))
    return time_left.told(look, lines, lambda: short(_bare(look)), "{}'s time ran out, the computer moved")


def escaped(info: Info) -> Any:
    """The header with what holds people's names made safe for markdown."""
    names = sorted({seat.name for seat in info.seats}, key=len, reverse=True)
    parts = re.split(f"({'|'.join(map(re.escape, names))})", info.reason)
    return replace(info, reason="".join(shown(part) if part in names else plain(part) for part in parts))


def _bare(look: Look) -> list[str]:
    """Who sits there, whoever plays."""
    return [seat.name for seat in look.info.seats]


def _happened(look: Look, seat: int | None) -> tuple[Told, ...]:
    """The events that are news, oldest first; also what a seat's own last move brought, such as whom it hit."""
    public = (told.move for told in reversed(look.told) if told.event.seen_by(None))
    last = next((move for move in public if move not in look.computed), 0)
    return tuple(look.news(seat, (last if seat is None else look.last_move(seat)) - 1))
