"""Seats and their letters. Inside, a seat is an int from 0; whatever a person reads or types has its letter."""

from __future__ import annotations

LETTERS = "ABCDEF"  # as many as any game has seats


def letter(seat: int) -> str:
    """The letter of a seat: 1 is `B`."""
    return LETTERS[seat]


def parse_seat(text: str) -> int:
    """The seat behind a letter such as `B` or `b`. Raises ValueError."""
    word = text.strip()
    if len(word) != 1 or word.upper() not in LETTERS:
        raise ValueError(f"“{word[:20]}” is no seat; write its letter, such as B.")
    return LETTERS.index(word.upper())


def letter_range(seats: int) -> str:
    """The letters of so many seats, in a sentence: `A to C`."""
    return f"A to {letter(seats - 1)}"
