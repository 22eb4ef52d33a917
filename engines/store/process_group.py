"""Coordinates the processes of one store: they take turns, share rate limits, and see each other's status."""

from __future__ import annotations

import re
from asyncio import get_running_loop, sleep
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

TURN_SPACING = 5.0  # seconds between two turns of a bucket
MIN_SHARE = 0.25  # of an even share: everyone gets this much, however much the others need


@dataclass(frozen=True, slots=True)
class ProcessStatus:
    """The status that a process reports: how much of the shared rate limit it needs, and which shards it receives."""

    version: str = ""
    need: float = 0.0  # 1 is the whole limit
    shards: frozenset[int] = frozenset()
    lasting_shards: frozenset[int] = frozenset()  # shards that it receives only until another process takes them


@dataclass(frozen=True, slots=True)
class GroupStatus:
    """The state of the group: this process's share, the number of processes, and the status of the others."""

    share: float = 1.0
    process_count: int = 1
    shards: frozenset[int] = frozenset()
    lasting_shards: frozenset[int] = frozenset()
    versions: frozenset[str] = frozenset()

    def newer_version(self, version: str) -> str:
        """The newest version of the others if it is newer than this one, or an empty text."""
        newest = max(self.versions, key=_version_key, default="")
        return newest if _version_key(newest) > _version_key(version) else ""


class ProcessGroup(Protocol):
    """The group of processes. Every method may raise StoreFailure."""

    async def wait_for_turn(self, bucket: int, min_wait: float = 0.0) -> None:
        """Wait for the next turn of a bucket, at least some seconds. No other turn is within five seconds of it."""

    async def send_heartbeat(self, status: ProcessStatus) -> GroupStatus:
        """Send this process's status and return the state of the group. Silent processes drop out."""

    def exclusive_section(self, task_name: str) -> AbstractAsyncContextManager[None]:
        """Run exclusively among all processes, unless it takes too long."""

    async def leave_group(self) -> None:
        """Announce that this process leaves."""


def _loop_time() -> float:
    return get_running_loop().time()


@dataclass(slots=True)
class SingleProcess:
    """The only process: all turns and the whole rate limit belong to it."""

    clock: Callable[[], float] = _loop_time
    _next: dict[int, float] = field(default_factory=dict)

    async def wait_for_turn(self, bucket: int, min_wait: float = 0.0) -> None:
        """Wait for the next turn after its own last one."""
        now = self.clock()
        turn = max(now + min_wait, self._next.get(bucket, now))
        self._next[bucket] = turn + TURN_SPACING
        await sleep(turn - now)

    async def send_heartbeat(self, status: ProcessStatus) -> GroupStatus:
        """Return a group of one."""
        return GroupStatus()

    @asynccontextmanager
    async def exclusive_section(self, task_name: str) -> AsyncIterator[None]:
        """Return at once; there are no others."""
        yield

    async def leave_group(self) -> None:
        """Do nothing; there are no others."""


def divide_shares(needs: Mapping[str, float]) -> dict[str, float]:
    """Divide the whole among processes by name, given their needs.

    If there is enough for all, everyone gets their need plus an equal share of the rest. If not, everyone gets a small
    minimum plus a share in proportion to their needs.
    """
    wanted = {name: min(max(need, 0.0), 1.0) for name, need in needs.items()}
    total, many = sum(wanted.values()), len(wanted)
    if total <= 1 - MIN_SHARE:
        return {name: need + (1 - total) / many for name, need in wanted.items()}
    return {name: MIN_SHARE / many + (1 - MIN_SHARE) * need / total for name, need in wanted.items()}


def _version_key(version: str) -> tuple[int, ...]:
    """Return the numbers in a version, for comparison."""
    return tuple(map(int, re.findall(r"\d+", version)))
