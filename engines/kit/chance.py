"""The one source of randomness: a keyed hash, so that a match replays exactly and nobody can foresee it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Chance:
    """Draws that depend on a secret seed and on how many were made before.

    The seed is 128 bits as 32 hex digits. Every draw hashes the count, keyed with the seed, so the draws seen so far
    tell nothing of the next ones, and no library version can change them (C1).
    """

    seed: str
    count: int = 0

    @classmethod
    def with_new_seed(cls) -> Chance:
        """A new secret seed from the operating system."""
        return cls(secrets.token_hex(16))

    def copy(self) -> Chance:
        """An independent source that will draw the same."""
        return Chance(self.seed, self.count)

    def fork(self) -> Chance:
        """A source of its own, with a seed drawn from this one."""
        return Chance(f"{self.randbelow(1 << 64):016x}{self.randbelow(1 << 64):016x}")

    def randbelow(self, n: int) -> int:
        """A whole number from 0 to n - 1, each equally likely. Raises ValueError where there is none to draw."""
        if not 0 < n <= _DRAW_RANGE:
            raise ValueError("A number is drawn out of 1 to 2⁶⁴.")
        while True:
            draw = int.from_bytes(self._next_block()[:8], "big")
            number = draw % n
            if draw - number <= _DRAW_RANGE - n:  # else it is among the last few, which would favour the small numbers
                return number

    def roll_die(self) -> int:
        """A roll of one six-sided die."""
        return 1 + self.randbelow(6)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, each equally likely."""
        return items[self.randbelow(len(items))]

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """The items in random order."""
        return self.draw(items, len(items))[0]

    def draw(self, items: Sequence[T], number: int) -> tuple[list[T], list[T]]:
        """So many of the items in random order, and the rest in no order that means anything. Raises ValueError."""
        pile = list(items)
        left, rest = len(pile), len(pile) - number
        if not 0 <= rest <= left:
            raise ValueError(f"{number} of {left} items cannot be drawn.")
        while left > max(rest, 256):
            pick = self.randbelow(left)
            left -= 1
            pile[left], pile[pick] = pile[pick], pile[left]
        while left > rest:  # a byte is enough, and much cheaper
            for draw in self._next_block():
                if draw < _FAIR_LIMITS[left]:
                    pick = draw % left
                    left -= 1
                    pile[left], pile[pick] = pile[pick], pile[left]
                    if left == rest:
                        break
        return pile[rest:], pile[:rest]

    def _next_block(self) -> bytes:
        """The next 64 bytes, which nobody can foresee."""
        block = blake2b(self.count.to_bytes(8, "big"), key=bytes.fromhex(self.seed)).digest()
        self.count += 1
        return block


_DRAW_RANGE = 1 << 64
_FAIR_LIMITS = (0, *(256 - 256 % n for n in range(1, 257)))
"""By n, the bytes below which their remainders by n are equally likely."""
