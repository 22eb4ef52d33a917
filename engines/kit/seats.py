"""Seats and their letters. Code uses ints from 0; texts for people use letters."""

from __future__ import annotations

LETTERS = "ABCDEF"  # the most seats of any game


def letter(seat: int) -> str:
    """Return the letter of a seat: 1 is `B`."""
    return LETTERS[seat]


def parse_seat(text: str) -> int:
    """Return the seat for a letter such as `B` or `b`. Raises ValueError."""
    word = text.strip()
    if len(word) != 1 or word.upper() not in LETTERS:
        raise ValueError(f"“{word[:20]}” is not a seat. Write its letter, such as B.")
    return LETTERS.index(word.upper())


def letter_range(seats: int) -> str:
    """Return the letters of the first seats in words: `A to C`."""
    return f"A to {letter(seats - 1)}"
