"""How the people at a table want their hands to be shown, from what they like and know."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from cogs.table.pages.screen_layout import Reader
from cogs.table.state.server_lease import ServerLease
from cogs.table.state.surface_store import SurfaceCache
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches import Matches
from engines.store.match_store import LIVE, Status

MOVES_TO_KNOW = 3  # with which a game is no news any more
PLAYING_STATUSES = frozenset({Status.RUNNING, Status.PAUSED})
MAX_CACHED = 10_000  # people and matches of whom it is kept at how many tables they sit


class ReaderPreferences:
    """What is asked of the settings of people whenever a hand is drawn."""

    def __init__(self, surfaces: SurfaceCache, matches: Matches, lease: ServerLease | None = None) -> None:
        self._lease = lease or ServerLease()
        self._surfaces = surfaces
        self._matches = matches
        self._table_counts: dict[int, int] = {}  # at how many somebody plays; who is not there has to be counted
        self._players_seen: dict[str, frozenset[int]] = {}  # who plays in a match, as it was seen last
        self._inherited_matches: set[str] = (
            set()
        )  # matches that were behind when this process took them over, and are not seen yet

    def inherit_matches(self, matches: Collection[str]) -> None:
        """Of these matches a process before this one may not have shown all: who plays in them may have changed."""
        self._inherited_matches.update(matches)

    async def note_changes(self, snapshot: MatchSnapshot) -> set[str]:
        """A match may have changed: those who have begun or ended to play in it are counted anew.

        The other matches that they play in: whether hands there have to name theirs may have changed. It is the same
        until the match is `seen`.
        """
        match = snapshot.info.id
        before = self._players_seen.get(match)
        everybody = frozenset(seat.user for seat in snapshot.info.seats if seat.user > 0)
        changed = everybody if before is None else _players(snapshot) ^ before
        for user in changed:
            self._table_counts.pop(user, None)
        if (
            before is None and match not in self._inherited_matches and not _has_begun_or_ended(snapshot)
        ):  # as it is after a restart
            return set()
        return await self.other_matches(match, changed)

    async def other_matches(self, match: str, users: Collection[int]) -> set[str]:
        """The other matches in which they play."""
        found = [await self._matches.find(statuses=PLAYING_STATUSES, user=user) for user in users]
        return {info.id for each in found for info in each} - {match}

    def mark_seen(self, snapshot: MatchSnapshot) -> None:
        """What is new in a match has been told to whomever it concerns."""
        self._inherited_matches.discard(snapshot.info.id)
        self._players_seen.pop(snapshot.info.id, None)
        if snapshot.info.status in LIVE:
            self._players_seen[snapshot.info.id] = _players(snapshot)
        if max(len(self._table_counts), len(self._players_seen)) > MAX_CACHED:
            self._table_counts.clear()
            self._players_seen.clear()

    def invalidate(self, users: Collection[int] | None = None) -> None:
        """They may play at more tables, or less, as other processes have changed these; None: all people."""
        for user in list(self._table_counts) if users is None else users:
            self._table_counts.pop(user, None)

    async def reader_of(self, snapshot: MatchSnapshot, seat: int) -> Reader:
        """The reader of a seat's hand."""
        user = snapshot.info.seats[seat].user
        if not self._lease.holds_server(snapshot.info.place.guild):
            self.invalidate((user,))
        likes, tables = await self._surfaces.preferences(user), await self._count_tables(user)
        return Reader(
            words=likes.words,
            worth=likes.worth,
            is_new=snapshot.info.game not in likes.met,
            has_several_tables=tables > 1,
        )

    async def _count_tables(self, user: int) -> int:
        """At how many tables somebody plays."""
        if user not in self._table_counts:
            self._table_counts[user] = len(await self._matches.find(statuses=PLAYING_STATUSES, user=user))
        return self._table_counts[user]

    async def note_move(self, snapshot: MatchSnapshot, seat: int) -> set[str]:
        """Somebody is about to move. With the third of a match, or the first in another's place, a game is no news.

        The matches in which their hand may change by that, whatever becomes of the move.
        """
        if snapshot.movers.count(seat) + 1 < MOVES_TO_KNOW:
            return set()
        return await self.note_game_met(snapshot.info.seats[seat].user, snapshot.info.game)

    async def note_game_met(self, user: int, game: str) -> set[str]:
        """Keep that somebody has met a game's rules; the matches in which their hand may change by that."""
        if game in (await self._surfaces.preferences(user)).met:
            return set()
        await self._surfaces.change_preferences(user, lambda old: replace(old, met=old.met | {game}))
        return {info.id for info in await self._matches.find(statuses=LIVE, user=user) if info.game == game}


def _players(snapshot: MatchSnapshot) -> frozenset[int]:
    """Who plays in a match just now."""
    there = frozenset(seat.user for seat in snapshot.info.seats if seat.has_owner)
    return there if snapshot.info.status in PLAYING_STATUSES else frozenset()


def _has_begun_or_ended(snapshot: MatchSnapshot) -> bool:
    """Whether somebody may just have begun or ended to play in a match that is seen for the first time."""
    gone = any(seat.user > 0 and not seat.has_owner for seat in snapshot.info.seats)
    return snapshot.state is not None and (
        gone or snapshot.info.status not in PLAYING_STATUSES or not snapshot.info.moves
    )
