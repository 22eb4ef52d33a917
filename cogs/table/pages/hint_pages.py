"""A hint, and one's costliest decisions, as messages for the one who asked. Pure."""

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
"""A decision, and what would have been better."""


@dataclass(frozen=True, slots=True)
class Review:
    """What has cost somebody most, the worst first; how many decisions were looked at, of how many."""

    lessons: tuple[Lesson, ...]
    examined: int
    total: int


JUDGED_TEXT = "-# Judged from what you knew then, not from what came of it."


def hint_page(
    snapshot: MatchSnapshot, seat: int, screen: GameScreen, advice: Advice[Any], unit: ValueUnit, *, was_searched: bool
) -> Page:
    """What to do, why, and how much better that is; with the button that does it. `was_searched`: the "
    "advice comes from a search."""
    context, view, decision = narration.screen_context(snapshot), snapshot.view(seat), snapshot.decisions()[seat]
    said = _as_clause(screen.choice_label(view, advice.move, context))
    why = screen.move_reason(view, advice.move, context) or ""
    press = _move_press(snapshot, seat, screen, advice.move, decision.number)
    back = table_press(snapshot.info.id, "Back to the hand", "return")
    small = (
        _comparison_text(snapshot, seat, screen, advice, unit)
        if was_searched
        else "By rules of thumb, not thought through"
    )
    said = f"**Hint: {said}**\n{why}".rstrip()
    return Page((*text_blocks((said, f"-# {small}.")), *press_rows((press, back))))


def thinking_page() -> Page:
    """That a hint is being worked out."""
    return Page((Text("I am thinking about your move…"),), GREY)


def review_started_page(number: int, seconds: int) -> Page:
    """That one's decisions are being looked at, and how long that takes."""
    about = "a few seconds" if seconds < 10 else f"about {round(seconds, -1)} seconds, or longer while I am busy"
    return Page((Text(f"I am looking at your {pluralize(number, 'decision')} again, which takes {about}."),), GREY)


def review_progress_page(done: int | None, number: int) -> Page:
    """How far that is; None: it has not begun, for somebody else's match is being looked at."""
    if done is None:
        return Page(
            (Text(f"I look at your {pluralize(number, 'decision')} after those of whoever asked before you."),), GREY
        )
    rest = f"{done} of {number} are done" if done < number else "the worst of them a second time"
    return Page((Text(f"I am looking at your {pluralize(number, 'decision')} again: {rest}."),), GREY)


def review_page(snapshot: MatchSnapshot, screen: GameScreen, review: Review, unit: ValueUnit) -> Page:
    """The decisions that have cost most, the first one most of all."""
    number, lessons = review.total, review.lessons
    if not number:
        return Page((Text("There was no decision of your own in this match in which you had a choice."),), GREY)
    some = f"{review.examined} of " if review.examined < number else ""
    which = f"{snapshot.game.title} · match `{snapshot.info.id}` · {some}{pluralize(number, 'decision')}"
    head = f"### Your costliest moves\n-# {which}"
    if not lessons:
        said = "Of none of them I can say for sure that another move would have been better."
        return Page(text_blocks((head, said, JUDGED_TEXT)))
    return Page(text_blocks((head, *(_lesson_text(snapshot, screen, lesson, unit) for lesson in lessons), JUDGED_TEXT)))


def gain_text(gain: float, unit: ValueUnit) -> str:
    """By how much: `about 6 points more`, `a little more`."""
    number = round(gain * unit.scale)
    return f"about {number} {unit.singular if number == 1 else unit.plural}" if number else "a little more"


def _comparison_text(
    snapshot: MatchSnapshot, seat: int, screen: GameScreen, advice: Advice[Any], unit: ValueUnit
) -> str:
    """How much better it is than the next best, as a sentence without its end."""
    if advice.compared_to is None:
        return "It is all that can be done" if len(snapshot.moves(seat)) == 1 else "Nothing else comes near it"
    context = narration.screen_context(snapshot)
    other = f"“{escape_markdown(screen.choice_label(snapshot.view(seat), advice.compared_to, context))}”"
    if not advice.gain:
        return f"About as good: {other}"
    return f"{capitalize(gain_text(advice.gain, unit))} than with {other}"


def _move_press(snapshot: MatchSnapshot, seat: int, screen: GameScreen, move: Any, number: int) -> Press:
    """The button that makes the move, called like it or, where that is long, as the hand calls it."""
    notation, context = snapshot.game.format_move(move), narration.screen_context(snapshot)
    drawn = screen.hand(snapshot.view(seat), snapshot.decisions()[seat], snapshot.moves(seat), context)
    label, asks = hand_controls.find_label(drawn.controls, notation)
    choice = screen.choice_label(snapshot.view(seat), move, context)
    called = choice if len(choice) <= MAX_LABEL else truncate(label or choice, MAX_LABEL)
    return Press(
        called, (custom_ids.confirm_id if asks else custom_ids.move_id)(snapshot.info.id, number, notation), "primary"
    )


def _lesson_text(snapshot: MatchSnapshot, screen: GameScreen, lesson: Lesson, unit: ValueUnit) -> str:
    """When it was, what was done, what was better and by how much, and why."""
    faced, advice = lesson
    context = narration.screen_context(snapshot)
    made, better = (
        _as_clause(screen.choice_label(faced.view, move, context)) for move in (advice.compared_to, advice.move)
    )
    lines = (
        f"**{capitalize(screen.turn_prompt(faced.view, faced.decision))}**",
        f"You did this: {made}.",
        f"Better: {better}, {gain_text(advice.gain or 0.0, unit)}.",
        screen.move_reason(faced.view, advice.move, context) or "",
    )
    return "\n".join(line for line in lines if line)


def _as_clause(choice: str) -> str:
    """A move as a sentence goes on."""
    return escape_markdown(f"{choice[:1].lower()}{choice[1:]}")
