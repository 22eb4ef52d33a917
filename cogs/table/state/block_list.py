"""The people and servers that are shut out: by the owner everywhere, or by managers from their server's tables."""

from __future__ import annotations

from engines.hosting.match import RequestRefused
from engines.store.owner_storage import Block

PERSON_TEXT = "The people who run me have blocked you, so I do nothing for you."
SERVER_TEXT = "The people who run me have blocked this server, so I do nothing here."
SHUT_OUT_TEXT = "The managers of this server have shut you out of its tables."


class BlockList:
    """The blocks as this process last read them. Every command and click asks it, so it never waits for the store."""

    def __init__(self, contact: str = "") -> None:
        self.blocks: frozenset[Block] = frozenset()
        self._contact = f" You can reach them here: {contact}" if contact else ""

    def require_allowed(self, user: int, *guilds: int | None) -> None:
        """Raise RequestRefused if the user may do nothing, or nothing in one of these servers."""
        if not self.blocks:
            return
        if Block(0, user) in self.blocks:
            raise RequestRefused(PERSON_TEXT + self._contact)
        for guild in filter(None, guilds):
            if self.has_server(guild):
                raise RequestRefused(SERVER_TEXT + self._contact)
            if Block(guild, user) in self.blocks:
                raise RequestRefused(SHUT_OUT_TEXT)

    def has_server(self, guild: int) -> bool:
        """Whether the owner has blocked a server."""
        return Block(guild, 0) in self.blocks
