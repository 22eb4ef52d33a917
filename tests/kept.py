"""What a database keeps of its matches that no log may tell, read from the file itself."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
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
    return seeds | moves | {piece for text in texts for piece in text_pieces(text)}


def text_pieces(text: str) -> set[str]:
    """Stretches of a text; whoever tells 36 letters of it tells one of them."""
    return {text[at : at + PIECE_LENGTH] for at in range(0, max(1, len(text) - PIECE_LENGTH), PIECE_LENGTH // 2)}
