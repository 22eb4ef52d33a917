"""Take-backs in words: requests, who still has to answer, and what has been taken back. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cogs.screens.words import join_with_and
from cogs.table.wording.player_names import markdown_name
from engines.hosting.match import MatchSnapshot
from engines.store.take_backs import TakeBackRequest


def first_line(lines: Iterable[str | None]) -> str:
    """Return the first line that says something; empty if none does."""
    return next((line for line in lines if line), "")


def made_move(snapshot: MatchSnapshot, tell: Callable[[Any], str | None], seat: int | None, move: int) -> str:
    """Return what a seat may know of a move, as its news tells it; empty if that is nothing."""
    told = snapshot.visible_events(seat, move - 1)
    return first_line(tell(each.event) for each in told if each.move == move).rstrip(".")


def question(snapshot: MatchSnapshot, tell: Callable[[Any], str | None], seat: int | None) -> str:
    """Return the open request as a question; a spectator's seat is None."""
    request = snapshot.info.take_backs.open_request
    assert request is not None
    made = made_move(snapshot, tell, seat, request.move)
    what = f"a move back: {made}" if made else "a move back"
    return f"**{_name(snapshot, request.seat)} asks to take {what}.** Do you agree?"


def table_note(snapshot: MatchSnapshot, tell: Callable[[Any], str | None]) -> str:
    """Return the request for the table, or how it has ended; empty if there is none."""
    request = snapshot.info.take_backs.request
    if request is None:
        return ""
    if request.ended:
        return f"-# {_end_text(snapshot, request)}, so {_name(snapshot, request.seat)}'s move stands."
    return f"{question(snapshot, tell, None)}\n-# {_waiting_text(snapshot, request)}"


def hand_note(snapshot: MatchSnapshot, tell: Callable[[Any], str | None], seat: int) -> str:
    """Return the request for a hand, or how the own one has ended; empty if there is nothing to say."""
    request = snapshot.info.take_backs.request
    if request is None:
        return ""
    if request.ended:
        return f"**{_end_text(snapshot, request)}, so your move stands.**" if seat == request.seat else ""
    if seat in request.waiting:
        return question(snapshot, tell, seat)
    if seat == request.seat:
        return f"**You asked to take your move back.** {_waiting_text(snapshot, request)}"
    return f"-# You agreed. {_waiting_text(snapshot, request)}" if seat in request.agreed else ""


def ping_text(snapshot: MatchSnapshot, users: str) -> str:
    """Return the ping of those who have to answer: `@Bela: Ada asks to take a move back. Do you agree?`"""
    request = snapshot.info.take_backs.open_request
    assert request is not None
    until = f"<t:{request.until}:R>"
    return f"{users}: {_name(snapshot, request.seat)} asks to take a move back. Do you agree? ⏳ {until}"


def news_line(name: str, made: str, *, is_brief: bool) -> str:
    """Return that somebody has taken back what these words tell; they are empty if the reader may not know it."""
    if is_brief:
        return f"Taken back: {made.rstrip('.')}" if made else f"{name}: a move taken back"
    return f"{name} took a move back: {made.rstrip('.')}." if made else f"{name} took a move back."


def _waiting_text(snapshot: MatchSnapshot, request: TakeBackRequest) -> str:
    names = join_with_and([_name(snapshot, seat) for seat in request.waiting])
    return f"Waiting for {names}. ⏳ <t:{request.until}:R>"


def _end_text(snapshot: MatchSnapshot, request: TakeBackRequest) -> str:
    return "Nobody answered in time" if request.ended == "lapsed" else f"{_name(snapshot, request.ended_by)} said no"


def _name(snapshot: MatchSnapshot, seat: int) -> str:
    return markdown_name(snapshot.info.seats[seat].name)
