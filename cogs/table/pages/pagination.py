"""Split a part of the rules into pages that fit on a phone's screen, because a message opens at its end."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from cogs.screens.control_widths import LINE_WIDTH, estimate_width

PAGE_HEIGHT = 432  # pixels of text on a page, without its heading and controls
_LINE, _BLANK, _HEADING, _INDENT = 22, 22, 38, 3  # pixels of a line, a blank line, a heading; letters of an indent
_ITEM = re.compile(r"[-*] |\d+\. ")


def split_pages(body: str) -> list[str]:
    """Split a text into as few pages as possible, of about equal height. A lead-in stays with its list."""
    blocks = _split_blocks(body)
    found = _fill_pages(blocks, PAGE_HEIGHT)
    for room in range(PAGE_HEIGHT, 0, -_LINE):
        if len(closer := _fill_pages(blocks, room)) > len(found):
            break
        found = closer
    return found


def _fill_pages(blocks: Sequence[str], room: float) -> list[str]:
    """Put as many blocks on each page as fit, at least one."""
    found: list[list[str]] = []
    left = 0.0
    for block in blocks:
        high = _block_height(block)
        if not found or high > left:
            found.append([])
            left = room
        found[-1].append(block)
        left -= high
    return ["\n".join(leaf).strip() for leaf in found]


def _split_blocks(body: str) -> list[str]:
    """Split a text into paragraphs and list items. Blank lines, headings and lead-ins stay with what follows."""
    found: list[str] = []
    leading = False
    for line in body.split("\n"):
        if found and (leading or not found[-1].strip()):
            found[-1] += f"\n{line}"
        else:
            found.append(line)
        if line.strip():
            leading = line.startswith("#") or (line.endswith(":") and not _ITEM.match(line))
    return found


def _block_height(block: str) -> float:
    """Return the estimated height of a block on a phone in pixels."""
    return sum(map(_line_height, block.split("\n")))


def _line_height(line: str) -> float:
    if not line:
        return _BLANK
    if line.startswith("#"):
        return _HEADING
    room = LINE_WIDTH - (_INDENT if _ITEM.match(line) else 0)
    return _LINE * math.ceil(estimate_width(line.replace("*", "")) / room)
