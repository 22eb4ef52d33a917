"""A game's rules page, in the parts that a message can show."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

PAGES = Path(__file__).resolve().parents[2] / "docs" / "rules"
LONGEST = 3900
_RULE = re.compile(r"(?:[-*] |\d+\. )?(?:\*\*[^*]+?)?\(([A-Z]\d+)\)")  # as a paragraph begins that says a rule
_STARTS = re.compile(r"\s*(?:[-*>] |#+ |\d+\. |\|)")  # a line of its own in Markdown


@cache
def parts(game: str) -> tuple[tuple[str, str], ...]:
    """The parts of a game's rules page: a title of at most 100 characters, and the markdown under it."""
    text = _unwrapped((PAGES / f"{game}.md").read_text(encoding="utf-8"))
    first, *rest = text.split("\n## ")
    found = [("In short", first.removeprefix("# ").strip())]
    found += [(part.partition("\n")[0].strip(), f"## {part.strip()}") for part in rest]
    found[0] = (found[0][0], f"## {found[0][1]}")
    return tuple((title[:100], body[:LONGEST]) for title, body in found if body)


def part_of(game: str, rule: str) -> int | None:
    """The number of the part that says a rule; None where no part does."""
    return _places(game).get(rule)


@cache
def _places(game: str) -> Mapping[str, int]:
    """By rule, the first part with a paragraph that begins with its id."""
    found: dict[str, int] = {}
    for number, (_, body) in enumerate(parts(game)):
        for line in body.splitlines():
            if said := _RULE.match(line):
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
