"""Reads a lesson: a record with the text of each step, the moves that are fine too, and answers to wrong ones.

    motley-record: 1
    game: wizard
    …
    result: none
    learner: A

    In each round you bid how many tricks you will take. The aim is to be exactly right. (W5)

    1 C bid 0
    You hold a Wizard, and it takes every trick. (W8)
    2 A bid 1
      - bid 0: A Wizard always wins, so you would be one off.
      + any: That would do as well.

A paragraph right before a move of the learner asks for that move. Any other paragraph is a step to read. Below the move
stand other moves: `+` if they are fine too, `-` if they are wrong, each with an answer; `any` stands for all others.
A paragraph may end with the ids of the rules that it teaches, in brackets. A line that begins with `#` is a comment.
The text of a step and the answers to wrong moves leave the choice to the learner: they do not name the move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from engines.hosting.records.record import Record, parse_record
from engines.kit.seats import parse_seat

ANY_MOVE = "any"
Answers = tuple[tuple[str, str], ...]
"""Other moves in their notation, each with an answer."""
_MARKS = ("+", "-")
_MOVE = re.compile(r"\s*(\d{1,6}) +([A-Z]) +\S", re.ASCII)
_ANSWER = re.compile(r"\s+([+-]) ([^:]+): (\S.*)")
_RULES = re.compile(r"\s*\(([A-Z]\d+(?:, [A-Z]\d+)*)\)$")


class BadLesson(ValueError):
    """A text that is not a lesson. The message says where."""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step: its text, the number of moves before it, and the notation of the move that it asks for, if any.

    `fine` and `wrong` are the answers to other moves.
    """

    text: str
    played: int
    rules: tuple[str, ...] = ()
    asked: str = ""
    fine: Answers = ()
    wrong: Answers = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson: the record of its moves, the learner's seat, and its steps. The last step is its end."""

    record: Record
    seat: int
    steps: tuple[LessonStep, ...]


def parse_lesson(text: str) -> Lesson:
    """Read a lesson. Raises BadLesson, with the number of the faulty line if one is."""
    headers, _, body = text.partition("\n\n")
    learner = re.search(r"^learner: *(\S+) *$", headers, re.MULTILINE)
    if learner is None:
        raise BadLesson("the header “learner” is missing")
    items = _read_items(body, headers.count("\n") + 3)
    try:
        seat = parse_seat(learner[1])
        # a line of the lesson for each line of the record, so that its errors name the right one
        lines = [line if _MOVE.match(line) else "" for line in body.split("\n")]
        record = parse_record("\n".join([headers.replace(learner[0], ""), "", *lines]))
    except ValueError as error:
        raise BadLesson(str(error)) from None
    if seat >= record.seats:
        raise BadLesson(f"there is no seat {learner[1]}")
    return Lesson(record, seat, tuple(_make_steps(items, record, seat)))


@dataclass(slots=True)
class _Item:
    """A move, a paragraph or an answer, and its line. `mark` is empty for a move, `text` for a paragraph, or + or -."""

    line: int
    mark: str
    text: str
    notation: str = ""


def _read_items(body: str, first_line: int) -> list[_Item]:
    items: list[_Item] = []
    is_open = False  # whether a further line continues the paragraph
    for number, line in enumerate(body.split("\n"), first_line):
        if line.startswith("#"):
            continue
        answer = _ANSWER.fullmatch(line)
        if _MOVE.match(line):
            items.append(_Item(number, "", line))
        elif answer:
            items.append(_Item(number, answer[1], answer[3], answer[2].strip()))
        elif is_open and line.strip():
            items[-1].text += f" {line.strip()}"
        elif line.strip():
            items.append(_Item(number, "text", line.strip()))
        is_open = bool(line.strip()) and not _MOVE.match(line)
    return items


def _make_steps(items: Sequence[_Item], record: Record, seat: int) -> Iterator[LessonStep]:
    played = 0
    for place, item in enumerate(items):
        before, after = items[place - 1].mark if place else "", items[place + 1 : place + 2]
        if not item.mark:
            if record.moves[played].seat == seat and before != "text":
                raise BadLesson(f"line {item.line}: a move of the learner needs a text right before it")
            played += 1
        elif item.mark == "text" and after and not after[0].mark and record.moves[played].seat == seat:
            answers = [*takewhile(lambda each: each.mark in _MARKS, items[place + 2 :])]
            fine, wrong = (
                tuple((each.notation, each.text) for each in answers if each.mark == mark) for mark in _MARKS
            )
            yield _make_step(item.text, played, record.moves[played].notation, fine, wrong)
        elif item.mark == "text":
            yield _make_step(item.text, played)
        elif not played or record.moves[played - 1].seat != seat or before == "text":
            raise BadLesson(f"line {item.line}: an answer stands below a move of the learner")
    if not items or items[-1].mark != "text":
        raise BadLesson("a lesson ends with a text after the last move")


def _make_step(
    text: str,
    played: int,
    prompt: str = "",
    fine: Answers = (),
    wrong: Answers = (),
) -> LessonStep:
    rules = _RULES.search(text)
    named = tuple(rules[1].split(", ")) if rules else ()
    return LessonStep(text[: rules.start()] if rules else text, played, named, prompt, fine, wrong)
