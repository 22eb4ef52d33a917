"""Sealed deals: cutting in a lobby, and what everyone may know of a deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engines.hosting import inspection
from engines.hosting.lobbies import reopen_last_cut, require_lobby
from engines.hosting.match import Match, MatchSnapshot, RequestRefused, replace_seat
from engines.hosting.match_changes import MatchEdit, require_seated
from engines.hosting.records import deal
from engines.hosting.take_backs import TakingBack
from engines.store.match_store import (
    HAS_CUT_LAST,
    LIVE,
    NO_LAST_CUT_YET,
    DamagedMatch,
    MatchInfo,
    SavedMatch,
    Status,
)

CLOSED = frozenset(Status) - LIVE - {Status.ASIDE}
"""The statuses in which the secret of a deal is open. A damaged match stays sealed until an admin ends it."""
UNFINISHED = CLOSED - {Status.OVER}


@dataclass(frozen=True, slots=True)
class PublicDeal:
    """What everyone may know of the deal of a match.

    `cuts` are empty before the start, and if an older version started the match; `secret` is empty until it is closed.
    """

    seal: str
    cuts: str = ""
    secret: str = field(default="", repr=False)


class Deals(TakingBack):
    """Handles deals for `Matches`."""

    async def cut(self, match: str, user: int, digits: str, *, click: int = 0) -> MatchInfo:
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
            return self._edit_info(current, "cut", user, seats=seats)

        return await self._change_match(match, edit, click)

    async def cut_last(self, match: str, user: int, wanted: bool, *, click: int = 0) -> MatchInfo:
        """Let a player in a lobby cut after everybody else, or nobody. The host may also take that from another."""

        def edit(current: Match) -> MatchEdit:
            number = _require_player(current, user)
            info, last = current.info, next((seat for seat in current.info.seats if seat.last_cut), None)
            if wanted and last is not None:
                whose = "You cut" if last.user == user else f"{last.name} cuts"
                raise RequestRefused(f"{whose} last already.", has_names=True)
            if not wanted and last is None:
                raise RequestRefused("Nobody has asked to cut last.")
            if not wanted and last is not None and user not in (last.user, info.host):
                raise RequestRefused(f"Only {last.name} or the host can change that.", has_names=True)
            seats = tuple(replace(seat, last_cut=0) for seat in info.seats)
            if wanted:
                seats = replace_seat(info, number, replace(info.seats[number], last_cut=NO_LAST_CUT_YET))
            return self._edit_info(current, "cut last", user, seats=seats)

        return await self._change_match(match, edit, click)

    async def public_deal(self, info: MatchInfo) -> PublicDeal | None:
        """Return what everyone may know of a match's deal; None if it is not sealed."""
        if not info.seal:
            return None
        saved = await self._store.load_deal(info.id)
        if saved is None:
            return None
        return PublicDeal(info.seal, saved.cuts, saved.secret if info.status in CLOSED else "")

    async def open_deal(self, info: MatchInfo) -> deal.Deal | None:
        """Return the deal of a closed match as its record contains it; None if its seed does not come from a seal."""
        public = await self.public_deal(info)
        if public is None or not public.secret or not public.cuts:
            return None
        return deal.Deal(info.id, public.seal, public.secret, public.cuts)

    async def build_deal_record(self, snapshot: MatchSnapshot) -> str:
        """Return the record of a match that was started and is closed, also if it has no result; otherwise ''."""
        info = snapshot.info
        if info.status not in CLOSED:
            return ""
        try:
            saved = await self._store.load(info.id)
        except DamagedMatch:
            return ""
        return inspection.record_text(snapshot, saved, await self.open_deal(info)) if saved else ""

    async def load_finished(self, match: str) -> SavedMatch | None:
        """Return a finished match as stored, without loading it into memory; None if it is damaged or not finished."""
        try:
            saved = await self._store.load(match)
        except DamagedMatch:
            return None
        return saved if saved is not None and saved.info.status is Status.OVER else None

    async def count_matches(self, guild: int) -> Mapping[Status, int]:
        """Return how many matches of a server are stored, by status."""
        return await self._store.count_matches(guild)

    async def newest_matches(self, guild: int, statuses: frozenset[Status], limit: int, game: str = "") -> list[str]:
        """Return the ids of a server's matches with one of the statuses, the last changed first, up to a limit."""
        return await self._store.newest_matches(guild, statuses, limit, game)


def _require_player(current: Match, user: int) -> int:
    """Return the user's seat in a lobby. Raises RequestRefused."""
    if not require_lobby(current).seal:
        raise RequestRefused("This table was opened by an older version of me, so nobody can cut here.")
    return require_seated(current.info, user)
