"""Partitions: shares of all servers, by server id, that divide the work among processes."""

from __future__ import annotations

import re
from dataclasses import dataclass

GUILD_SHIFT = 22  # the bits of a server id that hold its creation time are dropped; the rest are spread evenly
_PARTITION_PATTERN = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/([1-9]\d{0,4})")
PARTITION_HINT = "must be `auto`, or which parts of how many: `0-7/16`"


@dataclass(frozen=True, slots=True)
class Partition:
    """Some of the `of` partitions of all servers, counted from 0."""

    numbers: frozenset[int] = frozenset({0})
    count: int = 1

    @property
    def is_whole(self) -> bool:
        """Whether these are all partitions."""
        return len(self.numbers) == self.count

    def has_server(self, guild: int) -> bool:
        """Whether a server belongs to these partitions."""
        return self.number_of(guild) in self.numbers

    def number_of(self, guild: int) -> int:
        """Return the number of the partition of a server."""
        return (guild >> GUILD_SHIFT) % self.count

    def only_number(self, number: int) -> Partition:
        """Return one of these partitions alone."""
        return Partition(frozenset({number}), self.count)

    @classmethod
    def all_of(cls, count: int) -> Partition:
        """Return all of this many partitions."""
        return cls(frozenset(range(count)), count)

    @classmethod
    def parse(cls, text: str) -> Partition:
        """Parse `0-7/16` or `3/16`. Raises ValueError if it makes no sense."""
        found = _PARTITION_PATTERN.fullmatch(text.strip())
        if not found:
            raise ValueError(PARTITION_HINT)
        first, last, of = int(found[1]), int(found[2] or found[1]), int(found[3])
        if not first <= last < of:
            raise ValueError(f"{PARTITION_HINT}; they are counted from 0, so the last of {of} is {of - 1}")
        return cls(frozenset(range(first, last + 1)), of)


ALL_SERVERS = Partition()
"""All servers as one partition."""
