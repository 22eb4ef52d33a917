"""Leave to do something by oneself: what is posted, called, timed and played is its server's holder's alone.

Whoever begins such work does it within `Held.acting`, which binds it to the time for which the server is held. Each
request and each write in there asks `still`, so that what is under way when a part is lost ends before its next one.
Whoever answers a click needs no leave, and has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass

from engines.store.match_store import NotLeaseHolder
from engines.store.partition import Partition
from engines.store.server_ownership import ServerOwnership, SoleOwnership
from engines.store.surface_storage import SurfaceKind


@dataclass(frozen=True, slots=True)
class LeasePermit:
    """To act for a server, as long as it is held under that number."""

    holding: ServerOwnership
    guild: int
    epoch: int


_permit: ContextVar[LeasePermit | None] = ContextVar("leave", default=None)


def check_lease() -> int | None:
    """The number under which something is done by itself; None: somebody answers. Raises NotHeld once that is past."""
    permit = _permit.get()
    if permit is None:
        return None
    if permit.holding.epoch(permit.guild) != permit.epoch:
        raise NotLeaseHolder
    return permit.epoch


def context_without_permit() -> Context:
    """The present context for what is begun here and has to ask for leave of its own."""
    context = copy_context()
    context.run(_permit.set, None)
    return context


class ServerLease:
    """Which servers and matches this process looks after, just now."""

    def __init__(
        self, holding: ServerOwnership | None = None, guild_of: Callable[[str], int | None] = lambda match: None
    ) -> None:
        self.holding: ServerOwnership = holding or SoleOwnership()
        self._guild_of = guild_of  # the server of a match, as far as that is known here

    @property
    def is_only_process(self) -> bool:
        """Whether there can be no other process."""
        return self.holding.is_only_process

    @property
    def partition(self) -> Partition:
        """The parts that are held."""
        return self.holding.partition

    def holds_server(self, guild: int) -> bool:
        """Whether a server is held."""
        return self.holding.epoch(guild) > 0

    def epoch(self, match: str) -> int:
        """The number under which a match's server is held; 0: it is not, or is not known to be."""
        guild = self._guild_of(match)
        if guild is None:
            return int(self.is_only_process and self.partition.is_whole)
        return self.holding.epoch(guild)

    def holds_match(self, match: str) -> bool:
        """Whether a match's server is held, and known to be."""
        return self.epoch(match) > 0

    async def other_replies(self, match: str) -> Mapping[tuple[SurfaceKind, int], float]:
        """The messages of a match with which other processes answer clicks: see `Holding.answered`."""
        return await self.holding.other_replies(match)

    @contextmanager
    def acting_for(self, guild: int) -> Iterator[None]:
        """Do something for that server by oneself in here. Raises NotHeld, as whatever is done in here may."""
        permit = LeasePermit(self.holding, guild, self.holding.epoch(guild))
        if not permit.epoch:
            raise NotLeaseHolder
        token = _permit.set(permit)
        try:
            yield
        finally:
            _permit.reset(token)
