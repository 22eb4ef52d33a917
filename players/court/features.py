"""What the network is told about a position by one seat: its own Mage and hand, the others in turn order, the turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import NamedTuple

from engines.court.board import OFF_BOARD
from engines.court.deck import CARD_STEPS, NUMBER_CARDS
from engines.court.model import HAND_SIZE
from players.court.chart import (
    CENTRE,
    STEPS_TO_EDGE,
    UNCLAIMED_SUITS,
    barred_suits,
    crossing_chances,
    edge_distances,
)
from players.court.odds import HEALTHS_PER_BANNER, KIND_OF_CARD, WAITING_TURNS, Banners, edge_routes

MAGE_INPUTS, HAND_INPUTS, TURN_INPUTS = 20, 17, 7
"""How many numbers describe a Mage, a hand, and the turn apart from whose it is."""
TURN_SCALES = (4, 16, 64)
"""In how many turns the end of the match loses most of its weight."""
FAR = 22
"""Instead of the steps to an edge that there is no way to."""


class Mage(NamedTuple):
    """What everybody knows of a seat: its Mage's square (OFF: it will be placed), its banners, and its health."""

    square: int
    banners: Banners
    health: int

    @property
    def score(self) -> float:
        """Return what counts when turns run out (T13), in banners."""
        return len(self.banners) + self.health / HEALTHS_PER_BANNER


def input_count(seats: int) -> int:
    """Return how many numbers describe a position."""
    return MAGE_INPUTS * seats + HAND_INPUTS + TURN_INPUTS + seats


def barred_edges(mage: Mage, menhirs: Sequence[int]) -> int:
    """Return the wanted suits whose edges a Menhir blocks for a Mage."""
    square = CENTRE if mage.square == OFF_BOARD else mage.square
    return UNCLAIMED_SUITS[mage.banners] & barred_suits(square, menhirs) if menhirs else 0


@lru_cache(1 << 15)
def mage_features(mage: Mage, goal: int, barred: int, unknown_cards: int, has_menhir: bool) -> tuple[float, ...]:
    """Describe a Mage with these wanted edges barred, and a hand of which nothing is known but its size."""
    square = CENTRE if mage.square == OFF_BOARD else mage.square
    left, wanted = goal - len(mage.banners), UNCLAIMED_SUITS[mage.banners]
    open_suits = wanted - barred
    turns, cards = edge_distances(open_suits)[square]
    chance = crossing_chances(unknown_cards)[cards]
    steps = sorted(STEPS_TO_EDGE[suit][square] if open_suits >> suit & 1 else FAR for suit in range(4))
    return (
        float(left == 1),
        float(left == 2),
        float(left == 3),
        len(mage.banners) / 4,
        mage.health / 6,
        float(mage.health == 1),
        float(mage.health == 2),
        float(mage.health == 1 and left == 1),
        barred.bit_count() / max(1, wanted.bit_count()),
        open_suits.bit_count() / 4,
        chance,
        chance * (left == 1),
        chance * (left == 2),
        turns / 4,
        turns / 4 * (left == 1),
        turns / 4 * (left == 2),
        unknown_cards / 6,
        steps[0] / 10,
        steps[1] / 10,
        float(has_menhir),
    )


def hand_features(mage: Mage, goal: int, barred: int, hand: Sequence[int]) -> list[float]:
    """Describe a seat's hand, which it will fill up before it uses it."""
    square = CENTRE if mage.square == OFF_BOARD else mage.square
    left = goal - len(mage.banners)
    open_suits = UNCLAIMED_SUITS[mage.banners] - barred
    routes = [turns for turns, _, _ in edge_routes(square, open_suits, hand)]
    ground, cards = edge_distances(open_suits)[square]
    crossing = routes.count(1)
    drawn = 0.0 if crossing else crossing_chances(HAND_SIZE - len(hand))[cards]
    soonest = min([*routes, ground + WAITING_TURNS])
    kinds = [0, 0, 0, 0]
    ahead = aside = 0
    for card in hand:
        kinds[KIND_OF_CARD[card]] += 1
        if card in NUMBER_CARDS:
            if open_suits >> card // 13 & 1:
                ahead += CARD_STEPS[card]
            else:
                aside += CARD_STEPS[card]
    return [
        float(crossing > 0),
        float(crossing > 0 and left == 1),
        float(crossing > 0 and left == 2),
        crossing / 3,
        float(not crossing and 2 in routes),
        float(not crossing and 2 in routes and left == 1),
        drawn,
        drawn * (left == 1),
        soonest / 4,
        soonest / 4 * (left == 1),
        ahead / 30,
        aside / 30,
        kinds[0] / 6,
        kinds[1] / 3,
        kinds[2] / 2,
        float(kinds[3]),
        (HAND_SIZE - len(hand)) / 2,
    ]


def turn_features(goal: int, turns_left: int | None, lead: float) -> list[float]:
    """Describe how near the end of the match is (None: no limit of turns), and the lead in banners that would decide
    it."""
    late = [0.0 if turns_left is None else exp(-turns_left / scale) for scale in TURN_SCALES]
    return [goal / 4, *late, lead / 4, lead * late[0], lead * late[1]]


def delay_features(seats: int, delay: int) -> list[float]:
    """Describe how many others move before the seat."""
    return [float(delay == each) for each in range(seats)]
