"""Estimates a Jest's chance to get a trophy (J11), from the cards whose final Jest a seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp

from engines.jest.deck import CARD_BIT, DECK, JOKER
from engines.jest.scoring import CONDITIONS, jest_value
from players.jest.numbers import load_weights

ACE_SHIFTS = (8, 4, 0, 12)  # by suit as in engines.kit.cards
VALUE_MASK = 0x1111  # the cards of a value, starting with hearts


def _deciding_cards(trophy: int) -> int:
    test, of = CONDITIONS[trophy]
    match test:
        case "highest" | "lowest":
            return 15 << ACE_SHIFTS[of]
        case "majority":
            return VALUE_MASK << of - 1
        case "joker":
            return CARD_BIT[JOKER]
        case "best" | "best without joker":
            return (1 << len(DECK)) - 1


DECIDING_CARDS = tuple(map(_deciding_cards, DECK))
"""By trophy: the cards that decide who gets it."""


def trophy_chance(trophy: int, jests: Sequence[int], seat: int, free: int, take_chance: float) -> float:
    """Return the chance to get a trophy if each `free` card goes to that Jest with `take_chance`, else to another."""
    test, of = CONDITIONS[trophy]
    match test:
        case "joker":
            return 1.0 if jests[seat] >> JOKER else take_chance if free >> JOKER else 0.0
        case "majority":
            shift = of - 1
            return _majority_chance(
                tuple([jest >> shift & VALUE_MASK for jest in jests]), seat, free >> shift & VALUE_MASK, take_chance
            )
        case "highest" | "lowest":
            shift = ACE_SHIFTS[of]
            suit = tuple([jest >> shift & 15 for jest in jests])
            return _extreme_chance(test == "highest", suit, seat, free >> shift & 15, take_chance)
        case "best" | "best without joker":
            return _best_jest_chance(test == "best", tuple(jests), seat)


@lru_cache(maxsize=1 << 15)
def _extreme_chance(highest: bool, suits: tuple[int, ...], seat: int, free: int, p: float) -> float:
    """The owner of the first card from that end gets it; a lone ace is the highest (J12)."""
    ranked = [(5 if bit == 1 and 1 in suits else bit.bit_length(), bit) for bit in (1, 2, 4, 8)]
    for _, bit in sorted(ranked, reverse=highest):
        if suits[seat] & bit:
            return 1.0
        if free & bit:
            return p
        if any(suit & bit for suit in suits):
            return 0.0
    return 0.0


@lru_cache(maxsize=1 << 15)
def _majority_chance(ranks: tuple[int, ...], own_seat: int, free: int, p: float) -> float:
    """Every free card of the value goes to somebody, the strongest suit first."""
    for bit in (0x1000, 0x100, 0x10, 1):
        if free & bit:
            break
    else:
        counted = [cards | cards.bit_count() << 16 for cards in ranks]
        return float(counted[own_seat] == max(counted) > 0)
    found = 0.0
    for seat, cards in enumerate(ranks):
        share = p if seat == own_seat else (1 - p) / (len(ranks) - 1)
        if share:
            found += share * _majority_chance((*ranks[:seat], cards | bit, *ranks[seat + 1 :]), own_seat, free ^ bit, p)
    return found


@lru_cache(maxsize=1 << 15)
def _best_jest_chance(joker_allowed: bool, jests: tuple[int, ...], seat: int) -> float:
    """Compare the current values of the Jests."""
    if not joker_allowed and jests[seat] >> JOKER:
        return 0.0
    spread = load_weights().spread
    weights = [0.0 if not joker_allowed and jest >> JOKER else exp(jest_value(jest) / spread) for jest in jests]
    return weights[seat] / sum(weights)
