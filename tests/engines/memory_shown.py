"""What has been shown where, kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engines.shown import Inbox, Kind, Mention, Preferences, Surface


@dataclass
class MemoryShown:
    """Keeps what a Shown keeps."""

    surfaces: dict[tuple[str, Kind, int], Surface] = field(default_factory=dict)
    sent: dict[tuple[str, int, int], Mention] = field(default_factory=dict)
    inboxes: dict[int, Inbox] = field(default_factory=dict)
    liked: dict[int, Preferences] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    marked: set[str] = field(default_factory=set)

    async def of(self, match: str) -> list[Surface]:
        """The surfaces of a match."""
        return [surface for surface in self.surfaces.values() if surface.match == match]

    async def behind(self) -> list[str]:
        """The matches of which not all may be shown as it is."""
        return sorted(self.marked)

    async def given_up(self, since: int) -> list[str]:
        """The matches of which something was given up, however old they are."""
        return sorted({surface.match for surface in self.surfaces.values() if surface.lost})

    async def settled(self, shown: Mapping[str, int]) -> None:
        """All of these matches was shown as it is at these revisions."""
        self.marked -= shown.keys()

    async def put(self, surface: Surface) -> None:
        """Keep a surface."""
        self.surfaces[surface.match, surface.kind, surface.seat] = surface
        self.marked.add(surface.match)

    async def drop(self, match: str, kind: Kind, seat: int = -1) -> None:
        """Forget a surface, if there is one."""
        self.surfaces.pop((match, kind, seat), None)

    async def mentions(self, match: str) -> list[Mention]:
        """The mentions of a match."""
        return [mention for mention in self.sent.values() if mention.match == match]

    async def put_mention(self, mention: Mention) -> None:
        """Keep a mention."""
        self.sent[mention.match, mention.seat, mention.decision] = mention

    async def drop_mention(self, match: str, seat: int, decision: int) -> None:
        """Forget a mention, if there is one."""
        self.sent.pop((match, seat, decision), None)

    async def inbox(self, user: int) -> Inbox | None:
        """A user's direct messages, where they are known."""
        return self.inboxes.get(user)

    async def put_inbox(self, user: int, channel: int, closed: bool) -> None:
        """Keep where a user's direct messages are, and whether they are closed."""
        self.inboxes[user] = Inbox(channel, closed)

    async def preferences(self, user: int) -> Preferences:
        """What a person likes."""
        return self.liked.get(user, Preferences())

    async def prefer(self, user: int, change: Callable[[Preferences], Preferences]) -> None:
        """Change what a person likes."""
        self.liked[user] = change(await self.preferences(user))

    async def forget_person(self, user: int) -> None:
        """Forget what a person likes, and where their direct messages are."""
        self.liked.pop(user, None)
        self.inboxes.pop(user, None)

    async def note(self, key: str) -> str | None:
        """A note of the bot's own."""
        return self.notes.get(key)

    async def put_note(self, key: str, value: str) -> None:
        """Keep a note."""
        self.notes[key] = value
