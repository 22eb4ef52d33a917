"""The puzzles of a game, as positions and pages: the hand that decides, and what each move is worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from cogs.screens.screen import GameScreen
from cogs.table.pages import match_pages
from cogs.table.pages.custom_ids import ExerciseId
from cogs.table.pages.match_pages import HandFrame, PageContext
from cogs.table.pages.page import GOLD, GREY, Page, Press, Text, press_rows, table_press
from cogs.table.pages.refusal_messages import refusal_text
from cogs.table.pages.screen_layout import Reader
from cogs.table.wording import narration
from cogs.table.wording.advice import advice_lines
from cogs.table.wording.player_names import escape_markdown
from engines.features.puzzles.puzzle_file import Puzzle, parse_puzzle
from engines.hosting.match import MatchSnapshot
from engines.hosting.replayed_position import replay_position
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from players import MoveValue, ValueUnit, is_equal

MARK = "!"  # begins what stands for the match in the custom ids of a puzzle
QUESTION = "This happened in a match between computers. What would you do?"


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


def puzzle_page(puzzles: GamePuzzles, number: int, reader: Reader, note: str = QUESTION) -> Page:
    """Return the hand that decides, below a question."""
    seat = puzzles.puzzles[number - 1].seat
    return match_pages.hand_page(puzzles.snapshot(number), seat, page_context(puzzles, number, note), reader)


def page_context(puzzles: GamePuzzles, number: int, note: str = QUESTION) -> PageContext:
    """Return what the hand needs: the puzzle's heading instead of a match's, and the button to another puzzle."""
    frame = HandFrame(f"{_heading(puzzles, number)}\n{note}", _further_presses(puzzles, number))
    return PageContext(puzzles.screen, frame=frame)


def refused_page(puzzles: GamePuzzles, number: int, reader: Reader, refusal: IllegalMove) -> Page:
    """Return the puzzle again after an illegal move."""
    return puzzle_page(puzzles, number, reader, f"**{refusal_text(refusal)}**")


def working_page(puzzles: GamePuzzles, number: int) -> Page:
    """Return the notice that the moves are being compared."""
    return Page((Text(f"{_heading(puzzles, number)}\nI am comparing all moves…"),), GREY)


def answer_page(
    puzzles: GamePuzzles, number: int, chosen: Any, values: Sequence[MoveValue], unit: ValueUnit, worlds: int
) -> Page:
    """Return the best move with its reason, and every move with what it is worth against it, the best first."""
    snapshot = puzzles.snapshot(number)
    own = next(value for value in values if value.move == chosen)
    verdict = (
        "Right, no other move is better."
        if own is values[0]
        else "Your choice is just as good: the difference is within the margin of error."
        if is_equal(own)
        else "This is better than your choice."
    )
    context = narration.screen_context(snapshot)
    best = advice_lines(puzzles.screen, puzzles.view(number), values[0].move, context, f". {verdict}")
    lines = (_value_line(puzzles, number, value, unit, value is own) for value in values)
    note = f" ({unit.note})" if unit.note else ""
    legend = (
        f"-# −3 means that the best move is worth 3 {unit.plural}{note}; ± is the margin of error. "
        f"Each move was tried in the same {worlds} possible deals of the cards that you cannot see."
    )
    text = "\n".join(filter(None, (_heading(puzzles, number), *best, *lines, legend)))
    look_again = table_press(puzzles.match_id(number), "Look again", "show")
    return Page((Text(text), *press_rows((*_further_presses(puzzles, number), look_again))), GOLD)


def _value_line(puzzles: GamePuzzles, number: int, value: MoveValue, unit: ValueUnit, is_own: bool) -> str:
    label = _label(puzzles, puzzles.snapshot(number), number, value.move)
    named = f"**{label}** (your choice)" if is_own else label
    if not value.behind and not value.error:
        return f"- {named}: the best"
    worth = f"−{value.behind * unit.scale:.1f} ± {value.error * unit.scale:.1f}"
    return f"- {named}: {f'equal ({worth})' if is_equal(value) else worth}"


def _label(puzzles: GamePuzzles, snapshot: MatchSnapshot, number: int, move: Any) -> str:
    context = narration.screen_context(snapshot)
    return escape_markdown(puzzles.screen.choice_label(puzzles.view(number), move, context))


def _heading(puzzles: GamePuzzles, number: int) -> str:
    return f"-# {puzzles.game.title} · puzzle {number} of {len(puzzles.puzzles)}"


def _further_presses(puzzles: GamePuzzles, number: int) -> tuple[Press, ...]:
    other = number % len(puzzles.puzzles) + 1
    if other == number:
        return ()
    return (table_press(puzzles.match_id(other), "Next", "show"),)
