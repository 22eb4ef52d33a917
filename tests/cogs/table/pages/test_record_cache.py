"""The record of a result is read once, as long as the match is the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import cast

import pytest

from cogs.table.pages import record_cache
from cogs.table.pages.record_cache import Records
from engines.hosting.matches import Matches
from engines.store.match_store import Seat
from tests.storage.samples import lobby


class Replays:
    """What replays a match for its record, and how often it did."""

    def __init__(self) -> None:
        self.counted: Counter[str] = Counter()

    async def record(self, match: str) -> str:
        """A record that tells one replay from another."""
        self.counted[match] += 1
        return f"{match}, {self.counted[match]}"


async def test_a_match_is_replayed_once_for_its_record_unless_it_has_changed() -> None:
    replays = Replays()
    kept, info = Records(cast("Matches", replays)), lobby()
    assert [await kept.of(info) for _ in range(3)] == ["m1, 1"] * 3
    renamed = replace(info, seats=(Seat(5, "Eve"), Seat(0, "somebody")))
    assert [await kept.of(renamed) for _ in range(2)] == ["m1, 2"] * 2
    kept.forget("m1")
    assert await kept.of(renamed) == "m1, 3"


async def test_only_the_records_asked_for_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_cache, "MOST", 2)
    replays = Replays()
    kept = Records(cast("Matches", replays))
    for match in ("a", "b", "a", "c", "a", "b"):
        await kept.of(lobby(match))
    assert replays.counted == {"a": 1, "b": 2, "c": 1}
