"""Jesters as a person gets to see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.jesters.choices import brings, complete
from cogs.jesters.controls import controls
from cogs.jesters.labels import called, held, keep_label, spend_label, takes
from cogs.jesters.news import brief, performed, tell
from cogs.jesters.pictures import hand_picture, sheet_picture, table_picture
from cogs.jesters.reasons import reason
from cogs.jesters.result import scoring_lines, sheet_lines
from cogs.jesters.words import (
    attempt_lines,
    bottom,
    card_lines,
    dice_words,
    face_words,
    gift,
    help_lines,
    in_fame,
    majority_lines,
    pile_lines,
    round_line,
    seat_lines,
    task,
    task_lines,
    top,
    waiting,
)
from cogs.screens import words
from cogs.screens.screen import WORDS, Context, Offers, Plain, Screen, Typed, Unwritten
from cogs.screens.truncation import worded
from engines.jesters.components import effects
from engines.jesters.components.catalogue import COLOURS
from engines.jesters.events import AnyEvent
from engines.jesters.model import (
    Finish,
    Keep,
    Learn,
    Mark,
    Move,
    Options,
    Paint,
    Pass,
    Perform,
    Reroll,
    Roll,
    Spend,
    Unmark,
    UseGift,
    View,
)
from engines.jesters.requirements import prospects
from engines.kit.contract import Decision, Outcome

WORTH: Mapping[str, str] = {
    "turn": "A card teaches its dice now, or changes one later.",
    "attempt": "Success: the dice go back. Failure: you keep them.",
    "mark": "Every other die stays as it is.",
    "keep": "It works once a round; symbols count at the end.",
}
"""What things are worth, by what is to be decided."""

WITH_DICE = "%: all your dice rolled once; a card changes one."

RULES: Mapping[str, str] = {"turn": "S5", "attempt": "S7", "mark": "S7", "keep": "S10"}


class JestersScreen(Plain):
    """Jesters' face: pure functions from views to screens."""

    def table(self, view: View, context: Context) -> Screen:
        """The public table; an attempt is seen live."""

        def first() -> tuple[str, ...]:
            attempt = "\n".join(attempt_lines(view, context))
            return f"## {round_line(view)}\n{waiting(view, context)}", *([attempt] if attempt else [])

        above = Unwritten(lambda: (*first(), *words.newest(context.news)))
        below = Unwritten(lambda: _table(view, context))
        shorter = Unwritten(lambda: (*first(), *words.newest(context.news, 300)))
        brief = Unwritten(lambda: _table(view, context, brief=True))
        return Screen(
            Unwritten(lambda: above if _fits(above, below) else shorter),
            table_picture(view, context),
            Unwritten(lambda: below if _fits(above, below) else brief),
            headline=_headline(view, context),
        )

    def hand(self, view: View, decision: Decision | None, moves: Sequence[Move], context: Context) -> Screen:
        """A seat's hand: what to do, an attempt and what could help, the Jest cards; then the table in words.

        The news stand below the controls, so that these keep their place whatever the others do.
        """
        asked_for = decision is not None and bool(moves)

        def parts() -> tuple[str, ...]:
            todo = _todo(view, moves) if asked_for else waiting(view, context)
            attempt = attempt_lines(view, context)
            if asked_for and view.phase == "attempt":
                attempt += help_lines(view, moves)
            return f"{todo}\n-# {round_line(view)}", "\n".join(attempt), "\n".join(card_lines(view))

        def below() -> tuple[str, ...]:
            whole = (*words.newest(context.news), *_table(view, context))
            brief = (*words.newest(context.news, 300), *_table(view, context, brief=True))
            return whole if _fits(above, whole) else brief

        above, picture = Unwritten(parts), hand_picture(view, context)
        return Screen(
            Unwritten(lambda: filter(None, above)),
            picture,
            Unwritten(below),
            controls(view, moves, picture) if asked_for else (),
            headline=_asked(view, moves) if asked_for else _headline(view, context),
            worth=_worth(view, moves),
            rule=RULES.get(view.phase, ""),
        )

    def sheet(self, view: View, context: Context) -> Screen:
        """What everybody has completed, and how it stands; at the end the final scoring."""
        whole, brief = ("\n".join(["### Score sheet", *sheet_lines(view, context, brief)]) for brief in (False, True))
        return Screen((worded(WORDS, whole, brief),), sheet_picture(view, context))

    def result(self, view: View, outcome: Outcome, context: Context) -> Screen:
        """The end: who won, every place, and the final scoring line by line."""
        assert view.final is not None
        won = words.headline(outcome, context, in_fame)
        above = (f"## {won}\n{round_line(view)}, the end.", *words.newest(context.news))
        below = (
            "\n".join(words.places(outcome, context, lambda seat: in_fame(outcome.points[seat]))),
            "\n".join(["### Final scoring", *scoring_lines(view, view.final, context)]),
        )
        headline = words.ending(outcome, context, in_fame)
        return Screen(above, sheet_picture(view, context, outcome), below, headline=headline)

    def brief(self, event: AnyEvent, context: Context) -> str | None:
        """One event in few words."""
        return brief(event, context)

    def tell(self, event: AnyEvent, context: Context) -> str | None:
        """One event in a sentence."""
        return tell(event, context)

    def label(self, move: Move) -> str:
        """`Learn with card 17 (red, blue)`, `Perform “The Two Noses” with 2 red`, `Card 12: die 3 to 5`."""
        match move:
            case Learn(card, colours):
                chosen = f", any as {', '.join(COLOURS[colour] for colour in colours)}" if colours else ""
                return f"Learn with card {card} ({top(card)}){chosen}"
            case Perform(target, dice):
                return f"Perform {performed(target)} with {dice_words(dice)}"
            case Spend(card, die, face):
                return f"Card {card} ({bottom(card)}): die {die} to {face}"
            case Reroll(card):
                return f"Discard card {card} for a reroll"
            case UseGift(number, die, colour):
                to = f": die {die}" if die is not None else "" if colour is None else f": {COLOURS[colour]}"
                return f"Gift {number} ({gift(number)}){to}"
            case Mark(die):
                return f"Mark die {die}"
            case Unmark(die):
                return f"Take the mark off die {die}"
            case Roll():
                return "Roll the marked dice again"
            case Paint():
                return "Change the colour of the marked dice"
            case Finish():
                return "Finish the attempt"
            case Keep(number):
                return f"Keep Gift {number} ({gift(number)})"
            case Pass():
                return "Pass"

    def choice(self, view: View, move: Move, context: Context) -> str:
        """With what it would bring now."""
        match move:
            case Learn(card, colours):
                chosen = f", any as {', '.join(COLOURS[colour] for colour in colours)}" if colours else ""
                return f"Learn with {held(view, card)} ({top(card)}){chosen}, {takes(view, move)}"
            case Spend():
                said = f"Change {spend_label(view, move)} by {held(view, move.card)} ({bottom(move.card)})"
                return brings(view, move, said)
            case Reroll(card):
                return f"Discard {held(view, card)} ({face_words(card)}) for a reroll"
            case UseGift():
                return brings(view, move, f"Use {called(view, move)}")
            case Keep(number):
                return f"Keep the Gift “{keep_label(number)}”"
            case _:
                return self.label(move)

    def complete(self, view: View, moves: Sequence[Move], typed: Typed, context: Context) -> Offers | None:
        """First what to perform, then dice for it."""
        return complete(view, typed)

    def reason(self, view: View, move: Move, context: Context) -> str:
        """What speaks for a move."""
        return reason(view, move)

    def turn(self, view: View, decision: Decision) -> str:
        """What the seat is asked for."""
        wanted = {
            "turn": "learn, perform or pass",
            "attempt": "go on with your attempt",
            "mark": "mark dice",
            "keep": "keep one of two Gifts",
        }
        return f"{wanted[decision.kind]} in round {view.round}"

    def options(self, options: Options, seats: int) -> Mapping[str, str]:
        """There are none."""
        return {}


def _fits(above: Sequence[str], below: Sequence[str]) -> bool:
    """Whether a page has room for both."""
    return sum(map(len, (*above, *below))) <= WORDS - len((*above, *below))


def _table(view: View, context: Context, brief: bool = False) -> tuple[str, ...]:
    """The whole table in words."""
    groups = (
        task_lines(view, context),
        seat_lines(view, context, brief),
        majority_lines(view, context),
        pile_lines(view),
    )
    return tuple("\n".join(lines) for lines in groups if lines)


def _asked(view: View, moves: Sequence[Move]) -> str:
    """What the reader has to do, in a line."""
    match view.phase:
        case "turn":
            may = words.opening(_may(moves)).replace("earn", "earn dice", 1)
            return f"{may}." if moves[1:] else "Pass: there is nothing else to do."
        case "attempt":
            return "The dice meet it: finish." if prospects.met(view) else "Change the dice, or finish."
        case "mark":
            assert view.attempt is not None
            paint = effects.paint(view.attempt.marking)
            return "Mark the dice to roll again." if paint is None else f"Mark the dice that become {COLOURS[paint]}."
        case _:
            return "Keep one of the two Gifts."


def _worth(view: View, moves: Sequence[Move]) -> str:
    """What things are worth; with dice, what the picture's chances are of."""
    if view.phase == "turn" and view.seat == view.turn:
        choosing = WITH_DICE if any(view.dice[view.turn]) else WORTH["turn"]
        return choosing if moves[1:] else ""
    return WORTH.get(view.phase, "")


def _headline(view: View, context: Context) -> str:
    """Whom the match waits for, in a line."""
    if view.phase == "over":
        return "The match is over."
    name = context.short[view.turn]
    if view.attempt is not None:
        return f"Waiting for {name} to perform {task(view, view.attempt.target).name}."
    return f"Waiting for {name} to {'keep a Gift' if view.phase == 'keep' else 'play'}."


def _todo(view: View, moves: Sequence[Move]) -> str:
    """What the reader has to do next."""
    match view.phase:
        case "turn":
            return f"**Your turn**: {_may(moves)}."
        case "attempt":
            if prospects.met(view):
                return "**The dice meet it**: finish, or go on changing them."
            return "**Change the dice**, or finish."
        case "mark":
            assert view.attempt is not None
            paint = effects.paint(view.attempt.marking)
            what = "to reroll, then reroll them" if paint is None else f"that are to become {COLOURS[paint]}"
            return f"**Mark the dice** {what}."
        case _:
            return "**Keep one of the two Gifts**; the other one goes under the pile."


def _may(moves: Sequence[Move]) -> str:
    """What may be done in a turn. Learning comes first among the moves, passing last."""
    may = ["learn"] if isinstance(moves[0], Learn) else []
    may += ["perform"] if len(moves) > 1 and isinstance(moves[-2], Perform) else []
    return words.either([*may, "pass"])
