"""The final scoring, part by part (S16–S19)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import SYMBOLS
from engines.jesters.model import FinalScoring, Majority, State
from engines.kit.contract import Outcome, rank_places

MAJORITY_PLACES = ((6, 3), (5, 2), (4, 1))  # S14: the majority places, topmost first; for most and second most
FAILURE_TRACK = (5, 2, -2, -5)  # S17, by failures
FIRST_PLAYER_FAME = 3  # S17


def majority_fame(counts: Sequence[int], most: int, second: int) -> tuple[int, ...]:
    """S16: return each seat's Fame for its number of matching symbols."""
    fame = [0] * len(counts)
    for rank, seats in enumerate(_seats_by_rank(counts)[:2]):
        if len(seats) > 1 and not rank:
            return tuple((most + second) // len(seats) if seat in seats else 0 for seat in range(len(counts)))
        for seat in seats:
            fame[seat] = (second if rank else most) // len(seats)
    return tuple(fame)


def count_symbols(completed: Sequence[int], gifts: Sequence[int]) -> list[int]:
    """S16: return how often each symbol is on the Performances and Gifts."""
    counts = [0] * len(SYMBOLS)
    for number in completed:
        for symbol in catalogue.performance(number).symbols:
            counts[symbol] += 1
    for number in gifts:
        counts[catalogue.gift(number).symbol] += 1
    return counts


def matching_symbols(favorite: int, counts: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """S16: return, by seat, how many of its `symbols` match those of a Favorite."""
    one, other = catalogue.favorite(favorite).symbols
    return tuple([own[one] + own[other] for own in counts])


def final_scoring(state: State) -> FinalScoring:
    """S16–S18: return the complete scoring."""
    seats = range(len(state.hands))
    counts = list(map(count_symbols, state.completed, state.gifts))
    majorities = tuple(map(_score_majority, state.placed, MAJORITY_PLACES, [counts] * len(MAJORITY_PLACES)))
    track = tuple(FAILURE_TRACK[failures] for failures in state.failures)
    first = tuple(FIRST_PLAYER_FAME if seat == state.first else 0 for seat in seats)
    performances = tuple(sum(catalogue.performance(number).fame for number in own) for own in state.completed)
    parts = [*(place.fame for place in majorities), track, first, performances, state.fame]
    return FinalScoring(
        majorities,
        track,
        first,
        performances,
        tuple(state.fame),
        tuple(map(sum, zip(*parts, strict=True))),
        tuple(map(len, state.gifts)),
        tuple(map(len, state.hands)),
    )


def _score_majority(favorite: int, numbers: tuple[int, int], counts: Sequence[Sequence[int]]) -> Majority:
    most, second = numbers
    matches = matching_symbols(favorite, counts)
    return Majority(favorite, most, second, matches, majority_fame(matches, most, second))


def outcome(scoring: FinalScoring) -> Outcome:
    """S19: rank by total, then by Gifts, then by Jest cards in hand. Remaining ties share a place (C4)."""
    return Outcome(rank_places([*zip(scoring.totals, scoring.gift_counts, scoring.cards, strict=True)]), scoring.totals)


def _seats_by_rank(counts: Sequence[int]) -> list[list[int]]:
    """Return the seats with at least one matching symbol, most symbols first, ties together."""
    numbers = sorted({count for count in counts if count}, reverse=True)
    return [[seat for seat, count in enumerate(counts) if count == number] for number in numbers]
