"""The Court's moves as they are offered in words: whom they are about, and where they lead."""

from __future__ import annotations

from cogs.court.news import label
from cogs.court.words import onward, the
from cogs.screens import words
from cogs.screens.screen import Context
from engines.court import board
from engines.court.model import Attack, Move, Push, SetMenhir, Step, View


def said(view: View, move: Move, context: Context) -> str:
    """A move as it is offered to this seat: whom it is about, and where it leads."""
    match move:
        case Step(card):
            assert view.seat is not None
            return f"{label(move)}{onward(view, view.seat, card)}"
        case Push(card, target):
            return f"Move {_name(context, target)}'s Mage by {the(card)}{onward(view, target, card)}"
        case Attack(card, targets) if targets:
            return f"Attack {words.listed([_name(context, target) for target in targets])} with {the(card)}"
        case SetMenhir(square):
            return f"Place your Menhir on {board.name(square)}"
        case _:
            return label(move)


def _name(context: Context, seat: int) -> str:
    return words.labelled(context, seat)
