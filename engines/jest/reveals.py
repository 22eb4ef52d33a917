"""Who learns something hidden by a move of Jest, and what a player is told of it."""

from __future__ import annotations

from collections.abc import Sequence

from engines.jest.deck import PLAYING_CARD
from engines.jest.model import FaceDownTaken, JestsRevealed, Move, OffersRevealed, RoundDealt, State, Take
from engines.kit.cards import card_phrase
from engines.kit.contract import Event


def seats_shown(state: State, after: State, seat: int, move: Move) -> frozenset[int]:
    """Return the seats that learn something hidden by a move between these two states."""
    if after.phase != state.phase:  # J3, J4, J9: a deal, the offers, or all Jests
        return frozenset(range(len(state.jests)))
    is_seen = isinstance(move, Take) and not move.up  # J8; a card of one's own is only ever the last of a round (J6)
    return frozenset({seat} if is_seen else ())


def reveal_text(events: Sequence[Event], reader: int) -> str:
    """Say what came to light by a move with these events."""
    kinds = {type(event): event for event in events}
    if RoundDealt in kinds:
        return "A new round was dealt."
    if JestsRevealed in kinds:
        return "All Jests were shown."
    if OffersRevealed in kinds:
        return "The offers were turned up."
    taken = kinds.get(FaceDownTaken)
    if isinstance(taken, FaceDownTaken) and taken.seat == reader:
        return f"You saw {_phrase(taken.card)}, which lay face down."
    return "Another player saw a face-down card."


def _phrase(card: int) -> str:
    playing = PLAYING_CARD[card]
    return "the Joker" if playing is None else card_phrase(playing)
