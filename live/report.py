"""What was claimed, and what was seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Observation:
    """What came of trying a claim: whether it was so, and what was seen. None: it could not be tried."""

    claim: str
    holds: bool | None
    details: str


def format_report(observations: Sequence[Observation], environment: Sequence[str], leftovers: Sequence[str]) -> str:
    """All of it as Markdown: what was otherwise first, what could not be tried last."""
    parts = ["# What was seen on Discord", "\n".join(f"- {line}" for line in [*environment, _count_text(observations)])]
    for title, so in (("Otherwise than we claim", False), ("As we claim", True), ("Not tried", None)):
        rows = [
            f"| {_table_cell(each.claim)} | {_table_cell(each.details)} |" for each in observations if each.holds is so
        ]
        if rows:
            parts.append("\n".join([f"## {title}\n", "| what we claim | what was seen |", "| --- | --- |", *rows]))
    gone = ["Everything that was made there has been taken away again."]
    parts.append("## What is left there\n\n" + "\n".join(f"- {line}" for line in leftovers or gone))
    return "\n\n".join(parts) + "\n"


def _count_text(observations: Sequence[Observation]) -> str:
    def number(so: bool | None) -> int:
        return sum(each.holds is so for each in observations)

    return f"{number(True)} as we claim, {number(False)} otherwise, {number(None)} not tried"


def _table_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
