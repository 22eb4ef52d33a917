"""What one seat may know of a match of Jest, put together field by field."""

from __future__ import annotations

from collections.abc import Sequence

from engines.jest import deck, scoring
from engines.jest.model import Final, Round, RoundSeen, State, Taken, View


def view(state: State, seat: int | None) -> View:
    """All that this seat may know, and nothing else; None is a spectator."""
    seats, over = len(state.jests), state.phase == "over"
    return View(
        seat=seat,
        seats=seats,
        rounds=rounds(seats),
        round=state.round,
        phase=state.phase,
        turn=state.waiting[0] if state.phase == "take" else None,
        trophies=state.trophies,
        deck=len(state.deck),
        hand=() if seat is None or over else state.dealt[seat],
        up=tuple(state.up) if state.phase == "take" else (),
        down=tuple(card if card >= 0 else None for card in _known(seat, state.down, state.takes)),
        waiting=tuple(state.waiting),
        complete=tuple(other in state.complete for other in range(seats)),
        takes=tuple(state.takes),
        past=tuple(_seen(seat, past, over) for past in state.past),
        jest=() if seat is None else deck.held(state.jests[seat]),
        jest_sizes=tuple(jest.bit_count() for jest in state.jests),
        number=None if seat is None else state.numbers[seat],
        final=_final(state) if over else None,
    )


def rounds(seats: int) -> int:
    """How many rounds there are (J3)."""
    return 4 if seats == 3 else 3


def _known(seat: int | None, down: Sequence[int], takes: Sequence[Taken]) -> list[int]:
    """The face-down cards that the seat knows, by offer: its own, and what it took (J8). −1 for the others."""
    taken = {take.source for take in takes if take.seat == seat and not take.up}
    return [card if source == seat or source in taken else -1 for source, card in enumerate(down)]


def _seen(seat: int | None, past: Round, over: bool) -> RoundSeen:
    known = past.down if over else _known(seat, past.down, past.takes)
    return RoundSeen(past.up, tuple(card if card >= 0 else None for card in known), past.takes)


def _final(state: State) -> Final:
    settlement = scoring.settle(state.trophies, state.jests)
    return Final(
        jests=tuple(map(deck.held, state.jests)),
        values=tuple(map(scoring.value, state.jests)),
        awards=tuple(scoring.award(trophy, state.jests) for trophy in state.trophies),
        worths=tuple(map(scoring.worth, settlement.jests)),
    )
