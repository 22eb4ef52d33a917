"""How many characters of a control a telephone shows, 390 pixels wide: no screen and no page has more.

The figures are those of average English text; the page's tests measure them.
"""

from __future__ import annotations

import re
from functools import lru_cache

LABEL = 38  # of a button, which is cut there
OPTION = 38  # of a line of a list
DESCRIPTION = 46  # of what stands under it, in smaller letters
PLACEHOLDER = 38  # of a list, before a line of it is chosen

COLUMN = 340  # pixels, in which buttons stand side by side
SURELY = 300  # pixels, in which they do even in a broad typeface
LINE = 36  # of words on a line of a message, in letters of average breadth
NEWS = 2 * LINE  # of a hand's news
_BREADTHS = {**dict.fromkeys("fijlrtI.,:;!'|()[] ·", 0.55), **dict.fromkeys("Wm@%…", 1.65), "M": 1.45, "w": 1.45}
_SIGN = 7.4  # pixels of a letter of average breadth on a button
_PADDING, _LEAST, _EMOJI = 32, 60, 26  # of a button: at both sides of its label; in all; beside its label


@lru_cache(4096)  # labels, names and words of news, most of which are asked for at every move
def breadth(text: str) -> float:
    """How broad words are, in letters of average breadth: estimated, since every client has its own typeface."""
    return sum(_BREADTHS.get(sign, 1.25 if sign.isupper() else 1 if sign < "\u0250" else 1.5) for sign in text)


def lines(text: str) -> int:
    """On how many lines words stand, broken between them."""
    count, room = 1, float(LINE)
    for word in filter(None, re.split(r"[ \n]", text)):  # not at spaces at which no line is broken
        if (wide := breadth(word)) > room and room < LINE:
            count, room = count + 1, LINE
        count, room = count + int(wide // LINE), room - wide % LINE - breadth(" ")
    return count


def button(label: str, emoji: bool = False) -> float:
    """How broad a button is, in pixels."""
    return max(_LEAST, _PADDING + _SIGN * breadth(label) + _EMOJI * emoji)
