"""Puzzles: single decisions of real matches, each a record with the number of moves before the decision."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cogs.screens.screen import GameScreen
from cogs.table.lessons.replayed_position import replay_position
from cogs.table.pages import custom_ids
from engines.hosting.match import MatchSnapshot
from engines.hosting.records.record import Record, parse_record
from engines.kit.contract import AnyGame

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
    """Read a puzzle: a record with one more header, `decision: 57`, the number of the move. Raises ValueError."""
    found = _DECISION.search(text)
    if found is None:
        raise ValueError("the header “decision” is missing")
    record, number = parse_record(text.replace(found[0], "", 1)), int(found[1])
    if not 1 <= number <= len(record.moves):
        raise ValueError(f"there is no move {number}")
    return Puzzle(record, number)


class GamePuzzles:
    """The puzzles of one game, numbered from 1: the files of its folder in the order of their names."""

    def __init__(self, game: AnyGame, screen: GameScreen, folder: Path) -> None:
        self.game = game
        self.screen = screen
        self._folder = folder
        self._snapshots: dict[int, MatchSnapshot] = {}

    @cached_property
    def puzzles(self) -> tuple[Puzzle, ...]:
        """All puzzles. Raises ValueError if a file is not one."""
        return tuple(parse_puzzle(path.read_text(encoding="utf-8")) for path in sorted(self._folder.glob("*.txt")))

    def snapshot(self, number: int) -> MatchSnapshot:
        """Return the match before the decision. Its id names the puzzle."""
        if number not in self._snapshots:
            puzzle, match_id = self.puzzles[number - 1], custom_ids.puzzle_match(self.game.key, number)
            self._snapshots[number] = replay_position(
                self.game, puzzle.record, puzzle.number - 1, puzzle.seat, match_id
            )
        return self._snapshots[number]

    def view(self, number: int) -> Any:
        """Return what the seat that decides may know."""
        return self.snapshot(number).view(self.puzzles[number - 1].seat)
