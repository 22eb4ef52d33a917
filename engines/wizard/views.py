"""What a seat sees of Wizard, put together field by field."""

from __future__ import annotations

from engines.wizard.model import State, View
from engines.wizard.turn import completed


def view(state: State, seat: int | None) -> View:
    """Everything but the other hands and the cards that were not dealt."""
    tricks = tuple(completed(state, number) for number in range(len(state.takers)))
    return View(
        seat=seat,
        seats=len(state.hands),
        rounds=state.rounds,
        draws=tuple(state.draws),
        dealer=state.dealer,
        round=state.round,
        phase=state.phase,
        turn=state.turn,
        hand=() if seat is None else tuple(state.hands[seat]),
        hand_sizes=tuple(len(hand) for hand in state.hands),
        turned=state.turned,
        trump=state.trump,
        bids=tuple(state.bids),
        taken=tuple(state.taken),
        leader=state.leader,
        trick=tuple(state.trick),
        tricks=tricks,
        last=tricks[-1] if tricks else state.last,
        scores=tuple(state.scores),
        sheet=tuple(state.sheet),
        numbers=tuple(state.numbers),
    )
