"""The keys of Jesters' own emoji."""

from __future__ import annotations

from collections.abc import Sequence

_COLOUR_WORDS = ("red", "blue", "green", "purple", "any")


def die_key(colour: int) -> str:
    """Return the key of a die of a colour (4: any): `red_die`."""
    return f"{_COLOUR_WORDS[colour]}_die"


def dice_key(colours: Sequence[int]) -> str:
    """Return the key of one to three dice by their colours (4: any), in any order: `dice_rbp`."""
    if len(colours) == 1:
        return die_key(colours[0])
    return f"dice_{''.join(_COLOUR_WORDS[colour][0] for colour in sorted(colours))}"


def performance_key(fame: int) -> str:
    """Return the key of a Performance that brings so much Fame, or with 0 of the Favorite: `performance_7`."""
    return f"performance_{fame}"
