"""The events of a match in sentences, and the names that its pages use. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import Any

from cogs.pictures.raster.typeface import plate_names
from cogs.screens.control_widths import fits_narration
from cogs.screens.screen import Context, GameScreen, LazyParagraphs
from cogs.table.wording.player_names import escape_markdown, mark_computer, markdown_name, seat_name, short_names
from engines.hosting.match import MatchSnapshot, UndoneMoves
from engines.store.match_store import MatchInfo, Seat


def screen_context(snapshot: MatchSnapshot, narration: Sequence[str] = ()) -> Context:
    """Return everything a screen gets besides the view."""
    names, plates, brief, computers = _seat_names(snapshot.info.seats)
    return Context(names, snapshot.options, narration, plates, brief, computers)


@lru_cache(256)  # matches: every page of a match needs its names, some pages three times
def _seat_names(seats: tuple[Seat, ...]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    """Return the seats' names for sentences, for plates and for short news lines, and the seats of computers."""
    whole = [seat.name for seat in seats]
    brief = tuple(mark_computer(name, seat) for name, seat in zip(short_names(whole), seats, strict=True))
    computers = tuple(number for number, seat in enumerate(seats) if seat.level)
    return tuple(map(seat_name, seats)), plate_names(whole), brief, computers


def narrate(snapshot: MatchSnapshot, screen: GameScreen, seat: int | None) -> Sequence[str]:
    """Return the news in sentences: for the table since a person last moved, for a seat since its own last move."""
    return LazyParagraphs(lambda: _narrate(snapshot, screen, seat))


def _narrate(snapshot: MatchSnapshot, screen: GameScreen, seat: int | None) -> list[str]:
    return _add_timeout_notes(
        snapshot,
        _mark_forced_moves(snapshot, _recent_lines(snapshot, screen, seat)),
        lambda: [*map(markdown_name, _plain_names(snapshot))],
        seat,
    )


def narrate_briefly(snapshot: MatchSnapshot, screen: GameScreen, seat: int | None) -> list[str]:
    """Return the same news as short clauses: `Ada plays Q♣`. Those that end with a full stop are sentences."""
    marked = _mark_forced_moves(snapshot, _recent_lines(snapshot, screen, seat, is_brief=True), are_runs_marked=True)
    return _add_timeout_notes(snapshot, marked, lambda: short_names(_plain_names(snapshot)), seat)


def _add_timeout_notes(
    snapshot: MatchSnapshot,
    lines: Iterable[tuple[int, str | None]],
    names: Callable[[], Sequence[str]],
    reader: int | None,
) -> list[str]:
    """Return the news lines that are not empty; each comes with the number of its move.

    If the computer made a move because a player's time ran out, a sentence says so. It follows that move's lines,
    because pages drop the oldest news first.
    """
    narrated: list[str] = []
    for move, group in groupby(lines, key=lambda line: line[0]):
        narrated += [line for _, line in group if line]
        if move in snapshot.timeout_moves:
            mover = snapshot.mover_of(move)
            whose, whom = ("Your", "you") if mover == reader else (f"{names()[mover]}'s", "them")
            ran_out = f"{whose} time ran out, so the computer moved for {whom}."
            narrated += [ran_out] if ran_out not in narrated[-1:] else []
    return narrated


def escape_info(info: MatchInfo) -> Any:
    """Return the match info with every text that contains names escaped for markdown."""
    names = sorted({seat.name for seat in info.seats}, key=len, reverse=True)
    parts = re.split(f"({'|'.join(map(re.escape, names))})", info.reason)
    return replace(
        info, reason="".join(markdown_name(part) if part in names else escape_markdown(part) for part in parts)
    )


def _plain_names(snapshot: MatchSnapshot) -> list[str]:
    return [seat.name for seat in snapshot.info.seats]


def _mark_forced_moves(
    snapshot: MatchSnapshot, lines: Iterable[tuple[int, str | None]], *, are_runs_marked: bool = False
) -> Iterator[tuple[int, str | None]]:
    """Say of each move that was made automatically that it was the only one, or once for several in a row."""
    forced, last_marked = snapshot.forced_moves, 0
    for move, line in lines:
        is_first_line = line is not None and move in forced and move != last_marked
        if line is None or not is_first_line or (are_runs_marked and move + 1 in forced):
            yield move, line
            continue
        last_marked = move
        mark = "the only move" if not are_runs_marked else "only moves" if move - 1 in forced else "only move"
        yield move, f"{line[:-1]} ({mark})." if line.endswith(".") else f"{line} ({mark})"


def _recent_lines(
    snapshot: MatchSnapshot, screen: GameScreen, seat: int | None, *, is_brief: bool = False
) -> Iterator[tuple[int, str | None]]:
    """Yield the news, oldest first, each with the number of its move: events, and what was taken back."""
    after, context = last_known_move(snapshot, seat), screen_context(snapshot)
    tell = screen.narrate_briefly if is_brief else screen.narrate
    notices = [each for each in snapshot.undos if each.number > after]
    for match_event in snapshot.visible_events(seat, after):
        while notices and notices[0].number < match_event.move:
            yield _undone_line(notices.pop(0), screen, seat, context, is_brief=is_brief)
        yield match_event.move, tell(match_event.event, context)
    for each in notices:
        yield _undone_line(each, screen, seat, context, is_brief=is_brief)


def _undone_line(
    taken: UndoneMoves, screen: GameScreen, seat: int | None, context: Context, *, is_brief: bool
) -> tuple[int, str]:
    """Return that moves were taken back, with as much of the first one as the reader may know."""
    visible = [event for event in taken.events if event.is_visible_to(seat)]
    if is_brief:
        name, short = context.short_names[taken.seat], replace(context, names=context.short_names)
        clauses = (screen.narrate_briefly(event, short) or screen.narrate(event, short) for event in visible)
        act = first_line(clauses).rstrip(".").removeprefix(f"{name} ")
        whole = f"{name} takes a move back ({act})"
        return taken.number, whole if act and fits_narration(f"{whole}.") else f"{name} takes a move back"
    move_text = first_line(screen.narrate(event, context) for event in visible).rstrip(".")
    name = context.names[taken.seat]
    return taken.number, f"{name} took a move back: {move_text}." if move_text else f"{name} took a move back."


def last_known_move(snapshot: MatchSnapshot, seat: int | None) -> int:
    """Return the number of the newest move that is no news. The effects of the seat's own last move are news."""
    public = (each.move for each in reversed(snapshot.events) if each.event.is_visible_to(None))
    last = next((move for move in public if move not in snapshot.computer_moves | snapshot.forced_moves), 0)
    return (last if seat is None else snapshot.last_move_number(seat)) - 1


def first_line(lines: Iterable[str | None]) -> str:
    """Return the first line that says something; empty if none does."""
    return next((line for line in lines if line), "")
