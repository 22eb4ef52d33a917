"""How the people at a table want their hands to be shown, from what they like and know."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from cogs.table.pages.screen_layout import Reader
from cogs.table.state.server_lease import Held
from cogs.table.state.surface_store import Displays
from engines.hosting.match import Look
from engines.hosting.matches import Matches
from engines.store.match_store import LIVE, Status

MOVES = 3  # with which a game is no news any more
PLAYING = frozenset({Status.RUNNING, Status.PAUSED})
MOST = 10_000  # people and matches of whom it is kept at how many tables they sit


class Readers:
    """What is asked of the settings of people whenever a hand is drawn."""

    def __init__(self, shown: Displays, matches: Matches, held: Held | None = None) -> None:
        self._held = held or Held()
        self._shown = shown
        self._matches = matches
        self._tables: dict[int, int] = {}  # at how many somebody plays; who is not there has to be counted
        self._seated: dict[str, frozenset[int]] = {}  # who plays in a match, as it was seen last
        self._left: set[str] = set()  # matches that were behind when this process took them over, and are not seen yet

    def left(self, matches: Collection[str]) -> None:
        """Of these matches a process before this one may not have shown all: who plays in them may have changed."""
        self._left.update(matches)

    async def news(self, look: Look) -> set[str]:
        """A match may have changed: those who have begun or ended to play in it are counted anew.

        The other matches that they play in: whether hands there have to name theirs may have changed. It is the same
        until the match is `seen`.
        """
        match = look.info.id
        before = self._seated.get(match)
        everybody = frozenset(seat.user for seat in look.info.seats if seat.user > 0)
        changed = everybody if before is None else _playing(look) ^ before
        for user in changed:
            self._tables.pop(user, None)
        if before is None and match not in self._left and not _begun_or_ended(look):  # as it is after a restart
            return set()
        return await self.others(match, changed)

    async def others(self, match: str, users: Collection[int]) -> set[str]:
        """The other matches in which they play."""
        found = [await self._matches.find(statuses=PLAYING, user=user) for user in users]
        return {info.id for each in found for info in each} - {match}

    def seen(self, look: Look) -> None:
        """What is new in a match has been told to whomever it concerns."""
        self._left.discard(look.info.id)
        self._seated.pop(look.info.id, None)
        if look.info.status in LIVE:
            self._seated[look.info.id] = _playing(look)
        if max(len(self._tables), len(self._seated)) > MOST:
            self._tables.clear()
            self._seated.clear()

    def renew(self, users: Collection[int] | None = None) -> None:
        """They may play at more tables, or less, as other processes have changed these; None: all people."""
        for user in list(self._tables) if users is None else users:
            self._tables.pop(user, None)

    async def of(self, look: Look, seat: int) -> Reader:
        """The reader of a seat's hand."""
        user = look.info.seats[seat].user
        if not self._held.has(look.info.place.guild):
            self.renew((user,))
        likes, tables = await self._shown.preferences(user), await self._tables_of(user)
        return Reader(words=likes.words, worth=likes.worth, new=look.info.game not in likes.met, several=tables > 1)

    async def _tables_of(self, user: int) -> int:
        """At how many tables somebody plays."""
        if user not in self._tables:
            self._tables[user] = len(await self._matches.find(statuses=PLAYING, user=user))
        return self._tables[user]

    async def moving(self, look: Look, seat: int) -> set[str]:
        """Somebody is about to move. With the third of a match, or the first in another's place, a game is no news.

        The matches in which their hand may change by that, whatever becomes of the move.
        """
        if look.movers.count(seat) + 1 < MOVES:
            return set()
        return await self.meet(look.info.seats[seat].user, look.info.game)

    async def meet(self, user: int, game: str) -> set[str]:
        """Keep that somebody has met a game's rules; the matches in which their hand may change by that."""
        if game in (await self._shown.preferences(user)).met:
            return set()
        await self._shown.prefer(user, lambda old: replace(old, met=old.met | {game}))
        return {info.id for info in await self._matches.find(statuses=LIVE, user=user) if info.game == game}


def _playing(look: Look) -> frozenset[int]:
    """Who plays in a match just now."""
    there = frozenset(seat.user for seat in look.info.seats if seat.here)
    return there if look.info.status in PLAYING else frozenset()


def _begun_or_ended(look: Look) -> bool:
    """Whether somebody may just have begun or ended to play in a match that is seen for the first time."""
    gone = any(seat.user > 0 and not seat.here for seat in look.info.seats)
    return look.state is not None and (gone or look.info.status not in PLAYING or not look.info.moves)
