"""What every lesson must do: let its learner decide, leave the move to them, and end with the bot itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from cogs.features.lessons import game_lesson
from cogs.features.lessons.game_lesson import GameLesson
from cogs.table.pages.page import Text
from cogs.table.pages.screen_layout import DEFAULT_READER
from cogs.table.wording.narration import screen_context
from engines.features.lessons.lesson_file import ANY_MOVE

MIN_CHOICES = 3
MOST_COMPARED = 60  # legal moves of a step whose labels are compared with a text
TABLE_WORDS = ("direct message", "**More**", "hint", "take a move back", "**Rules**")
_WORD = re.compile(r"[\w♠♣♦♥]+")


def asked_steps(lesson: GameLesson) -> list[int]:
    """Return the numbers of the steps that ask for a move."""
    return [number for number in range(1, lesson.step_count + 1) if lesson.step(number).asked]


def choice_problems(lesson: GameLesson) -> Iterator[str]:
    """Yield what is wrong if the learner decides too rarely: between moves that each have an answer of their own."""
    choices = [number for number in asked_steps(lesson) if _answered_moves(lesson, number) >= 2]
    if len(choices) < MIN_CHOICES:
        yield f"a choice only at {choices}"


def _answered_moves(lesson: GameLesson, number: int) -> int:
    """Return how many moves have an answer that no other move gets. That of the asked move is the next step."""
    step = lesson.step(number)
    texts = [text for _, text in (*step.fine, *step.wrong)]
    named = [text for move, text in (*step.fine, *step.wrong) if move != ANY_MOVE]
    return 1 + sum(texts.count(text) == 1 for text in named)


def telling_problems(lesson: GameLesson) -> Iterator[str]:
    """Yield each text that tells the move: that of a step, or what is wrong with another move."""
    for number in asked_steps(lesson):
        step = lesson.step(number)
        for text in (step.text, *(text for _, text in step.wrong)):
            if _tells_move(lesson, number, text):
                yield f"step {number} tells its move: {text}"


def _tells_move(lesson: GameLesson, number: int, text: str) -> bool:
    """Return whether a text names the asked move, in notation or as on its button, and no other move that is legal."""
    snapshot, step = lesson.snapshot(number), lesson.step(number)
    if re.search(rf"(?i)\b{re.escape(step.asked)}\b", text):
        return True
    view, context = snapshot.view(lesson.seat), screen_context(snapshot)
    legal = [*islice(snapshot.moves(lesson.seat), MOST_COMPARED)]
    wanted = lesson.game.parse_move(step.asked)
    labels = {move: _words(lesson.screen.choice_label(view, move, context)) for move in (wanted, *legal)}
    others = [
        words for move, words in labels.items() if lesson.answer_move(number, _notation(lesson, move)).kind != "asked"
    ]
    if not others:
        return False  # the only legal move
    shared = labels[wanted].intersection(*others)
    named = _words(text)
    is_named = labels[wanted] - shared <= named
    return is_named and not any(words - shared <= named and not words <= labels[wanted] for words in others)


def _notation(lesson: GameLesson, move: object) -> str:
    return lesson.game.format_move(move)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.replace("\\", "").lower()))


def ending_problems(lesson: GameLesson) -> Iterator[str]:
    """Yield what the last step does not say of the bot."""
    page = game_lesson.step_page(lesson, lesson.step_count, DEFAULT_READER)
    text = " ".join(block.text for block in page.blocks if isinstance(block, Text))
    yield from (f"the end does not speak of {words}" for words in TABLE_WORDS if words not in text)
