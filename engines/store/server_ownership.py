"""Decides which process owns a server's matches: the one with the lease on the server's partition.

Any process may change any match, because revisions decide who was first. Only the owner posts, pings, enforces
deadlines and plays computers' moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from engines.store.listeners import Listeners
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.surface_storage import SurfaceKind


class ServerOwnership(Protocol):
    """The partitions this process owns, by its own clock. A lease that expired without renewal does not count.

    `on_ownership_changed` is called with the partitions gained and lost. `on_match_changed` is called with a match that
    another process has changed and its revision, or -1 if its messages changed. This only speeds up what a sweep finds
    anyway.
    """

    on_ownership_changed: Listeners[[Partition, Partition]]
    on_match_changed: Listeners[[str, int]]

    @property
    def is_only_process(self) -> bool:
        """Whether no other process can use the same store."""

    @property
    def partition(self) -> Partition:
        """The owned partitions."""

    @property
    def process_count(self) -> int:
        """The number of processes including this one: at least 1."""

    def epoch(self, guild: int) -> int:
        """Return the epoch of a server's lease. It grows whenever the partition changes hands. 0: not owned."""

    async def claim_partitions(self, partition: Partition | None, recommended: int) -> Partition:
        """Start owning partitions: the named ones, or all. Return the most that this process may own.

        The total number of partitions is the one that other processes use, or the recommended one. Call it once. Raises
        StoreFailure.
        """

    async def release_all(self) -> None:
        """Release all partitions, so that others may take them at once."""

    async def changed_matches(self) -> Mapping[str, int]:
        """Return the owned matches, with revisions, whose state or messages others have changed since the last call.

        Changes that were already announced may be among them.
        """

    async def other_replies(self, match: str) -> Mapping[tuple[SurfaceKind, int], float]:
        """Return the messages of a match, by kind and seat, with which other processes are answering clicks.

        Each has the number of seconds to leave it alone; 0 or less means that the time is over and nobody saved what
        the message shows.
        """


class SoleOwnership:
    """The only process owns everything it asks for."""

    def __init__(self, partition: Partition = ALL_SERVERS) -> None:
        self.partition = partition
        self.process_count = 1
        self.is_only_process = True
        self.on_ownership_changed = Listeners[[Partition, Partition]]()
        self.on_match_changed = Listeners[[str, int]]()

    def epoch(self, guild: int) -> int:
        """Return a constant, because nobody else takes it."""
        return int(self.partition.has_server(guild))

    async def claim_partitions(self, partition: Partition | None, recommended: int) -> Partition:
        """Own everything."""
        self.partition = partition or Partition.all_of(recommended)
        return self.partition

    async def release_all(self) -> None:
        """Do nothing; nobody else would take it."""

    async def changed_matches(self) -> Mapping[str, int]:
        """Return nothing; nobody else changes anything."""
        return {}

    async def other_replies(self, match: str) -> Mapping[tuple[SurfaceKind, int], float]:
        """Return nothing; nobody else answers."""
        return {}
