"""The screens of Glimpse: table, hand, score sheet and result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from cogs.screens import words
from cogs.screens.control_widths import fits_narration
from cogs.screens.screen import Button, Buttons, Context, Control, GameScreen, LazyParagraphs, Screen
from engines.kit.contract import Decision, Outcome
from tests.example.cogs.glimpse.intro import INTRO
from tests.example.cogs.glimpse.pictures import hand_picture, result_picture, table_picture
from tests.example.cogs.glimpse.words import (
    KIND_EMOJI,
    card_text,
    deal_line,
    hand_lines,
    join_cards,
    seat_lines,
    secret_hand_text,
    turned_line,
    turned_lines,
    waiting_headline,
    waiting_text,
)
from tests.example.engines.glimpse import GLIMPSE
from tests.example.engines.glimpse.deck import is_wizard, kind_name
from tests.example.engines.glimpse.model import (
    AnyEvent,
    CardGlimpsed,
    CardLaid,
    CardTurned,
    DealBegun,
    Guess,
    GuessMade,
    HandDealt,
    Lay,
    Move,
    Options,
    TurnedCard,
)
from tests.example.engines.glimpse.view import View

DECISION_RULES: Mapping[str, str] = {"lay": "G4", "guess": "G5"}
"""The rule of each kind of decision."""


class GlimpseScreen(GameScreen):
    """Builds the screens of Glimpse from views, without side effects."""

    intro = INTRO

    def table(self, view: View, context: Context) -> Screen:
        """Return the public table."""
        above = LazyParagraphs(
            lambda: (f"## {deal_line(view)}\n{waiting_text(view, context)}", *words.newest_lines(context.narration))
        )
        below = LazyParagraphs(lambda: _table_paragraphs(view, context))
        return Screen(above, table_picture(view, context), below, headline=waiting_headline(view, context))

    def hand(self, view: View, decision: Decision | None, moves: Sequence[Move], context: Context) -> Screen:
        """Return a seat's hand: the task, its cards and its glimpse, and the table in words."""
        is_asked = decision is not None and bool(moves)

        def above() -> tuple[str, ...]:
            todo = _todo_text(view, context) if is_asked else waiting_text(view, context)
            lines = words.newest_lines(context.narration)
            return f"{todo}\n-# {deal_line(view)}", *lines, "\n".join(hand_lines(view, context))

        rule = DECISION_RULES[decision.kind] if decision else ""
        controls = _hand_controls(moves) if is_asked else ()
        return Screen(
            LazyParagraphs(above),
            hand_picture(view, context),
            LazyParagraphs(lambda: _table_paragraphs(view, context)),
            controls,
            headline=_todo_headline(view) if is_asked else waiting_headline(view, context),
            worth_text="a wrong guess is a point for the player who laid the card" if is_asked else "",
            rule=rule,
        )

    def sheet(self, view: View, context: Context) -> Screen:
        """Return in words the points so far, and the result of each card of this deal."""
        lines = [f"### Score sheet\n{deal_line(view)}", *seat_lines(view, context), *turned_lines(view)]
        return Screen(("\n".join(lines),))  # the table has the picture

    def result(self, view: View, outcome: Outcome, context: Context) -> Screen:
        """Return the result: the winners, all places, and the last deal."""
        above = (
            f"## {words.result_headline(outcome, context)}\n{deal_line(view)}, the end.",
            *words.newest_lines(context.narration),
        )
        below = ("\n".join(words.place_lines(outcome, context)), *_table_paragraphs(view, context))
        return Screen(
            above, result_picture(view, outcome, context), below, headline=words.result_headline(outcome, context)
        )

    def narrate(self, event: AnyEvent, context: Context) -> str | None:
        """Return an event as a sentence."""
        names = context.names
        match event:
            case DealBegun():
                return f"Deal {event.deal}: {names[event.first]} begins."
            case HandDealt():
                return f"You are dealt {join_cards(event.cards)}."
            case CardGlimpsed():
                neighbour = names[(event.seat + 1) % len(names)]
                return f"You glimpse one of {neighbour}'s cards: {card_text(event.card)}."
            case CardLaid():
                return f"{names[event.seat]} lays a card face down."
            case GuessMade():
                return f"{names[event.seat]} has guessed."
            case CardTurned():
                gained = [f"{name} {words.signed_number(more)}" for name, more in zip(names, event.points, strict=True)]
                line = turned_line(TurnedCard(event.seat, event.card, event.guesses))
                return f"Turned up: {line}. Points: {', '.join(gained)}."
            case _:
                assert_never(event)

    def narrate_briefly(self, event: AnyEvent, context: Context) -> str | None:
        """Return an event in a few words."""
        names = context.short_names
        match event:
            case DealBegun():
                return f"Deal {event.deal} begins"
            case HandDealt() | CardGlimpsed():
                return None
            case CardLaid():
                return f"{names[event.seat]} lays a card"
            case GuessMade():
                return f"{names[event.seat]} has guessed"
            case CardTurned():
                gained = [
                    f"{name} {words.signed_number(more)}"
                    for name, more in zip(names, event.points, strict=True)
                    if more
                ]
                card = f"{names[event.seat]} turns up {card_text(event.card)}"
                whole = f"{card}, which brings {words.join_with_and(gained) or 'no points'}."
                return whole if fits_narration(whole) else card
            case _:
                assert_never(event)

    def move_label(self, move: Move) -> str:
        """Return a move's name: `Lay wizard 9`, `Guess fool`."""
        return f"Lay {card_text(move.card)}" if isinstance(move, Lay) else f"Guess {kind_name(move.wizard)}"

    def section_title(self, view: View) -> str:
        """Return the deal."""
        return f"Deal {view.deal}"

    def hand_text(self, view: View) -> str:
        """Return the seat's cards, its card face down, its guess, and its glimpse."""
        return secret_hand_text(view)

    def turn_prompt(self, view: View, decision: Decision) -> str:
        """Return what the seat has to do."""
        prompts = {"lay": "lay a card", "guess": "guess what lies face down"}
        return f"{prompts[decision.kind]} in deal {view.deal}"

    def option_texts(self, options: Options, seats: int) -> Mapping[str, str]:
        """Return the number of deals."""
        return {"deals": words.pluralize(options.deals, "deal")}

    def option_phrases(self, options: Options, seats: int) -> Mapping[str, str]:
        """Return the number of deals."""
        return self.option_texts(options, seats)

    def match_minutes(self, options: Options, seats: int) -> int:
        """Return about how many minutes a match takes: as many for each deal."""
        return self.intro.minutes[seats] * options.deals


def _todo_text(view: View, context: Context) -> str:
    """What the player has to do next."""
    if view.phase == "lay":
        return "**Lay a card** face down. You get a point for each wrong guess."
    return f"**Guess**: is the card that {words.seat_label(context, view.turn)} laid a fool or a wizard?"


def _todo_headline(view: View) -> str:
    """What the player has to do next, as a headline."""
    return "Lay a card face down." if view.phase == "lay" else "Guess: a fool or a wizard?"


def _hand_controls(moves: Sequence[Move]) -> tuple[Control, ...]:
    """A button for every move."""
    return (Buttons(tuple(_move_button(move) for move in moves)),)


def _move_button(move: Move) -> Button:
    label, wizard = _button_text(move)
    return Button(label, GLIMPSE.format_move(move), emoji=KIND_EMOJI[wizard])


def _button_text(move: Move) -> tuple[str, bool]:
    """The label of a move's button, and whether it is about a wizard."""
    match move:
        case Lay(one):
            return words.capitalize(card_text(one)), is_wizard(one)
        case Guess(wizard):
            return words.capitalize(kind_name(wizard)), wizard


def _table_paragraphs(view: View, context: Context) -> tuple[str, ...]:
    """The table in words."""
    return "\n".join(seat_lines(view, context)), "\n".join(turned_lines(view))
