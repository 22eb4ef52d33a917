"""Who learns something hidden by a move of the Court, and what a player is told of it."""

from __future__ import annotations

from collections.abc import Sequence

from engines.court.deck import card_in_words
from engines.court.model import HandDrawn, MagesAttacked, State
from engines.kit.contract import Event
from engines.kit.phrases import join_phrases


def seats_shown(state: State, after: State) -> frozenset[int]:
    """Return the seats that learn something hidden by a move between these two states."""
    if after.attacked != state.attacked:  # T9: dice
        return frozenset(range(len(state.hands)))
    if after.turns > state.turns or after.ending == "turns":  # T12: the seat in turn draws, whoever ended the turn
        return frozenset({state.turn})
    return frozenset()


def reveal_text(events: Sequence[Event], reader: int) -> str:
    """Say what came to light by a move with these events."""
    kinds = {type(event): event for event in events}
    if MagesAttacked in kinds:
        return "Dice were rolled."
    if isinstance(drawn := kinds.get(HandDrawn), HandDrawn):
        return f"You drew {join_phrases(map(card_in_words, drawn.cards))}."
    return "Another player drew cards."
