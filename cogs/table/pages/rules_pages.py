"""A game's rules page, in the parts that a message can show, and those messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

from cogs.screens.screen import Picture
from cogs.table.pages import custom_ids
from cogs.table.pages.page import Block, Line, Menu, Page, Paper, Press, Row, Text
from cogs.table.pages.pagination import leaves
from engines.hosting.match import Refused

LONGEST = 3800
RULE = re.compile(r"(?:[-*] |\d+\. )?(?:\*\*[^*]+?)?\(([A-Z]\d+)\)")  # as a paragraph begins that says a rule
_STARTS = re.compile(r"\s*(?:[-*>] |#+ |\d+\. |\|)")  # a line of its own in Markdown
_LINK = re.compile(r"\[([^]]+)\]\(([a-z-]+\.md)\)")  # to a page beside this one


class Rules:
    """A rules page: what can be read of it, and where. The first part is the shortest way in, and has a picture.

    A part is turned leaf by leaf, each seen whole on a telephone; the leaves of all parts are numbered through.
    """

    def __init__(self, file: Path, key: str, primer: Callable[[], tuple[Picture, str]]) -> None:
        self._file = file
        self._key = key
        self._draw = primer

    @cached_property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """The parts of the page: a title of at most 100 characters, and the markdown under it."""
        _, *found = self._text.split("\n## ")
        return tuple((part.partition("\n")[0].strip()[:100], f"## {part.strip()}"[:LONGEST]) for part in found)

    @cached_property
    def leaves(self) -> tuple[tuple[int, str], ...]:
        """Of every leaf the number of its part, and the markdown on it."""
        return tuple((number, leaf) for number, (_, body) in enumerate(self.parts) for leaf in leaves(body))

    @cached_property
    def title(self) -> str:
        """What the page calls its game."""
        return self._text.partition("\n")[0].removeprefix("# ").strip()

    @cached_property
    def places(self) -> Mapping[str, int]:
        """By rule, the number of the first leaf with a paragraph that begins with its id."""
        found: dict[str, int] = {}
        for number, (_, leaf) in enumerate(self.leaves):
            for line in leaf.splitlines():
                if said := RULE.match(line):
                    found.setdefault(said[1], number)
        return found

    @cached_property
    def primer(self) -> tuple[Picture, str]:
        """What the game looks like: a moment of it, and what there is to be seen."""
        return self._draw()

    def meant(self, typed: str) -> int:
        """The leaf that somebody asks for by a part's title or a piece of it, its number, or a rule. Raises Refused."""
        word = typed.strip()
        titles = [title.lower() for title, _ in self.parts]
        if word.upper() in self.places:
            return self.places[word.upper()]
        if word.isdecimal() and 1 <= int(word) <= len(titles):
            return self._first(int(word) - 1)
        found = [part for part, title in enumerate(titles) if word.lower() in title]
        if not found:
            raise Refused(f"The rules have no such part. There are: {', '.join(title for title, _ in self.parts)}.")
        return self._first(next((part for part in found if titles[part] == word.lower()), found[0]))

    def page(self, leaf: int = 0) -> Page:
        """The message with that leaf, or with the one next to it where there is none; and the ways to the others."""
        last = len(self.leaves) - 1
        shown = min(max(leaf, 0), last)
        part, body = self.leaves[shown]
        small = f"-# {self.title} · rules, {shown + 1} of {last + 1}"
        if shown != self._first(part):
            small = f"{small} · {self.parts[part][0]}"
        lines = tuple(Line(title, str(self._first(i)), chosen=i == part) for i, (title, _) in enumerate(self.parts))
        turn = (
            Press("Back", custom_ids.rules(self._key, max(shown - 1, 0)), idle=shown == 0),
            Press("Next", custom_ids.rules(self._key, min(shown + 1, last)), idle=shown == last),
        )
        menu = Row(Menu(custom_ids.rules(self._key), "Another part of the rules", lines))
        return Page((Text(small), *self._seen(shown), *self._said(body), menu, Row(turn)))

    def _first(self, part: int) -> int:
        """The first leaf of a part."""
        return next(number for number, (of, _) in enumerate(self.leaves) if of == part)

    def _seen(self, leaf: int) -> tuple[Block, ...]:
        """The picture above the first part: a message opens at its end, and there are the words."""
        if leaf:
            return ()
        picture, said = self.primer
        return picture, Text(f"-# {said}")

    def _said(self, body: str) -> tuple[Block, ...]:
        """The words of a part, and the page that they point to, as a file."""
        words, named = Text(_LINK.sub(r"**\1**", body)), _LINK.search(body)
        if named is None:
            return (words,)
        return words, Paper(named[2], (self._file.parent / named[2]).read_text(encoding="utf-8"))

    @cached_property
    def _text(self) -> str:
        return _unwrapped(self._file.read_text(encoding="utf-8"))


def _unwrapped(text: str) -> str:
    """Markdown with every paragraph and list item on one line, since Discord keeps the line breaks of a text."""
    made: list[str] = [""]
    for line in text.splitlines():
        heading = made[-1].startswith("#")
        if line.strip() and made[-1] and not heading and not _STARTS.match(line):
            made[-1] += " " + line.strip()
        elif line.strip() or not heading:
            made.append(line.rstrip())
    return "\n".join(made).strip()
