"""What *hard* does with many rounds at once: it weighs deals by what others did, and plays worlds to the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from engines.kit.chance import Chance
from engines.wizard.deals import laid_tricks
from engines.wizard.deck import STRENGTH
from engines.wizard.house_rules import is_blind_round
from engines.wizard.model import Bid, Move, NameTrump, Play, State
from engines.wizard.sample import build_state, make_dealer
from engines.wizard.view import View
from players.wizard import worlds
from players.wizard.batch_odds import JESTER, KINDS, NO_SUIT, WIZARD, Array, np
from players.wizard.batch_rounds import IMPOSSIBLE, BatchPolicy, Rounds, batch_policy
from players.wizard.policy import Policy

KIND_OF = np.array([*(card // 13 * 13 + STRENGTH[card] - 1 for card in range(52)), JESTER, WIZARD])
"""By card of the game: its kind here."""
TOLERANCE = 5.0
"""Points by which a bid or a card must be worse than the best one to be a third as likely, about."""
STRAY_SHARE, STRAY_TOLERANCE = 0.02, 40.0
"""The chance of a choice that the networks do not explain, and the same points for such a choice."""
BID_STEP = 10.0
"""Points that a bid which the networks do not value is worse, by tricks, than the nearest that they do."""
LEAST_EFFECTIVE = 32.0
"""The least effective number of deals. If there would be fewer, what others did counts less."""
DEALS_BY_SEAT, LIKELY_DEALS, WORLDS = 128, 128, 72
"""How many deals are drawn at once for each seat, how many of all by the bids, and how many of those by the cards."""
Deal = list[list[int]]
"""The cards by place, and those not dealt."""


class Weighing(NamedTuple):
    """Deals that were drawn by their weights, and how many equally likely ones the weights are worth."""

    deals: list[Deal]
    effective: float


def draw_worlds(view: View, rng: Random, policy: Policy) -> Iterator[State]:
    """Yield worlds that explain what the others did, without end.

    If bids were hidden or blind, the rule of thumb made them, so its worlds are used (W16, W18).
    """
    chance = Chance(f"{rng.getrandbits(128):032x}")
    others = [bid for seat, bid in enumerate(view.bids) if bid is not None and seat != view.seat]
    is_by_rule = view.bidding != "open" or is_blind_round(view.blind, view.round)
    deal, draw_by_rule = make_dealer(view), worlds.world_sampler(view, rng, policy) if is_by_rule else None
    while True:
        if draw_by_rule is not None:
            deals = [[*world.hands, world.stock] for world in (draw_by_rule() for _ in range(LIKELY_DEALS))]
        elif others:
            deals = [deal(chance) for _ in range(DEALS_BY_SEAT * view.seats)]
            deals = weigh_by_bids(view, deals, LIKELY_DEALS, rng).deals
        else:
            deals = [deal(chance) for _ in range(LIKELY_DEALS)]
        if view.tricks or view.trick:
            deals = weigh_by_cards(view, deals, WORLDS, rng).deals
        states: dict[int, State] = {}  # by deal, because some were drawn several times
        for places in deals:
            if id(places) not in states:
                states[id(places)] = build_state(view, places, view.bids, chance.copy())
            yield states[id(places)]


def weigh_by_bids(view: View, deals: Sequence[Deal], count: int, rng: Random) -> Weighing:
    """Draw this many of the deals, by how well they explain the others' bids."""
    rounds = _start_round(view, deals)
    doubts = np.zeros(rounds.rows)
    policy = batch_policy(rounds.seats)
    for place in range(rounds.players):
        seat = rounds.bidder(place)
        bid = view.bids[seat]
        if bid is None:
            break
        if seat != view.seat:
            values = policy.bid_values(rounds, place, view.hook)
            doubts += _doubts(values.max(axis=1) - _value_of_bid(values, bid))
    return _draw(deals, doubts, count, rng)


def weigh_by_cards(view: View, deals: Sequence[Deal], count: int, rng: Random) -> Weighing:
    """Draw this many of the deals, by how well they explain the cards that the others have played."""
    rounds = _start_round(view, deals)
    return _draw(deals, _replay(view, rounds, batch_policy(rounds.seats)), count, rng)


def play_worlds_out(view: View, moves: Sequence[Move], states: Sequence[State]) -> list[list[float]]:
    """Return, by move, the seat's points ahead of the others' mean at the end of the round, in each of the states."""
    assert view.seat is not None
    rounds = _start_round(view, [world.hands for world in states] * len(moves))
    policy = batch_policy(rounds.seats)
    if view.places > view.seats:
        rounds.dummy = KIND_OF[np.array([world.hands[-1] for world in states] * len(moves))]
    move_keys = np.repeat([_key_of(move) for move in moves], len(states))
    place = (view.seat - view.dealer - 1) % rounds.players
    if view.phase == "play":
        _replay(view, rounds)
        rounds.play(move_keys)
    else:
        if view.phase == "trump":
            rounds.trump, place = move_keys, 0
        else:
            rounds.bids[:, view.seat] = move_keys
            place += 1
        policy.finish_bidding(rounds, place, view.hook)
        rounds.start_play()
    policy.play_out(rounds)
    points = rounds.points + np.array(view.scores)
    own = points[:, view.seat]
    ahead = own - (points.sum(axis=1) - own) / (rounds.players - 1)
    return [row.tolist() for row in ahead.reshape(len(moves), len(states)).astype(float)]


def _key_of(move: Move) -> int:
    match move:
        case Bid(tricks):
            return tricks
        case Play(card):
            return int(KIND_OF[card])
        case NameTrump(suit):
            return NO_SUIT if suit is None else suit
    raise ValueError(f"{move} is no move of a round without special cards.")


def _start_round(view: View, deals: Sequence[Sequence[Sequence[int]]]) -> Rounds:
    """Return the rounds before their first trick, with the cards played since then back in the hands."""
    rows = len(deals)
    hands = np.zeros((rows, view.places, KINDS), np.float32)
    for place in range(view.places):
        cards = [deal[place] for deal in deals]
        size = len(cards[0])
        if size:
            at = np.repeat(np.arange(rows) * KINDS, size) + KIND_OF[np.array(cards).reshape(-1)]
            hands[:, place] = np.bincount(at, minlength=rows * KINDS).reshape(rows, KINDS)
    for leader, trick in laid_tricks(view):
        for number, card in enumerate(trick):
            hands[:, (leader + number) % view.places, KIND_OF[card]] += 1
    return Rounds(
        hands,
        np.full(rows, NO_SUIT if view.trump is None else view.trump),
        np.full(rows, -1 if view.turned is None else KIND_OF[view.turned]),
        np.tile([bid or 0 for bid in view.bids], (rows, 1)),
        view.dealer,
    )


def _replay(view: View, rounds: Rounds, policy: BatchPolicy | None = None) -> Array:
    """Play the cards that were played. Return, by row, how unlikely the others' are to the policy."""
    rounds.start_play()
    doubts = np.zeros(rounds.rows)
    for leader, trick in laid_tricks(view):
        for number, card in enumerate(trick):
            place, kind = (leader + number) % rounds.seats, int(KIND_OF[card])
            if policy is not None and place != view.seat and place < rounds.players and rounds.size > 1:
                values = policy.card_values(rounds)
                doubts += _doubts(values.max(axis=1) - values[:, kind])
            rounds.play(np.full(rounds.rows, kind))
    return doubts


def _value_of_bid(values: Array, bid: int) -> Array:
    """Return the value of a bid, by row, also if the network does not value it."""
    valued = values > IMPOSSIBLE / 2
    lowest, highest = valued.argmax(axis=1), KINDS - 1 - valued[:, ::-1].argmax(axis=1)
    nearest = np.clip(bid, lowest, highest)
    return values[np.arange(len(values)), nearest] - BID_STEP * np.abs(bid - nearest)


def _doubts(lost: Array) -> Array:
    """Return minus the logarithm of the likelihood of moves that are worse by so many points than the best."""
    return -np.log((1 - STRAY_SHARE) * np.exp(-lost / TOLERANCE) + STRAY_SHARE * np.exp(-lost / STRAY_TOLERANCE))


def _draw(deals: Sequence[Deal], doubts: Array, count: int, rng: Random) -> Weighing:
    """Draw deals by weight, each about as often as its weight says, in random order."""
    doubts = doubts - doubts.min()
    effective = 0.0
    while effective < min(LEAST_EFFECTIVE, len(deals) / 2):
        weights = np.exp(-doubts)
        weights /= weights.sum()
        effective = float(1 / (weights * weights).sum())
        doubts = doubts * 0.8
    steps = (np.arange(count) + rng.random()) / count
    found = np.searchsorted(weights.cumsum(), steps).clip(0, len(deals) - 1).tolist()
    rng.shuffle(found)
    return Weighing([deals[each] for each in found], effective)
