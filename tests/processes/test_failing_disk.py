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
from storage.sqlite.file.errors import FILE_EXCHANGED
from tests.processes.crash_book import BotLives, CallWitness, CrashTables
from tests.processes.forked_bots import ForkedBots

SORRY = "could not be saved, so nothing has changed. Please try again."
Trouble = Callable[[ForkedBots], AbstractContextManager[None]]


@contextmanager
def full_disk(bot: ForkedBots) -> Iterator[None]:
    """The operating system lets the bot make no file longer, as a full disk does."""
    before = resource.prlimit(bot.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(bot.pid, resource.RLIMIT_FSIZE, (0, before[1]))
    yield
    resource.prlimit(bot.pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def locked_database(bot: ForkedBots) -> Iterator[None]:
    with closing(sqlite3.connect(bot.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def missing_file(bot: ForkedBots) -> Iterator[None]:
    moved_file = bot.database.with_suffix(".elsewhere")
    bot.database.rename(moved_file)
    yield
    moved_file.rename(bot.database)


TROUBLES: dict[Trouble, tuple[str, ...]] = {
    full_disk: ("There is no disk space left to write", "Check the disk and its free space"),
    locked_database: ("Another program is writing to",),
    missing_file: (FILE_EXCHANGED.split("{path}")[1],),
}
"""What befalls the file, and what the log says of it."""


def has_new_apology(witness: CallWitness, apologies: int) -> bool:
    return witness.count_saying(SORRY) > apologies


async def test_a_move_that_cannot_be_saved_is_never_acknowledged(tmp_path: Path) -> None:
    async with Playground(rate_limited=False) as playground, CallWitness.connect(playground.base_url) as visitor:
        bot = ForkedBots.create(playground, tmp_path)
        tables = CrashTables(playground, visitor, random.Random(7), bot=bot, witness=visitor)
        night = BotLives(tables, bot, tmp_path)
        try:
            assert await night.starts_well()
            await tables.play_tables(20, lambda: len(tables.running_matches()) == 5)
            for trouble, logged in TROUBLES.items():
                assert await night.comes_right()
                running, start = tables.running_matches(), len(bot.log_lines)
                before = tables.acknowledged.total()
                with trouble(bot):
                    apologies = visitor.count_saying(SORRY)
                    await asyncio.gather(*(tables.press_something(match, names) for match, names in running.items()))
                    await visitor.wait_until(partial(has_new_apology, visitor, apologies), "a word of it")
                assert tables.acknowledged.total() == before, trouble
                assert any(each in line for line in bot.log_lines[start:] for each in logged), bot.log_lines[start:]
            await tables.play_tables(1)
            assert await night.comes_right()
            assert tables.acknowledged
            assert not (found := tables.find_losses()), found
            await bot.kill_bot()
            assert await night.starts_well()
        finally:
            await bot.close()
    assert not [line for line in bot.log_lines if "Traceback" in line or "faults" in line], bot.log_lines[-20:]
