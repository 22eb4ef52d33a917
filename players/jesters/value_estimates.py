"""The estimated values of things in Jesters, in Fame: tasks, symbols, Gifts, cards, Techniques, and failures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from math import exp

from engines.jesters import effects
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import Extra, FameForColour, FameForSymbol, Opposite, Recolour
from engines.jesters.components.catalogue import Reroll as RerollGift
from engines.jesters.model import FAVORITE_TARGET, FAVORITES, OUT_FAILURES, ROUNDS
from engines.jesters.requirements.evaluation import Requirement
from engines.jesters.rounds import GIFT_FAME, PAINT_FAME
from engines.jesters.scoring import FAILURE_TRACK, MAJORITY_PLACES, count_symbols
from players.jesters.numbers import load_weights
from players.jesters.seat_knowledge import SeatKnowledge

SymbolCounts = tuple[int, ...]  # by symbol
SymbolValues = tuple[float, ...]
MajorityPlace = tuple[int, float, float, float]
"""A Favorite, the numbers of its majority place, and its chance to end up there."""


def completion_value(knowledge: SeatKnowledge, target: int) -> float:
    """Return the value of completing a task."""
    fame = float(_gift_fame(knowledge.gifts[knowledge.seat], knowledge.used, target, knowledge.favorite))
    if target == FAVORITE_TARGET:
        return fame + (load_weights().gift[knowledge.round - 1] if knowledge.gift_pile else 0.0)
    gains = symbol_values(knowledge)
    performance = catalogue.performance(target)
    return fame + performance.fame + sum([gains[symbol] for symbol in performance.symbols])


@lru_cache(1 << 14)
def _gift_fame(gifts: tuple[int, ...], used: tuple[int, ...], target: int, favorite: int) -> int:
    """Return the Fame that the seat's Gifts add to this completion (S22)."""
    task = effects.task(target, favorite)
    fame = 0
    for gift in gifts:
        match effects.gift_effect(gift):
            case _ if gift in used:
                pass
            case FameForColour(colour):
                fame += GIFT_FAME if task.requirement.colours[colour] else 0
            case FameForSymbol(symbol):
                fame += GIFT_FAME if symbol in task.symbols else 0
            case Recolour():
                fame += PAINT_FAME
    return fame


def gift_value(knowledge: SeatKnowledge, number: int) -> float:
    """Return how good a Gift is to keep."""
    use = gift_use_value(number, knowledge.round) - load_weights().begun * gift_use_value(number, ROUNDS)
    return use + symbol_values(knowledge)[catalogue.gift(number).symbol]


@cache
def gift_use_value(number: int, round_number: int) -> float:
    """Return the value of a Gift's use from the beginning of a round."""
    match effects.gift_effect(number):
        case FameForColour() | Extra() | RerollGift():
            use = load_weights().luck
        case FameForSymbol() | Recolour():
            use = (load_weights().luck + load_weights().tool) / 2
        case Opposite():
            use = load_weights().tool
    return 2 * use * (ROUNDS + 1 - round_number)


def card_value(knowledge: SeatKnowledge) -> float:
    """Return the value of a Jest card. In the last round, it falls with the number of turns left to use it."""
    worth = load_weights().card[knowledge.round - 1]
    if knowledge.round < ROUNDS:
        return worth
    return worth * min(1.0, len(knowledge.hand) / load_weights().last_cards)


def technique_value(knowledge: SeatKnowledge) -> float:
    """Return the value of a Technique of one's own."""
    if knowledge.hand:
        return load_weights().technique * card_value(knowledge)
    return load_weights().technique_alone * load_weights().card[knowledge.round - 1]


@cache
def learning_cost(number: int) -> float:
    """Return the part of a Jest card's value that learning with it costs."""
    least, bottom = load_weights().learner
    return least + bottom * catalogue.jest_card(number).bottom.price


def keep_value(number: int) -> float:
    """Return how valuable a Jest card is when choosing one to discard."""
    face, (least, technique, bottom) = catalogue.jest_card(number), load_weights().keeping
    return least + technique * len(face.top) + bottom * face.bottom.price


def failure_cost(knowledge: SeatKnowledge) -> float:
    """Return the cost of a failure: the step on the track, being put out, minus the Jest cards it gives (S11)."""
    failures = knowledge.failures[knowledge.seat]
    step = FAILURE_TRACK[failures] - FAILURE_TRACK[failures + 1]
    cards = (1, 3, 0)[failures] * load_weights().card[knowledge.round - 1] * load_weights().consolation
    out = load_weights().out * (ROUNDS + 1 - knowledge.round) if failures + 1 == OUT_FAILURES else 0.0
    return load_weights().caution * (step - cards + out)


def pass_value(knowledge: SeatKnowledge) -> float:
    """Return the value of passing. In the last round, the first player card helps a seat with little left to do."""
    lost = technique_value(knowledge) * sum(knowledge.dice)
    if knowledge.round == ROUNDS and not knowledge.passed:
        return load_weights().first - load_weights().stay * len(knowledge.hand) - lost
    return -lost


# --- symbols


def symbol_values(knowledge: SeatKnowledge) -> SymbolValues:
    """Return, by symbol, the expected final value of one more of it (S16)."""
    return _compute_symbol_values(
        knowledge.placed,
        knowledge.favorite,
        knowledge.round,
        _symbol_counts(knowledge.completed, knowledge.gifts),
        knowledge.seat,
    )


@lru_cache(1 << 12)
def _symbol_counts(
    completed: tuple[tuple[int, ...], ...], gifts: tuple[tuple[int, ...], ...]
) -> tuple[SymbolCounts, ...]:
    return tuple([_own_symbol_counts(own, given) for own, given in zip(completed, gifts, strict=True)])


@lru_cache(1 << 12)
def _own_symbol_counts(completed: tuple[int, ...], gifts: tuple[int, ...]) -> SymbolCounts:
    return tuple(count_symbols(completed, gifts))


@lru_cache(1 << 12)
def _compute_symbol_values(
    placed: tuple[int, ...], favorite: int, number: int, counts: tuple[SymbolCounts, ...], seat: int
) -> SymbolValues:
    gains = [0.0] * 10
    spread = load_weights().spread[number - 1]
    for each, most, second, likely in _majority_places(placed, favorite):
        one, other = catalogue.favorite(each).symbols
        matching = [own[one] + own[other] for own in counts]
        own_count = matching.pop(seat)
        gain = likely * (
            expected_place_fame(own_count + 1, matching, most, second, spread)
            - expected_place_fame(own_count, matching, most, second, spread)
        )
        gains[one] += gain
        gains[other] += gain
    return tuple(gains)


def expected_majority_fame(knowledge: SeatKnowledge) -> float:
    """Return the expected Fame of majorities."""
    spread, counts = load_weights().spread[knowledge.round - 1], _symbol_counts(knowledge.completed, knowledge.gifts)
    hoped = 0.0
    for each, most, second, likely in _majority_places(knowledge.placed, knowledge.favorite):
        one, other = catalogue.favorite(each).symbols
        matching = [own[one] + own[other] for own in counts]
        hoped += likely * expected_place_fame(matching.pop(knowledge.seat), matching, most, second, spread)
    return hoped


@cache
def _majority_places(placed: tuple[int, ...], favorite: int) -> tuple[MajorityPlace, ...]:
    """Return the Favorites that count, or still may (S14)."""
    known = (*placed, favorite) if favorite else placed
    found: list[MajorityPlace] = [(each, *MAJORITY_PLACES[place], 1.0) for place, each in enumerate(known)]
    left, open_places = [each for each in FAVORITES if each not in known], MAJORITY_PLACES[len(known) :]
    if open_places:
        most, second = (sum(numbers) / len(open_places) for numbers in zip(*open_places, strict=True))
        found += [(each, most, second, len(open_places) / len(left)) for each in left]
    return tuple(found)


def expected_place_fame(own_count: int, others: list[int], most: float, second: float, spread: float) -> float:
    """Return the expected Fame at a majority place with these numbers of symbols."""
    if not own_count:
        return 0.0
    best, *rest = sorted(others, reverse=True)
    first = _chance_to_stay_ahead(own_count - best, spread)
    return most * first + second * (1 - first) * (_chance_to_stay_ahead(own_count - rest[0], spread) if rest else 1.0)


@cache
def _chance_to_stay_ahead(by: int, spread: float) -> float:
    """Return the chance to stay ahead of a seat with this lead in symbols."""
    return 1 / (1 + exp(-1.7 * by / spread))


# --- Gifts in use


def usable_gifts(knowledge: SeatKnowledge) -> Iterator[int]:
    """Return the seat's Gifts that it has not used in this round."""
    return (number for number in knowledge.gifts[knowledge.seat] if number not in knowledge.used)


def turn_colours(knowledge: SeatKnowledge) -> tuple[int, ...]:
    """Return the colours whose dice the seat's Gifts can turn."""
    return _gift_colours(knowledge.gifts[knowledge.seat], knowledge.used)[0]


def paint_colours(knowledge: SeatKnowledge) -> tuple[int, ...]:
    """Return the colours that the seat's Gifts can give to dice."""
    return _gift_colours(knowledge.gifts[knowledge.seat], knowledge.used)[1]


@lru_cache(1 << 12)
def _gift_colours(gifts: tuple[int, ...], used: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    found = [effects.gift_effect(number) for number in gifts if number not in used]
    turned_colours = sorted([effect.colour for effect in found if isinstance(effect, Opposite)])
    return tuple(turned_colours), tuple(sorted([effect.colour for effect in found if isinstance(effect, Recolour)]))


@cache
def eased_requirement(target: int, favorite: int, paint_colours: tuple[int, ...]) -> Requirement:
    """Return what a task requires if dice can be painted in those colours."""
    requirement = effects.task(target, favorite).requirement
    red, blue, green, purple = (0 if c in paint_colours else number for c, number in enumerate(requirement.colours))
    return Requirement(requirement.form, (red, blue, green, purple))
