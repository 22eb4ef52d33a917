"""Some of the servers that there are: how they are divided, by their numbers, among those who look after them."""

from __future__ import annotations

import re
from dataclasses import dataclass

GUILD_SHIFT = 22  # bits of a server's number that tell nothing of when it was made; the others are spread evenly
_PARTITION_PATTERN = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/([1-9]\d{0,4})")
PARTITION_HINT = "It is `auto`, or which parts of how many: `0-7/16`."


@dataclass(frozen=True, slots=True)
class Partition:
    """Of so many parts of all servers, these, counted from 0."""

    numbers: frozenset[int] = frozenset({0})
    count: int = 1

    @property
    def is_whole(self) -> bool:
        """Whether they are all."""
        return len(self.numbers) == self.count

    def has_server(self, guild: int) -> bool:
        """Whether a server is among them."""
        return self.number_of(guild) in self.numbers

    def number_of(self, guild: int) -> int:
        """In which of all parts a server is."""
        return (guild >> GUILD_SHIFT) % self.count

    def minus(self, other: Partition) -> Partition:
        """These but for others, of as many."""
        return Partition(self.numbers - other.numbers, self.count)

    def only_number(self, number: int) -> Partition:
        """One of these parts alone."""
        return Partition(frozenset({number}), self.count)

    @classmethod
    def all_of(cls, count: int) -> Partition:
        """All of so many parts."""
        return cls(frozenset(range(count)), count)

    @classmethod
    def parse(cls, text: str) -> Partition:
        """What is written `0-7/16`, or `3/16`. Raises ValueError for what makes no sense."""
        found = _PARTITION_PATTERN.fullmatch(text.strip())
        if not found:
            raise ValueError(PARTITION_HINT)
        first, last, of = int(found[1]), int(found[2] or found[1]), int(found[3])
        if not first <= last < of:
            raise ValueError(f"{PARTITION_HINT} They are counted from 0, so the last of {of} is {of - 1}.")
        return cls(frozenset(range(first, last + 1)), of)


ALL_SERVERS = Partition()
"""All servers, undivided."""
