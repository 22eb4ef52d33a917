"""What has been shown where, kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from engines.store.owner_storage import Announcement, AnnouncementPost, Block
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.surface_storage import ContactChange, Inbox, Mention, Preferences, Surface, SurfaceKind
from tests.engines.memory_rows import MemoryRows

T = TypeVar("T")


@dataclass
class MemoryShown(MemoryRows):
    """Keeps what a SurfaceStorage keeps, whose docstrings hold here."""

    surfaces: dict[tuple[str, SurfaceKind, int], Surface] = field(default_factory=dict)
    sent_mentions: dict[tuple[str, int, int], Mention] = field(default_factory=dict)
    inboxes: dict[int, Inbox] = field(default_factory=dict)
    first_contacts: dict[int, int] = field(default_factory=dict)
    liked_preferences: dict[int, Preferences] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    marked_matches: set[str] = field(default_factory=set)
    guild: Callable[[str], int] = lambda match: 0  # the server of a match
    stored_blocks: set[Block] = field(default_factory=set)
    made_announcements: dict[int, Announcement] = field(default_factory=dict)
    posts: dict[tuple[int, int], AnnouncementPost] = field(default_factory=dict)
    clock: Callable[[], int] = lambda: 1000

    async def surfaces_of(self, match: str) -> list[Surface]:
        return [surface for surface in self.surfaces.values() if surface.match == match]

    async def stale_matches(self, partition: Partition = ALL_SERVERS) -> list[str]:
        return sorted(match for match in self.marked_matches if partition.has_server(self.guild(match)))

    async def given_up_matches(self, since: int, partition: Partition = ALL_SERVERS) -> list[str]:
        lost = {surface.match for surface in self.surfaces.values() if surface.lost}
        return sorted(match for match in lost if partition.has_server(self.guild(match)))

    async def mark_stale(self, matches: Collection[str]) -> None:
        self.marked_matches |= {*matches}

    async def doubt(self, match: str, kind: SurfaceKind, seat: int = -1) -> None:
        if known := self.surfaces.get((match, kind, seat)):
            self.surfaces[match, kind, seat] = replace(known, lost="", digest="")
        self.marked_matches.add(match)

    async def put_reply(self, surface: Surface) -> None:
        key = surface.match, surface.kind, surface.seat
        self.marked_matches.add(surface.match)
        if known := self.surfaces.get(key):
            still = (known.channel, known.message, known.nonce) == (surface.channel, surface.message, "")
            digest = surface.digest if still and known.shown <= surface.shown else ""
            self.surfaces[key] = replace(known, digest=digest, shown=max(known.shown, surface.shown))

    async def mark_current(self, revisions: Mapping[str, int]) -> None:
        self.marked_matches -= revisions.keys()

    async def put(self, surface: Surface, epoch: int | None = None) -> None:
        self.surfaces[surface.match, surface.kind, surface.seat] = surface
        self.marked_matches.add(surface.match)

    async def put_edits(self, surfaces: Collection[Surface]) -> None:
        for new in surfaces:
            old = self.surfaces.get((new.match, new.kind, new.seat))
            if old and (old.channel, old.message) == (new.channel, new.message) and old.shown <= new.shown:
                changed = replace(old, digest=new.digest, shown=new.shown, done=new.done)
                self.surfaces[new.match, new.kind, new.seat] = changed

    async def drop(self, match: str, kind: SurfaceKind, seat: int = -1, epoch: int | None = None) -> None:
        self.surfaces.pop((match, kind, seat), None)

    async def mentions(self, match: str) -> list[Mention]:
        return [mention for mention in self.sent_mentions.values() if mention.match == match]

    async def put_mention(self, mention: Mention, epoch: int | None = None) -> None:
        self.sent_mentions[mention.match, mention.seat, mention.decision] = mention

    async def drop_mention(self, match: str, seat: int, decision: int, epoch: int | None = None) -> None:
        self.sent_mentions.pop((match, seat, decision), None)

    async def before_row(self, match: str, revision: int | None) -> None:
        self.marked_matches.add(match)

    async def inbox(self, user: int) -> Inbox | None:
        return self.inboxes.get(user)

    async def put_inbox(self, user: int, inbox: Inbox) -> None:
        self.inboxes[user] = inbox

    async def first_contact(self, user: int) -> int:
        return self.first_contacts.get(user, 0)

    async def change_first_contact(
        self, user: int, key: str, change: Callable[[str | None, int], ContactChange[T]]
    ) -> T:
        self.notes[key], self.first_contacts[user], result = change(
            self.notes.get(key), self.first_contacts.get(user, 0)
        )
        return result

    async def erase_first_contacts(self, before: int) -> None:
        self.first_contacts = {user: at for user, at in self.first_contacts.items() if at >= before}

    async def preferences(self, user: int) -> Preferences:
        return self.liked_preferences.get(user, Preferences())

    async def change_preferences(self, user: int, change: Callable[[Preferences], Preferences]) -> None:
        self.liked_preferences[user] = change(await self.preferences(user))

    async def forget_person(self, user: int) -> None:
        self.liked_preferences.pop(user, None)
        self.inboxes.pop(user, None)
        self.first_contacts.pop(user, None)
        self.forget_rows(-(10**9) - 1, user=user)

    async def read_note(self, key: str) -> str | None:
        return self.notes.get(key)

    async def put_note(self, key: str, value: str) -> None:
        self.notes[key] = value

    async def change_note(self, key: str, change: Callable[[str | None], tuple[str, T]]) -> T:
        self.notes[key], result = change(self.notes.get(key))
        return result

    async def blocks(self) -> frozenset[Block]:
        return frozenset(self.stored_blocks)

    async def put_block(self, block: Block) -> bool:
        is_new = block not in self.stored_blocks
        self.stored_blocks.add(block)
        return is_new

    async def drop_block(self, block: Block) -> bool:
        was_there = block in self.stored_blocks
        self.stored_blocks.discard(block)
        return was_there

    async def announcements(self) -> list[Announcement]:
        return [self.made_announcements[number] for number in sorted(self.made_announcements)]

    async def announce(self, text: str) -> int:
        number = max(self.made_announcements, default=0) + 1
        self.made_announcements[number] = Announcement(number, text, self.clock())
        return number

    async def withdraw_announcements(self) -> int:
        standing = [each for each in self.made_announcements.values() if not each.is_withdrawn]
        self.made_announcements |= {each.number: replace(each, is_withdrawn=True) for each in standing}
        self._drop_withdrawn()
        return len(standing)

    async def announcement_posts(self, announcement: int) -> list[AnnouncementPost]:
        return [post for (number, _), post in sorted(self.posts.items()) if number == announcement]

    async def begin_announcement_post(self, post: AnnouncementPost) -> bool:
        announcement = self.made_announcements.get(post.announcement)
        if announcement is None or announcement.is_withdrawn:
            return False
        key = post.announcement, post.channel
        return not self.posts.setdefault(key, replace(post, message=0)).message

    async def note_announcement_message(self, post: AnnouncementPost) -> None:
        if (key := (post.announcement, post.channel)) in self.posts:
            self.posts[key] = post

    async def drop_announcement_posts(self, announcement: int, channels: Sequence[int]) -> None:
        for channel in channels:
            self.posts.pop((announcement, channel), None)
        self._drop_withdrawn()

    def _drop_withdrawn(self) -> None:
        used = {number for number, _ in self.posts}
        announcements = self.made_announcements.items()
        self.made_announcements = {key: each for key, each in announcements if not each.is_withdrawn or key in used}

    async def erase_announcements(self, before: int) -> None:
        announcements = self.made_announcements.items()
        self.made_announcements = {key: each for key, each in announcements if each.at >= before}
        self.posts = {key: post for key, post in self.posts.items() if key[0] in self.made_announcements}
