"""Who learns something hidden by a move of Jokers, and what a player is told of it."""

from __future__ import annotations

from collections.abc import Sequence

from engines.jokers.deck import card_in_words
from engines.jokers.model import CardsDrawn, Move, RoundDealt, RoundScored, SafetyTurned, State, Trade, TurnUp
from engines.kit.contract import Event
from engines.kit.phrases import join_phrases


def seats_shown(state: State, after: State, seat: int, move: Move) -> frozenset[int]:
    """Return the seats that learn something hidden by a move between these two states."""
    if after.round > state.round or isinstance(move, TurnUp):  # K2, K4
        return frozenset({0, 1})
    if isinstance(move, Trade):  # K3
        return frozenset({seat})
    is_shown = after.phase == "over" and state.hands[1 - seat] != state.known[1 - seat]  # K16
    is_last_unseen = not state.draw and not any(map(any, state.down))  # so the seat can name the other hand
    return frozenset({seat} if is_shown and not is_last_unseen else ())


def reveal_text(events: Sequence[Event], reader: int) -> str:
    """Say what came to light by a move with these events."""
    kinds = {type(event): event for event in events}
    if RoundDealt in kinds:
        return "A new round was dealt."
    if RoundScored in kinds:
        return "Both hands were shown."
    if isinstance(safety_turned := kinds.get(SafetyTurned), SafetyTurned):
        return f"The safety card was {card_in_words(safety_turned.card)}."
    if isinstance(drawn := kinds.get(CardsDrawn), CardsDrawn):
        return f"You drew {join_phrases(map(card_in_words, drawn.cards))}."
    return "Another player drew cards."
