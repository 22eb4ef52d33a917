"""A hint, and one's costliest decisions, as messages for the one who asked. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cogs.screens.control_widths import LABEL
from cogs.screens.screen import GameScreen
from cogs.screens.truncation import cut
from cogs.screens.words import counted, opening
from cogs.table.pages import custom_ids, hand_controls
from cogs.table.pages.page import GREY, Page, Press, Text, rows, table_press, texts
from cogs.table.wording import narration
from cogs.table.wording.player_names import plain
from engines.hosting.match import Look
from players import Advice, Unit
from players.review import Faced

Lesson = tuple[Faced, Advice[Any]]
"""A decision, and what would have been better."""


@dataclass(frozen=True, slots=True)
class Review:
    """What has cost somebody most, the worst first; how many decisions were looked at, of how many."""

    lessons: tuple[Lesson, ...]
    looked: int
    number: int


JUDGED = "-# Judged from what you knew then, not from what came of it."


def hint(look: Look, seat: int, screen: GameScreen, advice: Advice[Any], unit: Unit, *, thought: bool) -> Page:
    """What to do, why, and how much better that is; with the button that does it. `thought`: it was worked out."""
    around, view, decision = narration.context(look), look.view(seat), look.decisions()[seat]
    said = _sentence(screen.choice(view, advice.move, around))
    why = screen.reason(view, advice.move, around) or ""
    press = _press(look, seat, screen, advice.move, decision.number)
    back = table_press(look.info.id, "Back to the hand", "return")
    small = _better(look, seat, screen, advice, unit) if thought else "By rules of thumb, not thought through"
    said = f"**Hint: {said}**\n{why}".rstrip()
    return Page((*texts((said, f"-# {small}.")), *rows((press, back))))


def thinking() -> Page:
    """That a hint is being worked out."""
    return Page((Text("I am thinking about your move…"),), GREY)


def looking(number: int, seconds: int) -> Page:
    """That one's decisions are being looked at, and how long that takes."""
    about = "a few seconds" if seconds < 10 else f"about {round(seconds, -1)} seconds, or longer while I am busy"
    return Page((Text(f"I am looking at your {counted(number, 'decision')} again, which takes {about}."),), GREY)


def going_on(done: int | None, number: int) -> Page:
    """How far that is; None: it has not begun, for somebody else's match is being looked at."""
    if done is None:
        return Page(
            (Text(f"I look at your {counted(number, 'decision')} after those of whoever asked before you."),), GREY
        )
    rest = f"{done} of {number} are done" if done < number else "the worst of them a second time"
    return Page((Text(f"I am looking at your {counted(number, 'decision')} again: {rest}."),), GREY)


def costliest(look: Look, screen: GameScreen, review: Review, unit: Unit) -> Page:
    """The decisions that have cost most, the first one most of all."""
    number, lessons = review.number, review.lessons
    if not number:
        return Page((Text("There was no decision of your own in this match in which you had a choice."),), GREY)
    some = f"{review.looked} of " if review.looked < number else ""
    which = f"{look.game.title} · match `{look.info.id}` · {some}{counted(number, 'decision')}"
    head = f"### Your costliest moves\n-# {which}"
    if not lessons:
        said = "Of none of them I can say for sure that another move would have been better."
        return Page(texts((head, said, JUDGED)))
    return Page(texts((head, *(_lesson(look, screen, lesson, unit) for lesson in lessons), JUDGED)))


def more(gain: float, unit: Unit) -> str:
    """By how much: `about 6 points more`, `a little more`."""
    number = round(gain * unit.scale)
    return f"about {number} {unit.one if number == 1 else unit.many}" if number else "a little more"


def _better(look: Look, seat: int, screen: GameScreen, advice: Advice[Any], unit: Unit) -> str:
    """How much better it is than the next best, as a sentence without its end."""
    if advice.next is None:
        return "It is all that can be done" if len(look.moves(seat)) == 1 else "Nothing else comes near it"
    other = f"“{plain(screen.choice(look.view(seat), advice.next, narration.context(look)))}”"
    if not advice.gain:
        return f"About as good: {other}"
    return f"{opening(more(advice.gain, unit))} than with {other}"


def _press(look: Look, seat: int, screen: GameScreen, move: Any, number: int) -> Press:
    """The button that makes the move, called like it or, where that is long, as the hand calls it."""
    notation, around = look.game.write(move), narration.context(look)
    drawn = screen.hand(look.view(seat), look.decisions()[seat], look.moves(seat), around)
    label, asks = hand_controls.called(drawn.controls, notation)
    choice = screen.choice(look.view(seat), move, around)
    called = choice if len(choice) <= LABEL else cut(label or choice, LABEL)
    return Press(called, (custom_ids.ask if asks else custom_ids.move)(look.info.id, number, notation), "primary")


def _lesson(look: Look, screen: GameScreen, lesson: Lesson, unit: Unit) -> str:
    """When it was, what was done, what was better and by how much, and why."""
    faced, advice = lesson
    around = narration.context(look)
    made, better = (_sentence(screen.choice(faced.view, move, around)) for move in (advice.next, advice.move))
    lines = (
        f"**{opening(screen.turn(faced.view, faced.decision))}**",
        f"You did this: {made}.",
        f"Better: {better}, {more(advice.gain or 0.0, unit)}.",
        screen.reason(faced.view, advice.move, around) or "",
    )
    return "\n".join(line for line in lines if line)


def _sentence(choice: str) -> str:
    """A move as a sentence goes on."""
    return plain(f"{choice[:1].lower()}{choice[1:]}")
