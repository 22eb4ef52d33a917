"""A hint, and the review of a player's costliest decisions, as private messages. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cogs.screens.control_widths import MAX_LABEL
from cogs.screens.screen import GameScreen
from cogs.screens.truncation import truncate
from cogs.screens.words import capitalize, pluralize
from cogs.table.pages import custom_ids, hand_controls
from cogs.table.pages.page import GREY, Page, Press, Text, press_rows, table_press, text_blocks
from cogs.table.wording import narration
from cogs.table.wording.advice import advice_lines
from cogs.table.wording.player_names import escape_markdown
from engines.hosting.match import MatchSnapshot
from players import Advice, ValueUnit
from players.review import PastDecision

Lesson = tuple[PastDecision, Advice[Any]]
"""A past decision, and the better move."""
JUDGED_TEXT = "-# Judged by what you knew then, not by how it turned out."


@dataclass(frozen=True, slots=True)
class Review:
    """A player's costliest decisions, the worst first, and how many of their decisions were examined."""

    lessons: tuple[Lesson, ...]
    examined: int
    total: int


def hint_page(
    snapshot: MatchSnapshot, seat: int, screen: GameScreen, advice: Advice[Any], unit: ValueUnit, *, was_searched: bool
) -> Page:
    """Return the suggested move, its reason and its advantage, with the button that makes it.

    `was_searched` is true if the advice comes from a search.
    """
    lines = advice_lines(screen, snapshot.view(seat), advice.move, narration.screen_context(snapshot))
    press = _move_press(snapshot, seat, screen, advice.move, snapshot.decisions()[seat].number)
    back = table_press(snapshot.info.id, "Back to the hand", "return")
    small = (
        _comparison_text(snapshot, seat, screen, advice, unit)
        if was_searched
        else "a rule of thumb, without calculating ahead"
    )
    page = Page((Text("\n".join((*lines, f"-# Hint: {small}."))), *press_rows((press, back))))
    return page.for_reader(snapshot.info.seats[seat].user)


def thinking_page() -> Page:
    """Return the notice that a hint is being computed."""
    return Page((Text("I am thinking about your move…"),), GREY)


def review_started_page(number: int, seconds: int) -> Page:
    """Return the notice that the review has started, with its estimated time."""
    about = "a few seconds" if seconds < 10 else f"about {round(seconds, -1)} seconds, or longer while I am busy"
    return Page((Text(f"I am reviewing your {pluralize(number, 'decision')}. This will take {about}."),), GREY)


def review_progress_page(done: int, number: int) -> Page:
    """Return the progress of the review."""
    rest = f"{done} of {number} done" if done < number else "checking the costliest ones again"
    return Page((Text(f"I am reviewing your {pluralize(number, 'decision')}: {rest}."),), GREY)


def review_page(snapshot: MatchSnapshot, screen: GameScreen, review: Review, unit: ValueUnit) -> Page:
    """Return the review, with the costliest decision first."""
    number, lessons = review.total, review.lessons
    if not number:
        return Page((Text("You had no choices to make in this match."),), GREY)
    some = f"{review.examined} of " if review.examined < number else ""
    which = f"{snapshot.game.title} · match `{snapshot.info.id}` · {some}{pluralize(number, 'decision')}"
    head = f"### Your costliest moves\n-# {which}"
    if not lessons:
        text = "I found no decision where another move would clearly have been better."
        return Page(text_blocks((head, text, JUDGED_TEXT)))
    return Page(text_blocks((head, *(_lesson_text(snapshot, screen, lesson, unit) for lesson in lessons), JUDGED_TEXT)))


def gain_text(gain: float, unit: ValueUnit) -> str:
    """Return the gain in words: `about 6 points more`, `a little more`."""
    number = round(gain * unit.scale)
    return f"about {number} {unit.singular if number == 1 else unit.plural}" if number else "a little more"


def _comparison_text(
    snapshot: MatchSnapshot, seat: int, screen: GameScreen, advice: Advice[Any], unit: ValueUnit
) -> str:
    """Return a clause that compares the move with the next best."""
    if advice.compared_to is None:
        return "it is your only move" if len(snapshot.moves(seat)) == 1 else "nothing else comes close"
    context = narration.screen_context(snapshot)
    other = f"“{escape_markdown(screen.choice_label(snapshot.view(seat), advice.compared_to, context))}”"
    if not advice.gain:
        return f"{other} is about as good"
    note = f" ({unit.note})" if unit.note else ""
    return f"{gain_text(advice.gain, unit)} than with {other}{note}"


def _move_press(snapshot: MatchSnapshot, seat: int, screen: GameScreen, move: Any, number: int) -> Press:
    """Return the button that makes the move. If the move's own label is too long, it has the hand's label."""
    notation, context = snapshot.game.format_move(move), narration.screen_context(snapshot)
    drawn = screen.hand(snapshot.view(seat), snapshot.decisions()[seat], snapshot.moves(seat), context)
    label, asks = hand_controls.find_label(drawn.controls, notation)
    choice = screen.choice_label(snapshot.view(seat), move, context)
    called = choice if len(choice) <= MAX_LABEL else truncate(label or choice, MAX_LABEL)
    return Press(
        called, (custom_ids.confirm_id if asks else custom_ids.move_id)(snapshot.info.id, number, notation), "primary"
    )


def _lesson_text(snapshot: MatchSnapshot, screen: GameScreen, lesson: Lesson, unit: ValueUnit) -> str:
    """Return one lesson: the better move with its reason, then the situation, the move made, and the gain."""
    faced, advice = lesson
    context = narration.screen_context(snapshot)
    chosen = escape_markdown(screen.choice_label(faced.view, advice.compared_to, context))
    situation = capitalize(screen.turn_prompt(faced.view, faced.decision))
    gain = "; ".join(filter(None, (gain_text(advice.gain or 0.0, unit), unit.note)))
    small = f"-# {situation}: you chose “{chosen}”; the better move is worth {gain}."
    return "\n".join((*advice_lines(screen, faced.view, advice.move, context), small))
