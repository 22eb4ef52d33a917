"""The private message in which somebody who watches guesses. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cogs.features.guesses.words import guess_prompt
from cogs.screens.control_widths import MAX_OPTION
from cogs.screens.screen import GameScreen
from cogs.screens.truncation import truncate
from cogs.screens.words import join_with_and
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.page import Line, Menu, Page, Press, Row, Text
from cogs.table.wording.player_names import seat_name
from engines.features.guesses.questions import NOBODY, GuessQuestion
from engines.hosting.match import MatchSnapshot, RequestRefused

MAX_CHOICES = 25


def question_page(
    snapshot: MatchSnapshot, screen: GameScreen, question: GuessQuestion, guessed: Collection[int] = ()
) -> Page:
    """Return an open question with its choices, and what its reader has guessed."""
    how = "Choose one or more players, or nobody" if question.several else "Choose one"
    now = f"\n**Your guess: {_choices_text(snapshot, guessed)}.**" if guessed else ""
    said = (
        f"**{guess_prompt(screen, question.number)}**\n-# {how}. You can change your guess until the question closes. "
        f"Then the table names those who were right.{now}"
    )
    lines = tuple(
        Line(truncate(_choice_label(snapshot, each), MAX_OPTION), str(each), chosen=each in guessed)
        for each in question.choices
    )
    most = sum(each != NOBODY for each in question.choices) if question.several else 1
    menu = Menu(pick_id(snapshot.info.id, question.number), "Your guess", lines, most=most)
    return Page((Text(said), Row(menu)))


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


def _choice_label(snapshot: MatchSnapshot, choice: int) -> str:
    return "Nobody" if choice == NOBODY else snapshot.info.seats[choice].name


def _choices_text(snapshot: MatchSnapshot, choices: Collection[int]) -> str:
    """Return the choices in words, escaped for markdown: `Ada and Bela`."""
    named = ["nobody" if each == NOBODY else seat_name(snapshot.info.seats[each]) for each in sorted(choices)]
    return join_with_and(named)
