"""One bot after the other, and what each leaves behind for the next."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path

from tests.processes.crashing import NEW, PEOPLE, Crashing
from tests.processes.forks import Forks
from tests.processes.killable import STEPS, Step

WAYS: tuple[Step, ...] = ("", *STEPS)
PATIENCE = 60.0  # seconds that something may take on a busy machine
LAST = 0.1  # seconds in which what a bot sent with its last breath arrives
LIFE = 1.5  # seconds for which a bot is played on at most
SLEEP = 6  # kills for which a table's people do nothing
LONG = 15.0  # seconds in which a clock of five minutes runs out, if nobody dies


class Night:
    """One bot after the other, each until its death; and what came of it."""

    def __init__(self, tables: Crashing, bot: Forks, folder: Path) -> None:
        self.tables, self.bot, self.chance = tables, bot, tables.chance
        self._copy = folder / "copy.db"
        self.deaths: Counter[str] = Counter()
        self.right: list[float] = []

    async def live(self, number: int) -> None:
        """A bot from its start to its death, and what it has left behind."""
        step, games = self.chance.choice(WAYS) if number else "", list(PEOPLE)
        self.tables.asleep = {asleep := games[number // SLEEP % len(games)]}
        runs_out = number % SLEEP == SLEEP - 1 and NEW[asleep]["clock"] == "5 minutes"
        if runs_out and self.chance.random() < 0.5:  # the next commits are the deadlines'
            self.tables.asleep = set(games)
        if await self.begun(step) and await (self._ran_out() if runs_out else self._played(step)):
            step = ""  # it has not come to that step
        self.deaths[step or "at random"] += 1
        await self.bot.kill()
        visitor = self.tables.visitor
        await visitor.until(lambda: visitor.bot_status != "online", "the playground to notice", PATIENCE)
        await asyncio.sleep(LAST)
        assert not (found := self.tables.check()), found
        self.tables.note_clocks()

    async def end(self) -> None:
        """At the end one more bot lives on, until all is right."""
        assert await self.begun("")

    async def begun(self, step: Step = "") -> bool:
        """Whether a bot lives until everything is right, for which nobody has to do anything."""
        before, alive = self.tables.clocks(), self.tables.alive()
        self.tables.started()
        moves = self.chance.random() < 0.5
        often = 4 if moves or step in ("answer", "redraw") else 12  # messages and other transactions are many
        await self.bot.start(step, self.chance.randrange(1, often), moves)
        visitor = self.tables.visitor
        online = visitor.until(lambda: visitor.bot_status == "online", "the bot", PATIENCE)
        waits = {asyncio.create_task(online), asyncio.create_task(self.bot.died(PATIENCE))}
        done, left = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        for task in done:
            task.result()
        if not await self.all_right():
            return False
        assert not (found := [*self.tables.redrawn(), *self.tables.moved(before, alive)]), found
        return True

    async def all_right(self) -> bool:
        """Whether everything comes right, for which nobody has to do anything, before the bot dies."""
        began = time.monotonic()
        while found := await self.tables.wrong(self.bot.database, self._copy):
            assert self.bot.dead or time.monotonic() - began < PATIENCE, "\n".join(found)
            if await self.bot.died(0.1):
                return False
        self.right.append(time.monotonic() - began)
        self.tables.settled()
        return True

    async def _played(self, step: Step) -> bool:
        """Whether it lives through some playing; else it has died in the middle of it."""
        await self.tables.play(LIFE if step else self.chance.uniform(0.2, LIFE), lambda: self.bot.dead)
        return not self.bot.dead

    async def _ran_out(self) -> bool:
        """Whether it lives until somebody's time has run out, or one was awaited for long; else it has died before."""
        late = self.tables.late()
        await self.tables.play(LONG, lambda: self.bot.dead or self.tables.late() > late)
        return not self.bot.dead

    def told(self) -> str:
        """What came of it, in numbers."""
        ((moves,),) = self.bot.rows("SELECT COUNT(*) FROM moves")
        ((begun, over),) = self.bot.rows("SELECT COUNT(*), SUM(status = 'over') FROM matches")
        right = sorted(self.right)
        return (
            f"{dict(self.deaths)}; {begun} matches, {over} over; {moves} moves, {self.tables.acknowledged.total()} "
            f"acknowledged, {self.tables.late()} by the clock, {self.tables.witness.again.total()} calls; all right "
            f"{len(right)} times, after {right[len(right) // 2]:.1f} s, at most {right[-1]:.1f} s"
        )
