"""The server lease: which process may post, ping, time and play for a server.

Such work runs inside `ServerLease.acting_for`, which ties it to the current lease. Each request and each write in it
calls `check_lease`, so work under way stops before its next request once the lease is lost. Replies to clicks need no
lease.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass

from engines.store.match_store import NotLeaseHolder
from engines.store.server_ownership import ServerOwnership, SoleOwnership


@dataclass(frozen=True, slots=True)
class LeasePermit:
    """A permit to act for a server, as long as its lease has this epoch."""

    holding: ServerOwnership
    guild: int
    epoch: int


_permit: ContextVar[LeasePermit | None] = ContextVar("leave", default=None)


def check_lease() -> int | None:
    """The epoch of the current permit; None if there is no permit. Raises NotLeaseHolder if the lease is lost."""
    permit = _permit.get()
    if permit is None:
        return None
    if permit.holding.epoch(permit.guild) != permit.epoch:
        raise NotLeaseHolder
    return permit.epoch


def context_without_permit() -> Context:
    """A copy of the current context without its permit, for tasks that need their own."""
    context = copy_context()
    context.run(_permit.set, None)
    return context


class ServerLease:
    """The servers and matches that this process looks after now."""

    def __init__(
        self, holding: ServerOwnership | None = None, guild_of: Callable[[str], int | None] = lambda match: None
    ) -> None:
        self.holding: ServerOwnership = holding or SoleOwnership()
        self._guild_of = guild_of  # a match's server; None if unknown here

    @property
    def is_only_process(self) -> bool:
        """Whether no other process can exist."""
        return self.holding.is_only_process

    def holds_server(self, guild: int) -> bool:
        """Whether this process holds a server's lease."""
        return self.holding.epoch(guild) > 0

    def epoch(self, match: str) -> int:
        """The epoch of the lease on a match's server; 0 if it is not held, or the server is unknown."""
        guild = self._guild_of(match)
        if guild is None:
            return int(self.is_only_process and self.holding.partition.is_whole)
        return self.holding.epoch(guild)

    def holds_match(self, match: str) -> bool:
        """Whether this process holds the lease on a match's server, and knows it."""
        return self.epoch(match) > 0

    @contextmanager
    def acting_for(self, guild: int) -> Iterator[None]:
        """Act for a server in this context. Raises NotLeaseHolder, now or later inside."""
        permit = LeasePermit(self.holding, guild, self.holding.epoch(guild))
        if not permit.epoch:
            raise NotLeaseHolder
        token = _permit.set(permit)
        try:
            yield
        finally:
            _permit.reset(token)
