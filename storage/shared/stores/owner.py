"""Blocks, and announcements of the owner: implements engines.store.owner_storage."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from engines.store.owner_storage import Announcement, AnnouncementPost, Block
from storage.shared.stores.statements import SharedStore, Statements, T, Work

_PUT_BLOCK = 'INSERT INTO blocks (guild, "user", at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1'
_DROP_BLOCK = 'DELETE FROM blocks WHERE guild = $1 AND "user" = $2 RETURNING 1'
_ANNOUNCE = """
INSERT INTO announcements (number, text, at, withdrawn)
SELECT COALESCE(MAX(number), 0) + 1, $1, $2, FALSE FROM announcements RETURNING number
"""
_WITHDRAW = "UPDATE announcements SET withdrawn = TRUE WHERE NOT withdrawn RETURNING 1"
_POSTS = """
SELECT announcement, channel, guild, message FROM announcement_posts WHERE announcement = $1 ORDER BY channel
"""
_BEGIN_POST = """
INSERT INTO announcement_posts (announcement, channel, guild, message)
SELECT number, $2, $3, 0 FROM announcements WHERE number = $1 AND NOT withdrawn ON CONFLICT DO NOTHING
"""
_MAY_SEND = """
SELECT 1 FROM announcement_posts JOIN announcements ON announcement = number
WHERE announcement = $1 AND channel = $2 AND message = 0 AND NOT withdrawn
"""
_NOTE_MESSAGE = "UPDATE announcement_posts SET message = $1 WHERE announcement = $2 AND channel = $3"
_DROP_POST = "DELETE FROM announcement_posts WHERE announcement = $1 AND channel = $2"
_DROP_WITHDRAWN = """
DELETE FROM announcements WHERE withdrawn AND number NOT IN (SELECT announcement FROM announcement_posts)
"""
_ERASE_POSTS = """
DELETE FROM announcement_posts WHERE announcement IN (SELECT number FROM announcements WHERE at < $1)
"""
_ERASE = "DELETE FROM announcements WHERE at < $1"


class OwnerStore(SharedStore):
    """The part of the surface store that the owner's commands share with the bot."""

    async def blocks(self) -> frozenset[Block]:
        """Return all blocks."""
        return frozenset(Block(*row) for row in await self._fetch("blocks", 'SELECT guild, "user" FROM blocks'))

    async def put_block(self, block: Block) -> bool:
        """Store a block. Return whether it is new."""
        return await self._change_block(_PUT_BLOCK, *block, self._now())

    async def drop_block(self, block: Block) -> bool:
        """Delete a block. Return whether there was one."""
        return await self._change_block(_DROP_BLOCK, *block)

    async def announcements(self) -> list[Announcement]:
        """Return all announcements, oldest first."""
        sql = "SELECT number, text, at, withdrawn FROM announcements ORDER BY number"
        rows = await self._fetch("announcements", sql)
        return [Announcement(number, text, at, bool(withdrawn)) for number, text, at, withdrawn in rows]

    async def announce(self, text: str) -> int:
        """Store an announcement as made now, and return its number."""
        at = self._now()

        async def write(raw: Statements) -> int:
            return int(await raw.fetchval(_ANNOUNCE, text, at))

        return await self._write_alone(write, "an announcement")

    async def withdraw_announcements(self) -> int:
        """Withdraw all announcements, and return how many there were."""

        async def write(raw: Statements) -> int:
            found = await raw.fetch(_WITHDRAW)
            await raw.execute(_DROP_WITHDRAWN)
            return len(found)

        return await self._write_alone(write, "announcements")

    async def announcement_posts(self, announcement: int) -> list[AnnouncementPost]:
        """Return the messages of an announcement."""
        return [AnnouncementPost(*row) for row in await self._fetch("an announcement's messages", _POSTS, announcement)]

    async def begin_announcement_post(self, post: AnnouncementPost) -> bool:
        """Store that a message is about to be sent. Return whether it may be."""

        async def write(raw: Statements) -> bool:
            await raw.execute(_BEGIN_POST, post.announcement, post.channel, post.guild)
            return await raw.fetchval(_MAY_SEND, post.announcement, post.channel) is not None

        return await self._write_alone(write, "an announcement's message")

    async def note_announcement_message(self, post: AnnouncementPost) -> None:
        """Store which message was sent."""
        what = "an announcement's message"
        await self._execute(what, _NOTE_MESSAGE, post.message, post.announcement, post.channel)

    async def drop_announcement_posts(self, announcement: int, channels: Sequence[int]) -> None:
        """Delete the messages of an announcement in these channels, and the announcement if nothing is left of it."""

        async def write(raw: Statements) -> None:
            await raw.executemany(_DROP_POST, [(announcement, channel) for channel in channels])
            await raw.execute(_DROP_WITHDRAWN)

        await self._write_alone(write, "an announcement's messages")

    async def erase_announcements(self, before: int) -> None:
        """Delete everything about announcements that were made before that second."""

        async def write(raw: Statements) -> None:
            await raw.execute(_ERASE_POSTS, before)
            await raw.execute(_ERASE, before)

        await self._write_alone(write, "old announcements")

    @abstractmethod
    async def _write_alone(self, work: Work[T], what: str) -> T:
        """Do the work in a transaction while nobody else writes announcements."""

    async def _change_block(self, sql: str, *values: object) -> bool:
        async def write(raw: Statements) -> bool:
            return await raw.fetchval(sql, *values) is not None

        return await self._write(write, "blocks")
