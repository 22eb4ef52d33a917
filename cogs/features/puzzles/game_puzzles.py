"""The puzzles of a game, as positions."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from cogs.screens.screen import GameScreen
from cogs.table.pages.custom_ids import ExerciseId
from engines.features.puzzles.puzzle_file import Puzzle, parse_puzzle
from engines.hosting.match import MatchSnapshot
from engines.hosting.replayed_position import replay_position
from engines.kit.contract import AnyGame

MARK = "!"  # begins what stands for the match in the custom ids of a puzzle


class GamePuzzles:
    """The puzzles of one game, numbered from 1: the files of `puzzles/<key>/` among its documents, by their names."""

    def __init__(self, game: AnyGame, screen: GameScreen, docs_folder: Path) -> None:
        self.game = game
        self.screen = screen
        self._folder = docs_folder / "puzzles" / game.key
        self._snapshots: dict[int, MatchSnapshot] = {}

    @cached_property
    def puzzles(self) -> tuple[Puzzle, ...]:
        """All puzzles. Raises ValueError if a file is not one."""
        return tuple(parse_puzzle(path.read_text(encoding="utf-8")) for path in sorted(self._folder.glob("*.txt")))

    def match_id(self, number: int) -> str:
        """Return what stands for the match in the custom ids of a puzzle."""
        return str(ExerciseId(MARK, self.game.key, number))

    def snapshot(self, number: int) -> MatchSnapshot:
        """Return the match before the decision. Its id names the puzzle."""
        if number not in self._snapshots:
            puzzle, match_id = self.puzzles[number - 1], self.match_id(number)
            self._snapshots[number] = replay_position(
                self.game, puzzle.record, puzzle.number - 1, puzzle.seat, match_id
            )
        return self._snapshots[number]

    def view(self, number: int) -> Any:
        """Return what the seat that decides may know."""
        return self.snapshot(number).view(self.puzzles[number - 1].seat)
