"""Private notes of players: one row for each person and match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.hosting.feature import Feature
from engines.store.rows import Rows, RowTable


@dataclass(frozen=True, slots=True)
class PlayerNote:
    """What a person wrote about a match for themselves."""

    match: str
    user: int
    note: str


PLAYER_NOTES = RowTable("player_notes", PlayerNote, key=2, seen="hand")


class NotesFeature(Feature):
    """A note belongs to a person and a match, and goes with either."""

    name = "notes"
    tables = (PLAYER_NOTES,)

    def personal_data(self, rows: Rows) -> Mapping[str, Any]:
        """Return the note."""
        return {"your note": next((row.note for row in rows.of(PLAYER_NOTES)), None)}
