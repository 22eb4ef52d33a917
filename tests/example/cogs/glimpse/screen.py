"""Glimpse as a person gets to see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from cogs.screens import words
from cogs.screens.screen import Button, Buttons, Context, Control, Plain, Screen, Unwritten
from engines.kit.contract import Decision, Outcome
from tests.example.cogs.glimpse.pictures import hand_picture, table_picture
from tests.example.cogs.glimpse.words import (
    EMOJI,
    card,
    cards,
    deal_line,
    hand_lines,
    seat_lines,
    turned_line,
    turned_lines,
    waiting,
    waits,
)
from tests.example.engines.glimpse import GLIMPSE
from tests.example.engines.glimpse.deck import is_wizard, kind
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
    Turned,
    View,
)

RULES: Mapping[str, str] = {"lay": "G4", "guess": "G5"}
"""By kind of decision, the rule that belongs to it."""


class GlimpseScreen(Plain):
    """Glimpse's face: pure functions from views to screens."""

    def table(self, view: View, context: Context) -> Screen:
        """The public table."""
        above = Unwritten(lambda: (f"## {deal_line(view)}\n{waiting(view, context)}", *words.newest(context.news)))
        below = Unwritten(lambda: _table(view, context))
        return Screen(above, table_picture(view, context), below, headline=waits(view, context))

    def hand(self, view: View, decision: Decision | None, moves: Sequence[Move], context: Context) -> Screen:
        """A seat's hand: what to do, its cards and its glimpse, then the table in words."""
        asked = decision is not None and bool(moves)

        def above() -> tuple[str, ...]:
            todo = _todo(view, context) if asked else waiting(view, context)
            news = words.newest(context.news)
            return f"{todo}\n-# {deal_line(view)}", *news, "\n".join(hand_lines(view, context))

        rule = RULES[decision.kind] if decision else ""
        controls = _controls(moves) if asked else ()
        return Screen(
            Unwritten(above),
            hand_picture(view, context),
            Unwritten(lambda: _table(view, context)),
            controls,
            headline=_asked(view) if asked else waits(view, context),
            worth="a wrong guess is a point for whoever laid the card" if asked else "",
            rule=rule,
        )

    def sheet(self, view: View, context: Context) -> Screen:
        """The points so far, and what came of each card of this deal."""
        lines = [f"### Score sheet\n{deal_line(view)}", *seat_lines(view, context), *turned_lines(view)]
        return Screen(("\n".join(lines),), table_picture(view, context))

    def result(self, view: View, outcome: Outcome, context: Context) -> Screen:
        """The end: who won, every place, the last deal."""
        above = (f"## {words.headline(outcome, context)}\n{deal_line(view)}, the end.", *words.newest(context.news))
        below = ("\n".join(words.places(outcome, context)), *_table(view, context))
        return Screen(above, table_picture(view, context), below, headline=words.ending(outcome, context))

    def tell(self, event: AnyEvent, context: Context) -> str | None:
        """One event in a sentence."""
        names = context.names
        match event:
            case DealBegun():
                return f"Deal {event.deal}: {names[event.first]} begins."
            case HandDealt():
                return f"You are dealt {cards(event.cards)}."
            case CardGlimpsed():
                neighbour = names[(event.seat + 1) % len(names)]
                return f"You glimpse a card of {neighbour}: {card(event.card)}."
            case CardLaid():
                return f"{names[event.seat]} lays a card face down."
            case GuessMade():
                return f"{names[event.seat]} has guessed."
            case CardTurned():
                gained = [f"{name} {words.signed(more)}" for name, more in zip(names, event.points, strict=True)]
                turned = turned_line(Turned(event.seat, event.card, event.guesses))
                return f"Turned up: {turned}. Points: {', '.join(gained)}."
            case _:
                assert_never(event)

    def brief(self, event: AnyEvent, context: Context) -> str | None:
        """One event as briefly as it goes."""
        names = context.short
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
                    f"{name} {words.signed(more)}" for name, more in zip(names, event.points, strict=True) if more
                ]
                return f"{names[event.seat]}'s {card(event.card)}: {', '.join(gained) or 'no points'}"
            case _:
                assert_never(event)

    def label(self, move: Move) -> str:
        """`Lay wizard 9`, `Guess fool`."""
        return f"Lay {card(move.card)}" if isinstance(move, Lay) else f"Guess {kind(move.wizard)}"

    def turn(self, view: View, decision: Decision) -> str:
        """What the seat is asked for."""
        asked = {"lay": "lay a card", "guess": "guess what lies face down"}
        return f"{asked[decision.kind]} in deal {view.deal}"

    def options(self, options: Options, seats: int) -> Mapping[str, str]:
        """How many deals it will be."""
        return {"deals": words.counted(options.deals, "deal")}


def _todo(view: View, context: Context) -> str:
    """What the reader has to do next."""
    if view.phase == "lay":
        return "**Lay a card** face down. Whoever guesses wrong gives you a point."
    return f"**Guess**: is the card that {words.seat(context, view.turn)} laid a fool or a wizard?"


def _asked(view: View) -> str:
    """The same in a line."""
    return "Lay a card face down." if view.phase == "lay" else "Guess: a fool or a wizard?"


def _controls(moves: Sequence[Move]) -> tuple[Control, ...]:
    """A button for every move."""
    return (Buttons(tuple(_button(move) for move in moves)),)


def _button(move: Move) -> Button:
    said, wizard = _said(move)
    return Button(said, GLIMPSE.write(move), emoji=EMOJI[wizard])


def _said(move: Move) -> tuple[str, bool]:
    """What a move's button says, and whether it is about a wizard."""
    match move:
        case Lay(one):
            return words.opening(card(one)), is_wizard(one)
        case Guess(wizard):
            return words.opening(kind(wizard)), wizard


def _table(view: View, context: Context) -> tuple[str, ...]:
    """The whole table in words."""
    return "\n".join(seat_lines(view, context)), "\n".join(turned_lines(view))
