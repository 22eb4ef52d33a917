"""The final scoring, part by part (S16–S19)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.game import Outcome
from engines.jesters import components
from engines.jesters.model import Final, Majority, State

PLACES = ((6, 3), (5, 2), (4, 1))  # S14: the majority places, the topmost first; most and second
TRACK = (5, 2, -2, -5)  # S17, by failures
FIRST_PLAYER = 3  # S17


def majority(counts: Sequence[int], most: int, second: int) -> tuple[int, ...]:
    """S16: the Fame that each seat gets for so many matching symbols."""
    fame = [0] * len(counts)
    for rank, seats in enumerate(_ranked(counts)[:2]):
        if len(seats) > 1 and not rank:
            return tuple((most + second) // len(seats) if seat in seats else 0 for seat in range(len(counts)))
        for seat in seats:
            fame[seat] = (second if rank else most) // len(seats)
    return tuple(fame)


def symbols(completed: Sequence[int], gifts: Sequence[int]) -> list[int]:
    """S16: every symbol on the Performances and Gifts, as often as it is there."""
    found = [symbol for number in completed for symbol in components.performance(number).symbols]
    return found + [components.gift(number).symbol for number in gifts]


def matching(favorite: int, completed: Sequence[Sequence[int]], gifts: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """S16: by seat, the symbols that match those of a Favorite."""
    wanted = components.favorite(favorite).symbols
    return tuple(
        sum(symbol in wanted for symbol in symbols(own, given)) for own, given in zip(completed, gifts, strict=True)
    )


def final(state: State) -> Final:
    """S16–S18: everything that is scored."""
    seats = range(len(state.hands))
    majorities = tuple(
        Majority(favorite, most, second, counts, majority(counts, most, second))
        for favorite, (most, second) in zip(state.placed, PLACES, strict=True)
        for counts in [matching(favorite, state.completed, state.gifts)]
    )
    track = tuple(TRACK[failures] for failures in state.failures)
    first = tuple(FIRST_PLAYER if seat == state.first else 0 for seat in seats)
    performances = tuple(sum(components.performance(number).fame for number in own) for own in state.completed)
    parts = [*(place.fame for place in majorities), track, first, performances, state.fame]
    return Final(
        majorities,
        track,
        first,
        performances,
        tuple(state.fame),
        tuple(map(sum, zip(*parts, strict=True))),
        tuple(map(len, state.gifts)),
        tuple(map(len, state.hands)),
    )


def outcome(scored: Final) -> Outcome:
    """S19: the highest total, then the most Gifts, then the most Jest cards in hand; who is still tied shares (C4)."""
    keys = list(zip(scored.totals, scored.gift_counts, scored.cards, strict=True))
    return Outcome(tuple(1 + sum(other > own for other in keys) for own in keys), scored.totals)


def _ranked(counts: Sequence[int]) -> list[list[int]]:
    """The seats that have a matching symbol at all, those with most of them first, tied ones together."""
    numbers = sorted({count for count in counts if count}, reverse=True)
    return [[seat for seat, count in enumerate(counts) if count == number] for number in numbers]
