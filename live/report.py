"""What was claimed, and what was seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of trying a claim: whether it was so, and what was seen. None: it could not be tried."""

    claim: str
    so: bool | None
    what: str


def written(seen: Sequence[Seen], about: Sequence[str], left: Sequence[str]) -> str:
    """All of it as Markdown: what was otherwise first, what could not be tried last."""
    parts = ["# What was seen on Discord", "\n".join(f"- {line}" for line in [*about, _count(seen)])]
    for title, so in (("Otherwise than we claim", False), ("As we claim", True), ("Not tried", None)):
        rows = [f"| {_cell(each.claim)} | {_cell(each.what)} |" for each in seen if each.so is so]
        if rows:
            parts.append("\n".join([f"## {title}\n", "| what we claim | what was seen |", "| --- | --- |", *rows]))
    gone = ["Everything that was made there has been taken away again."]
    parts.append("## What is left there\n\n" + "\n".join(f"- {line}" for line in left or gone))
    return "\n\n".join(parts) + "\n"


def _count(seen: Sequence[Seen]) -> str:
    def number(so: bool | None) -> int:
        return sum(each.so is so for each in seen)

    return f"{number(True)} as we claim, {number(False)} otherwise, {number(None)} not tried"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
