"""How each player's hand should be shown, from their preferences and their experience."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from cogs.table.pages.screen_layout import Reader
from cogs.table.state.feature_rows import FeatureRows
from cogs.table.state.server_lease import ServerLease
from cogs.table.state.surface_store import SurfaceCache
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches import Matches
from engines.store.match_store import LIVE, Status

MOVES_TO_KNOW = 3  # moves in one match after which a player knows the game
PLAYING_STATUSES = frozenset({Status.RUNNING, Status.PAUSED})
MAX_CACHED = 10_000  # cached people or matches above which the caches are cleared


class ReaderPreferences:
    """The preferences and table counts that drawing a hand needs."""

    def __init__(
        self,
        surfaces: SurfaceCache,
        matches: Matches,
        lease: ServerLease | None = None,
        features: FeatureRows | None = None,
    ) -> None:
        self._features = features
        self._lease = lease or ServerLease()
        self._surfaces = surfaces
        self._matches = matches
        self._table_counts: dict[int, int] = {}  # tables per person; missing people have to be counted
        self._players_seen: dict[str, frozenset[int]] = {}  # players of each match when it was last drawn
        self._inherited_matches: set[str] = set()  # taken over while stale, and not drawn since

    def inherit_matches(self, matches: Collection[str]) -> None:
        """Note that these matches were taken over while stale: their players may have changed unnoticed."""
        self._inherited_matches.update(matches)

    async def note_changes(self, snapshot: MatchSnapshot) -> set[str]:
        """Update table counts after a match may have changed. Returns the other matches with hands that may change.

        A hand names its match if its player has several tables. The result stays the same until `mark_seen`.
        """
        match = snapshot.info.id
        before = self._players_seen.get(match)
        everybody = frozenset(seat.user for seat in snapshot.info.seats if seat.user > 0)
        changed = everybody if before is None else _players(snapshot) ^ before
        for user in changed:
            self._table_counts.pop(user, None)
        # the usual case after a restart
        if before is None and match not in self._inherited_matches and not _has_begun_or_ended(snapshot):
            return set()
        found = [await self._matches.lookup.find(statuses=PLAYING_STATUSES, user=user) for user in changed]
        return {info.id for each in found for info in each} - {match}

    def mark_seen(self, snapshot: MatchSnapshot) -> None:
        """Note that all matches affected by this one have been marked stale."""
        self._inherited_matches.discard(snapshot.info.id)
        self._players_seen.pop(snapshot.info.id, None)
        if snapshot.info.status in LIVE:
            self._players_seen[snapshot.info.id] = _players(snapshot)
        if max(len(self._table_counts), len(self._players_seen)) > MAX_CACHED:
            self._table_counts.clear()
            self._players_seen.clear()

    def invalidate(self, users: Collection[int] | None = None) -> None:
        """Drop the table counts of these people after changes by other processes; None means all people."""
        for user in list(self._table_counts) if users is None else users:
            self._table_counts.pop(user, None)

    async def reader_of(self, snapshot: MatchSnapshot, seat: int) -> Reader:
        """The reader of a seat's hand."""
        user = snapshot.info.seats[seat].user
        if not self._lease.holds_server(snapshot.info.place.guild):
            self.invalidate((user,))
        lines, rows = await self._features.on_hand(snapshot, user) if self._features else ((), ())
        likes, tables = await self._surfaces.preferences(user), await self._count_tables(user)
        return Reader(
            words=likes.words,
            worth=likes.worth,
            has_several_tables=tables > 1,
            lines=lines,
            rows=rows,
        )

    async def plain_reader(self, user: int) -> Reader:
        """The reader of pages outside a match, where values would only distract."""
        return Reader(words=(await self._surfaces.preferences(user)).words, worth=False)

    async def _count_tables(self, user: int) -> int:
        if user not in self._table_counts:
            self._table_counts[user] = len(await self._matches.lookup.find(statuses=PLAYING_STATUSES, user=user))
        return self._table_counts[user]

    async def note_move(self, snapshot: MatchSnapshot, seat: int) -> None:
        """Note that a player is about to move: with the seat's third move they know the game, even if it fails."""
        user, game = snapshot.info.seats[seat].user, snapshot.info.game
        if snapshot.movers.count(seat) + 1 >= MOVES_TO_KNOW and not await self.has_met(user, game):
            await self._surfaces.change_preferences(user, lambda old: replace(old, met=old.met | {game}))

    async def has_met(self, user: int, game: str) -> bool:
        """Return whether a person has made a few moves in a match of the game."""
        return game in (await self._surfaces.preferences(user)).met


def _players(snapshot: MatchSnapshot) -> frozenset[int]:
    owners = frozenset(seat.user for seat in snapshot.info.seats if seat.has_owner)
    return owners if snapshot.info.status in PLAYING_STATUSES else frozenset()


def _has_begun_or_ended(snapshot: MatchSnapshot) -> bool:
    """Whether someone may just have started or stopped playing in a match that is drawn for the first time."""
    has_departed = any(seat.user > 0 and not seat.has_owner for seat in snapshot.info.seats)
    return snapshot.state is not None and (
        has_departed or snapshot.info.status not in PLAYING_STATUSES or not snapshot.info.moves
    )
