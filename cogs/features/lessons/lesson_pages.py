"""The pages of a lesson: a step with the learner's hand, a page to read, and the end. Pure functions."""

from __future__ import annotations

from cogs.features.lessons.game_lesson import GameLesson
from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.match_pages import HandFrame, PageContext
from cogs.table.pages.page import GOLD, Page, Press, Text, press_rows, table_press, text_blocks
from cogs.table.pages.refusal_messages import refusal_text
from cogs.table.pages.screen_layout import Reader
from cogs.table.wording import narration
from engines.kit.errors import IllegalMove

PLAY = "play"  # the table action of the end that opens a table


def step_page(lesson: GameLesson, number: int, reader: Reader, answer: str = "", rule: str = "") -> Page:
    """Return a step. `answer` is said instead of its text; `rule` is a rule to look up."""
    step, snapshot = lesson.step(number), lesson.snapshot(number)
    if step.asked:
        context = page_context(lesson, number, answer or step.text, rule)
        return match_pages.hand_page(snapshot, lesson.seat, context, reader)
    if number >= lesson.step_count:
        return _end_page(lesson)
    screen_context = narration.screen_context(snapshot)
    drawn = lesson.screen.hand(snapshot.view(lesson.seat), None, (), screen_context)
    picture = (drawn.picture,) if drawn.picture and not reader.words else ()
    words = drawn.above if reader.words else ()
    presses = (_next_press(lesson, number + 1), *_presses(lesson, number))
    return Page((*text_blocks((_heading(lesson, number, step.text), *words)), *picture, *press_rows(presses)))


def page_context(lesson: GameLesson, number: int, text: str = "", rule: str = "") -> PageContext:
    """Return what the learner's hand needs: the lesson's heading instead of a match's, and its buttons.

    Without a text, as in the middle of a move, there is room for higher controls.
    """
    heading = _heading(lesson, number, text)
    looked_up = (Press(f"Rule {rule}", custom_ids.rule_id(lesson.game.key, rule)),) if rule else ()
    return PageContext(lesson.screen, frame=HandFrame(heading, (*looked_up, *_presses(lesson, number))))


def refused_page(lesson: GameLesson, number: int, reader: Reader, refusal: IllegalMove) -> Page:
    """Return a step after an illegal move, with the rule that forbids it."""
    rule = refusal.rule or ""
    said = f"**{refusal_text(refusal)}**{f' ({rule})' if rule else ''}"
    return step_page(lesson, number, reader, said, rule)


def also_fine_page(lesson: GameLesson, number: int, text: str) -> Page:
    """Return the answer to a move that is fine too. The lesson continues with the move that it asked for."""
    said = f"{text}\nThe lesson continues with: **{lesson.asked_label(number)}**."
    presses = (_next_press(lesson, number + 1), *_presses(lesson, number))
    return Page((Text(_heading(lesson, number, said)), *press_rows(presses)))


def _end_page(lesson: GameLesson) -> Page:
    """Return the end: what was left out, and the way to a first match."""
    number = lesson.step_count
    match = lesson.match_id(number)
    presses = (
        table_press(match, "Play against the computer", PLAY, "primary"),
        table_press(match, "Read the rules", "skip"),
    )
    return Page((Text(_heading(lesson, number, lesson.step(number).text)), *press_rows(presses)), GOLD)


def _heading(lesson: GameLesson, number: int, text: str) -> str:
    return f"-# {lesson.game.title} · lesson, {min(number, lesson.step_count)} of {lesson.step_count}\n{text}".rstrip()


def _presses(lesson: GameLesson, number: int) -> tuple[Press, ...]:
    return (table_press(lesson.match_id(number), "Skip", "skip"),)


def _next_press(lesson: GameLesson, number: int) -> Press:
    return table_press(lesson.match_id(number), "Next", "show", "primary")
