"""The screens of Jesters: table, hand, score sheet and result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.features.clips.steps import USUAL, ClipStep
from cogs.jesters import clip, labels
from cogs.jesters.choices import complete_option, with_effect
from cogs.jesters.controls import hand_controls
from cogs.jesters.intro import INTRO
from cogs.jesters.labels import gift_phrase, keep_phrase, learned_dice_text, own_card_text, spend_label
from cogs.jesters.move_reasons import move_reason
from cogs.jesters.narration import narrate, narrate_briefly, quoted_task_name
from cogs.jesters.pictures import hand_picture, sheet_picture, table_picture
from cogs.jesters.result import scoring_lines, sheet_lines
from cogs.jesters.words import (
    attempt_lines,
    card_bottom_text,
    card_lines,
    card_top_text,
    current_fame,
    dice_text,
    fame_text,
    gift_text,
    help_lines,
    jest_card_text,
    majority_lines,
    pile_lines,
    round_line,
    seat_lines,
    secret_hand_text,
    target_task,
    task_lines,
    waiting_text,
)
from cogs.screens import words
from cogs.screens.screen import MAX_SCREEN_TEXT, Context, GameScreen, LazyParagraphs, Offers, Screen, TypedCommand
from cogs.screens.special_cards import HandChange, SpecialCard
from cogs.screens.truncation import first_fitting
from engines.jesters import effects, prospects
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
)
from engines.jesters.view import View
from engines.kit.contract import Decision, Outcome

WORTH_TEXTS: Mapping[str, str] = {
    "turn": "A card teaches its dice now, or changes one later.",
    "attempt": "Success: the dice go back. Failure: you keep them.",
    "mark": "All other dice stay as they are.",
    "keep": "Use a Gift once a round; symbols count at the end.",
}
"""By phase, the most useful fact for the decision."""

WITH_DICE_TEXT = "%: your chance with one roll of all your dice."

DECISION_RULES: Mapping[str, str] = {"turn": "S5", "attempt": "S7", "mark": "S7", "keep": "S10"}


class JestersScreen(GameScreen):
    """Builds the screens of Jesters from views, without side effects."""

    intro = INTRO

    def table(self, view: View, context: Context) -> Screen:
        """Return the public table, with the attempt if there is one."""

        def opening_paragraphs() -> tuple[str, ...]:
            attempt = "\n".join(attempt_lines(view, context))
            return f"## {round_line(view)}\n{waiting_text(view, context)}", *([attempt] if attempt else [])

        above = LazyParagraphs(lambda: (*opening_paragraphs(), *words.newest_lines(context.narration)))
        below = LazyParagraphs(lambda: _table_paragraphs(view, context))
        shorter = LazyParagraphs(lambda: (*opening_paragraphs(), *words.newest_lines(context.narration, 300)))
        brief = LazyParagraphs(lambda: _table_paragraphs(view, context, is_brief=True))
        return Screen(
            LazyParagraphs(lambda: above if _fits_page(above, below) else shorter),
            table_picture(view, context),
            LazyParagraphs(lambda: below if _fits_page(above, below) else brief),
            headline=_waiting_headline(view, context),
        )

    def hand(self, view: View, decision: Decision | None, moves: Sequence[Move], context: Context) -> Screen:
        """Return a seat's hand: the task, the attempt with helpful moves, the Jest cards, and the table in words.

        The news is below the controls, so that the controls never move.
        """
        asked_for = decision is not None and bool(moves)

        def above_parts() -> tuple[str, ...]:
            todo = _todo_text(view, moves) if asked_for else waiting_text(view, context)
            attempt = attempt_lines(view, context)
            if asked_for and view.phase == "attempt":
                attempt += help_lines(view, moves)
            return f"{todo}\n-# {round_line(view)}", "\n".join(attempt), "\n".join(card_lines(view))

        def below() -> tuple[str, ...]:
            whole = (*words.newest_lines(context.narration), *_table_paragraphs(view, context))
            brief = (*words.newest_lines(context.narration, 300), *_table_paragraphs(view, context, is_brief=True))
            return whole if _fits_page(above, whole) else brief

        above, picture = LazyParagraphs(above_parts), hand_picture(view, context)
        return Screen(
            LazyParagraphs(lambda: filter(None, above)),
            picture,
            LazyParagraphs(below),
            hand_controls(view, moves, picture) if asked_for else (),
            headline=_todo_headline(view, moves) if asked_for else _waiting_headline(view, context),
            worth_text=_worth_text(view, moves) if asked_for else "",
            rule=DECISION_RULES.get(view.phase, ""),
        )

    def sheet(self, view: View, context: Context) -> Screen:
        """Return what everybody has completed, and the standings; at the end, the final scoring."""
        whole, brief = ("\n".join(["### Score sheet", *sheet_lines(view, context, brief)]) for brief in (False, True))
        picture = sheet_picture(view, context) if view.final is None else None  # the result has it
        return Screen((first_fitting(MAX_SCREEN_TEXT, whole, brief),), picture)

    def result(self, view: View, outcome: Outcome, context: Context) -> Screen:
        """Return the result: the winners, all places, and the final scoring line by line."""
        assert view.final is not None
        won = words.result_headline(outcome, context, fame_text)
        above = (f"## {won}\n{round_line(view)}, the end.", *words.newest_lines(context.narration))
        below = (
            "\n".join(words.place_lines(outcome, context, lambda seat: fame_text(outcome.points[seat]))),
            "\n".join(["### Final scoring", *scoring_lines(view, view.final, context)]),
        )
        return Screen(above, sheet_picture(view, context, outcome), below, headline=won)

    def narrate_briefly(self, event: AnyEvent, context: Context) -> str | None:
        """Return an event in a few words."""
        return narrate_briefly(event, context)

    def narrate(self, event: AnyEvent, context: Context) -> str | None:
        """Return an event as a sentence."""
        return narrate(event, context)

    def move_label(self, move: Move) -> str:
        """Return a move's name, such as `Learn with card 17 (red, blue)` or `Perform “The Two Noses” with 2 red`."""
        match move:
            case Learn(card, colours):
                chosen = f", any as {', '.join(COLOURS[colour] for colour in colours)}" if colours else ""
                return f"Learn with card {card} ({card_top_text(card)}){chosen}"
            case Perform(target, dice):
                return f"Perform {quoted_task_name(target)} with {dice_text(dice)}"
            case Spend(card, die, face):
                return f"Card {card} ({card_bottom_text(card)}): die {die} to {face}"
            case Reroll(card):
                return f"Discard card {card} for a reroll"
            case UseGift(number, die, colour):
                to = f": die {die}" if die is not None else "" if colour is None else f": {COLOURS[colour]}"
                return f"Gift {number} ({gift_text(number)}){to}"
            case Mark(die):
                return f"Mark die {die}"
            case Unmark(die):
                return f"Unmark die {die}"
            case Roll():
                return "Reroll the marked dice"
            case Paint():
                return "Change the colour of the marked dice"
            case Finish():
                return "Finish the attempt"
            case Keep(number):
                return f"Keep Gift {number} ({gift_text(number)})"
            case Pass():
                return "Pass"

    def choice_label(self, view: View, move: Move, context: Context) -> str:
        """Return a move's name with its effect in this position."""
        match move:
            case Learn(card):
                learned = learned_dice_text(view, move).replace(", ", " and ")
                return f"Learn {learned} with {own_card_text(view, card)} ({card_top_text(card)})"
            case Spend():
                label = (
                    f"Change {spend_label(view, move)} by {own_card_text(view, move.card)} "
                    f"({card_bottom_text(move.card)})"
                )
                return with_effect(view, move, label)
            case Reroll(card):
                return f"Discard {own_card_text(view, card)} ({jest_card_text(card)}) for a reroll"
            case UseGift():
                return with_effect(view, move, f"Use {gift_phrase(view, move)}")
            case Keep(number):
                return f"Keep {keep_phrase(number)}"
            case _:
                return self.move_label(move)

    def standings(self, view: View) -> Sequence[float]:
        """Return the Fame so far."""
        return tuple(current_fame(view, seat) for seat in range(view.seats))

    def clip_weight(self, event: AnyEvent) -> int:
        """Return how much an event matters: completed Performances most, then dice."""
        return clip.WEIGHTS.get(type(event), USUAL)

    def clip_steps(self, before: View, events: Sequence[AnyEvent], after: View, context: Context) -> Sequence[ClipStep]:
        """Return the table after a move, and before that the rolling dice, or the attempt that ended."""
        return clip.clip_steps(before, events, after, context)

    def complete_option(
        self, view: View, moves: Sequence[Move], typed: TypedCommand, context: Context
    ) -> Offers | None:
        """Return choices for a typed option: first what to perform, then the dice for it."""
        return complete_option(view, typed)

    def move_reason(self, view: View, move: Move, context: Context) -> str:
        """Return why a move may be good."""
        return move_reason(view, move)

    def forced_text(self, decision: Decision) -> str:
        """Return what happens to a player who has nothing left."""
        if decision.kind == "attempt":
            return "Nothing is left to try: your attempt finishes automatically."
        return "You have nothing left to do, so you pass automatically."

    def special_cards(self, options: Options, seats: int) -> Sequence[SpecialCard]:
        """Return all kinds of Gifts."""
        return labels.special_cards()

    def own_special_cards(self, view: View) -> Sequence[SpecialCard]:
        """Return the kinds that the seat has."""
        return labels.own_special_cards(view)

    def special_cards_of(self, event: AnyEvent, view: View) -> HandChange:
        """Return the kinds that came to the seat or left it."""
        return labels.special_cards_of(event, view)

    def special_card_in(self, move: Move, view: View) -> SpecialCard | None:
        """Return the special card that a move is about."""
        return labels.special_card_in(move, view)

    def section_title(self, view: View) -> str:
        """Return the round."""
        return f"Round {view.round}"

    def hand_text(self, view: View) -> str:
        """Return the seat's Jest cards, and the Gifts that it chooses from."""
        return secret_hand_text(view)

    def turn_prompt(self, view: View, decision: Decision) -> str:
        """Return what the seat has to do."""
        wanted = {
            "turn": "learn, perform or pass",
            "attempt": "continue your attempt",
            "mark": "mark dice",
            "keep": "keep one of two Gifts",
        }
        return f"{wanted[decision.kind]} in round {view.round}"

    def guess_prompt(self, number: int) -> str:
        """Return the question to spectators."""
        return f"Who is the first to succeed in round {number}?"

    def option_texts(self, options: Options, seats: int) -> Mapping[str, str]:
        """Return no texts: Jesters has no options."""
        return {}


def _fits_page(above: Sequence[str], below: Sequence[str]) -> bool:
    """Whether both texts fit on a page."""
    return sum(map(len, (*above, *below))) <= MAX_SCREEN_TEXT - len((*above, *below))


def _table_paragraphs(view: View, context: Context, is_brief: bool = False) -> tuple[str, ...]:
    """The table in words."""
    groups = (
        task_lines(view, context),
        seat_lines(view, context, is_brief),
        majority_lines(view, context),
        pile_lines(view),
    )
    return tuple("\n".join(lines) for lines in groups if lines)


def _todo_headline(view: View, moves: Sequence[Move]) -> str:
    """What the player has to do next, as a headline."""
    match view.phase:
        case "turn":
            may = words.capitalize(_allowed_actions(moves)).replace("earn", "earn dice", 1)
            return f"{may}." if moves[1:] else "Pass: you have no other move."
        case "attempt":
            return "Requirement met: finish." if prospects.meets_requirement(view) else "Change the dice, or finish."
        case "mark":
            assert view.attempt is not None
            paint = effects.paint_colour(view.attempt.marking)
            return "Mark the dice to reroll." if paint is None else f"Mark the dice that become {COLOURS[paint]}."
        case _:
            return "Keep one of the two Gifts."


def _worth_text(view: View, moves: Sequence[Move]) -> str:
    """The most useful fact for the decision; if the player has dice, the meaning of the picture's chances."""
    if view.phase == "turn":
        choosing = WITH_DICE_TEXT if any(view.dice[view.turn]) else WORTH_TEXTS["turn"]
        return choosing if moves[1:] else ""
    return WORTH_TEXTS.get(view.phase, "")


def _waiting_headline(view: View, context: Context) -> str:
    """The player that the match waits for, as a headline."""
    if view.phase == "over":
        return "The match is over."
    name = context.short_names[view.turn]
    if view.attempt is not None:
        return f"Waiting for {name} to perform {target_task(view, view.attempt.target).name}."
    return f"Waiting for {name} to {'keep a Gift' if view.phase == 'keep' else 'play'}."


def _todo_text(view: View, moves: Sequence[Move]) -> str:
    """What the player has to do next."""
    match view.phase:
        case "turn":
            return f"**Your turn**: {_allowed_actions(moves)}."
        case "attempt":
            if prospects.meets_requirement(view):
                return "**Requirement met**: finish, or keep changing them."
            return "**Change the dice**, or finish."
        case "mark":
            assert view.attempt is not None
            paint = effects.paint_colour(view.attempt.marking)
            what = "to reroll, then reroll them" if paint is None else f"that become {COLOURS[paint]}"
            return f"**Mark the dice** {what}."
        case _:
            return "**Keep one of the two Gifts**. The other one goes under the pile."


def _allowed_actions(moves: Sequence[Move]) -> str:
    """The possible actions of a turn. Moves are ordered: learning first, passing last."""
    may = ["learn"] if isinstance(moves[0], Learn) else []
    may += ["perform"] if len(moves) > 1 and isinstance(moves[-2], Perform) else []
    return words.join_with_or([*may, "pass"])
