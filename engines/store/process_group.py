"""What all processes on one store do together: take turns, divide what they may ask of Discord, know of each other."""

from __future__ import annotations

import re
from asyncio import get_running_loop, sleep
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

TURN_SPACING = 5.0  # seconds between two turns of a bucket
MIN_SHARE = 0.25  # of an even share: what everybody has, however much the others need


@dataclass(frozen=True, slots=True)
class ProcessStatus:
    """What one process tells of itself: how much it needs of what all may ask, and of which shards it is told."""

    version: str = ""
    need: float = 0.0  # 1 is all that there is
    shards: frozenset[int] = frozenset()
    lasting_shards: frozenset[int] = frozenset()  # those of them of which it is not told only until somebody else is


@dataclass(frozen=True, slots=True)
class GroupStatus:
    """How things stand: the share that is one's own, how many there are, and what the others tell of themselves."""

    share: float = 1.0
    process_count: int = 1
    shards: frozenset[int] = frozenset()
    lasting_shards: frozenset[int] = frozenset()
    versions: frozenset[str] = frozenset()

    def newer_version(self, version: str) -> str:
        """The newest version of theirs, where that is newer than this one; else nothing."""
        newest = max(self.versions, key=_version_key, default="")
        return newest if _version_key(newest) > _version_key(version) else ""


class ProcessGroup(Protocol):
    """Every method may raise StoreFailure."""

    async def wait_for_turn(self, bucket: int, min_wait: float = 0.0) -> None:
        """Wait for the next turn of a bucket, and at least so many seconds: nobody's is within five seconds of it."""

    async def send_heartbeat(self, status: ProcessStatus) -> GroupStatus:
        """Tell the others that one is there, and learn how things stand. Whoever is silent for long is not there."""

    def exclusive_section(self, task_name: str) -> AbstractAsyncContextManager[None]:
        """In here nobody else does that, unless it takes too long."""

    async def leave_group(self) -> None:
        """Tell the others that one is there no more."""


def _loop_time() -> float:
    return get_running_loop().time()


@dataclass(slots=True)
class SingleProcess:
    """The one process that there is: all turns are its own, and so is all else."""

    clock: Callable[[], float] = _loop_time
    _next: dict[int, float] = field(default_factory=dict)

    async def wait_for_turn(self, bucket: int, min_wait: float = 0.0) -> None:
        """Wait for one's turn after one's own."""
        now = self.clock()
        turn = max(now + min_wait, self._next.get(bucket, now))
        self._next[bucket] = turn + TURN_SPACING
        await sleep(turn - now)

    async def send_heartbeat(self, status: ProcessStatus) -> GroupStatus:
        """Nobody else is there."""
        return GroupStatus()

    @asynccontextmanager
    async def exclusive_section(self, task_name: str) -> AsyncIterator[None]:
        """One always is."""
        yield

    async def leave_group(self) -> None:
        """Nobody needs to know."""


def divide_shares(needs: Mapping[str, float]) -> dict[str, float]:
    """What everybody may use of the whole, by their names, where they need that much of it.

    Where there is more than all need, everybody has what they need and as much of the rest as the others. Where there
    is not, everybody has a little, and of the rest in proportion to their needs.
    """
    wanted = {name: min(max(need, 0.0), 1.0) for name, need in needs.items()}
    total, many = sum(wanted.values()), len(wanted)
    if total <= 1 - MIN_SHARE:
        return {name: need + (1 - total) / many for name, need in wanted.items()}
    return {name: MIN_SHARE / many + (1 - MIN_SHARE) * need / total for name, need in wanted.items()}


def _version_key(version: str) -> tuple[int, ...]:
    """By what versions are compared: the numbers in them."""
    return tuple(map(int, re.findall(r"\d+", version)))
