"""What the keeper does where the store fails while a match is shown."""

from __future__ import annotations

import asyncio
import gc

import pytest

from engines.store.match_store import StoreFailure
from engines.store.surface_storage import Surface, SurfaceKind
from tests.contract.helpers import HELPERS
from tests.plain.inn import CURRENT_TIME, PEOPLE, start_plain_bot

SEED = "0c" * 16


async def test_what_cannot_be_looked_up_is_not_complained_of_by_a_hand_that_nobody_waits_for(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with start_plain_bot(SEED) as inn:
        match = await inn.seat_match(HELPERS["jest"].game, PEOPLE[:3], {})
        one, sought = inn.bot.surfaces.find_surface, set[SurfaceKind]()

        async def failing(match: str, kind: SurfaceKind, seat: int = -1) -> Surface | None:
            if kind != "lobby" and not sought:
                return await one(match, kind, seat)
            sought.add(kind)
            raise StoreFailure("That could not be looked up right now. Please try again.")

        CURRENT_TIME.set(inn.time)
        with monkeypatch.context() as patched:
            patched.setattr(inn.bot.surfaces, "find_surface", failing)
            with pytest.raises(StoreFailure):
                await inn.bot.reconciler.redraw_pass.redraw_urgent(match)
            await asyncio.sleep(0)
        gc.collect()
        assert "lobby" in sought, "nothing failed"
    assert "never retrieved" not in caplog.text
