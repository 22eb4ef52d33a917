"""A game's lesson: the position at each step, how each move of the learner is answered, and the pages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from cogs.screens.screen import GameScreen
from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.custom_ids import ExerciseId
from cogs.table.pages.match_pages import HandFrame, PageContext
from cogs.table.pages.page import GOLD, Block, Page, Press, Text, press_rows, table_press, text_blocks
from cogs.table.pages.refusal_messages import refusal_text
from cogs.table.pages.screen_layout import Reader, word_blocks
from cogs.table.wording import narration
from cogs.table.wording.advice import advice_lines
from cogs.table.wording.player_names import escape_markdown
from engines.features.lessons.lesson_file import ANY_MOVE, Lesson, LessonStep, parse_lesson
from engines.hosting.match import MatchSnapshot
from engines.hosting.replayed_position import replay_position
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove

MARK = "~"  # begins what stands for the match in the custom ids of a lesson
PLAY, BEGIN, HINT = "play", "begin", "hint"
"""Table actions: the end opens a table, other pages begin the lesson, and a step says which move it asks for."""
FIRST_ID = 21
"""The number of the first step in custom ids. Those of the lessons of 1.0.0, which had other steps, began with 1."""
TABLE_TEXT = (
    "**At a real table** press **Show my hand** to see your hand; it can also come by direct message. Press **More** "
    "below it for a hint or to take a move back, and **Rules** for the rules. I save every move, so you can stop any "
    "time."
)
"""The last step of every lesson, about the bot itself."""


@dataclass(frozen=True, slots=True)
class MoveAnswer:
    """How a move is answered: it was asked for, it is fine too, or another one is wanted. `text` says why."""

    kind: Literal["asked", "fine", "wrong"]
    text: str = ""


class GameLesson:
    """The lesson of one game, `lessons/<key>.txt` among its documents. Steps are numbered from 1."""

    def __init__(self, game: AnyGame, screen: GameScreen, docs_folder: Path) -> None:
        self.game = game
        self.screen = screen
        self._file = docs_folder / "lessons" / f"{game.key}.txt"
        self._snapshots: dict[int, MatchSnapshot] = {}

    @cached_property
    def lesson(self) -> Lesson:
        """The lesson as its file says. Raises BadLesson."""
        return parse_lesson(self._file.read_text(encoding="utf-8"))

    @property
    def step_count(self) -> int:
        """The number of steps: those of the file, and the last one, about the bot."""
        return len(self.lesson.steps) + 1

    @property
    def seat(self) -> int:
        """The learner's seat."""
        return self.lesson.seat

    def step(self, number: int) -> LessonStep:
        """Return a step, the last one for every number behind it."""
        steps = self.lesson.steps
        return steps[number - 1] if number <= len(steps) else LessonStep(TABLE_TEXT, steps[-1].played)

    def match_id(self, number: int) -> str:
        """Return what stands for the match in the custom ids of a step."""
        return lesson_match(self.game.key, number)

    def snapshot(self, number: int) -> MatchSnapshot:
        """Return the match at a step, with the events since the learner's last move. Its id names the step."""
        if number not in self._snapshots:
            self._snapshots[number] = replay_position(
                self.game, self.lesson.record, self.step(number).played, self.seat, self.match_id(number)
            )
        return self._snapshots[number]

    def answer_move(self, number: int, notation: str) -> MoveAnswer:
        """Return how a move is answered. Raises IllegalMove."""
        step, snapshot = self.step(number), self.snapshot(number)
        move = self.game.parse_move(notation)
        self.game.check(snapshot.state, self.seat, move)
        if self._is_same(snapshot, move, step.asked):
            return MoveAnswer("asked")
        for kind, answers in (("wrong", step.wrong), ("fine", step.fine)):
            for named, text in answers:
                if named != ANY_MOVE and self._is_same(snapshot, move, named):
                    return MoveAnswer("fine" if kind == "fine" else "wrong", text)
        if (otherwise := dict(step.fine).get(ANY_MOVE)) is not None:
            return MoveAnswer("fine", otherwise)
        return MoveAnswer("wrong", dict(step.wrong).get(ANY_MOVE) or self.hint(number))

    def asked_label(self, number: int) -> str:
        """Return the move that a step asks for, as the learner's controls name it, escaped for markdown."""
        snapshot = self.snapshot(number)
        move = self.game.parse_move(self.step(number).asked)
        return escape_markdown(
            self.screen.choice_label(snapshot.view(self.seat), move, narration.screen_context(snapshot))
        )

    def hint(self, number: int) -> str:
        """Return the move that a step asks for, with the reason that a hint gives."""
        snapshot = self.snapshot(number)
        move, context = self.game.parse_move(self.step(number).asked), narration.screen_context(snapshot)
        lines = advice_lines(self.screen, snapshot.view(self.seat), move, context)
        return "\n".join((*lines, "-# The lesson continues with this move."))

    def _is_same(self, snapshot: MatchSnapshot, move: Any, notation: str) -> bool:
        """Return whether a move is the named one, in any order of its picks, or leads to the same position."""
        other = self.game.parse_move(notation)
        words, other_words = (sorted(self.game.format_move(each).split()) for each in (move, other))
        return words == other_words or self._after(snapshot, move) == self._after(snapshot, other)

    def _after(self, snapshot: MatchSnapshot, move: Any) -> bytes:
        state = self.game.copy(snapshot.state)
        self.game.play(state, self.seat, move)
        return self.game.checkpoint_adapter.dump_json(state)


def lesson_match(game: str, number: int) -> str:
    """Return what stands for the match in the custom ids of a game's lesson, at a step."""
    return str(ExerciseId(MARK, game, FIRST_ID + number - 1))


def step_number(exercise: ExerciseId) -> int:
    """Return the step that such an id stands for, less than 1 for a step of an older lesson."""
    return exercise.number - FIRST_ID + 1


def step_page(lesson: GameLesson, number: int, reader: Reader, answer: str = "", rule: str = "") -> Page:
    """Return a step. `answer` is said instead of its text; `rule` is a rule to look up."""
    step, snapshot = lesson.step(number), lesson.snapshot(number)
    if step.asked:
        context = page_context(lesson, number, answer or step.text, rule)
        return match_pages.hand_page(snapshot, lesson.seat, context, reader)
    if number >= lesson.step_count:
        return _end_page(lesson, is_in_server=reader.is_in_server)
    presses = (_next_press(lesson, number + 1), *_presses(lesson, number))
    heading = Text(_heading(lesson, number, answer or step.text))
    return Page((heading, *_shown_blocks(lesson, snapshot, reader), *press_rows(presses)))


def _shown_blocks(lesson: GameLesson, snapshot: MatchSnapshot, reader: Reader) -> tuple[Block, ...]:
    """Return the learner's hand without controls, or the result after the last move of the match."""
    context, view, outcome = narration.screen_context(snapshot), snapshot.view(lesson.seat), snapshot.outcome()
    screen = lesson.screen
    drawn = screen.hand(view, None, (), context) if outcome is None else screen.result(view, outcome, context)
    if drawn.picture is not None and not reader.words:
        return (drawn.picture,)
    return text_blocks(drawn.above) if outcome is None else word_blocks(replace(drawn, picture=None))


def page_context(lesson: GameLesson, number: int, text: str = "", rule: str = "") -> PageContext:
    """Return what the learner's hand needs: the lesson's heading instead of a match's, and its buttons.

    Without a text, as in the middle of a move, there is room for higher controls.
    """
    heading = _heading(lesson, number, text)
    looked_up = (Press(f"Rule {rule}", custom_ids.rule_id(lesson.game.key, rule)),) if rule else ()
    hint = table_press(lesson.match_id(number), "Hint", HINT)
    return PageContext(lesson.screen, frame=HandFrame(heading, (*looked_up, hint, *_presses(lesson, number))))


def refused_page(lesson: GameLesson, number: int, reader: Reader, refusal: IllegalMove) -> Page:
    """Return a step after an illegal move, with the rule that forbids it."""
    rule = refusal.rule or ""
    text = f"**{refusal_text(refusal)}**{f' ({rule})' if rule else ''}"
    return step_page(lesson, number, reader, text, rule)


def also_fine_page(lesson: GameLesson, number: int, text: str) -> Page:
    """Return the answer to a move that is fine too. The lesson continues with the move that it asked for."""
    question = f"{text}\nThe lesson continues with: **{lesson.asked_label(number)}**."
    presses = (_next_press(lesson, number + 1), *_presses(lesson, number))
    return Page((Text(_heading(lesson, number, question)), *press_rows(presses)))


def _end_page(lesson: GameLesson, *, is_in_server: bool) -> Page:
    """Return the end: how a hand looks at a table, and the way to a first match. Tables are opened on servers only."""
    number = lesson.step_count
    match = lesson.match_id(number)
    play = (table_press(match, "Play against the computer", PLAY, "primary"),) if is_in_server else ()
    where = "" if is_in_server else f"To play, use `/{lesson.game.key} new` in a channel of a server."
    texts = text_blocks((_heading(lesson, number, lesson.step(number).text), where))
    return Page((*texts, *press_rows((*play, table_press(match, "Read the rules", "skip")))), GOLD)


def _heading(lesson: GameLesson, number: int, text: str) -> str:
    return (
        f"-# {lesson.game.title} · lesson, step {min(number, lesson.step_count)} of "
        f"{lesson.step_count}\n{text}".rstrip()
    )


def _presses(lesson: GameLesson, number: int) -> tuple[Press, ...]:
    return (table_press(lesson.match_id(number), "Skip", "skip"),)


def _next_press(lesson: GameLesson, number: int) -> Press:
    return table_press(lesson.match_id(number), "Next", "show", "primary")
