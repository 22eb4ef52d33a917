"""Names of the Court's moves in lists of choices, with target and destination."""

from __future__ import annotations

from cogs.court.narration import move_label
from cogs.court.words import destination_clause, the_card
from cogs.screens import words
from cogs.screens.screen import Context
from engines.court import board
from engines.court.model import Attack, Move, Push, SetMenhir, Step
from engines.court.view import View


def choice_label(view: View, move: Move, context: Context) -> str:
    """Return a move's name for this seat, with its target and destination."""
    match move:
        case Step(card):
            assert view.seat is not None
            return f"{move_label(move)}{destination_clause(view, view.seat, card)}"
        case Push(card, target):
            return (
                f"Move {_seat_name(context, target)}'s Mage by {the_card(card)}{destination_clause(view, target, card)}"
            )
        case Attack(card, targets) if targets:
            return (
                f"Attack {words.join_with_and([_seat_name(context, target) for target in targets])} with "
                f"{the_card(card)}"
            )
        case SetMenhir(square):
            return f"Place your Menhir on {board.square_name(square)}"
        case _:
            return move_label(move)


def _seat_name(context: Context, seat: int) -> str:
    return words.button_name(context, seat)
