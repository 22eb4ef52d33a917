"""Rules of thumb for Jest: which card to show, and which to take."""

from __future__ import annotations

from collections.abc import Sequence

from engines.jest import deck
from engines.jest.deck import ONE, RANKING
from engines.jest.model import Move, Take
from engines.jest.moves import OFFERS
from players.jest.known import Known
from players.jest.numbers import Offering, numbers
from players.jest.outlook import gains

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
    seat, free, jests = known.seat, known.free, known.jests
    theirs = [
        gains(jests, who, known.hand, known.trophies, free, known.come) for who in range(len(jests)) if who != seat
    ]
    own = gains(jests, seat, known.hand, known.trophies, free, known.come)
    counts = numbers().stage(len(jests), known.last).offer
    low, high = known.hand
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
        shown, hidden = gains(known.jests, seat, (up[seat], known.down), known.trophies, known.free, known.come)
        return {(seat, True): shown, (seat, False): hidden}
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
        found[source, False] = hidden + counts.hidden + counts.wish_hidden * wish + go
    return found


def _own(known: Known, cards: Sequence[int]) -> tuple[list[float], float]:
    """What the seat gains by each of these cards, and by one that lies face down, in mean."""
    lurking, unseen = deck.held(known.lurking), deck.held(known.unseen)
    all_cards = (*cards, *lurking, *unseen)
    found = _gained(known, all_cards)
    first = len(cards)
    return found[:first], _blind(known, found[first : first + len(lurking)], found[first + len(lurking) :])


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


def _blind(known: Known, lurking: Sequence[float], unseen: Sequence[float]) -> float:
    """What a card that another seat hides is worth in mean: those left over lie somewhere, the others may."""
    places = len(known.jests) - 1
    total, rest = sum(lurking), places - len(lurking)
    if rest > 0 and unseen:
        return (total + rest * sum(unseen) / len(unseen)) / places
    return total / len(lurking)
