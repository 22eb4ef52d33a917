"""Who looks after a server's matches: of all processes on one store, the one that holds the server's part.

Any process may change any match, for the revision decides who was first. What is posted, called, timed and played by
the computer belongs to the holder alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from engines.store.partition import WHOLE, Part
from engines.store.surface_storage import Kind

Changed = Callable[[Part, Part], None]
Told = Callable[[str, int], None]


def _nobody(*_: object) -> None:
    """Nobody wants to know."""


class Holding(Protocol):
    """What this process holds now, by its own clock: a part whose time has run out unrenewed is not among it.

    `changed` is called with what was gained and what was lost. `told` is called with a match that another process has
    changed, and its revision, or -1 where something of its messages has changed; it only hastens what a sweep finds.
    """

    changed: Changed
    told: Told

    @property
    def alone(self) -> bool:
        """Whether there can be no other process on the same store."""

    @property
    def part(self) -> Part:
        """The parts that are held."""

    @property
    def alive(self) -> int:
        """How many processes there are, this one among them: at least 1."""

    def epoch(self, guild: int) -> int:
        """The number under which that server is held; it grows whenever its part changes hands. 0: it is not held."""

    async def divide(self, part: Part | None, recommended: int) -> Part:
        """Hold parts from now on: of those that are named; of all, where none are. What may be held at most.

        All are so many parts as others have divided into already, or else as many as are recommended. To be asked once.
        Raises StoreFailure.
        """

    async def give_back(self) -> None:
        """Hold nothing any more: others may take it at once."""

    async def news(self) -> Mapping[str, int]:
        """The matches of held parts, with their revision, that others have changed, or written messages of, since this
        was last asked. What was told may be among them.
        """

    async def answered(self, match: str) -> Mapping[tuple[Kind, int], float]:
        """The messages of a match, by kind and seat, with which other processes are answering clicks.

        Each with the seconds for which it is to be left alone; 0 or less: that time is past, and nobody has written
        what it shows.
        """


class Alone:
    """The one process that there is holds whatever it is given."""

    def __init__(self, part: Part = WHOLE) -> None:
        self.part = part
        self.alive = 1
        self.alone = True
        self.changed: Changed = _nobody
        self.told: Told = _nobody

    def epoch(self, guild: int) -> int:
        """Always the same, for nobody else takes it."""
        return int(self.part.has(guild))

    async def divide(self, part: Part | None, recommended: int) -> Part:
        """Hold all of it."""
        self.part = part or Part.all(recommended)
        return self.part

    async def give_back(self) -> None:
        """Nobody else would take it."""

    async def news(self) -> Mapping[str, int]:
        """Nobody else changes anything."""
        return {}

    async def answered(self, match: str) -> Mapping[tuple[Kind, int], float]:
        """Nobody else answers."""
        return {}
