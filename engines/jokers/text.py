"""A view of Jokers as a text board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engines.jokers import deck
from engines.kit import text_board
from engines.kit.seats import letter

if TYPE_CHECKING:
    from engines.jokers.model import Result, Score, View

PHASES = {"turn": "trading", "safety": "safety card turned up", "discard": "discarding", "over": "over"}
ENDINGS = {"declared": "a full hand was declared", "empty": "the draw pile was empty", "stall": "nobody did anything"}


def board(view: View) -> str:
    """The piles, the safety cards, what is known of the hands, the rounds scored, and the hand."""
    due = () if view.phase == "over" else (view.turn,)
    rows = [
        [str(view.hand_sizes[seat]), _safety(view, seat), str(view.scores[seat])] for seat in range(len(view.scores))
    ]
    return text_board.board(
        text_board.title("Jokers", f"round {view.round} of {view.rounds}", PHASES[view.phase], seat=view.seat),
        f"begun by {letter(view.starter)}, trades left {view.trades}, {_idle(view)}",
        text_board.seats(("cards", "safety cards 1, 2", "points"), rows, due),
        () if view.declared is None else f"declared by {letter(view.declared)}",
        *(_known(seat, cards) for seat, cards in enumerate(view.known)),
        f"draw pile: {view.draw} cards",
        text_board.line("discard pile, the top first", map(deck.name, reversed(view.discard))),
        () if view.turned is None else f"turned up: {deck.name(view.turned)}",
        *(_scored(number, scores) for number, scores in enumerate(view.sheet, 1)),
        () if view.last is None else _last(view.last),
        () if view.seat is None else text_board.line("hand", map(deck.name, view.hand)),
    )


def _idle(view: View) -> str:
    """How many turns in a row were idle (K11), and whether this one is so far."""
    return f"idle turns in a row {view.still}, this one {'idle so far' if view.idle else 'not idle'}"


def _safety(view: View, seat: int) -> str:
    """The safety cards: face down, turned up just now, or used."""
    shown = ("down" if card is None else deck.name(card) for card in view.safety[seat])
    return ", ".join(shown)


def _known(seat: int, cards: Sequence[int]) -> list[str]:
    """What everybody knows a hand to hold."""
    return text_board.line(f"known of {letter(seat)}'s hand", map(deck.name, cards)) if cards else []


def _scored(number: int, scores: Sequence[Score]) -> list[str]:
    """A round's points, with their parts."""
    return text_board.line(f"round {number}", text_board.by_seat(map(_points, scores)), between="; ")


def _points(score: Score) -> str:
    parts = {
        "win": score.win,
        "melds": score.melds,
        "extras": score.extras,
        "colour": score.colour,
        "jokers": score.jokers,
    }
    said = ", ".join(f"{name} {points}" for name, points in parts.items() if points)
    return f"{score.points} ({said or 'nothing'})"


def _last(result: Result) -> list[str]:
    """How the round before ended, and with which hands."""
    how = ENDINGS[result.ending] + ("" if result.declared is None else f" by {letter(result.declared)}")
    hands = text_board.by_seat(" ".join(map(deck.name, hand)) for hand in result.hands)
    return text_board.line(f"round {result.round} ended, {how}", hands, between="; ")
