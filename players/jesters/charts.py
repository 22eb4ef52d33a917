"""Charts of the possible results of a roll: how tools can complete it, and how likely a reroll succeeds."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import ANY, Adjust
from engines.jesters.requirements.evaluation import Requirement
from players.jesters.masks import OPPOSITE_SIDE, DieTool, all_rolls_mask, mendable_rolls, reroll_mask, success_rolls

GIFT_COST = 0.3  # Jest cards: the cost of using up a Gift for this round
REROLLS_AHEAD = 3  # rerolls considered in advance


class RollGroup(NamedTuple):
    """Rolls with the same cost of completion (in Jest cards), `cards` of which are cards; `cost` None: impossible.

    `chance` is that of the best reroll, without any change after it.
    """

    mask: int
    share: float
    cost: float | None
    cards: int
    chance: float


class RollChart(NamedTuple):
    """All rolls of some dice in groups and, of the misses, the number that one Jest card completes."""

    success_mask: int
    groups: tuple[RollGroup, ...]
    mendable_share: float


class Stake(NamedTuple):
    """What is at stake: the gain of success over failure, the value of a Jest card, and the number of Jest cards.

    `free` is the chance that a Gift turns a miss into a success.
    """

    prize: float
    card_value: float
    cards: int
    luck_chance: float = 0.0


@lru_cache(1 << 12)
def card_tools(hand: tuple[int, ...], colours: frozenset[int]) -> tuple[DieTool, ...]:
    """Return the bottom halves that can change dice of these colours, none more than twice."""
    found: list[DieTool] = []
    for card in hand:
        bottom = catalogue.jest_card(card).bottom
        tool = (bottom.amount if isinstance(bottom, Adjust) else OPPOSITE_SIDE, bottom.colour)
        if (bottom.colour == ANY or bottom.colour in colours) and found.count(tool) < 2:
            found.append(tool)
    return tuple(sorted(found))


@lru_cache(1 << 14)
def build_chart(
    requirement: Requirement, colours: tuple[int, ...], cards: tuple[DieTool, ...], turns: tuple[int, ...]
) -> RollChart:
    """Return the chart for dice of these colours, given Jest cards and Gifts that change a die."""
    alike = _merge_colours(requirement, colours)
    hit_rolls = success_rolls(requirement, alike)
    all_rolls = all_rolls_mask(len(colours))
    left = all_rolls & ~hit_rolls
    groups, mended = [RollGroup(hit_rolls, hit_rolls.bit_count() / all_rolls.bit_count(), 0.0, 0, 1.0)], 0
    rerolls = reroll_chances(requirement, alike)
    for cost, number, mask in _mendable_rolls(hit_rolls, colours, cards, turns):
        groups += _group_rolls(mask & left, cost, number, rerolls, all_rolls)
        if number == 1:
            mended += (mask & left).bit_count()
        left &= ~mask
    groups += _group_rolls(left, None, 0, rerolls, all_rolls)
    misses = (all_rolls & ~hit_rolls).bit_count()
    return RollChart(hit_rolls, tuple(groups), mended / misses if misses else 1.0)


def _merge_colours(requirement: Requirement, colours: tuple[int, ...]) -> tuple[int, ...]:
    """Merge colours that the requirement does not distinguish, so that equal charts share their computation."""
    required = requirement.colours
    return tuple([colour if required[colour] else required.index(0) for colour in colours])


def _mendable_rolls(
    hit_rolls: int, colours: tuple[int, ...], cards: tuple[DieTool, ...], turns: tuple[int, ...]
) -> list[tuple[float, int, int]]:
    """Return the rolls that one or two tools complete, cheapest first: the cost, its Jest cards, the rolls."""
    one = {tool: mendable_rolls(tool, hit_rolls, colours) for tool in cards}
    single = two = gift = both = 0
    for tool in one:
        single |= one[tool]
        others = 0
        for other, mask in one.items():
            if other != tool or cards.count(tool) > 1:
                others |= mask
        two |= mendable_rolls(tool, others, colours)
    for colour in turns:
        gift |= mendable_rolls((OPPOSITE_SIDE, colour), hit_rolls, colours)
        both |= mendable_rolls((OPPOSITE_SIDE, colour), single, colours)
    if gift:
        for tool in one:
            both |= mendable_rolls(tool, gift, colours)
    found = [(GIFT_COST, 0, gift), (1.0, 1, single), (1.0 + GIFT_COST, 1, both), (2.0, 2, two)]
    return [way for way in found if way[2]]


def _group_rolls(
    mask: int, cost: float | None, cards: int, rerolls: tuple[tuple[float, int], ...], rolls: int
) -> list[RollGroup]:
    total = rolls.bit_count()
    found = []
    for chance, those in rerolls:
        if both := mask & those:
            found.append(RollGroup(both, both.bit_count() / total, cost, cards, chance))
    return found


@lru_cache(1 << 12)
def reroll_chances(requirement: Requirement, colours: tuple[int, ...]) -> tuple[tuple[float, int], ...]:
    """Return the misses, by the chance of their best reroll."""
    number, hit_rolls = len(colours), success_rolls(requirement, colours)
    chances: dict[float, int] = {}
    for size in range(1, number + 1):
        for rerolled in combinations(range(number), size):
            for faces in _fixed_faces(number, rerolled):
                line = reroll_mask(faces, rerolled)
                if good := (hit_rolls & line).bit_count():
                    chance = good / 6**size
                    chances[chance] = chances.get(chance, 0) | line
    left, found = all_rolls_mask(number) & ~hit_rolls, []
    for chance in sorted(chances, reverse=True):
        if those := chances[chance] & left:
            found.append((chance, those))
            left &= ~those
    if left:
        found.append((0.0, left))
    return tuple(found)


def _fixed_faces(number: int, rerolled: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the possible faces of the kept dice; the others count as 1."""
    found: list[tuple[int, ...]] = [()]
    for die in range(number):
        found = [(*faces, face) for faces in found for face in ((1,) if die in rerolled else range(1, 7))]
    return found


@lru_cache(1 << 16)
def expected_value(
    requirement: Requirement, colours: tuple[int, ...], cards: tuple[DieTool, ...], turns: tuple[int, ...], stake: Stake
) -> float:
    """Return the value of dice of these colours before they are rolled."""
    found = build_chart(requirement, colours, cards, turns)
    values = group_values(found, stake)
    return sum([group.share * value for group, (_, value) in zip(found.groups, values, strict=True)])


def group_values(chart: RollChart, stake: Stake) -> list[tuple[int, float]]:
    """Return the value of each group's rolls: as they are, completed, or rerolled."""
    values: dict[float, float] = {}
    found = []
    for mask, _, cost, cards, chance in chart.groups:
        if cost == 0.0:
            found.append((mask, stake.prize))
            continue
        value = values.get(chance)
        if value is None:
            value = values[chance] = _reroll_value(chance, chart.mendable_share, stake)
        if cost is not None and cards <= stake.cards:
            value = max(value, stake.prize - cost * stake.card_value)
        if stake.luck_chance:
            value = max(value, stake.luck_chance * stake.prize + (1 - stake.luck_chance) * value)
        found.append((mask, value))
    return found


def mean_value(values: list[tuple[int, float]], rolls: int) -> float:
    """Return the mean value of these rolls, each equally likely."""
    return sum([(mask & rolls).bit_count() * value for mask, value in values]) / rolls.bit_count()


def _reroll_value(chance: float, mended: float, stake: Stake) -> float:
    """Return the value of rerolls with that chance, each for a Jest card; at least 0."""
    prize, card = stake.prize, stake.card_value
    value, once = 0.0, max(0.0, prize - card)
    for left in range(min(stake.cards, REROLLS_AHEAD)):
        miss = max(value, mended * once + (1 - mended) * value) if left else value
        value = max(value, chance * prize + (1 - chance) * miss - card)
    return value
