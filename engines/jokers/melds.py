"""The best split of a hand into melds and extras, and whether it is a full hand (K6–K8, K12–K16).

Eight cards make two melds at most, which keeps the search small. What the runs of one suit are worth, with none, one or
two jokers, is looked up by the suit's thirteen bits; suits add up. So only the choice of the sets is searched: none,
two of them, or one, which leaves the rest to the runs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Literal, NamedTuple

from engines.jokers.deck import JOKER, one_colour
from engines.jokers.scoring import EXTRA, RUN_POINTS, SECOND_SET, SET_POINTS, Line, lines_of


class Meld(NamedTuple):
    """A run from low to high, or a set: what its cards are or stand for, and which of those are jokers'."""

    kind: Literal["run", "set"]
    cards: tuple[int, ...]
    jokers: tuple[int, ...] = ()


class Split(NamedTuple):
    """A hand laid out: melds (runs first, the longest first), cards in no meld, and the score line by line."""

    melds: tuple[Meld, ...]
    extras: tuple[int, ...]
    lines: tuple[Line, ...]
    points: int


class Chosen(NamedTuple):
    """A set to lay: its rank, the suits of its cards as four bits, and its size; jokers make up what is missing."""

    rank: int
    suits: int
    size: int


Suits = tuple[int, int, int, int]
Sets = tuple[Chosen, ...]


def best(hand: int, declared: bool = False) -> Split:
    """The split of a hand of eight that scores most, as a lost hand or as a declared one, which must be full (K16)."""
    jokers = hand >> JOKER
    suits = (hand & 8191, hand >> 13 & 8191, hand >> 26 & 8191, hand >> 39 & 8191)
    sets = _full_sets(*suits, jokers) if declared else _lost_sets(*suits, jokers)
    if sets is None:
        raise ValueError("not a full hand")
    melds, extras = _lay(suits, jokers, sets)
    shape = tuple([(meld[0], len(meld[1])) for meld in melds])
    lines, points = lines_of(shape, len(extras), one_colour(hand), jokers == 2, declared)
    return Split(melds, extras, lines, points)


def full(hand: int) -> bool:
    """Whether all eight cards are in melds (K8), so that the hand may be declared."""
    suits = (hand & 8191, hand >> 13 & 8191, hand >> 26 & 8191, hand >> 39 & 8191)
    return _full_sets(*suits, hand >> JOKER) is not None


# What a meld adds is one number, to be added up and compared: its points and the 5 for each card that is no longer an
# extra; then (K16) its cards; then its length if it is a run, so that a longer one outweighs two shorter ones.


def _worth(points: int, cards: int, run: int = 0) -> int:
    return points + EXTRA * cards << 21 | cards << 17 | (1 << 2 * run if run else 0)


RUN_WORTH = tuple(_worth(points, cards, cards) for cards, points in enumerate(RUN_POINTS))
SET_WORTH = tuple(_worth(points, cards) for cards, points in enumerate(SET_POINTS))
NEVER = 9  # more jokers than there are


class _Table(dict[int, int]):
    """A function of a suit's bits, worked out once for each."""

    def __init__(self, function: Callable[[int], int]) -> None:
        self.function = function

    def __missing__(self, bits: int) -> int:
        value = self[bits] = self.function(bits)
        return value


class _Run(NamedTuple):
    """A run within a suit: its lowest rank, its length, and the bits of its cards that are no jokers."""

    low: int
    length: int
    bits: int


@cache
def _runs(bits: int, jokers: int) -> tuple[int, tuple[_Run, ...]]:
    """The best runs from a suit's cards with so many jokers: their worth, and what they are.

    A run takes cards that lie next to each other in the suit: no joker need stand for a card that would be left over.
    """
    if not bits:
        return 0, ()
    low = bits & -bits
    found = _runs(bits ^ low, jokers)
    taken, rest, holes = 0, bits, 0
    while rest:
        card = rest & -rest
        taken, rest = taken | card, rest ^ card
        span = (card // low).bit_length()
        holes = span - taken.bit_count()
        for added in range(jokers - holes + 1):  # K7: a joker at an end is always possible, eight cards being so few
            length = span + added
            if 3 <= length <= 8:
                worth, others = _runs(rest, jokers - holes - added)
                if RUN_WORTH[length] + worth > found[0]:
                    start = min(low.bit_length() - 1, 13 - length)
                    found = (RUN_WORTH[length] + worth, (_Run(start, length, taken), *others))
    return found


@cache
def _need(bits: int) -> int:
    """How many jokers it takes to have all of a suit's cards in runs."""
    low, taken, rest, least = bits & -bits, 0, bits, NEVER if bits else 0
    while rest:
        card = rest & -rest
        taken, rest = taken | card, rest ^ card
        span = (card // low).bit_length()
        least = min(least, max(span, 3) - taken.bit_count() + _need(rest))
    return least


RUNS0 = _Table(lambda bits: _runs(bits, 0)[0])
GAIN1 = _Table(lambda bits: _runs(bits, 1)[0] - _runs(bits, 0)[0])  # what the first joker adds
GAIN2 = _Table(lambda bits: _runs(bits, 2)[0] - _runs(bits, 0)[0])  # what two add
NEED = _Table(_need)


def _runs_worth(c: int, d: int, h: int, s: int, jokers: int) -> int:
    """The best runs of all suits together."""
    return _most(c, d, h, s, jokers)[jokers]


def _most(c: int, d: int, h: int, s: int, jokers: int) -> tuple[int, ...]:
    """The best runs of all suits together, with none, one … up to so many jokers."""
    worth = RUNS0[c] + RUNS0[d] + RUNS0[h] + RUNS0[s]
    if not jokers:
        return (worth,)
    first, second = GAIN1[c], GAIN1[d]
    if first < second:
        first, second = second, first
    for gain in (GAIN1[h], GAIN1[s]):
        if gain > second:
            first, second = (gain, first) if gain > first else (first, gain)
    if jokers == 1:
        return worth, worth + first
    return worth, worth + first, worth + max(first + second, GAIN2[c], GAIN2[d], GAIN2[h], GAIN2[s])


def _allot(suits: Suits, jokers: int) -> Suits:
    """How many jokers go to the runs of each suit."""
    gains = [GAIN1[bits] for bits in suits]
    given = [0, 0, 0, 0]
    first = gains.index(max(gains))
    given[first] = 1
    if jokers == 2:
        twos = [GAIN2[bits] for bits in suits]
        one = gains[first]
        gains[first] = -1
        second = gains.index(max(gains))
        if max(twos) >= one + gains[second]:
            given[first] = 0
            given[twos.index(max(twos))] = 2
        else:
            given[second] = 1
    return (given[0], given[1], given[2], given[3])


class _Option(NamedTuple):
    """One way to lay a set from cards of one rank."""

    suits: int
    size: int
    jokers: int
    worth: int


@cache
def _options(held: int, jokers: int) -> tuple[_Option, ...]:
    """The sets to be made from cards of one rank in these suits (as four bits), the small ones first.

    One card and two jokers are left out: the three are worth more as a run.
    """
    own = [suit for suit in range(4) if held >> suit & 1]
    return tuple(
        _Option(sum(1 << suit for suit in suits), size, size - number, SET_WORTH[size])
        for size in (3, 4)
        for number in range(size, max(2, size - jokers) - 1, -1)
        for suits in combinations(own, number)
    )


@cache
def _two_sets(first: int, second: int, jokers: int) -> tuple[int, int, int]:
    """The worth of sets of two ranks with so many cards each, and their sizes; 0 where there are not enough."""
    found = (0, 0, 0)
    for a in (3, 4):
        for b in (3, 4):
            if max(0, a - first) + max(0, b - second) <= jokers:
                points = SET_POINTS[a] + (SECOND_SET if a == b == 4 else SET_POINTS[b])
                found = max(found, (_worth(points, a + b), a, b))
    return found


def _suits_of(c: int, d: int, h: int, s: int, rank: int) -> int:
    """The suits in which the rank is there, as four bits."""
    return c >> rank & 1 | (d >> rank & 1) << 1 | (h >> rank & 1) << 2 | (s >> rank & 1) << 3


def _lost_sets(c: int, d: int, h: int, s: int, jokers: int) -> Sets:
    """The sets of the best split of a lost hand (K13)."""
    both, either, both2, either2 = c & d, c | d, h & s, h | s
    triples = both & either2 | both2 & either
    pairs = both | both2 | either & either2 if jokers else triples
    if not pairs:
        return ()
    most = _most(c, d, h, s, jokers)
    sets: Sets = ()
    found = most[jokers]
    if not triples and found >= _most_by_pairs(most):
        return sets
    if pairs & pairs - 1:
        found, sets = _try_two(c, d, h, s, jokers, pairs, triples, found)
    while pairs:
        bit = pairs & -pairs
        pairs ^= bit
        rank = bit.bit_length() - 1
        for suits, size, used, worth in _options(_suits_of(c, d, h, s, rank), jokers):
            if worth + most[jokers - used] <= found:  # taking cards away never makes better runs
                continue
            worth += _runs_worth(*_less(c, d, h, s, bit, suits), jokers - used)
            if worth > found:
                found, sets = worth, (Chosen(rank, suits, size),)
    return sets


def _most_by_pairs(most: tuple[int, ...]) -> int:
    """The most that sets can bring where no rank is there three times: one or two sets, filled up with jokers."""
    three = SET_WORTH[3] + most[-2]
    return three if len(most) == 2 else max(three, SET_WORTH[4] + most[0], 2 * SET_WORTH[3])


def _try_two(c: int, d: int, h: int, s: int, jokers: int, pairs: int, triples: int, found: int) -> tuple[int, Sets]:
    """Two sets, if that is better than what was found: of the ranks with the most cards, as no run is left beside."""
    ranks: list[int] = []
    for several in (c & d & h & s, triples, pairs):
        several &= ~sum(1 << rank for rank in ranks)
        while several and len(ranks) < 2:
            bit = several & -several
            several ^= bit
            ranks.append(bit.bit_length() - 1)
    first, second = ranks
    a, b = _suits_of(c, d, h, s, first), _suits_of(c, d, h, s, second)
    worth, size, size2 = _two_sets(a.bit_count(), b.bit_count(), jokers)
    return (worth, (Chosen(first, a, size), Chosen(second, b, size2))) if worth > found else (found, ())


def _full_sets(c: int, d: int, h: int, s: int, jokers: int) -> Sets | None:
    """The sets of the best split of a full hand (K12): none, two, or one. None where it is not full."""
    ranks = c | d | h | s
    low = ranks & -ranks
    if not (high := ranks ^ low) & high - 1:  # two ranks
        return tuple(Chosen(rank, _suits_of(c, d, h, s, rank), 4) for rank in map(_rank, (low, high)))
    if NEED[c] + NEED[d] + NEED[h] + NEED[s] <= jokers:
        return ()  # the best runs there are leave no card over, and are one run where that can be
    many = c & d & (h | s) | h & s & (c | d)
    if jokers:
        many |= c & d | h & s | (c | d) & (h | s)
    return _one_full_set(c, d, h, s, jokers, many) if many else None


def _one_full_set(c: int, d: int, h: int, s: int, jokers: int, many: int) -> Sets | None:
    """A set of one of many ranks, with all other cards in a run: of three (55) before four (50)."""
    found: Sets | None = None
    while many:
        bit = many & -many
        many ^= bit
        rank = bit.bit_length() - 1
        for suits, size, used, _ in _options(_suits_of(c, d, h, s, rank), jokers):
            a, b, e, f = _less(c, d, h, s, bit, suits)
            if NEED[a] + NEED[b] + NEED[e] + NEED[f] <= jokers - used:
                if size == 3:
                    return (Chosen(rank, suits, size),)
                found = found or (Chosen(rank, suits, size),)
    return found


def _rank(bit: int) -> int:
    return bit.bit_length() - 1


def _less(c: int, d: int, h: int, s: int, bit: int, suits: int) -> Suits:
    """The suits without one rank's cards of some of them."""
    return (
        c ^ bit if suits & 1 else c,
        d ^ bit if suits & 2 else d,
        h ^ bit if suits & 4 else h,
        s ^ bit if suits & 8 else s,
    )


def _lay(suits: Suits, jokers: int, sets: Sets) -> tuple[tuple[Meld, ...], tuple[int, ...]]:
    """Lay those sets, and the best runs from what is left: the melds, and the extras."""
    left = jokers
    laid = []
    for chosen in sets:
        suits = _less(*suits, 1 << chosen.rank, chosen.suits)
        left -= chosen.size - chosen.suits.bit_count()
        laid.append(_set(*chosen))
    given = _allot(suits, left) if left else (0, 0, 0, 0)
    melds: list[Meld] = []
    extras: tuple[int, ...] = ()
    for suit, bits in enumerate(suits):
        if bits:
            runs, rest, used = _laid(suit, bits, given[suit])
            left -= used
            melds += runs
            extras += rest
    if len(melds) == 2:
        melds.sort(key=_length)
    return (*melds, *laid), extras + (JOKER,) * left


@cache
def _laid(suit: int, bits: int, jokers: int) -> tuple[tuple[Meld, ...], tuple[int, ...], int]:
    """A suit's best runs with so many jokers, its cards that are left, and how many jokers are used."""
    runs = _runs(bits, jokers)[1]
    left = bits & ~sum(run.bits for run in runs)
    melds = tuple(_run(suit, run) for run in runs)
    extras = tuple(13 * suit + rank for rank in range(13) if left >> rank & 1)
    return melds, extras, sum(len(meld.jokers) for meld in melds)


def _run(suit: int, run: _Run) -> Meld:
    ranks = range(run.low, run.low + run.length)
    cards = tuple(13 * suit + rank for rank in ranks)
    return Meld("run", cards, tuple(13 * suit + rank for rank in ranks if not run.bits >> rank & 1))


@cache
def _set(rank: int, suits: int, size: int) -> Meld:
    own = [suit for suit in range(4) if suits >> suit & 1]
    others = [suit for suit in range(4) if suit not in own][: size - len(own)]
    cards = tuple(13 * suit + rank for suit in sorted(own + others))
    return Meld("set", cards, tuple(13 * suit + rank for suit in others))


def _length(meld: Meld) -> int:
    return -len(meld.cards)
