"""What a table tells of guesses: who was right about the last question, and who is best."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cogs.features.guesses import guess_pages
from cogs.features.guesses.guess_pages import GuesserScore, guesser_scores, open_press
from cogs.table.pages import match_pages
from engines.features.guesses import guessing
from engines.features.guesses.guessing import CAN_GUESS, Guess
from engines.features.guesses.questions import NOBODY, GuessQuestion
from engines.hosting.match import RequestRefused
from engines.store.table_options import TableOptions
from tests.cogs.table.pages.test_lobby_pages import lobby_snapshot
from tests.contract.shown import page_menus, page_text
from tests.game_uis import SCREENS
from tests.games import GAMES

AT = lobby_snapshot(GAMES["wizard"], 3, table_options=TableOptions().set_option(CAN_GUESS, True))
SCREEN = SCREENS["wizard"]
ANSWERS = {1: frozenset({0}), 2: frozenset({NOBODY}), 3: frozenset({0, 2})}


def guess(question: int, name: str, *choices: int) -> Guess:
    return Guess("abcd2345", question, len(name), name, choices)


@pytest.fixture(autouse=True)
def _answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guess_pages, "question_answers", lambda snapshot: ANSWERS)


def test_scores_count_exact_guesses_and_the_fewest_wrong_ones_come_first() -> None:
    guesses = [
        *(guess(number, "Dora", 0) for number in (1, 2, 3)),
        *(guess(1, "Emilia", 0), guess(9, "Emilia", 0)),
        *(guess(2, "Bo", NOBODY), guess(3, "Bo", 0, 2)),
    ]
    assert guesser_scores(ANSWERS, guesses) == [
        GuesserScore("Bo", 2, 2),
        GuesserScore("Emilia", 1, 1),
        GuesserScore("Dora", 1, 3),
    ]
    assert guess_pages.best_guessers_text(AT, guesses) == "Best guessers: Bo 2 of 2 · Emilia 1 of 1 · Dora 1 of 3"
    assert guess_pages.best_guessers_table(AT, guesses) == (
        "**Best guessers**\n1. Bo: 2 of 2 right\n2. Emilia: 1 of 1 right\n3. Dora: 1 of 3 right"
    )
    assert guess_pages.best_guessers_text(AT, []) == guess_pages.best_guessers_table(AT, []) == ""
    many = [guess(1, "x" * length, 0) for length in range(1, 9)]
    assert len(guess_pages.best_guessers_table(AT, many).split("\n")) == 1 + guess_pages.MOST_RANKED


@pytest.mark.parametrize(
    ("guesses", "ending"),
    [
        ([], ""),
        ([guess(1, "Dora", 0), guess(9, "Dora", 0)], ""),
        ([guess(3, "Dora", 0)], "The only guess was wrong."),
        ([guess(3, "Dora", 0), guess(3, "Bo", 2)], "Nobody guessed right."),
        ([guess(3, "Dora", 0, 2), guess(3, "Bo", 2)], "1 of 2 guessed right: Dora."),
        ([guess(3, "*Dora*", 0, 2)], "1 of 1 guessed right: \\*Dora\\*."),
        (
            [guess(3, "x" * length, 0, 2) for length in range(1, 8)],
            "7 of 7 guessed right: x, xx, xxx, xxxx, xxxxx and 2 more.",
        ),
    ],
)
def test_the_last_answer_names_those_who_were_right(guesses: Sequence[Guess], ending: str) -> None:
    text = guess_pages.last_answer_text(AT, SCREEN, guesses)
    assert text == (f"“Who takes exactly as many tricks as they bid in round 3?” {ending}" if ending else "")


def test_a_question_page_lists_the_choices_and_what_was_guessed() -> None:
    several = GuessQuestion(3, (0, 1, 2, NOBODY), several=True)
    page = guess_pages.question_page(AT, SCREEN, several, (2, 0))
    (menu,) = page_menus(page)
    assert [(line.label, line.value, line.chosen) for line in menu.lines] == [
        ("Ada", "0", True),
        ("Bela", "1", False),
        ("*Chidi*", "2", True),
        ("Nobody", "-1", False),
    ]
    assert (menu.least, menu.most) == (1, 3)
    assert "**Your guess: Ada and \\*Chidi\\*.**" in page_text(page)
    single = guess_pages.question_page(AT, SCREEN, GuessQuestion(3, (0, 1, 2)))
    assert page_menus(single)[0].most == 1
    assert "Your guess:" not in page_text(single)


@pytest.mark.parametrize("values", [[], ["x"], ["0", "26"], ["-2"], ["00"], ["²"]])
def test_choices_that_no_list_has_are_refused(values: list[str]) -> None:
    with pytest.raises(RequestRefused):
        guess_pages.parse_choices(values)


def test_the_button_takes_the_place_of_the_score_sheet_unless_somebody_is_away() -> None:
    labels = [press.label for press in match_pages._table_presses(AT.info, (), open_press(AT.info.id))]
    assert labels == ["Show my hand", "Guess", "More"]
    assert [press.label for press in match_pages._table_presses(AT.info, (), None)] == [
        "Show my hand",
        "Score sheet",
        "More",
    ]
    assert guessing.open_question(AT) is None, "a lobby asks nothing"
