"""The score of a hand of Jokers by the words of its rules (K6–K8, K12–K15): plain, slow, sharing no code with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

JOKER = 52
ANY_CARD = tuple((suit, rank) for suit in range(4) for rank in range(13))

Card = tuple[int, int]  # suit and rank, from the ace up
LaidMeld = tuple[str, tuple[int, ...]]  # a run or a set, and which cards of the hand are in it


class BestScore(NamedTuple):
    """What the best split scores, and what comes first among equal ones (K16): cards in melds, then long runs."""

    points: int
    in_melds: int
    runs: tuple[int, ...]


def score_hand(hand: Sequence[int]) -> tuple[BestScore, BestScore | None]:
    """The best splits whatever its jokers stand for: of the lost hand, and of the declared one, if it is full."""
    found = {_best_scores(_possible_melds(cards)) for cards in _joker_meanings(hand)}
    lost = max(lost for lost, _ in found)
    declared = max((full for _, full in found if full), default=None)
    bonus = _hand_bonus(hand)
    return lost._replace(points=lost.points + bonus), declared and declared._replace(points=declared.points + bonus)


def is_run(cards: Sequence[Card]) -> bool:
    """K6: three or more consecutive cards of one suit, the ace next to the two only."""
    ranks = sorted(rank for _, rank in cards)
    return len(cards) >= 3 and len({suit for suit, _ in cards}) == 1 and ranks == [*range(ranks[0], ranks[-1] + 1)]


def is_set(cards: Sequence[Card]) -> bool:
    """K6: three or four cards of one rank."""
    return len(cards) in (3, 4) and len({rank for _, rank in cards}) == 1


def _joker_meanings(hand: Sequence[int]) -> Iterator[list[Card]]:
    """K7: each joker is any card there is, no matter who has that card."""
    own = [divmod(card, 13) for card in hand if card != JOKER]
    for stands_for in combinations_with_replacement(ANY_CARD, len(hand) - len(own)):
        yield [*own, *stands_for]


def _possible_melds(cards: list[Card]) -> tuple[LaidMeld, ...]:
    """Every set and every run that some of the cards make."""
    places: dict[Card, list[int]] = {}
    ranks: dict[int, list[int]] = {}
    for place, card in enumerate(cards):
        places.setdefault(card, []).append(place)
        ranks.setdefault(card[1], []).append(place)
    return (*_possible_sets(ranks), *_possible_runs(places))


def _possible_sets(ranks: dict[int, list[int]]) -> Iterator[LaidMeld]:
    for same in ranks.values():
        for size in (3, 4):
            for chosen in combinations(same, size):
                yield "set", chosen


def _possible_runs(places: dict[Card, list[int]]) -> Iterator[LaidMeld]:
    for suit, low in places:
        high = low + 1
        while (suit, high) in places:
            high += 1
            if high - low >= 3:
                for chosen in product(*(places[suit, rank] for rank in range(low, high))):
                    yield "run", chosen


@lru_cache(1000)
def _best_scores(melds: tuple[LaidMeld, ...]) -> tuple[BestScore, BestScore | None]:
    """The best lost split and the best full one, if any."""
    splits = [*_possible_splits(melds)]
    fulls = [
        BestScore(20 + _full_points(split), *_split_shape(split)) for split in splits if _split_shape(split)[0] == 8
    ]
    return max(BestScore(_lost_points(split), *_split_shape(split)) for split in splits), max(fulls, default=None)


def _possible_splits(melds: tuple[LaidMeld, ...]) -> Iterator[tuple[LaidMeld, ...]]:
    """K6: every choice of melds that share no card. Eight cards have room for two."""
    yield ()
    for meld in melds:
        yield (meld,)
    for one, other in combinations(melds, 2):
        if not set(one[1]) & set(other[1]):
            yield (one, other)


def _split_shape(split: tuple[LaidMeld, ...]) -> tuple[int, tuple[int, ...]]:
    runs = sorted((len(places) for kind, places in split if kind == "run"), reverse=True)
    return sum(len(places) for _, places in split), tuple(runs)


def _lost_points(split: tuple[LaidMeld, ...]) -> int:
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
    return points - 5 * (8 - _split_shape(split)[0])


def _full_points(split: tuple[LaidMeld, ...]) -> int:
    """K12: which kind of full hand it is."""
    kinds = sorted(kind for kind, _ in split)
    if kinds == ["run"]:
        return 100
    if kinds == ["set", "set"]:
        return 65
    if kinds == ["run", "run"]:
        return 60
    return 55 if _split_shape(split)[1] == (5,) else 50


def _hand_bonus(hand: Sequence[int]) -> int:
    """K14: one colour, jokers being either; K15: both jokers."""
    suits = {card // 13 for card in hand if card != JOKER}
    colour = 15 if suits <= {1, 2} or suits <= {0, 3} else 0
    return colour + (5 if list(hand).count(JOKER) == 2 else 0)
