"""Blocks, and announcements of the owner: implements engines.store.owner_storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from engines.store.owner_storage import Announcement, AnnouncementPost, Block
from storage.postgres.connection.connection import RawConnection
from storage.postgres.database import Database
from storage.postgres.writing.writer import SingleStatement

_POST = "announcement, channel, guild, message"
_PUT_BLOCK = 'INSERT INTO blocks (guild, "user", at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1'
_DROP_BLOCK = 'DELETE FROM blocks WHERE guild = $1 AND "user" = $2 RETURNING 1'
_ANNOUNCE = """
INSERT INTO announcements (number, text, at, withdrawn)
SELECT COALESCE(MAX(number), 0) + 1, $1, $2, FALSE FROM announcements RETURNING number
"""
_BEGIN_POST = """
INSERT INTO announcement_posts (announcement, channel, guild, message)
SELECT number, $2, $3, 0 FROM announcements WHERE number = $1 AND NOT withdrawn ON CONFLICT DO NOTHING
"""
_MAY_SEND = """
SELECT TRUE FROM announcement_posts JOIN announcements ON announcement = number
WHERE announcement = $1 AND channel = $2 AND message = 0 AND NOT withdrawn
"""
_DROP_WITHDRAWN = """
DELETE FROM announcements WHERE withdrawn AND number NOT IN (SELECT announcement FROM announcement_posts)
"""
_ALONE = "LOCK TABLE announcements IN SHARE ROW EXCLUSIVE MODE"


class OwnerStore:
    """The part of the surface store that the owner's commands share with the bot."""

    _database: Database

    async def blocks(self) -> frozenset[Block]:
        """Return all blocks."""

        async def load(raw: RawConnection) -> frozenset[Block]:
            return frozenset(Block(*row) for row in await raw.fetch('SELECT guild, "user" FROM blocks'))

        return await self._database.read(load, what="blocks")

    async def put_block(self, block: Block) -> bool:
        """Store a block. Return whether it is new."""
        return bool(await self._fetch(_PUT_BLOCK, *block, self._database.now()))

    async def drop_block(self, block: Block) -> bool:
        """Delete a block. Return whether there was one."""
        return bool(await self._fetch(_DROP_BLOCK, *block))

    async def announcements(self) -> list[Announcement]:
        """Return all announcements, oldest first."""

        async def load(raw: RawConnection) -> list[Announcement]:
            rows = await raw.fetch("SELECT number, text, at, withdrawn FROM announcements ORDER BY number")
            return [Announcement(*row) for row in rows]

        return await self._database.read(load, what="announcements")

    async def announce(self, text: str) -> int:
        """Store an announcement as made now, and return its number."""
        at = self._database.now()

        async def write(raw: RawConnection) -> int:
            await raw.execute(_ALONE)
            return cast("int", await raw.fetchval(_ANNOUNCE, text, at))

        return cast("int", await self._database.write(write, what="an announcement"))

    async def withdraw_announcements(self) -> int:
        """Withdraw all announcements, and return how many there were."""

        async def write(raw: RawConnection) -> int:
            await raw.execute(_ALONE)
            found = await raw.fetch("UPDATE announcements SET withdrawn = TRUE WHERE NOT withdrawn RETURNING 1")
            await raw.execute(_DROP_WITHDRAWN)
            return len(found)

        return cast("int", await self._database.write(write, what="announcements"))

    async def announcement_posts(self, announcement: int) -> list[AnnouncementPost]:
        """Return the messages of an announcement."""
        sql = f"SELECT {_POST} FROM announcement_posts WHERE announcement = $1 ORDER BY channel"

        async def load(raw: RawConnection) -> list[AnnouncementPost]:
            return [AnnouncementPost(*row) for row in await raw.fetch(sql, announcement)]

        return await self._database.read(load, what="an announcement's messages")

    async def begin_announcement_post(self, post: AnnouncementPost) -> bool:
        """Store that a message is about to be sent. Return whether it may be."""

        async def write(raw: RawConnection) -> bool:
            await raw.execute(_ALONE)
            await raw.execute(_BEGIN_POST, post.announcement, post.channel, post.guild)
            return bool(await raw.fetchval(_MAY_SEND, post.announcement, post.channel))

        return bool(await self._database.write(write, what="an announcement's message"))

    async def note_announcement_message(self, post: AnnouncementPost) -> None:
        """Store which message was sent."""
        sql = "UPDATE announcement_posts SET message = $1 WHERE announcement = $2 AND channel = $3"
        await self._run(sql, post.message, post.announcement, post.channel)

    async def drop_announcement_posts(self, announcement: int, channels: Sequence[int]) -> None:
        """Delete the messages of an announcement in these channels, and the announcement if nothing is left of it."""
        sql = "DELETE FROM announcement_posts WHERE announcement = $1 AND channel = ANY($2::bigint[])"

        async def write(raw: RawConnection) -> None:
            await raw.execute(_ALONE)
            await raw.execute(sql, announcement, list(channels))
            await raw.execute(_DROP_WITHDRAWN)

        await self._database.write(write, what="an announcement's messages")

    async def erase_announcements(self, before: int) -> None:
        """Delete everything about announcements that were made before that second."""
        old = "SELECT number FROM announcements WHERE at < $1"

        async def write(raw: RawConnection) -> None:
            await raw.execute(_ALONE)
            await raw.execute(f"DELETE FROM announcement_posts WHERE announcement IN ({old})", before)
            await raw.execute("DELETE FROM announcements WHERE at < $1", before)

        await self._database.write(write, what="old announcements")

    async def _run(self, sql: str, *values: object) -> None:
        await self._database.write(SingleStatement(sql, values), what="blocks or announcements")

    async def _fetch(self, sql: str, *values: object) -> object:
        async def write(raw: RawConnection) -> object:
            return await raw.fetchval(sql, *values)

        return await self._database.write(write, what="blocks")
