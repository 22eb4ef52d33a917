"""The records that come with results: each match's is read and replayed once, however often its result is drawn."""

from __future__ import annotations

from collections import OrderedDict

from engines.hosting.matches import Matches
from engines.store.match_store import MatchInfo

CACHED_RECORDS = 16  # matches whose records are kept: those that were asked for last


class RecordCache:
    """Of matches that have been played to their end."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._records: OrderedDict[str, tuple[MatchInfo, str]] = OrderedDict()

    async def record_of(self, info: MatchInfo) -> str:
        """The record of a match, which names whoever it says sat there."""
        kept = self._records.get(info.id)
        if kept is None or kept[0] != info:
            kept = info, await self._matches.build_record(info.id)
        self._records[info.id] = kept
        self._records.move_to_end(info.id)
        if len(self._records) > CACHED_RECORDS:
            self._records.popitem(last=False)
        return kept[1]

    def forget(self, match: str) -> None:
        """Keep nothing of a closed match in memory."""
        self._records.pop(match, None)
