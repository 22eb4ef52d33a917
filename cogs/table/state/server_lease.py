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

from engines.store.match_store import NotHeld
from engines.store.partition import Part
from engines.store.server_ownership import Alone, Holding
from engines.store.surface_storage import Kind


@dataclass(frozen=True, slots=True)
class Leave:
    """To act for a server, as long as it is held under that number."""

    holding: Holding
    guild: int
    epoch: int


_leave: ContextVar[Leave | None] = ContextVar("leave", default=None)


def still() -> int | None:
    """The number under which something is done by itself; None: somebody answers. Raises NotHeld once that is past."""
    leave = _leave.get()
    if leave is None:
        return None
    if leave.holding.epoch(leave.guild) != leave.epoch:
        raise NotHeld
    return leave.epoch


def without_leave() -> Context:
    """The present context for what is begun here and has to ask for leave of its own."""
    context = copy_context()
    context.run(_leave.set, None)
    return context


class Held:
    """Which servers and matches this process looks after, just now."""

    def __init__(self, holding: Holding | None = None, guild: Callable[[str], int | None] = lambda match: None) -> None:
        self.holding: Holding = holding or Alone()
        self._guild = guild  # the server of a match, as far as that is known here

    @property
    def alone(self) -> bool:
        """Whether there can be no other process."""
        return self.holding.alone

    @property
    def part(self) -> Part:
        """The parts that are held."""
        return self.holding.part

    def has(self, guild: int) -> bool:
        """Whether a server is held."""
        return self.holding.epoch(guild) > 0

    def epoch(self, match: str) -> int:
        """The number under which a match's server is held; 0: it is not, or is not known to be."""
        guild = self._guild(match)
        if guild is None:
            return int(self.alone and self.part.whole)
        return self.holding.epoch(guild)

    def holds(self, match: str) -> bool:
        """Whether a match's server is held, and known to be."""
        return self.epoch(match) > 0

    async def answered(self, match: str) -> Mapping[tuple[Kind, int], float]:
        """The messages of a match with which other processes answer clicks: see `Holding.answered`."""
        return await self.holding.answered(match)

    @contextmanager
    def acting(self, guild: int) -> Iterator[None]:
        """Do something for that server by oneself in here. Raises NotHeld, as whatever is done in here may."""
        leave = Leave(self.holding, guild, self.holding.epoch(guild))
        if not leave.epoch:
            raise NotHeld
        token = _leave.set(leave)
        try:
            yield
        finally:
            _leave.reset(token)
