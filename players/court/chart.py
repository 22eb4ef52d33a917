"""Evaluates squares for a Mage: the distance of each edge, and how many cards would take it over one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import exp, log
from typing import NamedTuple

from engines.court.board import OFF_BOARD, RAYS, SIDE, SQUARES, START_SQUARES, STRIDES
from engines.court.deck import CARD_STEPS, DECK, NUMBER_CARDS, SUITS

ALL_SUITS = 15
"""All four suits. A set of suits is a sum of bits: 1, 2, 4 and 8 for clubs, diamonds, hearts and spades."""
UNCLAIMED_SUITS = {
    suits: ALL_SUITS - sum(1 << suit for suit in suits) for size in range(5) for suits in combinations(SUITS, size)
}
"""By the suits of a seat's banners: the suits it still lacks."""
STEPS_TO_EDGE = tuple(tuple(len(ray) + 1 for ray in rays) for rays in RAYS)
"""By suit and square: the number of steps over the suit's edge."""
SQUARE_STEP = tuple(column + SIDE * row for column, row in (STRIDES[suit] for suit in SUITS))
"""By suit: the difference of a step."""
CENTRE = START_SQUARES[0]
"""The assumed square of a Mage that is off the board."""
TURNS_TO_EDGE = (
    *(1.59, 1.61, 1.73, 1.85, 2.00, 2.17, 2.37, 2.59, 2.85, 3.14, 3.47),
    *(3.58, 3.72, 3.84, 3.97, 4.09, 4.20, 4.30, 4.38, 4.44, 4.47, 4.48),
)
"""By steps to one edge, from 1: the turns needed with fresh hands and without hindrance; found by iteration."""
EDGE_BLEND = 0.9
"""How several acceptable edges combine into fewer turns; within a tenth of the exact iteration."""
BARRED_TURNS = 6.0
"""The turns to an edge if Menhirs bar all wanted edges."""


class EdgeDistance(NamedTuple):
    """For a square and the edges a Mage wants to cross: the turns needed, and how many kinds of number cards take it
    over one at once."""

    turns: float
    cards: int


@cache
def edge_distances(wanted_suits: int) -> tuple[EdgeDistance, ...]:
    """Return the edge distances by square, for a set of suits."""
    suits = [suit for suit in SUITS if wanted_suits >> suit & 1]
    return tuple(_edge_distance([STEPS_TO_EDGE[suit][square] for suit in suits]) for square in SQUARES)


def _edge_distance(steps: list[int]) -> EdgeDistance:
    if not steps:
        return EdgeDistance(BARRED_TURNS, 0)
    turns = -EDGE_BLEND * log(sum(exp(-TURNS_TO_EDGE[each - 1] / EDGE_BLEND) for each in steps))
    return EdgeDistance(turns, sum(max(0, 11 - max(2, each)) for each in steps))


def barred_suits(square: int, menhirs: Sequence[int]) -> int:
    """Return the suits whose edges a Menhir blocks for a Mage on that square."""
    suits = 0
    for menhir in menhirs:
        if menhir == OFF_BOARD:
            continue
        if menhir // SIDE == square // SIDE:
            suits |= 2 if menhir > square else 1
        elif menhir % SIDE == square % SIDE:
            suits |= 8 if menhir > square else 4
    return suits


@cache
def crossing_chances(unknown_cards: int) -> tuple[float, ...]:
    """Return, by number of suitable card kinds, the chance that unknown cards include one."""
    return tuple(1 - (1 - kinds / len(DECK)) ** unknown_cards for kinds in range(len(NUMBER_CARDS) + 1))


def landing_square(square: int, card: int, occupied: Sequence[int]) -> int:
    """Return where a card takes a Mage from a square (T5, T6) with the pieces in place. OFF: over the edge."""
    steps = CARD_STEPS[card]
    for each in RAYS[card // 13][square][:steps]:
        if each in occupied:
            return square
        square, steps = each, steps - 1
    return OFF_BOARD if steps else square
