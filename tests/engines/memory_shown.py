"""What has been shown where, kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from engines.store.partition import ALL_SERVERS, Partition
from engines.store.surface_storage import Inbox, Mention, Preferences, Surface, SurfaceKind


@dataclass
class MemoryShown:
    """Keeps what a Shown keeps."""

    surfaces: dict[tuple[str, SurfaceKind, int], Surface] = field(default_factory=dict)
    sent_mentions: dict[tuple[str, int, int], Mention] = field(default_factory=dict)
    inboxes: dict[int, Inbox] = field(default_factory=dict)
    liked_preferences: dict[int, Preferences] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    marked_matches: set[str] = field(default_factory=set)
    guild: Callable[[str], int] = lambda match: 0  # the server of a match

    async def surfaces_of(self, match: str) -> list[Surface]:
        """The surfaces of a match."""
        return [surface for surface in self.surfaces.values() if surface.match == match]

    async def stale_matches(self, partition: Partition = ALL_SERVERS) -> list[str]:
        """The matches of these servers of which not all may be shown as it is."""
        return sorted(match for match in self.marked_matches if partition.has_server(self.guild(match)))

    async def given_up_matches(self, since: int, partition: Partition = ALL_SERVERS) -> list[str]:
        """The matches of which something was given up, however old they are."""
        lost = {surface.match for surface in self.surfaces.values() if surface.lost}
        return sorted(match for match in lost if partition.has_server(self.guild(match)))

    async def mark_stale(self, matches: Collection[str]) -> None:
        """Have these matches looked at."""
        self.marked_matches |= {*matches}

    async def doubt(self, match: str, kind: SurfaceKind, seat: int = -1) -> None:
        """It is uncertain what a message shows."""
        if known := self.surfaces.get((match, kind, seat)):
            self.surfaces[match, kind, seat] = replace(known, lost="", digest="")
        self.marked_matches.add(match)

    async def put_reply(self, surface: Surface) -> None:
        """A click was answered with this message by one who does not look after it."""
        key = surface.match, surface.kind, surface.seat
        self.marked_matches.add(surface.match)
        if known := self.surfaces.get(key):
            still = (known.channel, known.message, known.nonce) == (surface.channel, surface.message, "")
            digest = surface.digest if still and known.shown <= surface.shown else ""
            self.surfaces[key] = replace(known, digest=digest, shown=max(known.shown, surface.shown))

    async def mark_current(self, revisions: Mapping[str, int]) -> None:
        """All of these matches was shown as it is at these revisions."""
        self.marked_matches -= revisions.keys()

    async def put(self, surface: Surface, epoch: int | None = None) -> None:
        """Keep a surface."""
        self.surfaces[surface.match, surface.kind, surface.seat] = surface
        self.marked_matches.add(surface.match)

    async def put_edits(self, surfaces: Collection[Surface]) -> None:
        """Keep what messages show since they were edited, where they are still these and show nothing newer."""
        for new in surfaces:
            old = self.surfaces.get((new.match, new.kind, new.seat))
            if old and (old.channel, old.message) == (new.channel, new.message) and old.shown <= new.shown:
                changed = replace(old, digest=new.digest, shown=new.shown, done=new.done)
                self.surfaces[new.match, new.kind, new.seat] = changed

    async def drop(self, match: str, kind: SurfaceKind, seat: int = -1, epoch: int | None = None) -> None:
        """Forget a surface, if there is one."""
        self.surfaces.pop((match, kind, seat), None)

    async def mentions(self, match: str) -> list[Mention]:
        """The mentions of a match."""
        return [mention for mention in self.sent_mentions.values() if mention.match == match]

    async def put_mention(self, mention: Mention, epoch: int | None = None) -> None:
        """Keep a mention."""
        self.sent_mentions[mention.match, mention.seat, mention.decision] = mention

    async def drop_mention(self, match: str, seat: int, decision: int, epoch: int | None = None) -> None:
        """Forget a mention, if there is one."""
        self.sent_mentions.pop((match, seat, decision), None)

    async def inbox(self, user: int) -> Inbox | None:
        """A user's direct messages, where they are known."""
        return self.inboxes.get(user)

    async def put_inbox(self, user: int, channel: int, closed: bool) -> None:
        """Keep where a user's direct messages are, and whether they are closed."""
        self.inboxes[user] = Inbox(channel, closed)

    async def preferences(self, user: int) -> Preferences:
        """What a person likes."""
        return self.liked_preferences.get(user, Preferences())

    async def change_preferences(self, user: int, change: Callable[[Preferences], Preferences]) -> None:
        """Change what a person likes."""
        self.liked_preferences[user] = change(await self.preferences(user))

    async def forget_person(self, user: int) -> None:
        """Forget what a person likes, and where their direct messages are."""
        self.liked_preferences.pop(user, None)
        self.inboxes.pop(user, None)

    async def read_note(self, key: str) -> str | None:
        """A note of the bot's own."""
        return self.notes.get(key)

    async def put_note(self, key: str, value: str) -> None:
        """Keep a note."""
        self.notes[key] = value
