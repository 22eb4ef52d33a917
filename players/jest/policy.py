"""The policy of Jest: which card to show, and which to take."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import exp
from operator import mul
from statistics import fmean

from engines.jest import deck
from engines.jest.deck import CARD_BIT, RANKING
from engines.jest.model import Move, Take
from engines.jest.moves import OFFER_MOVES
from players.jest.evaluation import card_gains, policy_values
from players.jest.known import LAST_CARDS, SeatKnowledge, free_cards
from players.jest.numbers import LastOfferWeights, OfferWeights, load_weights

TAKE_MOVES = tuple((Take(source, False), Take(source, True)) for source in range(4))
TOP_RANKING = max(RANKING)
EQUAL_OFFER, EQUAL_TAKE = 0.25, 0.25  # points by which a move may be worse and still count as about as good


def choose_move(knowledge: SeatKnowledge) -> Move:
    """Return the preferred move."""
    return choose_take(knowledge) if knowledge.up else choose_offer(knowledge)


def equal_moves(knowledge: SeatKnowledge) -> list[Move]:
    """Return the preferred move, and others that are about as good."""
    if not knowledge.up:
        offers = [choose_offer(knowledge), *(OFFER_MOVES[card] for card in knowledge.hand)]
        return list(dict.fromkeys(offers)) if abs(offer_preference(knowledge)) < EQUAL_OFFER else offers[:1]
    values = take_values(knowledge)
    best = max(values.values())
    near = sorted((take for take in values if values[take] > best - EQUAL_TAKE), key=lambda take: -values[take])
    return [TAKE_MOVES[source][up] for source, up in near]


def choose_offer(knowledge: SeatKnowledge) -> Move:
    """Return the offer: one card is shown, the other is face down."""
    low, high = knowledge.hand
    return OFFER_MOVES[low] if offer_preference(knowledge) > 0 else OFFER_MOVES[high]


def offer_preference(knowledge: SeatKnowledge) -> float:
    """Return how much better it is to show the higher card of the hand than the lower one."""
    return high_card_preference(
        tuple(knowledge.jests), knowledge.seat, knowledge.hand, knowledge.trophies, knowledge.cards_to_come
    )


@lru_cache(maxsize=1 << 14)
def high_card_preference(
    jests: tuple[int, ...], seat: int, hand: tuple[int, ...], trophies: tuple[int, ...], to_come: int
) -> float:
    """Return the same, cached, because a search repeats the same offers."""
    own, others_gains = hand_gains(jests, seat, hand, trophies, to_come)
    if to_come == LAST_CARDS:
        return last_offer_preference(own, others_gains, load_weights().last_offer)
    low, high = hand
    lows, highs = [gain for gain, _ in others_gains], [gain for _, gain in others_gains]
    counts = load_weights().offer_weights(len(jests))
    return _show_value(counts, high, own[1], highs) - _show_value(counts, low, own[0], lows)


def hand_gains(
    jests: Sequence[int], seat: int, hand: Sequence[int], trophies: tuple[int, ...], to_come: int
) -> tuple[list[float], list[list[float]]]:
    """Return what each card of the seat's hand adds to its own Jest, and to that of each of the others."""
    free = free_cards(trophies, jests)
    found = [card_gains(jests, seat, hand, trophies, free, to_come) for seat in range(len(jests))]
    own = found.pop(seat)
    return own, found


def _show_value(weights: OfferWeights, card: int, own: float, others_gains: Sequence[float]) -> float:
    """Return how good it is to show a card before the last round, by its value to oneself and to the others."""
    return (
        weights.rank * RANKING[card] / TOP_RANKING
        + weights.mean * sum(others_gains) / len(others_gains)
        + weights.best * max(0.0, *others_gains)
        + weights.own * own
    )


def last_offer_preference(
    own: Sequence[float], others_gains: Sequence[Sequence[float]], weights: LastOfferWeights
) -> float:
    """Return the same for the last round, by what the lower and the higher card add to one's own Jest and, for each of
    the others, to theirs.

    Somebody takes one of the two cards, and the other is left over for oneself (J9).
    """
    low, high = own
    values = []
    for face_up, hidden, gains in zip((low, high), (high, low), zip(*others_gains, strict=True), strict=True):
        taken = 1 / (1 + exp((weights.even - fmean(gains)) / weights.spread))
        values.append(taken * (hidden + weights.taken) + (1 - taken) * face_up)
    return values[1] - values[0]


def choose_take(knowledge: SeatKnowledge) -> Move:
    """Return the take of a card from a complete offer."""
    values = take_values(knowledge)
    source, up = max(values, key=values.__getitem__)
    return TAKE_MOVES[source][up]


def take_values(knowledge: SeatKnowledge) -> dict[tuple[int, bool], float]:
    """Return the value of each card that may be taken, by the offering seat and whether it is face up."""
    seat, up = knowledge.seat, knowledge.up
    sources = [source for source in knowledge.complete_offers if source != seat]
    cards = [up[source] for source in sources]
    if not sources:  # J6
        left = card_gains(
            knowledge.jests,
            seat,
            (up[seat], knowledge.down),
            knowledge.trophies,
            knowledge.free_cards,
            knowledge.cards_to_come,
        )
        return {(seat, True): left[0], (seat, False): left[1]}
    own, hidden = _own_gains(knowledge, cards)
    counts = load_weights().take_weights(len(knowledge.jests), knowledge.is_last_round)
    rest = [other for other in knowledge.waiting if other != seat]
    others = len(knowledge.jests) - 1
    wished = {
        other: card_gains(
            knowledge.jests, other, cards, knowledge.trophies, knowledge.free_cards, knowledge.cards_to_come
        )
        for other in rest
    }
    found = {}
    for i, source in enumerate(sources):
        wish = max(0.0, *[wished[other][i] for other in rest if other != source], 0.0) / others
        if source in wished:
            best = [gain for j, gain in enumerate(wished[source]) if j != i]
            go = counts.next * max(best, default=0.0) / others
        else:
            go = counts.done
        found[source, True] = own[i] + counts.wish * wish + go
        found[source, False] = hidden[i] + counts.hidden + counts.wish_hidden * wish + go
    return found


def _own_gains(knowledge: SeatKnowledge, cards: Sequence[int]) -> tuple[list[float], list[float]]:
    """Return the seat's gain from each of these cards, and the mean gain from the hidden cards beside them."""
    lurking, unseen = deck.jest_cards(knowledge.hidden_leftovers), deck.jest_cards(knowledge.unseen)
    found = _seat_gains(knowledge, (*cards, *lurking, *unseen))
    blind = found[len(cards) :]
    likely = _hidden_chances(knowledge, lurking, unseen)
    habits = show_habits(len(knowledge.jests), knowledge.is_last_round)
    return found[: len(cards)], [_weighted_mean(blind, likely, habits[card], (*lurking, *unseen)) for card in cards]


def _seat_gains(knowledge: SeatKnowledge, cards: Sequence[int]) -> list[float]:
    """Return the seat's gain from each card. In the last round, the leftover of its own offer counts too (J9)."""
    seat, jests, trophies, free = knowledge.seat, knowledge.jests, knowledge.trophies, knowledge.free_cards
    if not knowledge.is_last_round:
        return card_gains(jests, seat, cards, trophies, free, knowledge.cards_to_come)
    if seat not in knowledge.complete_offers:
        return card_gains(jests, seat, cards, trophies, free, 1)
    found = []
    for left in (knowledge.up[seat], knowledge.down):
        then = list(jests)
        then[seat] |= CARD_BIT[left]
        found.append(card_gains(then, seat, cards, trophies, free & ~CARD_BIT[left], 1))
    return [(face_up + hidden) / 2 for face_up, hidden in zip(*found, strict=True)]


def _hidden_chances(knowledge: SeatKnowledge, lurking: Sequence[int], unseen: Sequence[int]) -> list[float]:
    """Return the chance that each card is hidden with a certain seat: leftovers are somewhere; unseen cards may be."""
    places = len(knowledge.jests) - 1
    rest = max(0, places - len(lurking))
    return [1.0] * len(lurking) + [rest / len(unseen)] * len(unseen) if unseen else [1.0] * len(lurking)


def _weighted_mean(
    values: Sequence[float], chances: Sequence[float], habit: Sequence[float], cards: Sequence[int]
) -> float:
    weights = [p * habit[card] for p, card in zip(chances, cards, strict=True)]
    total: float = sum(map(mul, weights, values))
    return total / sum(weights)


@cache
def show_habits(seats: int, is_last_round: bool) -> tuple[tuple[float, ...], ...]:
    """Return, by shown and hidden card, the chance that a player with these two shows that one.

    In the last round it depends on their Jest, so either is taken to be as likely.
    """
    if is_last_round:
        return ((0.5,) * len(deck.DECK),) * len(deck.DECK)
    counts = load_weights().offer_weights(seats)
    values = [policy_values(one, (), 3)[0] - policy_values(0, (), 4)[0] for one in CARD_BIT]
    appeal = [_show_value(counts, card, worth, (worth,)) for card, worth in enumerate(values)]
    return tuple(
        tuple(1 / (1 + exp((appeal[hidden] - appeal[face_up]) / load_weights().habit)) for hidden in deck.DECK)
        for face_up in deck.DECK
    )
