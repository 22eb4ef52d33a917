"""Which matches a start must check: those with stale surfaces."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.store.match_store import Change, MatchInfo, Seat, Status
from engines.store.surface_storage import Mention, MentionState, Preferences, Surface
from tests.storage.contract.kinds import MatchStore, SurfaceStore
from tests.storage.samples import lobby_info

SHOWN = Surface("m1", "table", channel=1, message=2, digest="there")


@pytest.fixture(autouse=True)
async def _matches(surfaces: SurfaceStore, matches: MatchStore) -> None:
    for name in ("m1", "m2"):
        await matches.insert(lobby_info(name), by=5)
    await surfaces.mark_current({"m1": 0, "m2": 0})


async def change_header(matches: MatchStore, info: MatchInfo) -> MatchInfo:
    after = replace(info, revision=info.revision + 1)
    await matches.commit(Change(after, "call", 5))
    return after


async def test_a_match_is_stale_from_a_change_until_all_is_shown(surfaces: SurfaceStore, matches: MatchStore) -> None:
    info = lobby_info("m9")
    await matches.insert(info, by=5)
    assert await surfaces.stale_matches() == ["m9"]
    await surfaces.mark_current({"m9": info.revision})
    assert await surfaces.stale_matches() == []
    info = await change_header(matches, info)
    assert await surfaces.stale_matches() == ["m9"]
    await surfaces.mark_current({"m9": info.revision - 1})  # it has changed since that was shown
    assert await surfaces.stale_matches() == ["m9"]
    await surfaces.mark_current({"m9": info.revision, "nowhere": 3})
    assert await surfaces.stale_matches() == []


@pytest.mark.parametrize("half_done", [{"nonce": "begun"}, {"old": 5}])
async def test_a_half_done_message_keeps_its_match_stale(surfaces: SurfaceStore, half_done: dict[str, Any]) -> None:
    await surfaces.put(SHOWN)
    assert await surfaces.stale_matches() == []
    await surfaces.put(replace(SHOWN, **half_done))
    await surfaces.mark_current({"m1": 0})
    assert await surfaces.stale_matches() == ["m1"]
    await surfaces.put(SHOWN)
    await surfaces.mark_current({"m1": 0})
    assert await surfaces.stale_matches() == []


async def test_a_message_with_unknown_content_puts_its_match_behind(surfaces: SurfaceStore) -> None:
    await surfaces.put(replace(SHOWN, digest=""))
    assert await surfaces.stale_matches() == ["m1"]


@pytest.mark.parametrize("state", ["sending", "removing"])
async def test_a_half_done_mention_keeps_its_match_stale(surfaces: SurfaceStore, state: MentionState) -> None:
    mention = Mention("m1", 0, 3, "nonce", 1, state=state)
    await surfaces.put_mention(mention)
    await surfaces.mark_current({"m1": 0})
    assert await surfaces.stale_matches() == ["m1"]
    await surfaces.put_mention(replace(mention, message=4, state="sent"))
    await surfaces.mark_current({"m1": 0})
    assert await surfaces.stale_matches() == []


async def test_new_preferences_are_to_be_shown_in_live_matches(surfaces: SurfaceStore, matches: MatchStore) -> None:
    seats = (Seat(15, "Ada"), Seat(16, "Bela", gone="left"))
    for name, status in (("m7", Status.PAUSED), ("m8", Status.OVER)):
        await matches.insert(replace(lobby_info(name), status=status, seats=seats), by=5)
    await surfaces.mark_current({"m7": 0, "m8": 0})
    await surfaces.change_preferences(16, lambda old: Preferences(words=True))
    assert await surfaces.stale_matches() == []
    await surfaces.change_preferences(15, lambda old: Preferences(words=True))
    assert await surfaces.stale_matches() == ["m7"]
