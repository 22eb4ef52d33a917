"""A view of Glimpse as a text board."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from engines.kit import text_board
from engines.kit.seats import letter
from tests.example.engines.glimpse.deck import kind

if TYPE_CHECKING:
    from tests.example.engines.glimpse.model import Turned, View

PHASES = {"lay": "laying", "guess": "guessing", "over": "over"}


def board(view: View) -> str:
    """Everybody's points, card and guess, what was turned up, and the seat's own glimpse and hand."""
    return text_board.board(
        text_board.title("Glimpse", f"deal {view.deal} of {view.deals}", PHASES[view.phase], seat=view.seat),
        text_board.seats(
            ("cards", "points", "lies", "guess"),
            [
                [str(view.hand_sizes[seat]), str(view.scores[seat]), _lies(view, seat), _guess(view, seat)]
                for seat in range(view.seats)
            ],
            due(view),
        ),
        text_board.line("turned up", map(_turned, view.turned), between="; "),
        () if view.seat is None else f"glimpsed in the hand of {letter((view.seat + 1) % view.seats)}: {view.glimpse}",
        () if view.seat is None else text_board.line("hand", map(str, view.hand)),
    )


def due(view: View) -> Collection[int]:
    """For whom the match waits."""
    if view.phase == "guess":
        return [seat for seat, guessed in enumerate(view.guessed) if not guessed and seat != view.turn]
    return () if view.phase == "over" else (view.turn,)


def _lies(view: View, seat: int) -> str:
    """The card before a seat: its own is known to it alone."""
    if view.phase != "guess" or seat != view.turn:
        return text_board.NOTHING
    return text_board.UNKNOWN if view.laid is None else str(view.laid)


def _guess(view: View, seat: int) -> str:
    if not view.guessed[seat]:
        return text_board.NOTHING
    return text_board.UNKNOWN if seat != view.seat or view.guess is None else kind(view.guess)


def _turned(turned: Turned) -> str:
    """`A 9, B fool, C wizard`: who laid which card, and who guessed what."""
    guesses = [f"{letter(seat)} {kind(guess)}" for seat, guess in enumerate(turned.guesses) if guess is not None]
    return ", ".join((f"{letter(turned.seat)} {turned.card}", *guesses))
