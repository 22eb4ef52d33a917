"""The final scoring, part by part (S16–S19)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import SYMBOLS
from engines.jesters.model import Final, Majority, State
from engines.kit.contract import Outcome, places

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
    """S16: by symbol, how often it is on the Performances and Gifts."""
    counts = [0] * len(SYMBOLS)
    for number in completed:
        for symbol in catalogue.performance(number).symbols:
            counts[symbol] += 1
    for number in gifts:
        counts[catalogue.gift(number).symbol] += 1
    return counts


def matching(favorite: int, counts: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """S16: by seat, how many of its `symbols` match those of a Favorite."""
    one, other = catalogue.favorite(favorite).symbols
    return tuple([own[one] + own[other] for own in counts])


def final(state: State) -> Final:
    """S16–S18: everything that is scored."""
    seats = range(len(state.hands))
    counts = list(map(symbols, state.completed, state.gifts))
    majorities = tuple(map(_majority, state.placed, PLACES, [counts] * len(PLACES)))
    track = tuple(TRACK[failures] for failures in state.failures)
    first = tuple(FIRST_PLAYER if seat == state.first else 0 for seat in seats)
    performances = tuple(sum(catalogue.performance(number).fame for number in own) for own in state.completed)
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


def _majority(favorite: int, numbers: tuple[int, int], counts: Sequence[Sequence[int]]) -> Majority:
    most, second = numbers
    matches = matching(favorite, counts)
    return Majority(favorite, most, second, matches, majority(matches, most, second))


def outcome(scored: Final) -> Outcome:
    """S19: the highest total, then the most Gifts, then the most Jest cards in hand; who is still tied shares (C4)."""
    return Outcome(places([*zip(scored.totals, scored.gift_counts, scored.cards, strict=True)]), scored.totals)


def _ranked(counts: Sequence[int]) -> list[list[int]]:
    """The seats that have a matching symbol at all, those with most of them first, tied ones together."""
    numbers = sorted({count for count in counts if count}, reverse=True)
    return [[seat for seat, count in enumerate(counts) if count == number] for number in numbers]
