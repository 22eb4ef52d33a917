"""Records of finished matches, and what everyone may know of their deals."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from engines.hosting import inspection
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.match_changes import MatchEditor
from engines.store.match_store import CLOSED, DamagedMatch, MatchInfo, SavedMatch, Status

UNFINISHED = CLOSED - {Status.OVER}
NOT_PLAYED_OUT = "You can watch this match again once it has been played to its end."
Compute = Callable[..., Awaitable[Any]]
"""Calls a function with arguments, outside of the event loop."""


@dataclass(frozen=True, slots=True)
class PublicDeal:
    """What everyone may know of the deal of a match.

    `cuts` are empty before the start, and if an older version started the match; `secret` is empty until it is closed.
    """

    seal: str
    cuts: str = ""
    secret: str = field(default="", repr=False)


class MatchRecords:
    """Reads what is stored of matches that are closed."""

    def __init__(self, editor: MatchEditor) -> None:
        self._editor = editor

    async def build_record(self, match: str, compute: Compute = asyncio.to_thread) -> str:
        """Return the readable record of a match that was played to its end. Others have none, because it contains the
        seed.

        The record names rules that replay it. It is empty if none does because the rules changed midway.
        """
        snapshot = await self._editor.cache.get_fresh_snapshot(match)
        if snapshot.info.status is not Status.OVER:  # nothing can be read of a match that was set aside
            raise RequestRefused("You can get the record once the match is over.")
        saved = await self._editor.store.load(match)
        return await self._record_of(snapshot, saved, compute)

    async def load_moves(self, match: str) -> SavedMatch:
        """Return all stored moves of a match that was played to its end, and the state in which they begin."""
        snapshot = await self._editor.cache.get_fresh_snapshot(match)
        saved = await self._editor.store.load(match) if snapshot.info.status is Status.OVER else None
        if saved is None:
            raise RequestRefused(NOT_PLAYED_OUT)
        return saved

    async def load_finished(self, match: str) -> SavedMatch | None:
        """Return a finished match as stored, without loading it into memory; None if it is damaged or not finished."""
        try:
            saved = await self._editor.store.load(match)
        except DamagedMatch:
            return None
        return saved if saved is not None and saved.info.status is Status.OVER else None

    async def public_deal(self, info: MatchInfo) -> PublicDeal | None:
        """Return what everyone may know of a match's deal; None if it is not sealed."""
        if not info.seal:
            return None
        saved = await self._editor.store.load_deal(info.id)
        if saved is None:
            return None
        return PublicDeal(info.seal, saved.cuts, saved.secret if info.status in CLOSED else "")

    async def build_deal_record(self, snapshot: MatchSnapshot, compute: Compute = asyncio.to_thread) -> str:
        """Return the record of a match that was started and is closed, also if it has no result; otherwise ''."""
        info = snapshot.info
        if info.status not in CLOSED:
            return ""
        try:
            saved = await self._editor.store.load(info.id)
        except DamagedMatch:
            return ""
        return await self._record_of(snapshot, saved, compute)

    # Internal

    async def _record_of(self, snapshot: MatchSnapshot, saved: SavedMatch | None, compute: Compute) -> str:
        """Return the record of a closed match, which is replayed for it; '' if nothing is stored."""
        if saved is None:
            return ""
        sealed = await self._editor.store.load_deal(snapshot.info.id) if snapshot.info.seal else None
        text: str = await compute(inspection.record_text, snapshot, saved, sealed)
        return text
