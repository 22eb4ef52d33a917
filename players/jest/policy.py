"""Rules of thumb for Jest: which card to show, and which to take."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import exp
from operator import mul

from engines.jest import deck
from engines.jest.deck import ONE, RANKING
from engines.jest.model import Move, Take
from engines.jest.moves import OFFERS
from players.jest.evaluation import gains, outlook
from players.jest.known import Known, free_of
from players.jest.numbers import Offering, numbers

TAKES = tuple((Take(source, False), Take(source, True)) for source in range(4))
HIGHEST = max(RANKING)


def chosen(known: Known) -> Move:
    """The move that is preferred."""
    return taken(known) if known.up else offered(known)


def offered(known: Known) -> Move:
    """One card is shown, the other lies face down."""
    low, high = known.hand
    return OFFERS[low] if shown(known) > 0 else OFFERS[high]


def shown(known: Known) -> float:
    """By how much it is better to show the higher card of the hand than the lower one."""
    return higher(tuple(known.jests), known.seat, known.hand, known.trophies, known.come)


@lru_cache(maxsize=1 << 14)
def higher(jests: tuple[int, ...], seat: int, hand: tuple[int, ...], trophies: tuple[int, ...], come: int) -> float:
    """The same, kept: in a search the same offers are made again and again."""
    free = free_of(trophies, jests)
    theirs = [gains(jests, who, hand, trophies, free, come) for who in range(len(jests)) if who != seat]
    own = gains(jests, seat, hand, trophies, free, come)
    counts = numbers().stage(len(jests), come == 2).offer
    low, high = hand
    lows, highs = [gain for gain, _ in theirs], [gain for _, gain in theirs]
    better = _shown(counts, high, own[1], highs, lows)
    return better - _shown(counts, low, own[0], lows, highs)


def _shown(counts: Offering, card: int, own: float, theirs: Sequence[float], hidden: Sequence[float]) -> float:
    """How good it is to show that card, by what it is worth to oneself and to the others, who do not see the hidden."""
    most = max(0.0, *theirs)
    return (
        counts.rank * RANKING[card] / HIGHEST
        + counts.mean * sum(theirs) / len(theirs)
        + counts.best * most
        + counts.own * own
        + counts.front * most * max(0.0, -max(hidden))
    )


def taken(known: Known) -> Move:
    """A card of an offer that still has both."""
    worths = takes(known)
    source, up = max(worths, key=worths.__getitem__)
    return TAKES[source][up]


def takes(known: Known) -> dict[tuple[int, bool], float]:
    """What each card that may be taken is worth: the seat that offers it, and whether it is the one face up."""
    seat, up = known.seat, known.up
    sources = [source for source in known.complete if source != seat]
    cards = [up[source] for source in sources]
    if not sources:  # J6
        left = gains(known.jests, seat, (up[seat], known.down), known.trophies, known.free, known.come)
        return {(seat, True): left[0], (seat, False): left[1]}
    own, hidden = _own(known, cards)
    counts = numbers().stage(len(known.jests), known.last).take
    rest = [who for who in known.waiting if who != seat]
    others = len(known.jests) - 1
    wished = {who: gains(known.jests, who, cards, known.trophies, known.free, known.come) for who in rest}
    found = {}
    for i, source in enumerate(sources):
        wish = max(0.0, *[wished[who][i] for who in rest if who != source], 0.0) / others
        if source in wished:
            best = [gain for j, gain in enumerate(wished[source]) if j != i]
            go = counts.next * max(best, default=0.0) / others
        else:
            go = counts.done
        found[source, True] = own[i] + counts.wish * wish + go
        found[source, False] = hidden[i] + counts.hidden + counts.wish_hidden * wish + go
    return found


def _own(known: Known, cards: Sequence[int]) -> tuple[list[float], list[float]]:
    """What the seat gains by each of these cards, and by those that lie hidden beside them, in mean."""
    lurking, unseen = deck.held(known.lurking), deck.held(known.unseen)
    found = _gained(known, (*cards, *lurking, *unseen))
    blind = found[len(cards) :]
    likely = _likely(known, lurking, unseen)
    habits = beside(len(known.jests), known.last)
    return found[: len(cards)], [_mean(blind, likely, habits[card], (*lurking, *unseen)) for card in cards]


def _gained(known: Known, cards: Sequence[int]) -> list[float]:
    """What the seat gains by each of the cards. In the last round it counts with what is left of its offer (J9)."""
    seat, jests, trophies, free = known.seat, known.jests, known.trophies, known.free
    if not known.last:
        return gains(jests, seat, cards, trophies, free, known.come)
    if seat not in known.complete:
        return gains(jests, seat, cards, trophies, free, 1)
    found = []
    for left in (known.up[seat], known.down):
        then = list(jests)
        then[seat] |= ONE[left]
        found.append(gains(then, seat, cards, trophies, free & ~ONE[left], 1))
    return [(shown + hidden) / 2 for shown, hidden in zip(*found, strict=True)]


def _likely(known: Known, lurking: Sequence[int], unseen: Sequence[int]) -> list[float]:
    """How likely each card lies hidden with a certain seat: those left over lie somewhere, the others may."""
    places = len(known.jests) - 1
    rest = max(0, places - len(lurking))
    return [1.0] * len(lurking) + [rest / len(unseen)] * len(unseen) if unseen else [1.0] * len(lurking)


def _mean(worths: Sequence[float], likely: Sequence[float], habit: Sequence[float], cards: Sequence[int]) -> float:
    weights = [p * habit[card] for p, card in zip(likely, cards, strict=True)]
    total: float = sum(map(mul, weights, worths))
    return total / sum(weights)


@cache
def beside(seats: int, last: bool) -> tuple[tuple[float, ...], ...]:
    """By card shown and card hidden, how likely it is that somebody with these two does so rather than otherwise."""
    counts = numbers().stage(seats, last).offer
    worths = [outlook(one, (), 3)[0] - outlook(0, (), 4)[0] for one in ONE]
    appeal = [_shown(counts, card, worth, (worth,), (0.0,)) for card, worth in enumerate(worths)]
    return tuple(
        tuple(1 / (1 + exp((appeal[hidden] - appeal[shown]) / numbers().habit)) for hidden in deck.DECK)
        for shown in deck.DECK
    )
