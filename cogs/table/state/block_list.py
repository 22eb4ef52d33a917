"""The people and servers that are shut out: by the owner everywhere, or by managers from their server's tables."""

from __future__ import annotations

from engines.hosting.match import RequestRefused
from engines.store.owner_storage import Block

_OWN_DATA_TEXT = " `/motley my-data` and `/motley forget-me` still work in direct messages with me."
PERSON_TEXT = "The people who run me have blocked you, so I do nothing else for you." + _OWN_DATA_TEXT
SERVER_TEXT = "The people who run me have blocked this server, so I do nothing here." + _OWN_DATA_TEXT
SHUT_OUT_TEXT = "The managers of this server have shut you out of its tables." + _OWN_DATA_TEXT


class BlockList:
    """The blocks as this process last read them. Every command and click asks it, so it never waits for the store."""

    def __init__(self, contact: str = "") -> None:
        self.blocks: frozenset[Block] = frozenset()
        self._contact = f" You can reach them here: {contact}" if contact else ""

    def require_allowed(self, user: int, *guilds: int | None, is_own_data: bool = False) -> None:
        """Raise RequestRefused if the user may do nothing, or nothing in one of these servers.

        In direct messages, where there is no server, everybody may request their own data and its deletion.
        """
        if not self.blocks or (is_own_data and not any(guilds)):
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
