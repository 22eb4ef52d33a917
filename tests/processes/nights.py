"""One bot after the other, and what each leaves behind for the next."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path

from tests.processes.crashing import NEW_OPTIONS, PEOPLE, CrashTables
from tests.processes.forks import ForkedBots
from tests.processes.killable import STEPS, Step

DEATH_STEPS: tuple[Step, ...] = ("", *STEPS)
PATIENCE_SECONDS = 60.0  # seconds that something may take on a busy machine
LAST_SECONDS = 0.1  # seconds in which what a bot sent with its last breath arrives
LIFE_SECONDS = 1.5  # seconds for which a bot is played on at most
SLEEP_SECONDS = 6  # kills for which a table's people do nothing
LONG_SECONDS = 15.0  # seconds in which a clock of five minutes runs out, if nobody dies


class BotLives:
    """One bot after the other, each until its death; and what came of it."""

    def __init__(self, tables: CrashTables, bot: ForkedBots, folder: Path) -> None:
        self.tables, self.bot, self.chance = tables, bot, tables.chance
        self._copy = folder / "copy.db"
        self.deaths: Counter[str] = Counter()
        self.right: list[float] = []

    async def live_once(self, number: int) -> None:
        """A bot from its start to its death, and what it has left behind."""
        step, games = self.chance.choice(DEATH_STEPS) if number else "", list(PEOPLE)
        self.tables.sleeping_matches = {asleep := games[number // SLEEP_SECONDS % len(games)]}
        runs_out = number % SLEEP_SECONDS == SLEEP_SECONDS - 1 and NEW_OPTIONS[asleep]["clock"] == "5 minutes"
        if runs_out and self.chance.random() < 0.5:  # the next commits are the deadlines'
            self.tables.sleeping_matches = set(games)
        if await self.starts_well(step) and await (
            self._survives_deadline() if runs_out else self._survives_playing(step)
        ):
            step = ""  # it has not come to that step
        self.deaths[step or "at random"] += 1
        await self.bot.kill_bot()
        visitor = self.tables.client
        await visitor.wait_until(lambda: visitor.bot_status != "online", "the playground to notice", PATIENCE_SECONDS)
        await asyncio.sleep(LAST_SECONDS)
        assert not (found := self.tables.find_losses()), found
        self.tables.record_deadlines()

    async def live_until_right(self) -> None:
        """At the end one more bot lives on, until all is right."""
        assert await self.starts_well("")

    async def starts_well(self, step: Step = "") -> bool:
        """Whether a bot lives until everything is right, for which nobody has to do anything."""
        before, alive = self.tables.open_deadlines(), self.tables.last_alive()
        self.tables.start_counting()
        moves = self.chance.random() < 0.5
        often = 4 if moves or step in ("answer", "redraw") else 12  # messages and other transactions are many
        await self.bot.start_bot(step, self.chance.randrange(1, often), moves)
        visitor = self.tables.client
        online = visitor.wait_until(lambda: visitor.bot_status == "online", "the bot", PATIENCE_SECONDS)
        waits = {asyncio.create_task(online), asyncio.create_task(self.bot.dies_within(PATIENCE_SECONDS))}
        done, left = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        for task in done:
            task.result()
        if not await self.comes_right():
            return False
        assert not (found := [*self.tables.find_redrawn(), *self.tables.moved_deadlines(before, alive)]), found
        return True

    async def comes_right(self) -> bool:
        """Whether everything comes right, for which nobody has to do anything, before the bot dies."""
        began = time.monotonic()
        while found := await self.tables.find_wrong(self.bot.database, self._copy):
            assert self.bot.is_dead or time.monotonic() - began < PATIENCE_SECONDS, "\n".join(found)
            if await self.bot.dies_within(0.1):
                return False
        self.right.append(time.monotonic() - began)
        self.tables.forget_ended()
        return True

    async def _survives_playing(self, step: Step) -> bool:
        """Whether it lives through some playing; else it has died in the middle of it."""
        await self.tables.play_tables(
            LIFE_SECONDS if step else self.chance.uniform(0.2, LIFE_SECONDS), lambda: self.bot.is_dead
        )
        return not self.bot.is_dead

    async def _survives_deadline(self) -> bool:
        """Whether it lives until somebody's time has run out, or one was awaited for long; else it has died before."""
        late = self.tables.count_expired_moves()
        await self.tables.play_tables(
            LONG_SECONDS, lambda: self.bot.is_dead or self.tables.count_expired_moves() > late
        )
        return not self.bot.is_dead

    def summary_text(self) -> str:
        """What came of it, in numbers."""
        ((moves,),) = self.bot.query("SELECT COUNT(*) FROM moves")
        ((begun, over),) = self.bot.query("SELECT COUNT(*), SUM(status = 'over') FROM matches")
        right = sorted(self.right)
        return (
            f"{dict(self.deaths)}; {begun} matches, {over} over; {moves} moves, {self.tables.acknowledged.total()} "
            f"acknowledged, {self.tables.count_expired_moves()} by the clock, "
            f"{self.tables.witness.again.total()} calls; all right "
            f"{len(right)} times, after {right[len(right) // 2]:.1f} s, at most {right[-1]:.1f} s"
        )
