"""The database cannot be written while people play: each is told so, nothing is acknowledged, and then it goes on."""

from __future__ import annotations

import asyncio
import random
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path

from playground.server import Playground
from storage.sqlite.file.errors import GONE
from tests.processes.crashing import Crashing, Witness
from tests.processes.forks import Forks
from tests.processes.nights import Night

SORRY = "could not be saved, so nothing has changed. Please try again."
Trouble = Callable[[Forks], AbstractContextManager[None]]


@contextmanager
def full(bot: Forks) -> Iterator[None]:
    """The operating system lets the bot make no file longer, as a full disk does."""
    before = resource.prlimit(bot.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(bot.pid, resource.RLIMIT_FSIZE, (0, before[1]))
    yield
    resource.prlimit(bot.pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def locked(bot: Forks) -> Iterator[None]:
    """Another program writes, and takes its time."""
    with closing(sqlite3.connect(bot.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def gone(bot: Forks) -> Iterator[None]:
    """The file is not where it was, and then it is again."""
    elsewhere = bot.database.with_suffix(".elsewhere")
    bot.database.rename(elsewhere)
    yield
    elsewhere.rename(bot.database)


TROUBLES: dict[Trouble, tuple[str, ...]] = {
    full: ("There is no room left to write", "Check it and its free space"),
    locked: ("is being written by another program",),
    gone: (GONE.split("{path}")[1],),
}
"""What befalls the file, and what the log says of it."""


def tells_more(witness: Witness, told: int) -> bool:
    """Whether somebody was told of it since so many were."""
    return witness.told(SORRY) > told


async def test_what_cannot_be_saved_is_never_acknowledged(tmp_path: Path) -> None:
    async with Playground(paced=False) as playground, Witness.to(playground.base) as visitor:
        bot = Forks.of(playground, tmp_path)
        tables = Crashing(playground, visitor, random.Random(7), bot=bot, witness=visitor)
        night = Night(tables, bot, tmp_path)
        try:
            assert await night.begun()
            await tables.play(20, lambda: len(tables.running()) == 5)
            for trouble, logged in TROUBLES.items():
                assert await night.all_right()
                running, since = tables.running(), len(bot.said)
                before = tables.acknowledged.total()
                with trouble(bot):
                    told = visitor.told(SORRY)
                    await asyncio.gather(*(tables.press(match, names) for match, names in running.items()))
                    await visitor.until(partial(tells_more, visitor, told), "a word of it")
                assert tables.acknowledged.total() == before, trouble
                assert any(each in line for line in bot.said[since:] for each in logged), bot.said[since:]
            await tables.play(1)
            assert await night.all_right()
            assert tables.acknowledged
            assert not (found := tables.check()), found
            await bot.kill()
            assert await night.begun()
        finally:
            await bot.close()
    assert not [line for line in bot.said if "Traceback" in line or "faults" in line], bot.said[-20:]
