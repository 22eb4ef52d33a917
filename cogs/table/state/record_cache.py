"""A cache of the records attached to results, so that each match is replayed once."""

from __future__ import annotations

from collections import OrderedDict

from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.state.person_shares import long_turn
from engines.hosting.matches import Matches
from engines.store.match_store import MatchInfo

CACHED_RECORDS = 16  # records; the most recently used ones are kept


class RecordCache:
    """The records of recently shown finished matches."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._records: OrderedDict[str, tuple[MatchInfo, str]] = OrderedDict()

    async def record_of(self, info: MatchInfo) -> str:
        """Return the record of a match with the names from `info`."""
        cached = self._records.get(info.id)
        if cached is None or cached[0] != info:
            async with long_turn():
                cached = info, await self._matches.records.build_record(info.id, draw_in_thread)
        self._records[info.id] = cached
        self._records.move_to_end(info.id)
        if len(self._records) > CACHED_RECORDS:
            self._records.popitem(last=False)
        return cached[1]

    def forget(self, match: str) -> None:
        """Drop the record of a closed match."""
        self._records.pop(match, None)
