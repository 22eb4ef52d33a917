"""How many characters of a control a telephone shows, 390 pixels wide: no screen and no page has more.

The figures are those of average English text; the page's tests measure them.
"""

from __future__ import annotations

import re
from functools import lru_cache

MAX_LABEL = 38  # of a button, which is cut there
MAX_OPTION = 38  # of a line of a list
MAX_DESCRIPTION = 46  # of what stands under it, in smaller letters
MAX_PLACEHOLDER = 38  # of a list, before a line of it is chosen

COLUMN_PIXELS = 340  # pixels, in which buttons stand side by side
SAFE_COLUMN_PIXELS = 300  # pixels, in which they do even in a broad typeface
LINE_WIDTH = 36  # of words on a line of a message, in letters of average breadth
NEWS_WIDTH = 2 * LINE_WIDTH  # of a hand's news
_CHARACTER_WIDTHS = {
    **dict.fromkeys("fijlrtI.,:;!'|()[] ·", 0.55),
    **dict.fromkeys("Wm@%…", 1.65),
    "M": 1.45,
    "w": 1.45,
}
_LETTER_PIXELS = 7.4  # pixels of a letter of average breadth on a button
_BUTTON_PADDING, _MIN_BUTTON, _EMOJI_PIXELS = (
    32,
    60,
    26,
)  # of a button: at both sides of its label; in all; beside its label


@lru_cache(4096)  # labels, names and words of news, most of which are asked for at every move
def estimate_width(text: str) -> float:
    """How broad words are, in letters of average breadth: estimated, since every client has its own typeface."""
    return sum(_CHARACTER_WIDTHS.get(sign, 1.25 if sign.isupper() else 1 if sign < "\u0250" else 1.5) for sign in text)


def count_lines(text: str) -> int:
    """On how many lines words stand, broken between them."""
    count, room = 1, float(LINE_WIDTH)
    for word in filter(None, re.split(r"[ \n]", text)):  # not at spaces at which no line is broken
        if (wide := estimate_width(word)) > room and room < LINE_WIDTH:
            count, room = count + 1, LINE_WIDTH
        count, room = count + int(wide // LINE_WIDTH), room - wide % LINE_WIDTH - estimate_width(" ")
    return count


def button_width(label: str, has_emoji: bool = False) -> float:
    """How broad a button is, in pixels."""
    return max(_MIN_BUTTON, _BUTTON_PADDING + _LETTER_PIXELS * estimate_width(label) + _EMOJI_PIXELS * has_emoji)
