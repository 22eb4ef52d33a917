"""What the keeper does where the store fails while a match is shown."""

from __future__ import annotations

import asyncio
import gc

import pytest

from engines.store.match_store import StoreFailure
from engines.store.surface_storage import Kind, Surface
from tests.contract.helpers import HELPERS
from tests.plain.inn import PEOPLE, TIME, plain

SEED = "0c" * 16


async def test_what_cannot_be_looked_up_is_not_complained_of_by_a_hand_that_nobody_waits_for(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with plain(SEED) as inn:
        match = await inn.seat(HELPERS["jest"].game, PEOPLE[:3], {})
        one, sought = inn.bot.shown.one, set[Kind]()

        async def failing(match: str, kind: Kind, seat: int = -1) -> Surface | None:
            if kind != "lobby" and not sought:
                return await one(match, kind, seat)
            sought.add(kind)
            raise StoreFailure("This could not be looked up just now. Please try again.")

        TIME.set(inn.time)
        with monkeypatch.context() as patched:
            patched.setattr(inn.bot.shown, "one", failing)
            with pytest.raises(StoreFailure):
                await inn.bot.keeper.redraw.now(match)
            await asyncio.sleep(0)
        gc.collect()
        assert "lobby" in sought, "nothing failed"
    assert "never retrieved" not in caplog.text
