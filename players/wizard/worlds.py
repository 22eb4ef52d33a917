"""Samples worlds behind a view of Wizard, weighted by how well they explain the others' bids."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from math import exp
from random import Random

from engines.kit.chance import Chance
from engines.wizard.model import State
from engines.wizard.sample import build_state, make_dealer
from engines.wizard.view import View
from players.wizard.policy import Policy

DEAL_COUNT = 128  # the number of deals from which worlds are drawn
BID_VARIANCE = 0.5  # the variance of the others' bids for a hand with certain tricks


def world_sampler(view: View, rng: Random, policy: Policy) -> Callable[[], State]:
    """Return a sampler that draws from many deals, each weighted by how well it explains the bids."""
    deal, chance = make_dealer(view), Chance(f"{rng.getrandbits(128):032x}")
    if all(bid is None for seat, bid in enumerate(view.bids) if seat != view.seat):
        return lambda: build_state(view, deal(chance), chance.copy())
    likely = _bid_likelihood(view, policy)
    deals = [deal(chance) for _ in range(DEAL_COUNT)]
    weights = [*accumulate(map(likely, deals))]

    def draw_world() -> State:
        (places,) = rng.choices(deals, cum_weights=weights)
        return build_state(view, [place.copy() for place in places], chance.copy())

    return draw_world


def _bid_likelihood(view: View, policy: Policy) -> Callable[[list[list[int]]], float]:
    """Return a function that gives the likelihood of the others' bids for a deal."""
    played = _cards_played(view)
    order = [(view.dealer + 1 + place) % view.seats for place in range(view.seats)]
    said = [(seat, bid) for seat in order if (bid := view.bids[seat]) is not None]
    made = [bid for _, bid in said]
    bids = [(seat, bid, made[:place]) for place, (seat, bid) in enumerate(said) if seat != view.seat]

    def deal_likelihood(places: list[list[int]]) -> float:
        off = 0.0
        for seat, bid, before in bids:
            hand = sorted([*places[seat], *played[seat]])
            mean, variance = policy.bid_target(hand, view.trump, view.seats, view.turned, before)
            off += (bid - mean) ** 2 / (BID_VARIANCE + variance / 4)
        return exp(-off / 2) + 1e-9

    return deal_likelihood


def _cards_played(view: View) -> list[list[int]]:
    """Return, by seat, the cards it has played in this round."""
    played: list[list[int]] = [[] for _ in range(view.seats)]
    for leader, cards in (*((trick.leader, trick.cards) for trick in view.tricks), (view.leader, view.trick)):
        for place, card in enumerate(cards):
            played[(leader + place) % view.seats].append(card)
    return played
