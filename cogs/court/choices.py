"""What the Court's commands offer while they are typed: legal moves alone, in words and as they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.court.words import short
from cogs.screens import words
from cogs.screens.screen import Context, Offers, Typed, fitting
from engines.court import board, deck
from engines.court.model import Attack, Move, Push, SetMenhir
from engines.seats import letter

BY_CARD: Mapping[str, type[Push] | type[Attack]] = {"push": Push, "attack": Attack}


def complete(moves: Sequence[Move], typed: Typed, context: Context) -> Offers | None:
    """What may stand in an option of a command; None: the moves of its verb."""
    if typed.verb == "menhir":
        return completions(moves, typed.text)
    kind = BY_CARD.get(typed.verb)
    if kind is None:
        return None
    own = [move for move in moves if isinstance(move, kind)]
    return fitting(_cards(own) if typed.option == "card" else _rivals(own, typed.others, context), typed.text)


def completions(moves: Sequence[Move], typed: str) -> Offers:
    """The squares for a Menhir that begin with what is typed so far, as words and as notation."""
    wanted = "".join(typed.split()).upper()
    names = (board.name(move.square) for move in moves if isinstance(move, SetMenhir))
    return [(f"Menhir on {name}", name) for name in names if name.startswith(wanted)]


def _cards(moves: Sequence[Push | Attack]) -> Offers:
    """The cards with which the seat may do this."""
    return [(short(card), deck.name(card)) for card in dict.fromkeys(move.card for move in moves)]


def _rivals(moves: Sequence[Push | Attack], others: Mapping[str, str], context: Context) -> Offers:
    """Whose Mages the card that was typed may move or attack."""
    try:
        held = deck.card(others.get("card", ""))
    except ValueError:
        return []
    found = [targets(move) for move in moves if move.card == held]
    return [
        (words.listed([words.named(context, target) for target in each]), " ".join(map(letter, each)))
        for each in found
        if each
    ]


def targets(move: Push | Attack) -> tuple[int, ...]:
    """The seats that a move names."""
    return (move.target,) if isinstance(move, Push) else move.targets
