"""Cutting a sealed deal: its players do that in the lobby."""

from __future__ import annotations

from dataclasses import replace

from engines.hosting.match import Match, MatchEdit, RequestRefused, replace_seat
from engines.hosting.match_changes import MatchEditor, require_seated
from engines.hosting.matches.lobbies import reopen_last_cut, require_lobby
from engines.hosting.records import deal
from engines.store.match_store import (
    HAS_CUT_LAST,
    NO_LAST_CUT_YET,
    MatchInfo,
)


async def cut_deal(editor: MatchEditor, match: str, user: int, digits: str, *, click: int = 0) -> MatchInfo:
    """Cut with these digits, for a player in a lobby: once, or again if they cut last and the others changed."""
    try:
        chosen = deal.parse_cut(digits)
    except deal.BadDeal as error:
        raise RequestRefused(str(error)) from None

    def edit(current: Match) -> MatchEdit:
        number = _require_player(current, user)
        own = current.info.seats[number]
        if deal.is_chosen(own.cut) and own.last_cut != NO_LAST_CUT_YET:
            raise RequestRefused(f"You have already cut, with {own.cut}. Everyone cuts once.")
        if own.last_cut:
            new, others = replace(own, cut=chosen, last_cut=HAS_CUT_LAST), current.info.seats
        else:
            new, others = replace(own, cut=chosen), reopen_last_cut(current.info.seats)
        seats = replace_seat(replace(current.info, seats=others), number, new)
        return editor.edit_info(current, "cut", user, seats=seats)

    return await editor.change_match(match, edit, click)


async def cut_last(editor: MatchEditor, match: str, user: int, wanted: bool, *, click: int = 0) -> MatchInfo:
    """Let a player in a lobby cut after everybody else, or nobody. The host may also take that from another."""

    def edit(current: Match) -> MatchEdit:
        number = _require_player(current, user)
        info, last = current.info, next((seat for seat in current.info.seats if seat.last_cut), None)
        if wanted and last is not None:
            whose = "You have" if last.user == user else f"{last.name} has"
            raise RequestRefused(f"{whose} already asked to cut last.", has_names=True)
        if not wanted and last is None:
            raise RequestRefused("Nobody has asked to cut last.")
        if not wanted and last is not None and user not in (last.user, info.host):
            raise RequestRefused(f"Only {last.name} or the host can change that.", has_names=True)
        seats = tuple(replace(seat, last_cut=0) for seat in info.seats)
        if wanted:
            seats = replace_seat(info, number, replace(info.seats[number], last_cut=NO_LAST_CUT_YET))
        return editor.edit_info(current, "cut last", user, seats=seats)

    return await editor.change_match(match, edit, click)


def _require_player(current: Match, user: int) -> int:
    """Return the user's seat in a lobby. Raises RequestRefused."""
    info = require_lobby(current)
    if info.practice:
        raise RequestRefused("This is a practice match with the cards of another match, so nobody can cut here.")
    if not info.seal:
        raise RequestRefused("This table was opened by an older version of me, so nobody can cut here.")
    return require_seated(info, user)
