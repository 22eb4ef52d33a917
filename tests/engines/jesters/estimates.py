"""What the sensible player of Jesters expects of dice: chances, and how often a missed roll can be mended.

The latter is tried out by a few rolls, always the same, and kept by task and number of dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import sqrt
from random import Random

from engines.jesters import effects
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import ANY
from engines.jesters.model import Learn
from engines.jesters.requirements.evaluation import Die, Requirement, is_met, reroll_chance, success_chance

Dice = tuple[int, ...]  # by colour
ROLL_SAMPLES, REROLL_SAMPLES = 30, 8


# --- Jest cards


@cache
def learning_moves(card: int, middle: Dice) -> tuple[tuple[Learn, Dice], ...]:
    """Every way to learn with a card, and what it takes by colour (S6)."""
    taken = {pick: effects.taken_techniques(card, pick, middle) for pick in effects.learnable_colours(card, middle)}
    return tuple((Learn(card, pick), tuple(map(dice.count, range(4)))) for pick, dice in taken.items())


@cache
def bottom_changes(card: int, dice: tuple[Die, ...]) -> tuple[tuple[int, tuple[Die, ...]], ...]:
    """What the card's bottom half can make of the dice; and before each the place of the die that it changes."""
    return tuple(
        (place, (*dice[:place], (colour, to), *dice[place + 1 :]))
        for place, (colour, face) in enumerate(dice)
        for to in effects.reachable_faces(card, colour, face)
    )


# --- chances


@lru_cache(maxsize=1 << 18)
def _cached_chances(
    requirement: Requirement, rolled: tuple[int, ...], cards: int, bottoms: tuple[int, ...], rerolls: int, extra: bool
) -> tuple[float, float]:
    """Of success, about, with so many cards, the best bottom halves of these prices, and Gifts; and without a card."""
    miss = 1 - float(success_chance(requirement, rolled))
    if extra:
        miss = 1 - max(float(success_chance(requirement, (*rolled, colour))) for colour in range(4))
    if rerolls:
        miss *= 1 - float(success_chance(requirement, rolled))
    free = 1 - miss
    for price in bottoms:
        miss *= 1 - _mended_share(requirement, rolled, price)
    for _ in range(cards):
        miss *= sqrt(1 - _reroll_share(requirement, rolled))
    return 1 - miss, free


@lru_cache(maxsize=1 << 18)
def chances_with_paints(
    target: int,
    favorite: int,
    paints: tuple[int, ...],
    colours: tuple[int, ...],
    cards: int,
    bottoms: tuple[int, ...],
    rerolls: int,
    extra: bool,
) -> tuple[float, float]:
    """The chances of who can give dice these colours; kept by numbers alone, since it is asked for all the time."""
    requirement = painted_requirement(target, favorite, paints)
    return _cached_chances(requirement, _merge_colours(requirement, colours), cards, bottoms, rerolls, extra)


@cache
def painted_requirement(target: int, favorite: int, paints: tuple[int, ...]) -> Requirement:
    """What is left to ask for of somebody who can give dice these colours."""
    requirement = effects.task(target, favorite).requirement
    red, blue, green, purple = (0 if c in paints else number for c, number in enumerate(requirement.colours))
    return Requirement(requirement.form, (red, blue, green, purple))


def best_reroll(requirement: Requirement, dice: Sequence[Die]) -> tuple[float, tuple[int, ...]]:
    """The chance that the best reroll does, and the dice to reroll for it, by place from 0."""
    colours = _colour_classes(requirement)
    plain = [(colours[colour], face) for colour, face in dice]
    places = sorted(range(len(dice)), key=plain.__getitem__)
    likely, marked = _best_reroll(requirement, tuple([plain[place] for place in places]))
    return likely, tuple(sorted([places[mark] for mark in marked]))


@lru_cache(maxsize=1 << 16)
def _best_reroll(requirement: Requirement, dice: tuple[Die, ...]) -> tuple[float, tuple[int, ...]]:
    rerolls = {
        tuple([dice[mark] for mark in marked]): marked
        for number in range(len(dice), 0, -1)
        for marked in combinations(range(len(dice)), number)
    }
    return max((float(reroll_chance(requirement, dice, marked)), marked) for marked in rerolls.values())


@cache
def natural_dice(required: Dice, number: int) -> tuple[int, ...]:
    named = [colour for colour in range(4) for _ in range(required[colour])]
    others = [colour for colour in range(4) if not required[colour]]
    return (*named, *(others * number)[: max(0, number - len(named))])


@cache
def _colour_classes(requirement: Requirement) -> tuple[int, ...]:
    """By colour, itself, or the one that stands for all colours not asked for."""
    required = requirement.colours
    return tuple(colour if required[colour] else required.index(0) for colour in range(4))


@lru_cache(maxsize=1 << 16)
def _merge_colours(requirement: Requirement, colours: tuple[int, ...]) -> tuple[int, ...]:
    """Dice by colour, told apart only if that matters."""
    alike = _colour_classes(requirement)
    return tuple(sorted([alike[colour] for colour in colours]))


@cache
def _missing_rolls(requirement: Requirement, colours: tuple[int, ...]) -> tuple[tuple[Die, ...], ...]:
    rng = Random(f"{requirement} {colours}")
    rolls = [tuple([(colour, rng.randint(1, 6)) for colour in colours]) for _ in range(ROLL_SAMPLES)]
    return tuple(dice for dice in rolls if not is_met(requirement, dice))


@cache
def _mended_share(requirement: Requirement, colours: tuple[int, ...], price: int) -> float:
    """How many of the misses a bottom half of that price mends."""
    card = next(card for card in catalogue.all_components().jest_cards if card.bottom.price == price)
    misses = _missing_rolls(requirement, colours)
    mended = 0.0
    for dice in misses:
        count = sum(
            any(
                is_met(requirement, (*dice[:place], (colour, to), *dice[place + 1 :]))
                for to in effects.reachable_faces(card.id, card.bottom.colour, face)
            )
            for place, (colour, face) in enumerate(dice)
        )
        mended += bool(count) if card.bottom.colour == ANY else 1 - 0.7**count
    return mended / len(misses) if misses else 1.0


@cache
def _reroll_share(requirement: Requirement, colours: tuple[int, ...]) -> float:
    """The chance that the best reroll mends a miss."""
    misses = _missing_rolls(requirement, colours)[:REROLL_SAMPLES]
    return sum([best_reroll(requirement, dice)[0] for dice in misses]) / len(misses) if misses else 1.0
