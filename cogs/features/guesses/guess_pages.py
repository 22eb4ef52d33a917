"""Guesses on pages: the private question, who was right about the last one, and who is best. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from cogs.screens.control_widths import MAX_OPTION
from cogs.screens.screen import GameScreen
from cogs.screens.truncation import truncate
from cogs.screens.words import join_with_and
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.page import Line, Menu, Page, Press, Row, Text
from cogs.table.wording.player_names import markdown_name, seat_name
from engines.features.guesses.guessing import Guess, question_answers
from engines.features.guesses.questions import NOBODY, GuessQuestion
from engines.hosting.match import MatchSnapshot, RequestRefused

MOST_NAMED, MOST_RANKED = 5, 5
MAX_CHOICES = 25


@runtime_checkable
class AsksInWords(Protocol):
    """What a game's screen implements, to ask in the game's words."""

    def guess_prompt(self, number: int) -> str:
        """Return the question of that number to spectators: `Who wins round 3 with a full hand?`"""


def guess_prompt(screen: GameScreen, number: int) -> str:
    """Return the question of that number."""
    return screen.guess_prompt(number) if isinstance(screen, AsksInWords) else f"What happens in round {number}?"


class GuesserScore(NamedTuple):
    """How often somebody was right, of the questions that they guessed and that have an answer."""

    name: str
    right: int
    guessed: int


def guesser_scores(answers: Mapping[int, frozenset[int]], guesses: Sequence[Guess]) -> list[GuesserScore]:
    """Return everybody's score, the best first: the most right ones, then the fewest wrong ones."""
    names, right, guessed = dict[int, str](), dict[int, int](), dict[int, int]()
    for guess in guesses:
        if (answer := answers.get(guess.question)) is not None:
            names[guess.user] = guess.name
            guessed[guess.user] = guessed.get(guess.user, 0) + 1
            right[guess.user] = right.get(guess.user, 0) + (frozenset(guess.choices) == answer)
    found = [GuesserScore(name, right[user], guessed[user]) for user, name in names.items()]
    return sorted(found, key=lambda score: (-score.right, score.guessed, score.name))


def last_answer_text(snapshot: MatchSnapshot, screen: GameScreen, guesses: Sequence[Guess]) -> str:
    """Return who guessed the last answered question; empty if nobody guessed it."""
    answers = question_answers(snapshot)
    number = max(answers, default=0)
    asked_guesses = [guess for guess in guesses if guess.question == number]
    if not asked_guesses or not number:
        return ""
    right = [markdown_name(guess.name) for guess in asked_guesses if frozenset(guess.choices) == answers[number]]
    return f"“{guess_prompt(screen, number)}” {_right_text(right, len(asked_guesses))}"


def best_guessers_text(snapshot: MatchSnapshot, guesses: Sequence[Guess]) -> str:
    """Return the best guessers in one line: `Best guessers: Dora 7 of 9 · Emil 5 of 9`; empty if there are none."""
    ranked = guesser_scores(question_answers(snapshot), guesses)[:MOST_RANKED]
    scores = [f"{markdown_name(score.name)} {score.right} of {score.guessed}" for score in ranked]
    return f"Best guessers: {' · '.join(scores)}" if scores else ""


def best_guessers_table(snapshot: MatchSnapshot, guesses: Sequence[Guess]) -> str:
    """Return the best guessers as a list; empty if there are none."""
    ranked = guesser_scores(question_answers(snapshot), guesses)[:MOST_RANKED]
    lines = [
        f"{place}. {markdown_name(score.name)}: {score.right} of {score.guessed} right"
        for place, score in enumerate(ranked, 1)
    ]
    return "\n".join(("**Best guessers**", *lines)) if lines else ""


def _right_text(right: Sequence[str], guess_count: int) -> str:
    """Return `2 of 3 guessed right: Dora and Emil.`"""
    if not right:
        return "Nobody guessed right." if guess_count > 1 else "The only guess was wrong."
    named = [*right[:MOST_NAMED], f"{len(right) - MOST_NAMED} more"] if len(right) > MOST_NAMED else right
    return f"{len(right)} of {guess_count} guessed right: {join_with_and(named)}."


def question_page(
    snapshot: MatchSnapshot, screen: GameScreen, question: GuessQuestion, guessed: Collection[int] = ()
) -> Page:
    """Return an open question with its choices, and what its reader has guessed."""
    instruction = "Choose one or more players, or nobody" if question.several else "Choose one"
    now = f"\n**Your guess: {_choices_text(snapshot, guessed)}.**" if guessed else ""
    text = (
        f"**{guess_prompt(screen, question.number)}**\n-# {instruction}. "
        f"You can change your guess until the question closes. Then the table shows who was right.{now}"
    )
    lines = tuple(
        Line(
            truncate("Nobody" if each == NOBODY else snapshot.info.seats[each].name, MAX_OPTION),
            str(each),
            chosen=each in guessed,
        )
        for each in question.choices
    )
    most = sum(each != NOBODY for each in question.choices) if question.several else 1
    menu = Menu(pick_id(snapshot.info.id, question.number), "Your guess", lines, most=most)
    return Page((Text(text), Row(menu)))


def pick_id(match: str, number: int) -> str:
    """Return the custom id of the list of choices for a question."""
    return feature_id("guesses", match, "pick", number)


def open_press(match: str) -> Press:
    """Return the button that shows the open question."""
    return Press("Guess", feature_id("guesses", match, "open"))


def parse_choices(values: Sequence[str]) -> frozenset[int]:
    """Return the choices that were picked in the list. Raises RequestRefused for others."""
    known = {str(each): each for each in range(NOBODY, MAX_CHOICES)}
    if not values or not {*values} <= known.keys():
        raise RequestRefused("Please choose from what the list offers.")
    return frozenset(known[value] for value in values)


def _choices_text(snapshot: MatchSnapshot, choices: Collection[int]) -> str:
    """Return the choices in words, escaped for markdown: `Ada and Bela`."""
    named = ["nobody" if each == NOBODY else seat_name(snapshot.info.seats[each]) for each in sorted(choices)]
    return join_with_and(named)
