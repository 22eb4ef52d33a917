"""What describes a seat after its turn to the network, as numbers around 0 to 2, and the Fame that it already has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engines.jesters import effects
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import Extra, FameForColour, FameForSymbol, Opposite, Recolour
from engines.jesters.components.catalogue import Reroll as RerollGift
from engines.jesters.model import FAVORITE_TARGET, OUT_FAILURES, ROUNDS
from engines.jesters.scoring import FAILURE_TRACK, FIRST_PLAYER_FAME
from players.jesters import plans, value_estimates
from players.jesters.seat_knowledge import SeatKnowledge

GIFT_KINDS = (Opposite, Recolour, FameForSymbol, FameForColour, Extra, RerollGift)
BEST_PLANS = 4  # the plans whose values are given


def certain_fame(knowledge: SeatKnowledge) -> list[float]:
    """Return, by seat, the Fame that is certain so far: without majorities and the first player card."""
    return [
        float(_completed_fame(done) + fame + FAILURE_TRACK[failures])
        for done, fame, failures in zip(knowledge.completed, knowledge.fame, knowledge.failures, strict=True)
    ]


def certain_lead(knowledge: SeatKnowledge) -> float:
    """Return how far the seat's certain Fame is ahead of the others' mean."""
    fame = certain_fame(knowledge)
    own = fame.pop(knowledge.seat)
    return own - sum(fame) / len(fame)


def describe(knowledge: SeatKnowledge) -> list[float]:
    """Return the numbers that describe the seat after its turn."""
    seat, seats = knowledge.seat, len(knowledge.failures)
    is_in = seat not in knowledge.passed and knowledge.failures[seat] < OUT_FAILURES
    others = [other for other in range(seats) if other != seat]
    active = [other for other in others if other not in knowledge.passed and knowledge.failures[other] < OUT_FAILURES]
    majorities = expected_majorities(knowledge)
    own_majorities = majorities.pop(seat)
    gifts = knowledge.gifts[seat]
    unused = [gift for gift in gifts if gift not in knowledge.used]
    return [
        *[float(knowledge.round == number) for number in range(1, ROUNDS + 1)],
        *[float(seats == number) for number in range(2, 5)],
        float(is_in),
        len(active) / 3,
        float(bool(knowledge.passed)),
        float(knowledge.first == seat),
        float(knowledge.first == seat and bool(knowledge.passed)),
        *[float(knowledge.failures[seat] == number) for number in range(OUT_FAILURES + 1)],
        *[number / 3 for number in knowledge.dice],
        sum(knowledge.dice) / 4,
        *[number / 5 for number in knowledge.middle],
        knowledge.hand_sizes[seat] / 5,
        (knowledge.hand_sizes[seat] - len(knowledge.hand)) / 3,
        *_describe_hand(knowledge.hand),
        *_count_kinds(tuple(gifts)),
        *_count_kinds(tuple(unused)),
        float(seat in knowledge.done),
        float(knowledge.gift_pile > 0),
        own_majorities / 5,
        sum(majorities) / len(majorities) / 5,
        *_describe_board(knowledge, is_in),
        sum([len(knowledge.gifts[other]) for other in others]) / len(others) / 3,
        sum([knowledge.hand_sizes[other] for other in others]) / len(others) / 5,
        sum([knowledge.failures[other] for other in others]) / len(others),
        sum([other in knowledge.done for other in others]) / len(others),
    ]


def _describe_board(knowledge: SeatKnowledge, is_in: bool) -> list[float]:
    """Return the values of the best plans and of one for the Favorite, and how rich the board is."""
    values = plans.task_values(knowledge) if is_in else {}
    favorite = values.pop(FAVORITE_TARGET, plans.TaskValue(0.0, 0.0))
    best = sorted([value.any_plan for value in values.values()], reverse=True)
    now = sorted([value.at_once for value in values.values()], reverse=True)
    gains = value_estimates.symbol_values(knowledge)
    richness = [_richness(task, gains) for task in knowledge.board]
    return [
        *[value / 5 for value in _first(best, BEST_PLANS)],
        *[value / 5 for value in _first(now, 2)],
        favorite.any_plan / 5,
        favorite.at_once / 5,
        len(knowledge.board) / 5,
        sum(richness) / 20,
        max(richness, default=0.0) / 8,
    ]


def _first(values: list[float], count: int) -> list[float]:
    return [*values[:count], *[0.0] * (count - len(values))]


def _richness(task: int, gains: Sequence[float]) -> float:
    performance = catalogue.performance(task)
    return performance.fame + sum([gains[symbol] for symbol in performance.symbols])


def expected_majorities(knowledge: SeatKnowledge) -> list[float]:
    """Return, by seat, the Fame of majorities and of the first player card that the rule of thumb expects."""
    found = [
        value_estimates.expected_majority_fame(knowledge._replace(seat=seat)) for seat in range(len(knowledge.failures))
    ]
    if knowledge.round == ROUNDS and knowledge.passed:
        found[knowledge.first] += FIRST_PLAYER_FAME
    return found


@lru_cache(1 << 12)
def _describe_hand(hand: tuple[int, ...]) -> list[float]:
    """Return the Techniques and the changes of the known Jest cards by colour, the last one "any"."""
    tops, bottoms, sizes = [0.0] * 5, [0.0] * 5, [0.0] * 3
    for number in hand:
        card = catalogue.jest_card(number)
        sizes[len(card.top) - 1] += 1 / 3
        bottoms[card.bottom.colour] += card.bottom.price / 5
        for colour in card.top:
            tops[colour] += 1 / 4
    return [*tops, *bottoms, *sizes]


@lru_cache(1 << 12)
def _count_kinds(gifts: tuple[int, ...]) -> list[float]:
    """Return how many Gifts of each kind there are."""
    found = [effects.gift_effect(gift) for gift in gifts]
    return [sum([isinstance(effect, kind) for effect in found]) / 2 for kind in GIFT_KINDS]


@lru_cache(1 << 12)
def _completed_fame(completed: tuple[int, ...]) -> int:
    return sum([catalogue.performance(number).fame for number in completed])
