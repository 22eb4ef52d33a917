"""Blocks, and announcements of the owner: implements engines.store.owner_storage."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any, TypeVar

from engines.store.owner_storage import Announcement, AnnouncementPost, Block
from storage.shared.errors import NOT_SAVED, StorageError
from storage.sqlite.file.connection import set_up_connection
from storage.sqlite.file.errors import OLDER_LAYOUT, as_storage_error
from storage.sqlite.file.files import lock_file, resolve_database
from storage.sqlite.file.schema import layout_number, load_migrations
from storage.sqlite.file.wal_check import check_log
from storage.sqlite.read_only_copy import LOCK_TIMEOUT, is_in_use, read_only_copy
from storage.sqlite.writer import FileAccess, WriteWork

T = TypeVar("T")
_POST = "announcement, channel, guild, message"
_BEGIN_POST = """
INSERT INTO announcement_posts (announcement, channel, guild, message)
SELECT number, :channel, :guild, 0 FROM announcements WHERE number = :number AND NOT withdrawn
ON CONFLICT (announcement, channel) DO NOTHING
"""
_MAY_SEND = """
SELECT 1 FROM announcement_posts JOIN announcements ON announcement = number
WHERE announcement = :number AND channel = :channel AND message = 0 AND NOT withdrawn
"""
_DROP_WITHDRAWN = """
DELETE FROM announcements WHERE withdrawn AND number NOT IN (SELECT announcement FROM announcement_posts)
"""


class OwnerStore:
    """The part of the surface store that the owner's commands share with the bot."""

    _database: FileAccess

    async def blocks(self) -> frozenset[Block]:
        """Return all blocks."""

        def load(raw: sqlite3.Connection) -> frozenset[Block]:
            return frozenset(Block(*row) for row in raw.execute("SELECT guild, user FROM blocks"))

        return await self._database.read(load, what="blocks")

    async def put_block(self, block: Block) -> bool:
        """Store a block. Return whether it is new."""
        sql = "INSERT OR IGNORE INTO blocks (guild, user, at) VALUES (?, ?, ?)"
        return bool(await self._run(sql, *block, self._database.now()))

    async def drop_block(self, block: Block) -> bool:
        """Delete a block. Return whether there was one."""
        return bool(await self._run("DELETE FROM blocks WHERE guild = ? AND user = ?", *block))

    async def announcements(self) -> list[Announcement]:
        """Return all announcements, oldest first."""

        def load(raw: sqlite3.Connection) -> list[Announcement]:
            rows = raw.execute("SELECT number, text, at, withdrawn FROM announcements ORDER BY number")
            return [Announcement(number, text, at, bool(withdrawn)) for number, text, at, withdrawn in rows]

        return await self._database.read(load, what="announcements")

    async def announce(self, text: str) -> int:
        """Store an announcement as made now, and return its number."""
        at = self._database.now()

        def write(raw: sqlite3.Connection) -> int:
            (number,) = raw.execute("SELECT COALESCE(MAX(number), 0) + 1 FROM announcements").fetchone()
            raw.execute(
                "INSERT INTO announcements (number, text, at, withdrawn) VALUES (?, ?, ?, 0)", (number, text, at)
            )
            return int(number)

        return await self._database.write(write, what="an announcement")

    async def withdraw_announcements(self) -> int:
        """Withdraw all announcements, and return how many there were."""

        def write(raw: sqlite3.Connection) -> int:
            count = raw.execute("UPDATE announcements SET withdrawn = 1 WHERE NOT withdrawn").rowcount
            raw.execute(_DROP_WITHDRAWN)
            return count

        return await self._database.write(write, what="announcements")

    async def announcement_posts(self, announcement: int) -> list[AnnouncementPost]:
        """Return the messages of an announcement."""
        sql = f"SELECT {_POST} FROM announcement_posts WHERE announcement = ? ORDER BY channel"

        def load(raw: sqlite3.Connection) -> list[AnnouncementPost]:
            return [AnnouncementPost(*row) for row in raw.execute(sql, (announcement,))]

        return await self._database.read(load, what="an announcement's messages")

    async def begin_announcement_post(self, post: AnnouncementPost) -> bool:
        """Store that a message is about to be sent. Return whether it may be."""
        values = {"number": post.announcement, "channel": post.channel, "guild": post.guild}

        def write(raw: sqlite3.Connection) -> bool:
            raw.execute(_BEGIN_POST, values)
            return raw.execute(_MAY_SEND, {"number": post.announcement, "channel": post.channel}).fetchone() is not None

        return await self._database.write(write, what="an announcement's message")

    async def note_announcement_message(self, post: AnnouncementPost) -> None:
        """Store which message was sent."""
        sql = "UPDATE announcement_posts SET message = ? WHERE announcement = ? AND channel = ?"
        await self._run(sql, post.message, post.announcement, post.channel)

    async def drop_announcement_posts(self, announcement: int, channels: Sequence[int]) -> None:
        """Delete the messages of an announcement in these channels, and the announcement if nothing is left of it."""
        sql = "DELETE FROM announcement_posts WHERE announcement = ? AND channel = ?"

        def write(raw: sqlite3.Connection) -> None:
            raw.executemany(sql, [(announcement, channel) for channel in channels])
            raw.execute(_DROP_WITHDRAWN)

        await self._database.write(write, what="an announcement's messages")

    async def erase_announcements(self, before: int) -> None:
        """Delete everything about announcements that were made before that second."""
        old = "SELECT number FROM announcements WHERE at < ?"

        def write(raw: sqlite3.Connection) -> None:
            raw.execute(f"DELETE FROM announcement_posts WHERE announcement IN ({old})", (before,))
            raw.execute("DELETE FROM announcements WHERE at < ?", (before,))

        await self._database.write(write, what="old announcements")

    async def _run(self, sql: str, *values: object) -> int:
        """Run a statement, and return how many rows it changed."""

        def write(raw: sqlite3.Connection) -> int:
            return raw.execute(sql, values).rowcount

        return await self._database.write(write, what="blocks or announcements")


class _OpenFile:
    """A database file that a bot may be using; each write waits for the bot's transactions."""

    def __init__(self, raw: sqlite3.Connection, path: Path, now: int) -> None:
        self._raw = raw
        self._path = path
        self._now = now

    def now(self) -> int:
        """Return the Unix second."""
        return self._now

    async def write(self, work: WriteWork[T], *, what: str, failure_text: str = NOT_SAVED) -> T:
        """Do the work in a transaction. Raises StorageError."""
        return await asyncio.to_thread(self._run, "BEGIN IMMEDIATE", work)

    async def read(self, work: WriteWork[T], *, what: str) -> T:
        """Do the work on one committed state. Raises StorageError."""
        return await asyncio.to_thread(self._run, "BEGIN", work)

    async def wipe_deleted(self) -> bool:
        """Leave the log to the bot, which empties it."""
        return False

    def _run(self, begin: str, work: WriteWork[T]) -> Any:
        with as_storage_error(self._path):
            self._raw.execute(begin)
            try:
                done = work(self._raw)
                self._raw.execute("COMMIT")
            finally:
                if self._raw.in_transaction:
                    self._raw.execute("ROLLBACK")
            return done


@asynccontextmanager
async def open_owner_file(path: str | Path, now: int) -> AsyncIterator[FileAccess]:
    """Open the file of a database for the owner's commands, even while a bot runs. Raises StorageError."""
    with as_storage_error(Path(path)):
        path = resolve_database(path)
    with read_only_copy(path) as copy:
        if layout_number(copy.raw, path, load_migrations()) < len(load_migrations()):
            raise StorageError(OLDER_LAYOUT.format(path=path))
    with ExitStack() as stack:
        with as_storage_error(path):
            if not is_in_use(path):
                stack.enter_context(lock_file(path))
                check_log(path)
            raw = sqlite3.connect(path, timeout=LOCK_TIMEOUT, isolation_level=None, check_same_thread=False)
            stack.enter_context(closing(raw))
            set_up_connection(raw)
        yield _OpenFile(raw, path, now)
