"""The application's own emoji."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from playground.world import ids, payloads
from playground.world.errors import ApiRefusal, DiscordError, refuse_unless
from playground.world.world import Json, User, World

MAX_EMOJI: Final = 2000


@dataclass(slots=True)
class StoredEmoji:
    """An emoji and its image."""

    id: int
    name: str
    image: bytes
    content_type: str
    creator: User

    def data(self) -> Json:
        """Return the emoji as Discord describes it."""
        return {
            "id": str(self.id),
            "name": self.name,
            "roles": [],
            "user": payloads.user_object(self.creator),
            "require_colons": True,
            "managed": False,
            "animated": self.content_type == "image/gif",
            "available": True,
        }


class ApplicationEmoji:
    """All emoji of the application. Names are unique."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.by_id: dict[int, StoredEmoji] = {}
        self.on_change: Callable[[], None] = lambda: None

    def get(self, emoji_id: int) -> StoredEmoji:
        """Return an emoji, or raise Discord's refusal."""
        if emoji_id not in self.by_id:
            raise ApiRefusal(DiscordError.UNKNOWN_EMOJI)
        return self.by_id[emoji_id]

    def add(self, name: str, image: bytes, content_type: str) -> StoredEmoji:
        """Add an emoji, or raise Discord's refusal."""
        self._refuse_taken(name)
        refuse_unless(len(self.by_id) < MAX_EMOJI, DiscordError.TOO_MANY_EMOJI)
        emoji = StoredEmoji(self._world.snowflakes.next_id(), name, image, content_type, self._world.users[ids.BOT])
        self.by_id[emoji.id] = emoji
        self.on_change()
        return emoji

    def rename(self, emoji_id: int, name: str) -> StoredEmoji:
        """Rename an emoji, or raise Discord's refusal."""
        emoji = self.get(emoji_id)
        if name != emoji.name:
            self._refuse_taken(name)
        emoji.name = name
        return emoji

    def remove(self, emoji_id: int) -> None:
        """Remove an emoji, or raise Discord's refusal."""
        del self.by_id[self.get(emoji_id).id]
        self.on_change()

    def _refuse_taken(self, name: str) -> None:
        if any(each.name == name for each in self.by_id.values()):
            taken = {"code": "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "message": "This emoji name is already taken"}
            raise ApiRefusal(DiscordError.INVALID_FORM, tree={"name": {"_errors": [taken]}})
