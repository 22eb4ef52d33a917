"""The records that come with results: each match's is read and replayed once, however often its result is drawn."""

from __future__ import annotations

from collections import OrderedDict

from engines.hosting.matches import Matches
from engines.store.match_store import Info

MOST = 16  # matches whose records are kept: those that were asked for last


class Records:
    """Of matches that have been played to their end."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._kept: OrderedDict[str, tuple[Info, str]] = OrderedDict()

    async def of(self, info: Info) -> str:
        """The record of a match, which names whoever it says sat there."""
        kept = self._kept.get(info.id)
        if kept is None or kept[0] != info:
            kept = info, await self._matches.record(info.id)
        self._kept[info.id] = kept
        self._kept.move_to_end(info.id)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return kept[1]

    def forget(self, match: str) -> None:
        """Keep nothing of a closed match in memory."""
        self._kept.pop(match, None)
