"""A cache of the finished matches that were watched again lately."""

from __future__ import annotations

from collections import OrderedDict

from cogs.table.pages.page_drawing import draw_in_thread
from cogs.table.shares.person_shares import long_turn
from cogs.table.state.replayed_match import ReplayedMatch
from engines.hosting.matches import Matches
from engines.store.match_store import MatchInfo

CACHED_MATCHES = 16  # matches; the most recently watched ones are kept


class ReplayCache:
    """The finished matches that were watched again lately."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._replayed: OrderedDict[str, ReplayedMatch] = OrderedDict()

    async def replayed_match(self, info: MatchInfo) -> ReplayedMatch:
        """Return a match that was played to its end. Raises RequestRefused for any other."""
        match, replayed = info.id, self._replayed.get(info.id)
        if replayed is None or replayed.info != info:  # somebody in it was forgotten since
            async with long_turn():
                saved = await self._matches.records.load_moves(match)
                replayed = await draw_in_thread(ReplayedMatch.from_saved, self._matches.games[info.game], saved)
        self._replayed[match] = replayed
        self._replayed.move_to_end(match)
        if len(self._replayed) > CACHED_MATCHES:
            self._replayed.popitem(last=False)
        return replayed
