"""The record of a result is read once, as long as the match does not change."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from cogs.table.state import record_cache
from cogs.table.state.record_cache import RecordCache
from engines.hosting.matches import Matches
from engines.hosting.matches.records import Compute
from engines.store.match_store import Seat
from tests.storage.samples import lobby_info


class CountingReplays:
    def __init__(self) -> None:
        self.counted: Counter[str] = Counter()

    async def build_record(self, match: str, compute: Compute) -> str:
        self.counted[match] += 1
        return f"{match}, {self.counted[match]}"


async def test_a_match_is_replayed_once_for_its_record_unless_it_has_changed() -> None:
    replays = CountingReplays()
    cache, info = RecordCache(cast("Matches", SimpleNamespace(records=replays))), lobby_info()
    assert [await cache.record_of(info) for _ in range(3)] == ["m1, 1"] * 3
    renamed = replace(info, seats=(Seat(5, "Eve"), Seat(0, "somebody")))
    assert [await cache.record_of(renamed) for _ in range(2)] == ["m1, 2"] * 2
    cache.forget("m1")
    assert await cache.record_of(renamed) == "m1, 3"


async def test_only_the_records_asked_for_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_cache, "CACHED_RECORDS", 2)
    replays = CountingReplays()
    cache = RecordCache(cast("Matches", SimpleNamespace(records=replays)))
    for match in ("a", "b", "a", "c", "a", "b"):
        await cache.record_of(lobby_info(match))
    assert replays.counted == {"a": 1, "b": 2, "c": 1}
