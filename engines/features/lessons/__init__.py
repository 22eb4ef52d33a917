"""Lessons: annotated records in which a newcomer plays a game for the first time, and to whom they were offered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.hosting.feature import Feature
from engines.store.rows import Rows, RowTable


@dataclass(frozen=True, slots=True)
class OfferedLesson:
    """The lesson of a game was offered to a person, so that it need not be offered again."""

    user: int
    game: str


LESSONS_OFFERED = RowTable("lessons_offered", OfferedLesson, key=2, seen="nobody")


class LessonsFeature(Feature):
    """What is stored of lessons belongs to a person, and to no match."""

    name = "lessons"
    tables = (LESSONS_OFFERED,)

    def personal_data(self, rows: Rows) -> Mapping[str, Any]:
        """Return the games whose lessons were offered."""
        return {"lessons offered": [row.game for row in rows.of(LESSONS_OFFERED)]}
