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
    context, view, decision = narration.screen_context(snapshot), snapshot.view(seat), snapshot.decisions()[seat]
    move_text = _as_clause(screen.choice_label(view, advice.move, context))
    why = screen.move_reason(view, advice.move, context) or ""
    press = _move_press(snapshot, seat, screen, advice.move, decision.number)
    back = table_press(snapshot.info.id, "Back to the hand", "return")
    small = (
        _comparison_text(snapshot, seat, screen, advice, unit) if was_searched else "A rule of thumb, without a search"
    )
    hint = f"**Hint: {move_text}**\n{why}".rstrip()
    page = Page((*text_blocks((hint, f"-# {small}.")), *press_rows((press, back))))
    return page.for_reader(snapshot.info.seats[seat].user)


def thinking_page() -> Page:
    """Return the notice that a hint is being computed."""
    return Page((Text("I am thinking about your move…"),), GREY)


def review_started_page(number: int, seconds: int) -> Page:
    """Return the notice that the review has started, with its estimated time."""
    about = "a few seconds" if seconds < 10 else f"about {round(seconds, -1)} seconds, or longer while I am busy"
    return Page((Text(f"I am reviewing your {pluralize(number, 'decision')}. That takes {about}."),), GREY)


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
    """Return a sentence, without its full stop, that compares the move with the next best."""
    if advice.compared_to is None:
        return "It is your only move" if len(snapshot.moves(seat)) == 1 else "Nothing else comes close"
    context = narration.screen_context(snapshot)
    other = f"“{escape_markdown(screen.choice_label(snapshot.view(seat), advice.compared_to, context))}”"
    if not advice.gain:
        return f"About as good: {other}"
    return f"{capitalize(gain_text(advice.gain, unit))} than with {other}"


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
    """Return one lesson: the situation, the move made, the better move with its gain, and the reason."""
    faced, advice = lesson
    context = narration.screen_context(snapshot)
    chosen, better = (
        _as_clause(screen.choice_label(faced.view, move, context)) for move in (advice.compared_to, advice.move)
    )
    lines = (
        f"**{capitalize(screen.turn_prompt(faced.view, faced.decision))}**",
        f"You chose: {chosen}.",
        f"Better: {better}, {gain_text(advice.gain or 0.0, unit)}.",
        screen.move_reason(faced.view, advice.move, context) or "",
    )
    return "\n".join(line for line in lines if line)


def _as_clause(choice: str) -> str:
    """Return a move's label for the middle of a sentence, escaped for markdown."""
    return escape_markdown(f"{choice[:1].lower()}{choice[1:]}")
