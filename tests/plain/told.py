"""What somebody was told, for whoever holds it against what they would have been told in another world."""

from __future__ import annotations

import re
from collections import Counter

from motley.metrics import Metrics
from tests.games import GAMES
from tests.plain.inn import PlainBot
from tests.plain.wire import SentRequest

METRIC_PATTERN = re.compile(r"motley_(?!loop|discord_budget)(?!\w+_(sum|bucket))")
COMPARED_KINDS = ("messages", "edits", "deletions", "answers", "offers", "pictures")
"""What counts as a comparison: one for each thing that the reader got. What else is compared is counted apart."""


def kind_of_sent(told: SentRequest | str) -> str:
    """What it is that was compared."""
    if isinstance(told, str):
        return "lines of the log"
    if told.path.endswith("/callback"):
        return "offers" if '"choices"' in told.body_text else "answers"
    return {"POST": "messages", "PATCH": "edits"}.get(told.method, "deletions")


def first_difference(first: SentRequest | str, second: SentRequest | str) -> str:
    """Where two things that were said begin to differ."""
    one, two = (each if isinstance(each, str) else f"{each.at:g} {each.path} {each.text}" for each in (first, second))
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return f"“…{one[max(0, at - 60) : at + 60]}…” here and “…{two[max(0, at - 60) : at + 60]}…” there"


async def comparable_metrics(inn: PlainBot) -> str:
    """What whoever runs the bot can read of it, apart from how long anything took."""
    metrics = Metrics(GAMES)
    metrics.bot = inn.bot
    page = (await metrics.render_page()).decode()
    return "\n".join(line for line in page.splitlines() if METRIC_PATTERN.match(line))


def count_compared(counted: Counter[str]) -> int:
    """How many things were held against each other."""
    return sum(counted[kind] for kind in COMPARED_KINDS)
