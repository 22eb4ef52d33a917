"""The score of a hand of Jokers by the words of its rules (K6–K8, K12–K15): plain, slow, sharing no code with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

JOKER = 52
ANY = tuple((suit, rank) for suit in range(4) for rank in range(13))

Card = tuple[int, int]  # suit and rank, from the ace up
Laid = tuple[str, tuple[int, ...]]  # a run or a set, and which cards of the hand are in it


class Best(NamedTuple):
    """What the best split scores, and what comes first among equal ones (K16): cards in melds, then long runs."""

    points: int
    in_melds: int
    runs: tuple[int, ...]


def scored(hand: Sequence[int]) -> tuple[Best, Best | None]:
    """The best splits whatever its jokers stand for: of the lost hand, and of the declared one, if it is full."""
    found = {_best(_melds(cards)) for cards in _meanings(hand)}
    lost = max(lost for lost, _ in found)
    declared = max((full for _, full in found if full), default=None)
    bonus = _bonus(hand)
    return lost._replace(points=lost.points + bonus), declared and declared._replace(points=declared.points + bonus)


def is_run(cards: Sequence[Card]) -> bool:
    """K6: three or more consecutive cards of one suit, the ace next to the two only."""
    ranks = sorted(rank for _, rank in cards)
    return len(cards) >= 3 and len({suit for suit, _ in cards}) == 1 and ranks == [*range(ranks[0], ranks[-1] + 1)]


def is_set(cards: Sequence[Card]) -> bool:
    """K6: three or four cards of one rank."""
    return len(cards) in (3, 4) and len({rank for _, rank in cards}) == 1


def _meanings(hand: Sequence[int]) -> Iterator[list[Card]]:
    """K7: each joker is any card there is, no matter who has that card."""
    own = [divmod(card, 13) for card in hand if card != JOKER]
    for stands_for in combinations_with_replacement(ANY, len(hand) - len(own)):
        yield [*own, *stands_for]


def _melds(cards: list[Card]) -> tuple[Laid, ...]:
    """Every set and every run that some of the cards make."""
    places: dict[Card, list[int]] = {}
    ranks: dict[int, list[int]] = {}
    for place, card in enumerate(cards):
        places.setdefault(card, []).append(place)
        ranks.setdefault(card[1], []).append(place)
    return (*_sets(ranks), *_runs(places))


def _sets(ranks: dict[int, list[int]]) -> Iterator[Laid]:
    for same in ranks.values():
        for size in (3, 4):
            for chosen in combinations(same, size):
                yield "set", chosen


def _runs(places: dict[Card, list[int]]) -> Iterator[Laid]:
    for suit, low in places:
        high = low + 1
        while (suit, high) in places:
            high += 1
            if high - low >= 3:
                for chosen in product(*(places[suit, rank] for rank in range(low, high))):
                    yield "run", chosen


@lru_cache(1000)
def _best(melds: tuple[Laid, ...]) -> tuple[Best, Best | None]:
    """The best lost split and the best full one, if any."""
    splits = [*_splits(melds)]
    fulls = [Best(20 + _full_points(split), *_shape(split)) for split in splits if _shape(split)[0] == 8]
    return max(Best(_lost_points(split), *_shape(split)) for split in splits), max(fulls, default=None)


def _splits(melds: tuple[Laid, ...]) -> Iterator[tuple[Laid, ...]]:
    """K6: every choice of melds that share no card. Eight cards have room for two."""
    yield ()
    for meld in melds:
        yield (meld,)
    for one, other in combinations(melds, 2):
        if not set(one[1]) & set(other[1]):
            yield (one, other)


def _shape(split: tuple[Laid, ...]) -> tuple[int, tuple[int, ...]]:
    runs = sorted((len(places) for kind, places in split if kind == "run"), reverse=True)
    return sum(len(places) for _, places in split), tuple(runs)


def _lost_points(split: tuple[Laid, ...]) -> int:
    """K13: short and long runs, sets of three, first and second set of four, and 5 off for each extra card."""
    points, fours = 0, 0
    for kind, places in split:
        size = len(places)
        if kind == "run":
            points += 20 if size <= 4 else 40 if size <= 7 else 75
        elif size == 3:
            points += 10
        else:
            points += 35 if fours else 30
            fours += 1
    return points - 5 * (8 - _shape(split)[0])


def _full_points(split: tuple[Laid, ...]) -> int:
    """K12: which kind of full hand it is."""
    kinds = sorted(kind for kind, _ in split)
    if kinds == ["run"]:
        return 100
    if kinds == ["set", "set"]:
        return 65
    if kinds == ["run", "run"]:
        return 60
    return 55 if _shape(split)[1] == (5,) else 50


def _bonus(hand: Sequence[int]) -> int:
    """K14: one colour, jokers being either; K15: both jokers."""
    suits = {card // 13 for card in hand if card != JOKER}
    colour = 15 if suits <= {1, 2} or suits <= {0, 3} else 0
    return colour + (5 if list(hand).count(JOKER) == 2 else 0)
