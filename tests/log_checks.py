"""What a database keeps of its matches that no log may tell, read from the file itself; and what is logged."""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

PIECE_LENGTH = 24  # letters of a state that say something of it
OBJECT_PATTERN = re.compile(r"\b(State|SavedMatch|Change|Move|MatchInfo|MatchSnapshot|View|Options)\(")
"""How values of ours would look in a log."""


def hidden_texts(path: Path) -> set[str]:
    """Seeds, stretches of every state and of what moves brought, and the moves themselves."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as raw:
        seeds = {seed for (seed,) in raw.execute("SELECT seed FROM states")}
        moves = {move for (move,) in raw.execute("SELECT notation FROM moves WHERE notation LIKE '% %'")}
        sql = "SELECT checkpoint FROM states UNION SELECT checkpoint FROM bases UNION SELECT body FROM events"
        texts = [text for (text,) in raw.execute(sql)]
    half = PIECE_LENGTH // 2  # anyone who tells 36 letters of a text tells a piece of it
    starts = [(text, at) for text in texts for at in range(0, max(1, len(text) - PIECE_LENGTH), half)]
    return seeds | moves | {text[at : at + PIECE_LENGTH] for text, at in starts}


@contextmanager
def collect_log(keep: Callable[[logging.LogRecord], bool], level: int = logging.DEBUG) -> Iterator[list[str]]:
    """Whatever is logged at that level or above and is to be kept, with the errors' stacks."""
    lines: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if keep(record):
                lines.append(self.format(record))

    root, handler, before = logging.getLogger(), Collector(level), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(min(level, before))
    try:
        yield lines
    finally:
        root.setLevel(before)
        root.removeHandler(handler)
