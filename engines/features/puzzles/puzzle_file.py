"""Reads a puzzle: a record with the number of the move that decided, as one more header (`decision: 57`)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engines.hosting.records.record import Record, parse_record

_DECISION = re.compile(r"^decision: *([0-9]{1,4}) *\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A record, and the number of the move that decided, from 1."""

    record: Record
    number: int

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return self.record.moves[self.number - 1].seat


def parse_puzzle(text: str) -> Puzzle:
    """Read a puzzle. Raises ValueError."""
    found = _DECISION.search(text)
    if found is None:
        raise ValueError("the header “decision” is missing")
    record, number = parse_record(text.replace(found[0], "", 1)), int(found[1])
    if not 1 <= number <= len(record.moves):
        raise ValueError(f"there is no move {number}")
    return Puzzle(record, number)
