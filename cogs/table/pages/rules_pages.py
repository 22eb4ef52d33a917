"""A game's rules, split into pages that fit on a phone's screen, and the messages with them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from cogs.screens.control_widths import LINE_WIDTH, estimate_width
from cogs.screens.screen import Picture
from cogs.table.pages import custom_ids
from cogs.table.pages.page import Block, Line, Menu, Page, Paper, Press, Row, Text
from engines.hosting.match import RequestRefused

MAX_PART_LENGTH = 3800
RULE_PATTERN = re.compile(
    r"(?:[-*] |\d+\. )?(?:\*\*[^*]+?)?\(([A-Z]\d+)\)"
)  # the beginning of a paragraph that states a rule
_STARTS = re.compile(r"\s*(?:[-*>] |#+ |\d+\. |\|)")  # lines that Markdown does not join to the line before
_LINK = re.compile(r"\[([^]]+)\]\(([a-z-]+\.md)\)")  # a link to a file in the same folder


class RulesPages:
    """The rules of one game, split into parts and pages. The first part is a short introduction with a picture.

    Every page fits on a phone's screen. Pages are numbered across all parts.
    """

    def __init__(self, file: Path, key: str, draw_example: Callable[[], tuple[Picture, str]]) -> None:
        self._file = file
        self._key = key
        self._draw_example = draw_example

    @cached_property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """The parts of the rules: a title of at most 100 characters, and the markdown under it."""
        _, *found = self._text.split("\n## ")
        return tuple((part.partition("\n")[0].strip()[:100], f"## {part.strip()}"[:MAX_PART_LENGTH]) for part in found)

    @cached_property
    def pages(self) -> tuple[tuple[int, str], ...]:
        """The pages: for each the number of its part, and its markdown."""
        return tuple((number, page) for number, (_, body) in enumerate(self.parts) for page in split_pages(body))

    @cached_property
    def title(self) -> str:
        """The game's name in its rules."""
        return self._text.partition("\n")[0].removeprefix("# ").strip()

    @cached_property
    def pages_by_rule(self) -> Mapping[str, int]:
        """The number of the first page that states a rule, by rule id."""
        found: dict[str, int] = {}
        for number, (_, page) in enumerate(self.pages):
            for line in page.splitlines():
                if match := RULE_PATTERN.match(line):
                    found.setdefault(match[1], number)
        return found

    @cached_property
    def example(self) -> tuple[Picture, str]:
        """A picture of the game, and its caption."""
        return self._draw_example()

    def find_page(self, typed: str) -> int:
        """Return the page number for typed text: a part's title or a piece of it, its number, or a rule id.

        Raises RequestRefused if nothing matches.
        """
        word = typed.strip()
        titles = [title.lower() for title, _ in self.parts]
        if word.upper() in self.pages_by_rule:
            return self.pages_by_rule[word.upper()]
        if word.isdecimal() and 1 <= int(word) <= len(titles):
            return self._first_page_of(int(word) - 1)
        found = [part for part, title in enumerate(titles) if word.lower() in title]
        if not found:
            raise RequestRefused(
                f"The rules have no such part. The parts are: {', '.join(title for title, _ in self.parts)}."
            )
        return self._first_page_of(next((part for part in found if titles[part] == word.lower()), found[0]))

    def render_page(self, number: int = 0, presses: Sequence[Press] = ()) -> Page:
        """Return the message with that page, or the nearest existing one, and the controls to turn pages.

        `presses` are further buttons of the first page.
        """
        last = len(self.pages) - 1
        page_number = min(max(number, 0), last)
        part, body = self.pages[page_number]
        small = f"-# {self.title} · rules, {page_number + 1} of {last + 1}"
        if page_number != self._first_page_of(part):
            small = f"{small} · {self.parts[part][0]}"
        lines = tuple(
            Line(title, str(self._first_page_of(i)), chosen=i == part) for i, (title, _) in enumerate(self.parts)
        )
        turn: tuple[Press, ...] = (
            Press("Back", custom_ids.rules_id(self._key, max(page_number - 1, 0)), idle=page_number == 0),
            Press("Next", custom_ids.rules_id(self._key, min(page_number + 1, last)), idle=page_number == last),
        )
        menu = Row(Menu(custom_ids.rules_id(self._key), "Another part of the rules", lines))
        return Page(
            (
                Text(small),
                *self._picture_blocks(page_number),
                *self._text_blocks(body),
                menu,
                Row((*turn, *(() if page_number else presses))),
            )
        )

    def _first_page_of(self, part: int) -> int:
        return next(number for number, (of, _) in enumerate(self.pages) if of == part)

    def _picture_blocks(self, number: int) -> tuple[Block, ...]:
        """Return the picture for the first page. It is on top because a message opens at its end, where the text is."""
        if number:
            return ()
        picture, caption = self.example
        return picture, Text(f"-# {caption}")

    def _text_blocks(self, body: str) -> tuple[Block, ...]:
        """Return the text of a page, and the page that it links to as a file."""
        words, named = Text(_LINK.sub(r"**\1**", body)), _LINK.search(body)
        if named is None:
            return (words,)
        return words, Paper(named[2], (self._file.parent / named[2]).read_text(encoding="utf-8"))

    @cached_property
    def _text(self) -> str:
        return _unwrap_lines(self._file.read_text(encoding="utf-8"))


def _unwrap_lines(text: str) -> str:
    """Join every paragraph and list item to one line, because Discord keeps line breaks."""
    unwrapped: list[str] = [""]
    for line in text.splitlines():
        heading = unwrapped[-1].startswith("#")
        if line.strip() and unwrapped[-1] and not heading and not _STARTS.match(line):
            unwrapped[-1] += " " + line.strip()
        elif line.strip() or not heading:
            unwrapped.append(line.rstrip())
    return "\n".join(unwrapped).strip()


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
        high = sum(map(_line_height, block.split("\n")))
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


def _line_height(line: str) -> float:
    """Return the estimated height of a line of text on a phone in pixels."""
    if not line:
        return _BLANK
    if line.startswith("#"):
        return _HEADING
    room = LINE_WIDTH - (_INDENT if _ITEM.match(line) else 0)
    return _LINE * math.ceil(estimate_width(line.replace("*", "")) / room)
