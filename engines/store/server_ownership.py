"""Who looks after a server's matches: of all processes on one store, the one that holds the server's part.

Any process may change any match, for the revision decides who was first. What is posted, called, timed and played by
the computer belongs to the holder alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from engines.store.partition import ALL_SERVERS, Partition
from engines.store.surface_storage import SurfaceKind

OwnershipCallback = Callable[[Partition, Partition], None]
MatchChangeCallback = Callable[[str, int], None]


def _ignore(*_: object) -> None:
    """Nobody wants to know."""


class ServerOwnership(Protocol):
    """What this process holds now, by its own clock: a part whose time has run out unrenewed is not among it.

    `changed` is called with what was gained and what was lost. `told` is called with a match that another process has
    changed, and its revision, or -1 where something of its messages has changed; it only hastens what a sweep finds.
    """

    on_ownership_changed: OwnershipCallback
    on_match_changed: MatchChangeCallback

    @property
    def is_only_process(self) -> bool:
        """Whether there can be no other process on the same store."""

    @property
    def partition(self) -> Partition:
        """The parts that are held."""

    @property
    def process_count(self) -> int:
        """How many processes there are, this one among them: at least 1."""

    def epoch(self, guild: int) -> int:
        """The number under which that server is held; it grows whenever its part changes hands. 0: it is not held."""

    async def claim_partitions(self, partition: Partition | None, recommended: int) -> Partition:
        """Hold parts from now on: of those that are named; of all, where none are. What may be held at most.

        All are so many parts as others have divided into already, or else as many as are recommended. To be asked once.
        Raises StoreFailure.
        """

    async def release_all(self) -> None:
        """Hold nothing any more: others may take it at once."""

    async def changed_matches(self) -> Mapping[str, int]:
        """The matches of held parts, with their revision, that others have changed, or written messages of, since this
        was last asked. What was told may be among them.
        """

    async def other_replies(self, match: str) -> Mapping[tuple[SurfaceKind, int], float]:
        """The messages of a match, by kind and seat, with which other processes are answering clicks.

        Each with the seconds for which it is to be left alone; 0 or less: that time is past, and nobody has written
        what it shows.
        """


class SoleOwnership:
    """The one process that there is holds whatever it is given."""

    def __init__(self, partition: Partition = ALL_SERVERS) -> None:
        self.partition = partition
        self.process_count = 1
        self.is_only_process = True
        self.on_ownership_changed: OwnershipCallback = _ignore
        self.on_match_changed: MatchChangeCallback = _ignore

    def epoch(self, guild: int) -> int:
        """Always the same, for nobody else takes it."""
        return int(self.partition.has_server(guild))

    async def claim_partitions(self, partition: Partition | None, recommended: int) -> Partition:
        """Hold all of it."""
        self.partition = partition or Partition.all_of(recommended)
        return self.partition

    async def release_all(self) -> None:
        """Nobody else would take it."""

    async def changed_matches(self) -> Mapping[str, int]:
        """Nobody else changes anything."""
        return {}

    async def other_replies(self, match: str) -> Mapping[tuple[SurfaceKind, int], float]:
        """Nobody else answers."""
        return {}
