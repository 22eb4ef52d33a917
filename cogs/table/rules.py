"""A game's rules page, in the parts that a message can show."""

from __future__ import annotations

from functools import cache
from pathlib import Path

PAGES = Path(__file__).resolve().parents[2] / "docs" / "rules"
LONGEST = 3900


@cache
def parts(game: str) -> tuple[tuple[str, str], ...]:
    """The parts of a game's rules page: a title of at most 100 characters, and the markdown under it."""
    text = (PAGES / f"{game}.md").read_text(encoding="utf-8")
    first, *rest = text.split("\n## ")
    found = [("In short", first.removeprefix("# ").strip())]
    found += [(part.partition("\n")[0].strip(), f"## {part.strip()}") for part in rest]
    found[0] = (found[0][0], f"## {found[0][1]}")
    return tuple((title[:100], body[:LONGEST]) for title, body in found if body)
