"""How much text fits on a phone that is 390 pixels wide: the limits for labels, list lines and news.

The figures are for average English text. The playground page's tests measure them.
"""

from __future__ import annotations

import re
from functools import lru_cache

MAX_LABEL = 38  # characters of a button's label; Discord cuts longer ones
MAX_OPTION = 38  # characters of a list line
MAX_DESCRIPTION = 46  # characters of the smaller text under a list line
MAX_PLACEHOLDER = 38  # characters that a list shows before a line is chosen

COLUMN_PIXELS = 340  # pixels available to buttons in one row
SAFE_COLUMN_PIXELS = 300  # the same, safe for a broad typeface
LINE_WIDTH = 36  # letters of average width on one line of a message
NARRATION_LINES = 2  # lines of a hand for its news
NARRATION_WIDTH = NARRATION_LINES * LINE_WIDTH  # letters for them
SAFE_LINE_WIDTH = LINE_WIDTH - 1  # letters of a line that surely fits
_SUITS = re.compile("[♣♦♥♠]")
_CHARACTER_WIDTHS = {
    **dict.fromkeys("fijlrtI.,:;!'|()[] ·", 0.55),
    **dict.fromkeys("Wm@%…", 1.65),
    "M": 1.45,
    "w": 1.45,
}
_LETTER_PIXELS = 7.4  # pixels of an average letter on a button
_BUTTON_PADDING, _MIN_BUTTON, _EMOJI_PIXELS = (
    32,
    60,
    24,
)  # pixels: the padding on both sides of a label, the whole button at least, an emoji with its space
BUTTON_GAP = 8  # pixels between buttons


@lru_cache(4096)  # labels, names and words of news; most of them recur at every move
def estimate_width(text: str) -> float:
    """Return the estimated width of a text in average letters. Clients differ in their typefaces."""
    return sum(_CHARACTER_WIDTHS.get(sign, 1.25 if sign.isupper() else 1 if sign < "\u0250" else 1.5) for sign in text)


def count_lines(text: str, line: float = LINE_WIDTH) -> int:
    """Return the number of lines of that many letters that a text takes if it is wrapped at spaces."""
    count, room = 1, line
    for word in filter(None, re.split(r"[ \n]", text)):  # not at no-break spaces
        if (wide := estimate_width(word)) > room and room < line:
            count, room = count + 1, line
        count, room = count + int(wide // line), room - wide % line - estimate_width(" ")
    return count


def fits_narration(text: str) -> bool:
    """Whether the lines for news hold a text, if its suits are emoji, which are twice as broad as the signs."""
    plain = text.replace("\\", "")  # backslashes only escape markdown
    return count_lines(_SUITS.sub(r"\g<0>\g<0>", plain), SAFE_LINE_WIDTH) <= NARRATION_LINES


def button_width(label: str, has_emoji: bool = False) -> float:
    """Return the estimated width of a button in pixels."""
    return max(_MIN_BUTTON, _BUTTON_PADDING + _LETTER_PIXELS * estimate_width(label) + _EMOJI_PIXELS * has_emoji)
