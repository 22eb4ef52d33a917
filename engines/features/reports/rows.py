"""What is stored about reports."""

from __future__ import annotations

from dataclasses import dataclass

from engines.store.rows import RowTable, Second

NOT_SENT = Second(0)


@dataclass(frozen=True, slots=True)
class Report:
    """What a person tells the owner about a match. A draft is not sent yet; a sent report no longer has its text.

    `id` is the interaction in which it was written.
    """

    id: int
    match: str
    user: int
    text: str
    written: Second
    sent: Second = NOT_SENT


REPORTS = RowTable("reports", Report, key=1, seen="nobody", keep_days=1, written="written")
