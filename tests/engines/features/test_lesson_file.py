"""Reading lessons: what a file may say, and how a faulty one is refused."""

from __future__ import annotations

import pytest

from engines.features.lessons.lesson_file import BadLesson, LessonStep, parse_lesson
from engines.hosting.records import record
from engines.hosting.records.record import BadRecord
from tests.games import GAMES

LESSON = """motley-record: 1
game: wizard
rules: 1
seats: 3
options: {"rounds":null}
seed: 000000000000000000000000000048a7
result: none
learner: A

# A comment is for authors alone.
You bid, then you play.
The aim is to be exactly right. (W4, W10)

Your Wizard takes the trick: bid 1. (W9)
1 A bid 1
  - bid 0: You cannot avoid the trick.
  + any: That
2 B bid 0
3 C bid 0
Lead it.
4 A play wizard

That is all.
"""


def test_a_lesson_has_its_steps_in_order() -> None:
    lesson = parse_lesson(LESSON)
    assert lesson.seat == 0
    assert len(lesson.record.moves) == 4
    assert lesson.steps == (
        LessonStep("You bid, then you play. The aim is to be exactly right.", 0, ("W4", "W10")),
        LessonStep(
            "Your Wizard takes the trick: bid 1.",
            0,
            ("W9",),
            "bid 1",
            (("any", "That"),),
            (("bid 0", "You cannot avoid the trick."),),
        ),
        LessonStep("Lead it.", 3, (), "play wizard"),
        LessonStep("That is all.", 4),
    )


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("learner: A\n", "", "the header “learner” is missing"),
        ("learner: A", "learner: Z", "is not a seat"),
        ("learner: A", "learner: D", "there is no seat D"),
        ("Lead it.\n", "", "line 20: a move of the learner needs a text right before it"),
        ("3 C bid 0\n", "3 C bid 0\n  - bid 1: No.\n", "line 20: an answer stands below a move of the learner"),
        ("\nThat is all.", "", "a lesson ends with a text after the last move"),
        ("2 B bid 0", "5 B bid 0", "line 18: this is move 2, not 5"),
        ("game: wizard\n", "", "the header “game” is missing"),
    ],
)
def test_a_faulty_lesson_is_refused_with_its_line(old: str, new: str, sentence: str) -> None:
    assert old in LESSON
    with pytest.raises(BadLesson, match=sentence):
        parse_lesson(LESSON.replace(old, new, 1))


def test_a_lesson_that_the_rules_do_not_allow_is_found_by_its_replay() -> None:
    broken = parse_lesson(LESSON.replace("1 A bid 1", "1 A bid 2"))
    with pytest.raises(BadRecord, match=r"move 1 \(bid 2\)"):
        record.replay(broken.record, GAMES)
