"""The one source of randomness: a keyed hash, so that a match replays exactly and nobody can foresee it."""

from __future__ import annotations

import secrets
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b, shake_256
from typing import TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Chance:
    """Draws that depend on a secret seed and on how many were made before.

    The seed is 128 bits as 32 hex digits. Every draw hashes seed and count, so the draws seen so far tell nothing of
    the next ones, and no library version can change them (C1).
    """

    seed: str
    count: int = 0

    @classmethod
    def fresh(cls) -> Chance:
        """A new secret seed from the operating system."""
        return cls(secrets.token_hex(16))

    def copy(self) -> Chance:
        """An independent source that will draw the same."""
        return Chance(self.seed, self.count)

    def fork(self) -> Chance:
        """A source of its own, with a seed drawn from this one."""
        return Chance(f"{self.below(1 << 64):016x}{self.below(1 << 64):016x}")

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each equally likely."""
        limit = (1 << 64) - (1 << 64) % n  # draws at or over it would favour the small numbers
        key = bytes.fromhex(self.seed)
        while True:
            draw = int.from_bytes(blake2b(self.count.to_bytes(8, "big"), digest_size=8, key=key).digest(), "big")
            self.count += 1
            if draw < limit:
                return draw % n

    def die(self) -> int:
        """A roll of one six-sided die."""
        return 1 + self.below(6)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, each equally likely."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in random order: sorted by 64 random bits each, all taken from one hash."""
        n = len(items)
        block = shake_256(bytes.fromhex(self.seed) + b"shuffle" + self.count.to_bytes(8, "big")).digest(8 * n)
        self.count += 1
        keys = struct.unpack(f">{n}Q", block)
        return [items[i] for i in sorted(range(n), key=keys.__getitem__)]
