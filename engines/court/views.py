"""What a seat sees of the Court, put together field by field."""

from __future__ import annotations

from engines.court.model import State, View


def view(state: State, seat: int | None) -> View:
    """Everything but the others' hands and the order of the draw pile."""
    return View(
        seat=seat,
        goal=state.goal,
        cap=state.cap,
        rolls=tuple(state.rolls),
        order=tuple(state.order),
        phase=state.phase,
        turn=state.turn,
        turns=state.turns,
        owed=tuple(state.owed),
        mages=tuple(state.mages),
        menhirs=tuple(state.menhirs),
        health=tuple(state.health),
        banners=tuple(state.banners),
        hand=() if seat is None else tuple(state.hands[seat]),
        hand_sizes=tuple(map(len, state.hands)),
        bare=tuple(state.bare),
        draw=len(state.draw),
        pool=state.pool,
        discard=tuple(state.discard),
        attacked=state.attacked,
        moved=state.moved,
        knocked=tuple(state.knocked),
        ending=state.ending,
        numbers=tuple(state.numbers),
    )
