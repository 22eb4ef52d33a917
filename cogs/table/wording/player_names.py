"""Player names and other texts that people write: cleaned, shortened, and escaped for messages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from cogs.pictures.raster.typeface import MAX_PLATE_NAME as SIGNS
from cogs.pictures.raster.typeface import begun, plate_names
from cogs.screens.picture import MASS_MENTION
from cogs.screens.truncation import split_characters, truncate
from cogs.screens.words import BIDI_ISOLATE, BIDI_RELEASE, COMPUTER_MARK
from engines.kit.seats import letter
from engines.store.characters import character_of
from engines.store.match_store import Seat

MAX_NAME_LENGTH = 32
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"  # used in emoji families and in Persian words
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")  # letters and signs that are invisible
_LATER = range(0x1F000, 0x1FB00)  # emoji; some are newer than this Python's Unicode tables
_FLAG = re.compile(
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f"
)  # the flag of a region, such as Scotland
_MARKS = re.compile(
    r"[\\*_~|`<>#\-+\[\]:/@]|\.(?=\S)|(?<=\d)\."
)  # characters that start markdown formatting or an address


def clean_name(name: str, longest: int = MAX_NAME_LENGTH, fallback: str = "Somebody") -> str:
    """Return a display name without control, format and line characters, cut to `longest`.

    Joiners between emoji or letters stay. Returns `fallback` if nothing visible is left.
    """
    spared = {place for flag in _FLAG.finditer(name) for place in range(*flag.span())}
    visible = "".join(_visible_character(c, place in spared) for place, c in enumerate(name))
    short = _drop_stray_joiners(_cut_name(" ".join(_drop_stray_joiners(visible).split()), longest)).strip()
    return short if any(unicodedata.category(c)[0] not in "MZC" or ord(c) in _LATER for c in short) else fallback


def strip_invisible(text: str) -> str:
    """Return typed text without invisible characters and characters that change the text direction."""
    return "".join(_visible_character(character, spared=False) for character in text)


def _visible_character(character: str, spared: bool) -> str:
    if character in _BLANKS:
        return " "
    return character if spared or character in _JOINERS or unicodedata.category(character) not in _HIDDEN else ""


def _drop_stray_joiners(name: str) -> str:
    """Return the name without joiners that join nothing: at an end, at a space, in a row, or between ASCII letters."""
    return "".join(
        c
        for place, c in enumerate(name)
        if c not in _JOINERS or _is_joining(name[place - 1 : place], name[place + 1 :][:1])
    )


def _is_joining(before: str, after: str) -> bool:
    return all(c and c > "\x7f" and not c.isspace() and c not in _JOINERS for c in (before, after))


def _cut_name(name: str, longest: int) -> str:
    """Return as many whole characters as fit; if the first one is already too long, its beginning."""
    start = ""
    for character in split_characters(name):
        if len(start) + len(character) > longest:
            break
        start += character
    return start or name[:longest]


def markdown_name(name: str) -> str:
    """Return a cleaned name escaped for markdown: no formatting, no links, no mentions."""
    is_right_to_left = any(unicodedata.bidirectional(c) in {"R", "AL"} for c in name)
    return f"{BIDI_ISOLATE}{escape_markdown(name)}{BIDI_RELEASE}" if is_right_to_left else escape_markdown(name)


def seat_name(seat: Seat) -> str:
    """Return the seat's name escaped for markdown, with a mark if a computer plays there."""
    return mark_computer(markdown_name(seat.name), seat)


def mark_computer(name: str, seat: Seat) -> str:
    """Return the name, with a mark if a computer plays in that seat."""
    return f"{name} {COMPUTER_MARK}" if seat.level else name


def computer_level(seat: Seat) -> str:
    """Return who plays at a computer's seat, and how well: `Feste (hard)`."""
    return f"{seat_name(seat)} ({seat.level})"


def computer_line(seat: Seat) -> str:
    """Return who plays at a computer's seat: its name, its level, and a sentence if it has a character."""
    character = character_of(seat)
    return f"{computer_level(seat)}{f': {character.sentence}' if character else ''}"


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of at most eight characters for a news line.

    If pictures show a seat's letter instead of its name, the letter comes first.
    """
    return tuple(
        markdown_name(begun(plate))
        if plate != letter(seat) or name == plate
        else f"{plate} {markdown_name(truncate(name, SIGNS))}"
        for seat, (name, plate) in enumerate(zip(names, plate_names(names), strict=True))
    )


def escape_markdown(text: str) -> str:
    """Return the text with all markdown, mentions and addresses escaped."""
    return _MARKS.sub(r"\\\g<0>", MASS_MENTION.sub("@\u200b", text))


def clean_text(text: str) -> str:
    """Return a typed text without invisible characters, needless spaces and empty lines; empty if nothing is left."""
    lines = (clean_name(line, len(line), fallback="") for line in text.splitlines())
    return "\n".join(filter(None, lines))
