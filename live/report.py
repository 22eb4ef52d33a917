"""The report: each claim and what was observed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Observation:
    """The result of trying a claim: whether it holds, and what was observed. None: it could not be tried."""

    claim: str
    holds: bool | None
    details: str


def format_report(observations: Sequence[Observation], environment: Sequence[str], leftovers: Sequence[str]) -> str:
    """Return the report as Markdown: failed claims first, untried ones last."""
    parts = ["# What Discord does", "\n".join(f"- {line}" for line in [*environment, _count_text(observations)])]
    for title, so in (("Not as we claim", False), ("As we claim", True), ("Not tried", None)):
        rows = [
            f"| {_table_cell(each.claim)} | {_table_cell(each.details)} |" for each in observations if each.holds is so
        ]
        if rows:
            parts.append("\n".join([f"## {title}\n", "| what we claim | what was seen |", "| --- | --- |", *rows]))
    nothing_left = ["Everything that was posted there has been deleted."]
    parts.append("## What is left there\n\n" + "\n".join(f"- {line}" for line in leftovers or nothing_left))
    return "\n\n".join(parts) + "\n"


def _count_text(observations: Sequence[Observation]) -> str:
    def number(so: bool | None) -> int:
        return sum(each.holds is so for each in observations)

    return f"{number(True)} as we claim, {number(False)} not as we claim, {number(None)} not tried"


def _table_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
