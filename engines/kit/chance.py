"""The source of all randomness: a keyed hash, so that matches replay exactly and nobody can predict them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Chance:
    """Random draws that depend only on a secret seed and the number of earlier draws.

    The seed is 128 bits as 32 hex digits. Every draw hashes the draw count with the seed as key. Earlier draws
    therefore reveal nothing about later ones, and library versions cannot change them (C1).
    """

    seed: str
    count: int = 0

    @classmethod
    def with_new_seed(cls) -> Chance:
        """Return a source with a new secret seed from the operating system."""
        return cls(secrets.token_hex(16))

    def copy(self) -> Chance:
        """Return an independent source that makes the same draws."""
        return Chance(self.seed, self.count)

    def fork(self) -> Chance:
        """Return an independent source with a seed drawn from this one."""
        return Chance(f"{self.randbelow(1 << 64):016x}{self.randbelow(1 << 64):016x}")

    def randbelow(self, n: int) -> int:
        """Return a whole number from 0 to n - 1, each equally likely. Raises ValueError if n is out of range."""
        if not 0 < n <= _DRAW_RANGE:
            raise ValueError("The limit of a draw must be between 1 and 2⁶⁴.")
        while True:
            draw = int.from_bytes(self._next_block()[:8], "big")
            number = draw % n
            # The last few values are drawn again, because they would favour small numbers.
            if draw - number <= _DRAW_RANGE - n:
                return number

    def roll_die(self) -> int:
        """Roll one six-sided die."""
        return 1 + self.randbelow(6)

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, each equally likely."""
        return items[self.randbelow(len(items))]

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order."""
        return self.draw(items, len(items))[0]

    def draw(self, items: Sequence[T], number: int) -> tuple[list[T], list[T]]:
        """Return this many items in random order, and the rest in arbitrary order. Raises ValueError."""
        pile = list(items)
        left, rest = len(pile), len(pile) - number
        if not 0 <= rest <= left:
            raise ValueError(f"Cannot draw {number} of {left} items.")
        while left > max(rest, 256):
            pick = self.randbelow(left)
            left -= 1
            pile[left], pile[pick] = pile[pick], pile[left]
        while left > rest:  # a byte is enough and much cheaper
            for draw in self._next_block():
                if draw < _FAIR_LIMITS[left]:
                    pick = draw % left
                    left -= 1
                    pile[left], pile[pick] = pile[pick], pile[left]
                    if left == rest:
                        break
        return pile[rest:], pile[:rest]

    def _next_block(self) -> bytes:
        """Return the next 64 unpredictable bytes."""
        block = blake2b(self.count.to_bytes(8, "big"), key=bytes.fromhex(self.seed)).digest()
        self.count += 1
        return block


@dataclass(frozen=True, slots=True)
class LuckCount:
    """How often something came, next to what chance allows: the expected number, and the variance of the number.

    `thing` is a heading such as `Wizards dealt`, and `column` a seat's letter or another short word, such as a face.
    """

    thing: str
    column: str
    count: int
    mean: float
    variance: float


def count_picks(thing: str, columns: Sequence[str], picked: str) -> list[LuckCount]:
    """Return the counts of one pick among columns that are equally likely."""
    p = 1 / len(columns)
    return [LuckCount(thing, column, column == picked, p, p * (1 - p)) for column in columns]


def count_dice(faces: Iterable[int]) -> list[LuckCount]:
    """Return the counts of rolled dice, by face."""
    rolled = [*faces]
    size = len(rolled)
    return [LuckCount("Dice", str(face), rolled.count(face), size / 6, size * 5 / 36) for face in range(1, 7)]


def count_dealt(thing: str, column: str, count: int, hand: int, good: int, pack: int) -> LuckCount:
    """Return how many of the `good` cards of a pack came in a hand of that size."""
    share = good / pack
    variance = hand * share * (1 - share) * (pack - hand) / (pack - 1)
    return LuckCount(thing, column, count, hand * share, variance)


_DRAW_RANGE = 1 << 64
_FAIR_LIMITS = (0, *(256 - 256 % n for n in range(1, 257)))
"""By n: the limit below which all remainders of a byte by n are equally likely."""
