"""What things are held to be worth in Jesters, in Fame: tasks, symbols, Gifts, cards, Techniques, and a failure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from math import exp

from engines.jesters.components import catalogue, effects
from engines.jesters.components.catalogue import Extra, FameForColour, FameForSymbol, Opposite, Recolour
from engines.jesters.components.catalogue import Reroll as RerollGift
from engines.jesters.model import FAVORITE, FAVORITES, OUT, ROUNDS
from engines.jesters.requirements.evaluation import Requirement
from engines.jesters.rounds import GIFT_FAME, PAINT_FAME
from engines.jesters.scoring import PLACES, TRACK, symbols
from players.jesters.numbers import numbers
from players.jesters.seen import Seen

Counts = tuple[int, ...]  # by symbol
Gains = tuple[float, ...]
Place = tuple[int, float, float, float]
"""A Favorite, the numbers of its majority place, and how likely it comes to lie there."""


def prize(seen: Seen, target: int) -> float:
    """What completing it brings."""
    fame = float(_fame(seen.gifts[seen.seat], seen.used, target, seen.favorite))
    if target == FAVORITE:
        return fame + (numbers().gift[seen.round - 1] if seen.gift_pile else 0.0)
    gains = symbol_gains(seen)
    performance = catalogue.performance(target)
    return fame + performance.fame + sum([gains[symbol] for symbol in performance.symbols])


@lru_cache(1 << 14)
def _fame(gifts: tuple[int, ...], used: tuple[int, ...], target: int, favorite: int) -> int:
    """What own Gifts add when this is completed (S22)."""
    task = effects.task(target, favorite)
    fame = 0
    for gift in gifts:
        match effects.effect(gift):
            case _ if gift in used:
                pass
            case FameForColour(colour):
                fame += GIFT_FAME if task.requirement.colours[colour] else 0
            case FameForSymbol(symbol):
                fame += GIFT_FAME if symbol in task.symbols else 0
            case Recolour():
                fame += PAINT_FAME
    return fame


def gift(seen: Seen, number: int) -> float:
    """How good a Gift is to keep."""
    use = gift_left(number, seen.round) - numbers().begun * gift_left(number, ROUNDS)
    return use + symbol_gains(seen)[catalogue.gift(number).symbol]


@cache
def gift_left(number: int, round_number: int) -> float:
    """What a Gift's use is worth from the beginning of a round on."""
    match effects.effect(number):
        case FameForColour() | Extra() | RerollGift():
            use = numbers().luck
        case FameForSymbol() | Recolour():
            use = (numbers().luck + numbers().tool) / 2
        case Opposite():
            use = numbers().tool
    return 2 * use * (ROUNDS + 1 - round_number)


def card(seen: Seen) -> float:
    """What a Jest card is worth: in the last round the fewer are left, the less is to be done with one."""
    worth = numbers().card[seen.round - 1]
    if seen.round < ROUNDS:
        return worth
    return worth * min(1.0, len(seen.hand) / numbers().last_cards)


def technique(seen: Seen) -> float:
    """What a Technique of one's own is worth."""
    if seen.hand:
        return numbers().technique * card(seen)
    return numbers().technique_alone * numbers().card[seen.round - 1]


@cache
def learner(number: int) -> float:
    """How well a Jest card's top half serves, in parts of a card: what learning with it takes of its worth."""
    least, bottom = numbers().learner
    return least + bottom * catalogue.jest_card(number).bottom.price


def keeper(number: int) -> float:
    """How dear a Jest card is to who looks for one to discard."""
    face, (least, technique, bottom) = catalogue.jest_card(number), numbers().keeper
    return least + technique * len(face.top) + bottom * face.bottom.price


def failure(seen: Seen) -> float:
    """What a failure costs: the step on the track, being put out, less the Jest cards that it brings (S11)."""
    failures = seen.failures[seen.seat]
    step = TRACK[failures] - TRACK[failures + 1]
    cards = (1, 3, 0)[failures] * numbers().card[seen.round - 1] * numbers().consolation
    out = numbers().out * (ROUNDS + 1 - seen.round) if failures + 1 == OUT else 0.0
    return numbers().caution * (step - cards + out)


def passing(seen: Seen) -> float:
    """What passing is worth: in the last round the first player card counts for who has little left to do."""
    lost = technique(seen) * sum(seen.dice)
    if seen.round == ROUNDS and not seen.passed:
        return numbers().first - numbers().stay * len(seen.hand) - lost
    return -lost


# --- symbols


def symbol_gains(seen: Seen) -> Gains:
    """By symbol, what one more of it is hoped to bring in the end (S16)."""
    return _gains(seen.placed, seen.favorite, seen.round, _counts(seen.completed, seen.gifts), seen.seat)


@lru_cache(1 << 12)
def _counts(completed: tuple[tuple[int, ...], ...], gifts: tuple[tuple[int, ...], ...]) -> tuple[Counts, ...]:
    return tuple([_symbols(own, given) for own, given in zip(completed, gifts, strict=True)])


@lru_cache(1 << 12)
def _symbols(completed: tuple[int, ...], gifts: tuple[int, ...]) -> Counts:
    return tuple(symbols(completed, gifts))


@lru_cache(1 << 12)
def _gains(placed: tuple[int, ...], favorite: int, number: int, counts: tuple[Counts, ...], seat: int) -> Gains:
    gains = [0.0] * 10
    spread = numbers().spread[number - 1]
    for each, most, second, likely in _scored(placed, favorite):
        one, other = catalogue.favorite(each).symbols
        matching = [own[one] + own[other] for own in counts]
        mine = matching.pop(seat)
        gain = likely * (hope(mine + 1, matching, most, second, spread) - hope(mine, matching, most, second, spread))
        gains[one] += gain
        gains[other] += gain
    return tuple(gains)


def majorities(seen: Seen) -> float:
    """The Fame of majorities that is hoped for."""
    spread, counts = numbers().spread[seen.round - 1], _counts(seen.completed, seen.gifts)
    hoped = 0.0
    for each, most, second, likely in _scored(seen.placed, seen.favorite):
        one, other = catalogue.favorite(each).symbols
        matching = [own[one] + own[other] for own in counts]
        hoped += likely * hope(matching.pop(seen.seat), matching, most, second, spread)
    return hoped


@cache
def _scored(placed: tuple[int, ...], favorite: int) -> tuple[Place, ...]:
    """The Favorites that count, or may yet (S14)."""
    known = (*placed, favorite) if favorite else placed
    found: list[Place] = [(each, *PLACES[place], 1.0) for place, each in enumerate(known)]
    left, open_places = [each for each in FAVORITES if each not in known], PLACES[len(known) :]
    if open_places:
        most, second = (sum(numbers) / len(open_places) for numbers in zip(*open_places, strict=True))
        found += [(each, most, second, len(open_places) / len(left)) for each in left]
    return tuple(found)


def hope(mine: int, others: list[int], most: float, second: float, spread: float) -> float:
    """The Fame that is hoped for at a majority place with so many symbols there, and the others with those."""
    if not mine:
        return 0.0
    best, *rest = sorted(others, reverse=True)
    first = _ahead(mine - best, spread)
    return most * first + second * (1 - first) * (_ahead(mine - rest[0], spread) if rest else 1.0)


@cache
def _ahead(by: int, spread: float) -> float:
    """How likely it is to end before a seat that one is so many symbols ahead of."""
    return 1 / (1 + exp(-1.7 * by / spread))


# --- Gifts in use


def usable(seen: Seen) -> Iterator[int]:
    """The own Gifts that are not used yet in this round."""
    return (number for number in seen.gifts[seen.seat] if number not in seen.used)


def turns(seen: Seen) -> tuple[int, ...]:
    """The colours of which own Gifts turn a die."""
    return _colours(seen.gifts[seen.seat], seen.used)[0]


def paints(seen: Seen) -> tuple[int, ...]:
    """The colours that own Gifts give to dice."""
    return _colours(seen.gifts[seen.seat], seen.used)[1]


@lru_cache(1 << 12)
def _colours(gifts: tuple[int, ...], used: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    found = [effects.effect(number) for number in gifts if number not in used]
    turned = sorted([effect.colour for effect in found if isinstance(effect, Opposite)])
    return tuple(turned), tuple(sorted([effect.colour for effect in found if isinstance(effect, Recolour)]))


@cache
def asked(target: int, favorite: int, painted: tuple[int, ...]) -> Requirement:
    """What a task asks of who can give dice those colours."""
    requirement = effects.task(target, favorite).requirement
    red, blue, green, purple = (0 if c in painted else number for c, number in enumerate(requirement.colours))
    return Requirement(requirement.form, (red, blue, green, purple))
