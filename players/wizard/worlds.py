"""Samples worlds behind a view of Wizard, weighted by how well they explain the others' bids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import exp
from random import Random

from engines.kit.chance import Chance
from engines.wizard.house_rules import is_blind_round
from engines.wizard.model import State
from engines.wizard.sample import build_state, hidden_bids, make_dealer
from engines.wizard.view import View
from players.wizard import rounds
from players.wizard.policy import Policy

DEAL_COUNT = 128  # the number of deals from which worlds are drawn
BID_VARIANCE = 0.5  # the variance of the others' bids for a hand with certain tricks


def world_sampler(view: View, rng: Random, policy: Policy) -> Callable[[], State]:
    """Return a sampler that draws from many deals, each weighted by how well it explains the bids.

    Bids that the view hides are those that the policy makes with the sampled hands.
    """
    deal, chance = make_dealer(view), Chance(f"{rng.getrandbits(128):032x}")
    known = any(bid is not None for seat, bid in enumerate(view.bids) if seat != view.seat)
    if not known or is_blind_round(view.blind, view.round):  # W18: blind bids say nothing about cards
        make_bids = _hidden_bids_of(view, policy)

        def draw_any_world() -> State:
            places = deal(chance)
            return build_state(view, places, make_bids(places), chance.copy())

        return draw_any_world
    likely = _bid_likelihood(view, policy)
    deals = [deal(chance) for _ in range(DEAL_COUNT)]
    weights = [*accumulate(map(likely, deals))]
    states: dict[int, State] = {}  # by the deal's number, because some are drawn several times

    def draw_world() -> State:
        (number,) = rng.choices(range(DEAL_COUNT), cum_weights=weights)
        if number not in states:
            states[number] = build_state(view, deals[number], view.bids, chance.copy())
        return states[number]

    return draw_world


def _hidden_bids_of(view: View, policy: Policy) -> Callable[[list[list[int]]], Sequence[int | None]]:
    """Return a function that gives the bids of a deal, with those that the view hides (W16, W17)."""
    hidden = hidden_bids(view)
    if not hidden:
        return lambda places: view.bids
    dealt_hand, table = _dealt_hands(view), rounds.make_round_table(view, (), None)

    def make_bids(places: list[list[int]]) -> Sequence[int | None]:
        bids = [*view.bids]
        for seat in hidden:
            bids[seat] = rounds.choose_bid(table, seat, dealt_hand(places, seat), policy)
        return bids

    return make_bids


def _bid_likelihood(view: View, policy: Policy) -> Callable[[list[list[int]]], float]:
    """Return a function that gives the likelihood of the others' bids for a deal."""
    dealt_hand, table = _dealt_hands(view), rounds.make_round_table(view, (), None)
    bids = [
        (seat, bid - _known_change(view, seat), table.bids_before(seat))
        for seat, bid in enumerate(view.bids)
        if bid is not None and seat != view.seat
    ]

    def deal_likelihood(places: list[list[int]]) -> float:
        off = 0.0
        for seat, bid, before in bids:
            hand = dealt_hand(places, seat)
            mean, variance = policy.bid_target(hand, view.trump, view.places, view.turned, before, view.specials)
            off += (bid - mean) ** 2 / (BID_VARIANCE + variance / 4)
        return exp(-off / 2) + 1e-9

    return deal_likelihood


def _dealt_hands(view: View) -> Callable[[list[list[int]], int], list[int]]:
    """Return a function that gives the hand on which a seat has bid, for a deal."""
    played, has_passed = _cards_played(view), bool(view.has_passed) and view.phase != "pass"

    def dealt_hand(places: list[list[int]], seat: int) -> list[int]:
        hand = [*places[seat], *played[seat]]
        if has_passed:  # W24
            passed = places[-1]
            hand.remove(passed[(seat - 1) % view.seats])
            hand.append(passed[seat])
        return sorted(hand)

    return dealt_hand


def _known_change(view: View, seat: int) -> int:
    """Return by how much a seat has changed its bid since it made it, as far as the view shows (W25)."""
    change = view.bid_change
    return change.by or 0 if change is not None and change.seat == seat else 0


def _cards_played(view: View) -> list[list[int]]:
    """Return, by place, the cards it has played in this round."""
    played: list[list[int]] = [[] for _ in range(view.places)]
    for leader, cards in (*((trick.leader, trick.cards) for trick in view.tricks), (view.leader, view.trick)):
        for place, card in enumerate(cards):
            played[(leader + place) % view.places].append(card)
    return played
