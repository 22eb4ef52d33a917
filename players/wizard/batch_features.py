"""What the networks get to see, for many seats at once. `players/wizard/features.py` says what each number means.

The two must agree: `python -m bench.players.wizard.check` compares them.
"""

from __future__ import annotations

from dataclasses import dataclass

from players.wizard.batch_odds import (
    JESTER,
    KINDS,
    NO_SUIT,
    STRENGTH_OF,
    SUIT_OF,
    TOP_RANK,
    WEIGHTS,
    WIZARD,
    Array,
    bid_terms,
    expected_tricks,
    higher_unseen,
    np,
    take_chances,
    trick_chances,
)
from players.wizard.odds import LOG_TRICKS


@dataclass(slots=True)
class Choices:
    """The moves of many seats: what describes a seat, and what describes each of its moves.

    `seats` has a row for each seat; `moves` has a row for each move, of the seat `rows`. `keys` are the cards or bids,
    and `values` is what the rule of thumb expects of each. `bids` has each seat's bid, if it has made one.
    """

    seats: Array
    moves: Array
    rows: Array
    keys: Array
    values: Array
    bids: Array | None = None


@dataclass(slots=True)
class BidTable:
    """What seats know that bid in the same place of the order; `bids` has a column for each bid before."""

    hand: Array
    trump: Array
    turned: Array  # a kind, −1 for none
    bids: Array
    seats: int
    size: int
    forbidden: Array = None  # the bid that may not be made (W12)


@dataclass(slots=True)
class CardTable:
    """What seats know that play a card in the same place of a trick. Seats are counted from the one to play."""

    hand: Array
    trump: Array
    follow: Array
    best: Array  # the highest rank in the trick, −1 if nobody has led
    winner: Array  # whose card that is
    seen: Array  # counts of all cards that are or were face up
    bids: Array
    needs: Array  # by seat
    voids: Array  # by seat and suit, with a column of zeros for no suit
    seats: int
    size: int
    played: int  # cards in the trick


def column(rows: int, value: float) -> Array:
    """Return the same value for all rows."""
    return np.full(rows, value, np.float32)


def bid_choices(table: BidTable) -> Choices:
    """Return the bids near the expected tricks."""
    hand, trump, size, seats = table.hand, table.trump, table.size, table.seats
    rows, place = len(hand), table.bids.shape[1]
    unseen = 1.0 - hand[:, :52]
    is_suit = np.nonzero((table.turned >= 0) & (table.turned < 52))[0]
    unseen[is_suit, table.turned[is_suit]] = 0.0
    wizards = 4.0 - hand[:, WIZARD] - (table.turned == WIZARD)
    hidden = 60 - size - int(table.turned[0] >= 0)
    chances = expected_tricks(hand, trump, unseen, wizards, hidden, seats, size)
    mean = (chances * hand).sum(axis=1)
    variance = ((chances - chances * chances) * hand).sum(axis=1)
    bid_sums = table.bids.sum(axis=1).astype(np.float32)
    target = WEIGHTS.bid_base + WEIGHTS.bid_hand * mean + WEIGHTS.bid_tricks * LOG_TRICKS[size]
    target = target + (WEIGHTS.bid_others * (bid_sums - place * size / seats) if place else WEIGHTS.bid_lead)
    by_suit = hand[:, :52].reshape(rows, 4, 13)
    lengths = by_suit.sum(axis=2)
    bare = trump == NO_SUIT
    own = np.arange(rows)
    trumps = np.where(bare[:, None], 0.0, by_suit[own, np.minimum(trump, 3)])
    tops = by_suit[:, :, 12] * 4 + by_suit[:, :, 11] * 2 + by_suit[:, :, 10]
    order = lengths * 8 + tops
    order[~bare, trump[~bare]] = -1
    ranked = np.argsort(-order, axis=1, kind="stable")
    plain = []
    for number in range(4):
        suit = ranked[:, number]
        is_present = (order[own, suit] >= 0).astype(np.float32)
        cards = by_suit[own, suit]
        plain += [
            is_present * lengths[own, suit] / 5,
            is_present * cards[:, 12],
            is_present * cards[:, 11],
            is_present * cards[:, 10],
            is_present * cards[:, :6].sum(axis=1) / 4,
        ]
    voids = ((lengths == 0).sum(axis=1) - (~bare & (trumps.sum(axis=1) == 0))) * (trumps.sum(axis=1) > 0)
    seat = [
        np.clip(mean, 0, 8) / 4,
        np.clip(variance, 0, 4),
        np.clip(target, -1, 8) / 4,
        mean / size,
        column(rows, size / 10),
        column(rows, 1 / size),
        column(rows, size == 1),
        column(rows, (seats - 1) * size / hidden),
        bare,
        column(rows, place == 0),
        column(rows, place == seats - 1),
        column(rows, place / (seats - 1)),
        np.clip(bid_sums - place * size / seats, -4, 4) / 3,
        np.clip((size - bid_sums) / size, -1, 1),
        np.clip((size - bid_sums) / (seats - place), -1, 4) / 4,
        hand[:, WIZARD] / 2,
        hand[:, JESTER] / 2,
        wizards / 4,
        *trumps.T,
        trumps.sum(axis=1) / size,
        *plain,
        ((chances > 0.8) * hand).sum(axis=1) / 4,
        ((chances < 0.15) * hand).sum(axis=1) / 4,
        ((chances >= 0.15) * (chances <= 0.8) * hand).sum(axis=1) / 4,
        voids / 3,
    ]
    low = np.floor(mean).astype(int) - 2
    bids = low[:, None] + np.arange(6)
    possible = (bids >= 0) & (bids <= size)
    if table.forbidden is not None:
        possible &= bids != table.forbidden[:, None]
    at, number = np.nonzero(possible)
    bid = bids[at, number].astype(np.float32)
    off = bid - mean[at]
    off_target = bid - target[at]
    chance, miss = bid_terms(off_target, variance[at], WEIGHTS.bid)
    value = (20 + 10 * bid) * chance - 10 * miss
    best = _best_of(at, value, rows)
    total = bid_sums[at] + bid
    moves = [
        bid / 5,
        bid / size,
        np.clip(off, -3, 3) / 2,
        np.clip(off * off, 0, 9) / 4,
        np.clip(off_target, -3, 3) / 2,
        np.clip(value, -100, 100) / 50,
        np.clip(value - best[at], -100, 0) / 50,
        bid == 0,
        bid == size,
        np.clip((total - size) / size, -1, 1),
        np.clip(total - size * (place + 1) / seats, -4, 4) / 3,
    ]
    return Choices(_stack(seat), _stack(moves), at, bid.astype(int), value)


def card_choices(table: CardTable) -> Choices:
    """Return the legal cards."""
    hand, trump, size, seats, follow = table.hand, table.trump, table.size, table.seats, table.follow
    rows, own = len(hand), np.arange(len(hand))
    after = seats - 1 - table.played
    later_seats = slice(1, 1 + after)
    wants = table.needs > 0
    keen = wants[:, later_seats].sum(axis=1).astype(np.float32)
    shy = after - keen
    wanted = (table.needs[:, 1:] * wants[:, 1:]).sum(axis=1).astype(np.float32)
    demand = wanted / size
    need, bid = table.needs[:, 0].astype(np.float32), table.bids.astype(np.float32)
    unseen = 1.0 - hand[:, :52] - table.seen[:, :52]
    wizards = 4.0 - hand[:, WIZARD] - table.seen[:, WIZARD]
    hidden = 60 - size - table.seen.sum(axis=1)
    few = np.maximum(hidden - after, 1)
    in_hands = np.where(hidden > after, np.minimum(1.0, (seats - 1) * (size - 1) / few), 0.0)
    missing = np.where(hidden > size, 1.0 - size / np.maximum(hidden, 1), 0.0)
    chances = trick_chances(hand, trump, unseen, wizards, in_hands, demand, need / size, size - 1)
    weighed = chances * hand
    off = need - weighed.sum(axis=1)
    variance = (weighed * (1.0 - chances)).sum(axis=1)
    higher = higher_unseen(unseen)
    by_suit_unseen = np.concatenate([unseen.reshape(rows, 4, 13).sum(axis=2), np.zeros((rows, 1), np.float32)], axis=1)
    trump_unseen = by_suit_unseen[own, trump]
    lengths = np.concatenate([hand[:, :52].reshape(rows, 4, 13).sum(axis=2), np.zeros((rows, 1), np.float32)], axis=1)
    follow_length = lengths[own, follow]
    legal = hand > 0
    legal &= (follow_length == 0)[:, None] | (SUIT_OF[None, :] == follow[:, None]) | (SUIT_OF == NO_SUIT)[None, :]
    free = (follow == NO_SUIT) & (table.best < TOP_RANK)
    leading = table.played == 0
    winner_need = np.where(leading, 0, table.needs[own, table.winner])
    later_voids = table.voids[:, later_seats]
    high, low = chances > 0.8, chances < 0.15
    greatest = np.where(hand > 0, chances, 0.0).max(axis=1)
    least = np.where(hand > 0, chances, 1.0).min(axis=1)
    later_needs = table.needs[:, later_seats].max(axis=1) if after else column(rows, 0.0)
    seat = [
        np.clip(need, -3, 8) / 4,
        need == 0,
        need < 0,
        need == 1,
        np.clip(need / size, -1, 1.2),
        need == size,
        column(rows, size / 10),
        column(rows, 1 / size),
        bid / 5,
        np.clip(off, -4, 4) / 2,
        np.clip(variance, 0, 4),
        np.clip(demand, 0, 2),
        np.clip((wanted + np.maximum(need, 0) - size) / size, -1.5, 1.5),
        column(rows, after / (seats - 1)),
        column(rows, leading),
        column(rows, after == 0),
        keen / (seats - 1),
        shy / (seats - 1),
        winner_need > 0,
        (winner_need == 0) * (not leading),
        table.best >= TOP_RANK,
        (table.best >= 200) & (table.best < TOP_RANK),
        free,
        follow_length > 0,
        wizards / 4,
        in_hands,
        trump == NO_SUIT,
        trump_unseen * in_hands / 8,
        hand[:, WIZARD] / 2,
        hand[:, JESTER] / 2,
        lengths[own, trump] / size,
        (high * hand).sum(axis=1) / size,
        (low * hand).sum(axis=1) / size,
        (~(high | low) * hand).sum(axis=1) / size,
        greatest,
        least,
        np.clip(table.needs[:, 1], -3, 3) / 3,
        later_voids[own, :, follow].sum(axis=1) / (seats - 1),
        later_voids[own, :, trump].sum(axis=1) / (seats - 1),
        np.clip(later_needs / size, -1, 1),
        (table.needs[:, 1:] == 0).sum(axis=1) / (seats - 1),
        (table.needs[:, 1:] < 0).sum(axis=1) / (seats - 1),
        winner_need < 0,
    ]
    at, card = np.nonzero(legal)
    suit = SUIT_OF[card]
    is_suit = suit < NO_SUIT
    suit_led = np.where(free[at], suit, follow[at])
    is_trump = is_suit & (suit == trump[at])
    ranks = np.where(card == WIZARD, TOP_RANK, 0)
    ranks = np.where(is_suit & (suit == suit_led), 100 + STRENGTH_OF[card], ranks)
    ranks = np.where(is_trump, 200 + STRENGTH_OF[card], ranks)
    wins = (ranks > table.best[at]) & (ranks > 0)
    kind = np.minimum(card, 51)
    above = np.where(is_suit, higher[at, kind], 0.0)
    takes = take_chances(
        suit,
        trump[at],
        suit_led,
        above,
        by_suit_unseen[at, suit_led],
        trump_unseen[at],
        wizards[at],
        missing[at],
        keen[at],
        shy[at],
    )
    sure = (card == WIZARD) | (after == 0)
    now = np.where(wins, np.where(sure, 1.0, takes), 0.0)
    later = chances[at, card]
    left = off[at] + later
    spread = variance[at] - later + later * later
    chance_lost, miss_lost = bid_terms(left, spread, WEIGHTS.play)
    chance_won, miss_won = bid_terms(left - 1.0, spread, WEIGHTS.play)
    chance = (1.0 - now) * chance_lost + now * chance_won
    miss = (1.0 - now) * miss_lost + now * miss_won
    value = (20 + 10 * bid[at]) * chance - 10 * miss
    best = _best_of(at, value, rows)
    most_later = _best_of(at, later, rows)
    least_later = -_best_of(at, -later, rows)
    unseen_here = np.where(is_suit, by_suit_unseen[at, suit], 0.0)
    length = lengths[at, suit]
    moves = [
        now,
        wins,
        later,
        card == WIZARD,
        card == JESTER,
        is_trump,
        is_suit & ~is_trump,
        STRENGTH_OF[card] / 14,
        above * in_hands[at] / 6,
        (unseen_here - above) * in_hands[at] / 6,
        is_suit * (length - 1) / 4,
        is_suit & ~is_trump & (length == 1),
        np.clip(left, -4, 4) / 2,
        np.clip(left - now, -4, 4) / 2,
        np.clip(value, -150, 150) / 50,
        np.clip(value - best[at], -100, 0) / 50,
        now * (need[at] > 0),
        later - most_later[at],
        later - least_later[at],
        is_suit & (above == 0),
        free[at] * later_voids[at, :, suit].sum(axis=1) / (seats - 1),
        chance,
        np.clip(miss, 0, 4),
    ]
    return Choices(_stack(seat), _stack(moves), at, card, value, bid)


def choose(choices: Choices, values: Array, rows: int, noise: Array | None = None) -> tuple[Array, Array]:
    """Return, by row, the key with the greatest value, and the number of its move."""
    width = KINDS
    grid = np.full((rows, width), -1e9, np.float32)
    grid[choices.rows, choices.keys] = values if noise is None else values + noise
    key = grid.argmax(axis=1)
    number = np.full((rows, width), -1, np.int32)
    number[choices.rows, choices.keys] = np.arange(len(choices.rows))
    return key, number[np.arange(rows), key]


def _best_of(at: Array, value: Array, rows: int) -> Array:
    starts = np.searchsorted(at, np.arange(rows))
    return np.maximum.reduceat(value, starts)


def _stack(columns: list[Array]) -> Array:
    return np.stack([np.asarray(each, np.float32) for each in columns], axis=1)
