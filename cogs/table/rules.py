"""A game's rules page, in the parts that a message can show."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

LONGEST = 3900
RULE = re.compile(r"(?:[-*] |\d+\. )?(?:\*\*[^*]+?)?\(([A-Z]\d+)\)")  # as a paragraph begins that says a rule
_STARTS = re.compile(r"\s*(?:[-*>] |#+ |\d+\. |\|)")  # a line of its own in Markdown


class Rules:
    """A rules page: what can be read of it, and where."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @cached_property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """The parts of the page: a title of at most 100 characters, and the markdown under it."""
        text = _unwrapped(self._file.read_text(encoding="utf-8"))
        first, *rest = text.split("\n## ")
        found = [("In short", f"## {first.removeprefix('# ').strip()}")]
        found += [(part.partition("\n")[0].strip(), f"## {part.strip()}") for part in rest]
        return tuple((title[:100], body[:LONGEST]) for title, body in found if body)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """By rule, the number of the first part with a paragraph that begins with its id."""
        found: dict[str, int] = {}
        for number, (_, body) in enumerate(self.parts):
            for line in body.splitlines():
                if said := RULE.match(line):
                    found.setdefault(said[1], number)
        return found


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
