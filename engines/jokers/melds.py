"""Finds the best split of a hand into melds and extra cards, and whether it is a full hand (K6–K8, K12–K16).

Eight cards make at most two melds. The search tries every choice of no, one or two sets; the remaining cards form the
best runs of each suit.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Literal, NamedTuple

from engines.jokers.deck import JOKER, is_one_colour
from engines.jokers.scoring import EXTRA_CARD_PENALTY, RUN_POINTS, ScoreLine, score_lines


class Meld(NamedTuple):
    """A run from low to high, or a set: the cards it represents, and which of them are jokers."""

    kind: Literal["run", "set"]
    cards: tuple[int, ...]
    jokers: tuple[int, ...] = ()


class Split(NamedTuple):
    """A hand laid out: melds (runs first, longest first), extra cards, and the score line by line."""

    melds: tuple[Meld, ...]
    extras: tuple[int, ...]
    lines: tuple[ScoreLine, ...]
    points: int


class SetChoice(NamedTuple):
    """A set to lay: its rank, the suits of its natural cards, and its size. Jokers fill the gaps."""

    rank: int
    suits: tuple[int, ...]
    size: int

    @property
    def jokers(self) -> int:
        """The number of jokers it uses."""
        return self.size - len(self.suits)


SuitBits = tuple[int, ...]  # by suit: its cards as thirteen bits, from the ace up
Sets = tuple[SetChoice, ...]


@lru_cache(512)
def best_split(hand: int, declared: bool = False) -> Split:
    """Return the highest-scoring split of a hand of eight, as a lost hand or as a declared hand, which must be full
    (K16)."""
    suits, jokers = _split_suits(hand), hand >> JOKER
    colour = is_one_colour(hand)
    splits = [
        _lay_split(suits, jokers, sets, colour, declared)
        for sets in [(), *_set_choices(suits, jokers)]
        if not declared or _rest_fits_runs(suits, jokers, sets)
    ]
    if not splits:
        raise ValueError("not a full hand")
    return max(splits, key=_split_merit)


def is_full_hand(hand: int) -> bool:
    """Whether all eight cards are in melds (K8), so that the hand may be declared."""
    suits, jokers = _split_suits(hand), hand >> JOKER
    return _rest_fits_runs(suits, jokers) or any(
        _rest_fits_runs(suits, jokers, sets) for sets in _set_choices(suits, jokers)
    )


def _split_merit(split: Split) -> tuple[int, int, list[int]]:
    """K16: compare the points, then the cards in melds, then the longest run."""
    runs = [len(meld.cards) for meld in split.melds if meld.kind == "run"]
    return split.points, -len(split.extras), runs


def _split_suits(hand: int) -> SuitBits:
    return hand & 8191, hand >> 13 & 8191, hand >> 26 & 8191, hand >> 39 & 8191


@cache
def _suit_ranks(bits: int) -> tuple[int, ...]:
    """Return the ranks of a suit's cards; the ace is 0."""
    return tuple(rank for rank in range(13) if bits >> rank & 1)


# Sets


def _set_choices(suits: SuitBits, jokers: int) -> list[Sets]:
    """Return every choice of one or two sets."""
    clubs, diamonds, hearts, spades = suits
    several = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    if jokers:
        several = clubs & (diamonds | hearts | spades) | diamonds & (hearts | spades) | hearts & spades
    if not several:
        return []
    ones: list[SetChoice] = []
    for rank in _suit_ranks(several):
        ones += _sets_of_rank(rank, tuple([suit for suit in range(4) if suits[suit] >> rank & 1]), jokers)
    pairs = combinations(ones, 2)
    return [(one,) for one in ones] + [
        (one, other) for one, other in pairs if one.rank != other.rank and one.jokers + other.jokers <= jokers
    ]


@cache
def _sets_of_rank(rank: int, own_suits: tuple[int, ...], jokers: int) -> tuple[SetChoice, ...]:
    """Return the sets that a rank's cards can make, smallest first.

    One card and two jokers are left out, because the three score more as a run.
    """
    return tuple(
        SetChoice(rank, suits, size)
        for size in (3, 4)
        for own in range(size, max(2, size - jokers) - 1, -1)
        for suits in combinations(own_suits, own)
    )


def _remove_sets(suits: SuitBits, jokers: int, sets: Sets) -> tuple[SuitBits, int]:
    """Return the suits and the jokers without the cards of those sets."""
    left = list(suits)
    for rank, own, size in sets:
        jokers -= size - len(own)
        for suit in own:
            left[suit] -= 1 << rank
    return tuple(left), jokers


def _rest_fits_runs(suits: SuitBits, jokers: int, sets: Sets = ()) -> bool:
    """Whether all cards outside those sets can be in runs."""
    if sets:
        suits, jokers = _remove_sets(suits, jokers, sets)
    return sum(map(_jokers_needed, suits)) <= jokers


# Runs


class _Run(NamedTuple):
    """A run within a suit: its lowest rank, its length, and the ranks of its natural cards."""

    low: int
    length: int
    own: tuple[int, ...]


def _run_value(points: int, cards: int) -> int:
    """Return what a run adds, as one number: its points and 5 for each card that is no longer extra; then (K16) its
    cards; then its length, so that a longer run beats two shorter ones."""
    return (points + EXTRA_CARD_PENALTY * cards) * 10**8 + cards * 10**6 + (1 << 2 * cards)


RUN_VALUES = tuple(_run_value(points, cards) for cards, points in enumerate(RUN_POINTS))


@cache
def _find_best_runs(ranks: tuple[int, ...], jokers: int) -> tuple[int, tuple[_Run, ...]]:
    """Return the best runs of a suit's cards with this many jokers: their value, and the runs.

    A run takes adjacent cards of the suit. Jokers never replace a card that would be left over.
    """
    if not ranks:
        return 0, ()
    found = _find_best_runs(ranks[1:], jokers)
    for number in range(1, len(ranks) + 1):
        own, rest = ranks[:number], ranks[number:]
        span = own[-1] - own[0] + 1
        most = min(8, number + jokers)
        for length in range(max(3, span), most + 1):  # K7: a joker at an end always fits, because eight cards are few
            worth, others = _find_best_runs(rest, jokers - (length - number))
            if RUN_VALUES[length] + worth > found[0]:
                found = RUN_VALUES[length] + worth, (_Run(min(own[0], 13 - length), length, own), *others)
    return found


@cache
def _jokers_needed(bits: int) -> int:
    """Return the number of jokers needed to put all of a suit's cards in runs."""
    return _min_jokers(_suit_ranks(bits))


def _min_jokers(ranks: tuple[int, ...]) -> int:
    if not ranks:
        return 0
    firsts = [(ranks[:number], ranks[number:]) for number in range(1, len(ranks) + 1)]
    return min(max(own[-1] - own[0] + 1, 3) - len(own) + _min_jokers(rest) for own, rest in firsts)


def _allot_jokers(suits: SuitBits, jokers: int) -> tuple[int, ...]:
    """Return the number of jokers for each suit that gives the best runs overall."""
    allotments = _allotments(jokers)
    return max(allotments, key=lambda given: sum(map(_best_runs_value, suits, given))) if jokers else allotments[0]


@cache
def _allotments(jokers: int) -> tuple[tuple[int, ...], ...]:
    """Return every distribution of jokers to the suits."""
    picks = combinations_with_replacement(range(4), jokers)
    return tuple(tuple(map(pick.count, range(4))) for pick in picks)


@cache
def _best_runs_value(bits: int, jokers: int) -> int:
    """Return the value of a suit's best runs with this many jokers."""
    return _find_best_runs(_suit_ranks(bits), jokers)[0]


# Layout


def _lay_split(suits: SuitBits, jokers: int, sets: Sets, colour: bool, declared: bool) -> Split:
    """Return the split with those sets and the best runs of the remaining cards."""
    suits, left = _remove_sets(suits, jokers, sets)
    melds: list[Meld] = []
    extras: tuple[int, ...] = ()
    for suit, (bits, given) in enumerate(zip(suits, _allot_jokers(suits, left), strict=True)):
        runs, rest = _lay_runs(suit, bits, given)
        left -= sum(len(run.jokers) for run in runs)
        melds += runs
        extras += rest
    melds.sort(key=_meld_size, reverse=True)
    melds += map(_set_meld, sets)
    extras += (JOKER,) * left
    shape = tuple([(meld.kind, len(meld.cards)) for meld in melds])
    lines, points = score_lines(shape, len(extras), colour, jokers == 2, declared)
    return Split(tuple(melds), extras, lines, points)


@cache
def _lay_runs(suit: int, bits: int, jokers: int) -> tuple[tuple[Meld, ...], tuple[int, ...]]:
    """Return a suit's best runs with this many jokers, and its remaining cards."""
    runs = _find_best_runs(_suit_ranks(bits), jokers)[1]
    used = {rank for run in runs for rank in run.own}
    return tuple(_run_meld(suit, run) for run in runs), tuple(
        13 * suit + rank for rank in _suit_ranks(bits) if rank not in used
    )


def _run_meld(suit: int, run: _Run) -> Meld:
    ranks = range(run.low, run.low + run.length)
    cards = tuple(13 * suit + rank for rank in ranks)
    return Meld("run", cards, tuple(13 * suit + rank for rank in ranks if rank not in run.own))


@cache
def _set_meld(chosen: SetChoice) -> Meld:
    others = [suit for suit in range(4) if suit not in chosen.suits][: chosen.jokers]
    cards = tuple(13 * suit + chosen.rank for suit in sorted([*chosen.suits, *others]))
    return Meld("set", cards, tuple(13 * suit + chosen.rank for suit in others))


def _meld_size(meld: Meld) -> int:
    return len(meld.cards)
