"""Parts of a hand that may become melds, and their kinds, which determine their values.

A part is a few cards of one suit that are close together, or of one rank. Its kind says how complete it is and how many
unseen cards would help it.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from engines.jokers.deck import HAND_SIZE

MAX_JOKERS = 2
MAX_HOLES = MAX_JOKERS + 1  # in a run; an unseen card may fill one
REACH = MAX_JOKERS + 1  # ranks beyond a run whose cards may help it
RUN_KINDS = 7 * 2 * 4  # by length 2 to 8, gaps 0 or 1, and helping cards 0 to 3
SET_KINDS = 3 * 3  # by size 2 to 4, and helping cards 0 to 2
KINDS = RUN_KINDS + SET_KINDS


class MeldPart(NamedTuple):
    """The cards of a part as bits, their number, and the part's kind with 0, 1 or 2 jokers; None: it takes none."""

    cards: int
    size: int
    kinds: tuple[int | None, ...]


def run_kind(length: int, gaps: int, helping: int) -> int:
    """Return the kind of a run of that length including jokers, with or without an inner gap."""
    return ((length - 2) * 2 + gaps) * 4 + min(helping, 3)


def set_kind(size: int, helping: int) -> int:
    """Return the kind of a set of that size including jokers."""
    return RUN_KINDS + (size - 2) * 3 + min(helping, 2)


@lru_cache(maxsize=1 << 13)  # the entries of some twenty decisions; later ones need others
def run_parts(suit: int, bits: int, live: int) -> tuple[MeldPart, ...]:
    """Return the parts that are or may become runs, of a suit's cards; `live`: its unseen cards."""
    ranks = [rank for rank in range(13) if bits >> rank & 1]
    found = []
    for first, low in enumerate(ranks):
        for last in range(first + 1, len(ranks)):
            size, span = last - first + 1, ranks[last] - low + 1
            if span - size > MAX_HOLES:
                break
            own = bits >> low & (1 << span) - 1
            kinds = _run_kinds(own, (live << REACH >> low) & (1 << span + 2 * REACH) - 1)
            if kinds:
                found.append(MeldPart(own << 13 * suit + low, size, kinds))
    return tuple(found)


@cache
def _helping_ranks(bits: int) -> int:
    """Return the ranks that may help a suit's cards."""
    wide = bits | bits << 1 | bits >> 1
    return (wide | wide << 2 | wide >> 2) & 8191


@lru_cache(maxsize=1 << 15)
def _run_kinds(own: int, live: int) -> tuple[int | None, ...]:
    """Return the kinds of a run with 0, 1 and 2 jokers; empty: it is none. `own` begins with its lowest card, and
    `live`, the suit's unseen cards, `REACH` ranks below."""
    ranks = [rank + REACH for rank in range(own.bit_length()) if own >> rank & 1]
    kinds = tuple([_kind_of_run(ranks, live, jokers) for jokers in range(MAX_JOKERS + 1)])
    return kinds if any(kind is not None for kind in kinds) else ()


def _kind_of_run(own: list[int], live: int, jokers: int) -> int | None:
    low, high = own[0], own[-1]
    holes = [rank for rank in range(low, high) if rank not in own]
    length, gaps = len(own) + jokers, max(0, len(holes) - jokers)
    if length + gaps > HAND_SIZE or gaps > 1:
        return None
    reach = max(0, jokers - len(holes)) + 1
    ends = [rank for rank in (*range(low - reach, low), *range(high + 1, high + reach + 1)) if live >> rank & 1]
    within = [rank for rank in holes if live >> rank & 1]
    if not gaps:
        return run_kind(length, 0, len(ends) + len(within))
    return run_kind(length, gaps, len(within) + bool(ends) if len(within) >= gaps else 0)


@lru_cache(maxsize=1 << 12)
def set_parts(rank: int, own_suits: int, live: int) -> tuple[MeldPart, ...]:
    """Return the parts that are or may become sets, of a rank's cards; both as bits by suit."""
    suits = [suit for suit in range(4) if own_suits >> suit & 1]
    picks = [pick for pick in range(1, 16) if pick & own_suits == pick and pick.bit_count() > 1]
    helping = live.bit_count()
    return tuple(
        MeldPart(
            sum([1 << 13 * suit + rank for suit in suits if pick >> suit & 1]),
            pick.bit_count(),
            tuple(
                [
                    set_kind(pick.bit_count() + jokers, helping) if pick.bit_count() + jokers <= 4 else None
                    for jokers in range(MAX_JOKERS + 1)
                ]
            ),
        )
        for pick in picks
    )


def hand_parts(hand: int, live: int) -> list[MeldPart]:
    """Return all parts of a hand; `live`: the cards whose place its owner does not know."""
    found: list[MeldPart] = []
    suits = hand & 8191, hand >> 13 & 8191, hand >> 26 & 8191, hand >> 39 & 8191
    for suit, bits in enumerate(suits):
        if bits & bits - 1:
            found += run_parts(suit, bits, live >> 13 * suit & _helping_ranks(bits))
    clubs, diamonds, hearts, spades = suits
    several = clubs & (diamonds | hearts | spades) | diamonds & (hearts | spades) | hearts & spades
    while several:
        rank = (several & -several).bit_length() - 1
        several &= several - 1
        found += set_parts(rank, suits_of_rank(hand, rank), suits_of_rank(live, rank))
    return found


def suits_of_rank(cards: int, rank: int) -> int:
    """Return the cards of a rank, as bits by suit."""
    cards >>= rank
    return cards & 1 | cards >> 12 & 2 | cards >> 24 & 4 | cards >> 36 & 8
