"""What the owner's commands need to be stored: blocks and announcements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class Block(NamedTuple):
    """A server or a person that is shut out. `guild` and `user` are Discord ids, 0 for none.

    A server alone: the owner blocks it. A person alone: the owner blocks them. Both: the server's managers shut the
    person out from its tables.
    """

    guild: int
    user: int


@dataclass(frozen=True, slots=True)
class Announcement:
    """A notice of the owner at all tables that were open at that Unix second. `is_withdrawn`: it is to be deleted."""

    number: int
    text: str
    at: int
    is_withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class AnnouncementPost:
    """The message of an announcement in a channel or thread. It is stored before it is sent, with `message` 0."""

    announcement: int
    channel: int
    guild: int
    message: int = 0


class OwnerStorage(Protocol):
    """Durable storage for the owner's commands. Every method may raise StoreFailure."""

    async def blocks(self) -> frozenset[Block]:
        """Return all blocks."""

    async def put_block(self, block: Block) -> bool:
        """Store a block. Return whether it is new."""

    async def drop_block(self, block: Block) -> bool:
        """Delete a block. Return whether there was one."""

    async def announcements(self) -> list[Announcement]:
        """Return all announcements that still concern somebody, oldest first."""

    async def announce(self, text: str) -> int:
        """Store an announcement as made now, and return its number."""

    async def withdraw_announcements(self) -> int:
        """Withdraw all announcements, and return how many there were."""

    async def announcement_posts(self, announcement: int) -> list[AnnouncementPost]:
        """Return the messages of an announcement."""

    async def begin_announcement_post(self, post: AnnouncementPost) -> bool:
        """Store that a message is about to be sent, unless the announcement was withdrawn.

        Return whether it may be sent: nobody has stored yet that it was.
        """

    async def note_announcement_message(self, post: AnnouncementPost) -> None:
        """Store which message was sent."""

    async def drop_announcement_posts(self, announcement: int, channels: Sequence[int]) -> None:
        """Delete the messages of an announcement in these channels. Delete it, too, if it is withdrawn and has none."""

    async def erase_announcements(self, before: int) -> None:
        """Delete everything about announcements that were made before that second."""
