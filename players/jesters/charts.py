"""What a roll may come to: how it can be mended with the tools at hand, and how often a reroll would do."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import ANY, Adjust
from engines.jesters.requirements.evaluation import Requirement
from players.jesters.masks import OPPOSITE_SIDE, DieTool, all_rolls_mask, mendable_rolls, reroll_mask, success_rolls

GIFT_COST = 0.3  # of a Jest card: what it costs to use a Gift up for this round
REROLLS_AHEAD = 3  # looked ahead


class RollGroup(NamedTuple):
    """Rolls that are alike: mended for so much (in Jest cards), of which so many are cards; never where `cost` is None.

    `chance` is that of the likeliest reroll, without any mending after it.
    """

    mask: int
    share: float
    cost: float | None
    cards: int
    chance: float


class RollChart(NamedTuple):
    """All rolls of some dice in groups, and of the rolls that miss, how many one Jest card mends."""

    success_mask: int
    groups: tuple[RollGroup, ...]
    mendable_share: float


class Stake(NamedTuple):
    """What is at stake: what success brings more than failure, what a Jest card is worth, and how many there are.

    `free` is the chance that a Gift mends a miss by luck.
    """

    prize: float
    card_value: float
    cards: int
    luck_chance: float = 0.0


@lru_cache(1 << 12)
def card_tools(hand: tuple[int, ...], colours: frozenset[int]) -> tuple[DieTool, ...]:
    """The bottom halves that can change dice of these colours, none more than twice."""
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
    """The chart of dice of these colours, for who has Jest cards and Gifts that change a die."""
    alike = _merge_colours(requirement, colours)
    met = success_rolls(requirement, alike)
    all_rolls = all_rolls_mask(len(colours))
    left = all_rolls & ~met
    groups, mended = [RollGroup(met, met.bit_count() / all_rolls.bit_count(), 0.0, 0, 1.0)], 0
    ways = reroll_chances(requirement, alike)
    for cost, number, mask in _mendable_rolls(met, colours, cards, turns):
        groups += _group_rolls(mask & left, cost, number, ways, all_rolls)
        if number == 1:
            mended += (mask & left).bit_count()
        left &= ~mask
    groups += _group_rolls(left, None, 0, ways, all_rolls)
    misses = (all_rolls & ~met).bit_count()
    return RollChart(met, tuple(groups), mended / misses if misses else 1.0)


def _merge_colours(requirement: Requirement, colours: tuple[int, ...]) -> tuple[int, ...]:
    """Dice told apart only where the requirement does, so that charts of the same odds share what is worked out."""
    asked = requirement.colours
    return tuple([colour if asked[colour] else asked.index(0) for colour in colours])


def _mendable_rolls(
    met: int, colours: tuple[int, ...], cards: tuple[DieTool, ...], turns: tuple[int, ...]
) -> list[tuple[float, int, int]]:
    """The rolls that one tool or two mend, the cheapest first: the cost, the Jest cards among it, the rolls."""
    one = {tool: mendable_rolls(tool, met, colours) for tool in cards}
    single = two = gift = both = 0
    for tool in one:
        single |= one[tool]
        others = 0
        for other, mask in one.items():
            if other != tool or cards.count(tool) > 1:
                others |= mask
        two |= mendable_rolls(tool, others, colours)
    for colour in turns:
        gift |= mendable_rolls((OPPOSITE_SIDE, colour), met, colours)
        both |= mendable_rolls((OPPOSITE_SIDE, colour), single, colours)
    if gift:
        for tool in one:
            both |= mendable_rolls(tool, gift, colours)
    found = [(GIFT_COST, 0, gift), (1.0, 1, single), (1.0 + GIFT_COST, 1, both), (2.0, 2, two)]
    return [way for way in found if way[2]]


def _group_rolls(
    mask: int, cost: float | None, cards: int, ways: tuple[tuple[float, int], ...], rolls: int
) -> list[RollGroup]:
    total = rolls.bit_count()
    found = []
    for chance, those in ways:
        if both := mask & those:
            found.append(RollGroup(both, both.bit_count() / total, cost, cards, chance))
    return found


@lru_cache(1 << 12)
def reroll_chances(requirement: Requirement, colours: tuple[int, ...]) -> tuple[tuple[float, int], ...]:
    """The rolls that miss, by the chance of their likeliest reroll."""
    number, met = len(colours), success_rolls(requirement, colours)
    chances: dict[float, int] = {}
    for size in range(1, number + 1):
        for again in combinations(range(number), size):
            for kept in _kept_faces(number, again):
                line = reroll_mask(kept, again)
                if good := (met & line).bit_count():
                    chance = good / 6**size
                    chances[chance] = chances.get(chance, 0) | line
    left, found = all_rolls_mask(number) & ~met, []
    for chance in sorted(chances, reverse=True):
        if those := chances[chance] & left:
            found.append((chance, those))
            left &= ~those
    if left:
        found.append((0.0, left))
    return tuple(found)


def _kept_faces(number: int, again: tuple[int, ...]) -> list[tuple[int, ...]]:
    """What the dice that are kept may show; the others are said to show 1."""
    found: list[tuple[int, ...]] = [()]
    for die in range(number):
        found = [(*faces, face) for faces in found for face in ((1,) if die in again else range(1, 7))]
    return found


@lru_cache(1 << 16)
def expected_value(
    requirement: Requirement, colours: tuple[int, ...], cards: tuple[DieTool, ...], turns: tuple[int, ...], stake: Stake
) -> float:
    """What dice of these colours are worth before they are rolled."""
    found = build_chart(requirement, colours, cards, turns)
    values = group_values(found, stake)
    return sum([group.share * value for group, (_, value) in zip(found.groups, values, strict=True)])


def group_values(chart: RollChart, stake: Stake) -> list[tuple[int, float]]:
    """What the rolls of each group are worth: as they are, mended, or rerolled."""
    again: dict[float, float] = {}
    found = []
    for mask, _, cost, cards, chance in chart.groups:
        if cost == 0.0:
            found.append((mask, stake.prize))
            continue
        value = again.get(chance)
        if value is None:
            value = again[chance] = _reroll_value(chance, chart.mendable_share, stake)
        if cost is not None and cards <= stake.cards:
            value = max(value, stake.prize - cost * stake.card_value)
        if stake.luck_chance:
            value = max(value, stake.luck_chance * stake.prize + (1 - stake.luck_chance) * value)
        found.append((mask, value))
    return found


def mean_value(values: list[tuple[int, float]], rolls: int) -> float:
    """What it is worth to come to one of these rolls, each as likely."""
    return sum([(mask & rolls).bit_count() * value for mask, value in values]) / rolls.bit_count()


def _reroll_value(chance: float, mended: float, stake: Stake) -> float:
    """What rerolls with that chance are worth, each for a Jest card; no less than nothing."""
    prize, card = stake.prize, stake.card_value
    value, once = 0.0, max(0.0, prize - card)
    for left in range(min(stake.cards, REROLLS_AHEAD)):
        miss = max(value, mended * once + (1 - mended) * value) if left else value
        value = max(value, chance * prize + (1 - chance) * miss - card)
    return value
