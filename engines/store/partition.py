"""Some of the servers that there are: how they are divided, by their numbers, among those who look after them."""

from __future__ import annotations

import re
from dataclasses import dataclass

SHIFT = 22  # bits of a server's number that tell nothing of when it was made; the others are spread evenly
_WRITTEN = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/([1-9]\d{0,4})")
WRONG = "It is `auto`, or which parts of how many: `0-7/16`."


@dataclass(frozen=True, slots=True)
class Part:
    """Of so many parts of all servers, these, counted from 0."""

    numbers: frozenset[int] = frozenset({0})
    of: int = 1

    @property
    def whole(self) -> bool:
        """Whether they are all."""
        return len(self.numbers) == self.of

    def has(self, guild: int) -> bool:
        """Whether a server is among them."""
        return self.number(guild) in self.numbers

    def number(self, guild: int) -> int:
        """In which of all parts a server is."""
        return (guild >> SHIFT) % self.of

    def without(self, other: Part) -> Part:
        """These but for others, of as many."""
        return Part(self.numbers - other.numbers, self.of)

    def only(self, number: int) -> Part:
        """One of these parts alone."""
        return Part(frozenset({number}), self.of)

    @classmethod
    def all(cls, of: int) -> Part:
        """All of so many parts."""
        return cls(frozenset(range(of)), of)

    @classmethod
    def read(cls, text: str) -> Part:
        """What is written `0-7/16`, or `3/16`. Raises ValueError for what makes no sense."""
        found = _WRITTEN.fullmatch(text.strip())
        if not found:
            raise ValueError(WRONG)
        first, last, of = int(found[1]), int(found[2] or found[1]), int(found[3])
        if not first <= last < of:
            raise ValueError(f"{WRONG} They are counted from 0, so the last of {of} is {of - 1}.")
        return cls(frozenset(range(first, last + 1)), of)


WHOLE = Part()
"""All servers, undivided."""
