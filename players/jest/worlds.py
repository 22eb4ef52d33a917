"""Samples worlds behind a view of Jest, weighted by how well they explain the offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp
from random import Random

from engines.jest.deck import CARD_BIT
from engines.jest.model import State
from engines.jest.sample import build_state, make_dealer
from engines.jest.view import View
from engines.kit.chance import Chance
from players.jest.numbers import load_weights
from players.jest.policy import high_card_preference

WALK_STEPS = 4  # deals from one world to the next
WARMUP_STEPS = 40  # and before the first
RoundCards = Sequence[Sequence[int]]
"""The cards of every round, face-up cards by seat before face-down ones."""


def world_sampler(view: View, rng: Random) -> Callable[[], State]:
    """Return a sampler that walks among deals and accepts each step by the likelihood of all offers (Metropolis)."""
    deal, chance = make_dealer(view), Chance(f"{rng.getrandbits(128):032x}")
    hidden = _hidden_offers(view)

    def offer_likelihood(rounds: RoundCards) -> float:
        found = 1.0
        for number, seat in hidden:
            found *= _offer_chance(view, rounds, number, seat)
        return found

    now = deal(chance)
    likelihood_now, steps = offer_likelihood(now[0]), WARMUP_STEPS

    def draw_world() -> State:
        nonlocal now, likelihood_now, steps
        for _ in range(steps if hidden else 1):
            cards = deal(chance)
            likelihood = offer_likelihood(cards[0])
            if rng.random() * likelihood_now < likelihood:
                now, likelihood_now = cards, likelihood
        steps = WALK_STEPS
        return build_state(view, now, chance.fork())

    return draw_world


def jests_known_at(view: View, rounds: RoundCards, number: int, seat: int) -> tuple[int, ...]:
    """Return the known cards of the Jests at the start of that round (from 0), as the seat knew them (J8)."""
    jests = [0] * view.seats
    for cards, past in zip(rounds[:number], view.past, strict=False):
        for taker, source, up in past.takes:
            if up or seat in (taker, source):
                jests[taker] |= CARD_BIT[cards[source if up else source + view.seats]]
    return tuple(jests)


def _hidden_offers(view: View) -> list[tuple[int, int]]:
    """Return the offers whose shown card is visible and whose hidden card is not: the round (from 0), and the seat."""
    rounds = [past.down for past in view.past] + ([view.down] if view.phase == "take" else [])
    return [(number, seat) for number, down in enumerate(rounds) for seat, card in enumerate(down) if card is None]


def _offer_chance(view: View, rounds: RoundCards, number: int, seat: int) -> float:
    """Return the chance that a seat with these two cards shows that one, from what it knew then."""
    shown, other = rounds[number][seat], rounds[number][seat + view.seats]
    hand = (shown, other) if shown < other else (other, shown)
    jests = jests_known_at(view, rounds, number, seat)
    better = high_card_preference(jests, seat, hand, view.trophies, view.rounds - number + 1)
    offers = load_weights().offers
    plain = 1 / (1 + exp(offers.sureness * (-better if shown > other else better)))
    return offers.whim / 2 + (1 - offers.whim) * plain
