"""Cuts in words. Pure functions."""

from __future__ import annotations

from cogs.table.wording.match_words import seal_line
from engines.hosting.records.deal import is_chosen
from engines.store.match_store import MatchInfo, Seat


def cut_note(seat: Seat) -> str:
    """Return what a lobby says of a player's cut: ` · cut 1907`; empty if there is nothing to say."""
    last = " last" if seat.last_cut else ""
    return f" · cut{last} {seat.cut}" if is_chosen(seat.cut) and seat.last_cut != 1 else " · cuts last" if last else ""


def joined_text(info: MatchInfo, user: int) -> str:
    """Return the reply to a player who joined a lobby: the seal, and what their cut is unless they choose another."""
    seat = info.seat_of(user)
    if seat is None or not info.seal:
        return ""
    return (
        f"You are in match `{info.id}`. {cut_text(info.seats[seat])}\n{seal_line(info)}\n"
        "-# I can no longer change the deal under this seal, and nobody knows what a cut will do."
    )


def cut_text(seat: Seat) -> str:
    """Return a player's cut for that player."""
    if is_chosen(seat.cut):
        return f"You have cut with `{seat.cut}`."
    number = f"the number of this click, `{seat.cut}`" if seat.cut else "the word `none`"
    return f"Your cut is {number}. Press **Cut** to choose digits of your own."
