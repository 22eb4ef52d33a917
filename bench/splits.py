"""Jokers' search for the best split of a hand, and for a full hand, as a multiple of one trick of Wizard."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from time import thread_time

from bench.figures import Figure
from engines.chance import Chance
from engines.jokers import deck
from engines.jokers.melds import best, full
from engines.wizard import WIZARD
from engines.wizard.model import Options, State

ROUNDS = 60
WARM_UP = 10
HANDS = 500  # of a kind, the same ones in every round
SEARCHES: dict[str, Callable[[int], object]] = {"best split": best, "full hand": full}
JOKERS = {0: "no joker", 1: "one joker", 2: "both jokers"}


def measure() -> list[Figure]:
    """A row for each search and number of jokers: how many tricks long it takes. All are warmed up and take turns."""
    rng = Random(1)
    hands = {jokers: [hand(jokers, rng) for _ in range(HANDS)] for jokers in JOKERS}
    ratios: dict[str, list[float]] = {f"{what}, {name}": [] for what in SEARCHES for name in JOKERS.values()}
    for _ in range(WARM_UP + ROUNDS):
        one_trick = trick(rng)
        for what, way in SEARCHES.items():
            for jokers, name in JOKERS.items():
                ratios[f"{what}, {name}"].append(search(way, hands[jokers]) / one_trick)
    return [Figure(row, median(found[WARM_UP:]), "tricks") for row, found in ratios.items()]


def hand(jokers: int, rng: Random) -> int:
    """Eight cards at random, with so many jokers among them."""
    return deck.hand([*rng.sample(range(deck.JOKER), 8 - jokers), *[deck.JOKER] * jokers])


def search(way: Callable[[int], object], hands: list[int]) -> float:
    """Seconds a hand."""
    start = thread_time()
    for cards in hands:
        way(cards)
    return (thread_time() - start) / len(hands)


def trick(rng: Random) -> float:
    """Seconds a trick of four in random play, over a match: every card listed, checked and played.

    Bids are left out, and so is the last trick of each round, which brings the scores and the next deal.
    """
    state = WIZARD.start(4, Options(), Chance(f"{rng.getrandbits(128):032x}"))
    seconds, tricks = 0.0, 0
    while state.phase != "over":
        number = state.round - 1 - len(state.takers) if state.phase == "play" else 0
        if number:
            start = thread_time()
            for _ in range(4 * number):
                _move(state, rng)
            seconds += thread_time() - start
            tricks += number
        else:
            _move(state, rng)
    return seconds / tricks


def _move(state: State, rng: Random) -> None:
    seat = state.turn
    legal = WIZARD.moves(state, seat)
    move = legal[int(rng.random() * len(legal))]
    WIZARD.check(state, seat, move)
    WIZARD.play(state, seat, move)
