"""The whole bot on a real database beside the plain model of matches: what is kept, and what stands in every channel.

As in `tests/engines/test_model.py`, whose machine this is. Its long form is MOTLEY_SOAK's.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from cogs.table.pages import match_pages
from cogs.table.surfaces.surface_sync import SurfaceSync
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import MatchInfo, UncertainWrite
from storage import Database
from tests.engines.model import TableModel
from tests.engines.test_model import MUTE, SECRET, SEED, SILENT, SOAK, Machine, UnsureStore, run_machine
from tests.plain.bot_group import find_wrong
from tests.plain.payloads import CHANNEL, GUILD
from tests.plain.plain_bot import NOW, PlainBot, start_plain_bot

SHORT = (1, 11)  # seconds; no clock runs out meanwhile, since nothing is done by itself here


class WholeBot(Machine):
    PLACE = (GUILD, CHANNEL)

    def set_up(self) -> None:
        self.living = AsyncExitStack()
        self.folder = tempfile.TemporaryDirectory()
        self.clock.now = NOW
        self.unseen: set[str] = set()  # matches of which nobody was told that they have changed
        self.plain_bot: PlainBot | None = None
        self._run_plainly(self._start_bot())

    def teardown(self) -> None:
        self._run_plainly(self.living.aclose())
        self.folder.cleanup()
        super().teardown()

    @rule(seconds=st.sampled_from(SHORT))
    def wait(self, seconds: int) -> None:
        assert self.plain_bot is not None
        self.plain_bot.time.seconds += seconds  # tasks that sleep go on sleeping
        self.clock.now += seconds

    @rule()
    def restart(self) -> None:
        self._run_plainly(self.living.aclose())
        self._run_plainly(self._start_bot())
        self.unseen.clear()

    @invariant()
    def all_is_shown(self) -> None:
        assert self.plain_bot is not None
        for match in self.tables.keys() - self.unseen:
            assert not (found := self._run(find_wrong(self.plain_bot, match))), found

    # Inside

    async def _start_bot(self) -> None:
        self.living = AsyncExitStack()
        path = Path(self.folder.name) / "motley.db"
        database = await self.living.enter_async_context(Database.open(path, clock=self.clock))
        self.plain_bot = await self.living.enter_async_context(
            start_plain_bot(SEED, database=database, after=self.plain_bot, secret=SECRET)
        )
        self.store = self.plain_bot.matches.editor.store
        self.unsure = UnsureStore(self.store)
        self.processes = [self.plain_bot.matches, self.plain_bot.matches]
        self.plain_bot.matches.editor.on_changed.append(self.told.append)
        await self.plain_bot.bot.on_ready()
        await self.plain_bot.wait_quiet()

    def _change(
        self, match: str, act: Callable[[], Any], after: TableModel | None, fails: str = "", doubled: str = ""
    ) -> None:
        before = self.tables[match]
        super()._change(match, act, after, fails, doubled)
        if self.tables[match] is not before:
            (self.unseen.add if isinstance(self.error, UncertainWrite) else self.unseen.discard)(match)

    def _do(self, act: Callable[[], Any]) -> MatchInfo | None:
        """What comes of it. If the store has not answered, the bot tries again what it had to show once it does."""
        silent = self.unsure.how in (SILENT, MUTE)
        assert self.plain_bot is not None
        self.plain_bot.may_fail = silent
        done = super()._do(act)
        self.plain_bot.may_fail = False
        if silent:
            self._run(self._try_again())
        return done

    async def _try_again(self) -> None:
        assert self.plain_bot is not None
        bot = self.plain_bot.bot
        for match in self.tables:
            if bot.tasks.is_running(task_name := f"again {match}"):
                bot.tasks.stop(task_name)
                bot.reconciler.wake(match)

    def _run(self, work: Any) -> Any:
        async def run() -> Any:
            assert self.plain_bot is not None
            try:
                return await work
            finally:
                await self.plain_bot.wait_quiet()

        return self._run_plainly(run())

    def _run_plainly(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)


@pytest.mark.timeout(100_000)
def test_the_whole_bot_and_the_model_never_differ() -> None:
    run_machine(*((2_000, 60) if SOAK else (3, 20)), machine=WholeBot)


@pytest.mark.long
def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = SurfaceSync.update_lobby

    async def lobby(showing: SurfaceSync, snapshot: MatchSnapshot, setting: match_pages.PageContext) -> None:
        if not await showing._services.surfaces.find_surface(snapshot.info.id, "lobby"):
            await real(showing, snapshot, setting)

    monkeypatch.setattr(SurfaceSync, "update_lobby", lobby)
    with pytest.raises(AssertionError, match="shows something else"):
        run_machine(20, 15, (Phase.generate,), WholeBot)
