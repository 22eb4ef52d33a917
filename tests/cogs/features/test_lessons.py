"""The lesson of every game: it can be played under today's rules, leads to its end, and tells nothing hidden."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from cogs.features.lessons import feature_ui, game_lesson
from cogs.features.lessons.game_lesson import MARK, GameLesson
from cogs.screens.picture import Picture
from cogs.table.pages import custom_ids
from cogs.table.pages.page import Menu, Page, Row, Text
from cogs.table.pages.screen_layout import DEFAULT_READER, Reader
from engines.features.lessons.lesson_file import ANY_MOVE, LessonStep
from engines.hosting.records import record
from engines.kit.errors import IllegalMove
from tests.cogs.features.lesson_laws import TABLE_WORDS, asked_steps, choice_problems, ending_problems, telling_problems
from tests.contract.helpers import HELPERS
from tests.contract.laws.pages import page_problems
from tests.contract.secrets import find_matches, normalise_spaces
from tests.features.exercises import LESSONS
from tests.game_uis import GAME_UIS, RULES

STEPS = [
    pytest.param(lesson, number, id=f"{key}-{number}")
    for key, lesson in LESSONS.items()
    for number in range(1, lesson.step_count + 1)
]
MOST_TRIED = 60  # moves of a step
LONGEST = 240  # characters of a text, about six lines of a telephone
Problems = Callable[[GameLesson], Iterator[str]]
SENTENCE_END = re.compile(r"[.!?](?= |$)")


def step_texts(step: LessonStep) -> list[str]:
    return [step.text, *(text for _, text in (*step.fine, *step.wrong))]


def targets(page: Page) -> Iterator[str]:
    for block in page.blocks:
        if isinstance(block, Row):
            yield from [block.items.to] if isinstance(block.items, Menu) else (press.to for press in block.items)


@pytest.mark.parametrize("key", LESSONS)
def test_it_is_played_under_todays_rules(key: str) -> None:
    lesson, game = LESSONS[key], GAME_UIS[key].game
    assert (lesson.lesson.record.game, lesson.lesson.record.rules) == (key, game.version)
    state = record.replay(lesson.lesson.record, {key: game}).state
    assert game.outcome(state) == lesson.lesson.record.result


@pytest.mark.parametrize("key", LESSONS)
def test_it_is_short_and_the_learner_plays(key: str) -> None:
    lesson = LESSONS[key]
    assert 8 <= lesson.step_count <= 15
    assert len(asked_steps(lesson)) >= 6
    assert asked_steps(lesson)[0] <= 2
    assert [second - first for first, second in pairwise(asked_steps(lesson)) if second - first > 2] == []


@pytest.mark.parametrize("problems", [choice_problems, telling_problems, ending_problems])
@pytest.mark.parametrize("key", LESSONS)
def test_it_lets_its_learner_decide_and_ends_with_the_bot(key: str, problems: Problems) -> None:
    assert [*problems(LESSONS[key])] == []


BROKEN: Mapping[str, tuple[Problems, str, str, str]] = {
    "no answers": (choice_problems, r"(?m)^  [+-] (?!any)[^:]+: ", "  - any: ", "a choice only at []"),
    "answers alike": (choice_problems, r"(?m)^(  [+-] [^:]+: ).*", r"\1No.", "a choice only at ["),
    "the button's label": (telling_problems, r"Chidi both bid zero\. \(W4", "so bid 0. (W4", "step 5 tells its move"),
    "the notation": (telling_problems, r"but think of the last trick, too", "play 6S", "step 6 tells its move"),
    "a wrong move": (telling_problems, r"so you would take one too many", "so bid 1", "step 2 tells its move"),
}
"""What is wrong with a lesson, in which part of its text, and how."""


@pytest.mark.parametrize("name", BROKEN)
def test_a_lesson_that_decides_for_its_learner_is_found(name: str, tmp_path: Path) -> None:
    problems, pattern, replacement, problem = BROKEN[name]
    ui = GAME_UIS["wizard"]
    text, count = re.subn(pattern, replacement, (ui.docs_folder / "lessons" / "wizard.txt").read_text(encoding="utf-8"))
    assert count
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "wizard.txt").write_text(text, encoding="utf-8")
    assert problem in "; ".join(problems(GameLesson(ui.game, ui.screen, tmp_path)))


@pytest.mark.parametrize("words", TABLE_WORDS)
def test_an_end_that_is_silent_about_the_bot_is_found(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_lesson, "TABLE_TEXT", game_lesson.TABLE_TEXT.replace(words, "…"))
    assert [*ending_problems(LESSONS["jest"])] == [f"the end does not speak of {words}"]


@pytest.mark.parametrize("key", LESSONS)
def test_it_teaches_every_rule_of_the_first_minute(key: str) -> None:
    taught = {rule for step in LESSONS[key].lesson.steps for rule in step.rules}
    assert set(HELPERS[key].minute_rules) - taught == set()
    assert taught - RULES[key].pages_by_rule.keys() == set()


@pytest.mark.parametrize(("lesson", "number"), STEPS)
def test_a_text_is_one_or_two_sentences(lesson: GameLesson, number: int) -> None:
    step, end = lesson.step(number), number >= lesson.step_count - 1
    for text in step_texts(step):
        assert len(SENTENCE_END.findall(text)) in range(1, 4 if end else 3), text
        assert len(text) <= LONGEST, text


@pytest.mark.parametrize(("lesson", "number"), STEPS)
def test_every_move_is_answered_and_every_branch_returns(lesson: GameLesson, number: int) -> None:
    step, snapshot = lesson.step(number), lesson.snapshot(number)
    if not step.asked:
        assert custom_ids.table_action_id(lesson.match_id(number + 1), "show") in targets(
            game_lesson.step_page(lesson, number, DEFAULT_READER)
        ) or (number == lesson.step_count)
        return
    legal = [lesson.game.format_move(move) for move in snapshot.moves(lesson.seat)]
    kinds = {notation: lesson.answer_move(number, notation).kind for notation in legal[:MOST_TRIED]}
    assert lesson.answer_move(number, step.asked).kind == "asked"
    for kind, answers in (("fine", step.fine), ("wrong", step.wrong)):
        for notation, text in answers:
            if notation != ANY_MOVE:
                assert (lesson.answer_move(number, notation).kind, lesson.answer_move(number, notation).text) == (
                    kind,
                    text,
                )
    own_id, after = (lesson.match_id(each) for each in (number, number + 1))
    for notation, kind in kinds.items():
        page = feature_ui.page_after_move(lesson, number, DEFAULT_READER, notation)
        text = next(block.text for block in page.blocks if isinstance(block, Text))
        if kind == "wrong":
            assert any(to.split(":")[1] == own_id for to in targets(page))
            assert text.startswith(f"-# {lesson.game.title} · lesson, step {number} of")
            assert lesson.step(number).text not in text
        elif kind == "fine":
            assert custom_ids.table_action_id(after, "show") in targets(page)
        else:
            assert page == game_lesson.step_page(lesson, number + 1, DEFAULT_READER)


@pytest.mark.parametrize(("lesson", "number"), STEPS)
def test_discord_takes_its_pages(lesson: GameLesson, number: int) -> None:
    for words in (False, True):
        page = game_lesson.step_page(lesson, number, Reader(words=words, worth=False))
        assert page_problems(page) == []
        for to in targets(page):
            control = custom_ids.parse_control(to)
            assert control is not None
            assert control.kind == "u" or str(control.exercise).startswith(f"{MARK}{lesson.game.key}.")
            assert len(to) <= custom_ids.MAX_ID_LENGTH


@pytest.mark.parametrize(("lesson", "number"), STEPS)
def test_a_step_tells_nothing_that_its_seat_cannot_know(lesson: GameLesson, number: int) -> None:
    helper, step = HELPERS[lesson.game.key], lesson.step(number)
    hidden = tuple(helper.secret_patterns(lesson.snapshot(number).state, lesson.seat))
    for text in step_texts(step):
        assert find_matches(hidden, helper.strip_harmless(normalise_spaces(text))) == []


def test_jest_ends_with_a_reckoning_that_agrees_with_its_text() -> None:
    lesson = LESSONS["jest"]
    number = lesson.step_count - 2
    page = game_lesson.step_page(lesson, number, Reader(words=True, worth=False))
    text, *words = [block.text for block in page.blocks if isinstance(block, Text)]
    assert (
        "With it, the A♠ is worth only 1, but two black aces are a pair, which adds 2: you win with 9 points." in text
    )
    assert "You win with 9 points" in words[0]
    assert "4 of spades ♠ (trophy): +4\nAce of spades ♠: +1\n" in " ".join(words)
    assert isinstance(game_lesson.step_page(lesson, number, DEFAULT_READER).picture, Picture)


def test_an_illegal_move_is_answered_with_its_rule() -> None:
    lesson = LESSONS["wizard"]
    number = next(each for each in asked_steps(lesson) if lesson.step(each).asked == "play 2C")
    with pytest.raises(IllegalMove):
        lesson.answer_move(number, "play 5D")
    page = feature_ui.page_after_move(lesson, number, DEFAULT_READER, "play 5D")
    text = next(block.text for block in page.blocks if isinstance(block, Text))
    assert "(W7)" in text
    assert custom_ids.rule_id("wizard", "W7") in targets(page)
