"""What a seat sees of Jesters."""

from __future__ import annotations

from collections.abc import Sequence

from engines.jesters.model import Attempt, Die, State, View


def view(state: State, seat: int | None) -> View:
    """Everything but the others' hands, the piles, and Gifts that only others have seen."""
    return View(
        seat=seat,
        seats=len(state.hands),
        first=state.first,
        turn=state.turn,
        round=state.round,
        phase=state.phase,
        dice=tuple(map(tuple, state.dice)),
        middle=tuple(state.middle),
        hand=() if seat is None else tuple(state.hands[seat]),
        hand_sizes=tuple(map(len, state.hands)),
        hand_packs=tuple(tuple(sorted(state.packs[card - 1] for card in hand)) for hand in state.hands),
        draw=len(state.draw),
        discard=tuple(state.discard),
        packs=tuple(state.packs),
        refills=state.refills,
        favorites=len(state.favorites),
        favorite=state.favorite,
        placed=tuple(state.placed),
        pile=len(state.pile),
        board=tuple(state.board),
        completed=tuple(map(tuple, state.completed)),
        gift_pile=len(state.gift_pile),
        under=_known(state.gift_pile, state.under, seat),
        gifts=tuple(map(tuple, state.gifts)),
        used=tuple(state.used),
        drawn=tuple(state.drawn) if seat == state.turn else _known(state.drawn, state.drawn_known, seat),
        failures=tuple(state.failures),
        fame=tuple(state.fame),
        passed=tuple(state.passed),
        done=tuple(state.done),
        attempt=_attempt(state),
        final=state.final,
        numbers=tuple(state.numbers),
    )


def rolled(state: State) -> tuple[Die, ...]:
    """The dice of the attempt."""
    return tuple(map(Die, state.own, state.colours, state.faces))


def _attempt(state: State) -> Attempt | None:
    if state.target is None:
        return None
    return Attempt(state.target, rolled(state), state.marking, tuple(state.marked))


def _known(gifts: Sequence[int], known: Sequence[Sequence[int]], seat: int | None) -> tuple[int | None, ...]:
    """The Gifts that a seat knows; None for the others. There may be more Gifts than places that somebody knows."""
    return tuple(gift if seat in who else None for gift, who in zip(gifts, known, strict=False))
