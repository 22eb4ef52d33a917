"""What a roll may come to: how it can be mended with the tools at hand, and how often a reroll would do."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import ANY, Adjust
from engines.jesters.requirements.evaluation import Requirement
from players.jesters.masks import TURN, Tool, before, everything, hits, keeping

GIFT = 0.3  # of a Jest card: what it costs to use a Gift up for this round
REROLLS = 3  # looked ahead


class Group(NamedTuple):
    """Rolls that are alike: mended for so much (in Jest cards), of which so many are cards; never where `cost` is None.

    `chance` is that of the likeliest reroll, without any mending after it.
    """

    mask: int
    share: float
    cost: float | None
    cards: int
    chance: float


class Chart(NamedTuple):
    """All rolls of some dice in groups, and of the rolls that miss, how many one Jest card mends."""

    met: int
    groups: tuple[Group, ...]
    mended: float


class Stake(NamedTuple):
    """What is at stake: what success brings more than failure, what a Jest card is worth, and how many there are.

    `free` is the chance that a Gift mends a miss by luck.
    """

    prize: float
    card: float
    cards: int
    free: float = 0.0


@lru_cache(1 << 12)
def tools(hand: tuple[int, ...], colours: frozenset[int]) -> tuple[Tool, ...]:
    """The bottom halves that can change dice of these colours, none more than twice."""
    found: list[Tool] = []
    for card in hand:
        bottom = catalogue.jest_card(card).bottom
        tool = (bottom.amount if isinstance(bottom, Adjust) else TURN, bottom.colour)
        if (bottom.colour == ANY or bottom.colour in colours) and found.count(tool) < 2:
            found.append(tool)
    return tuple(sorted(found))


@lru_cache(1 << 14)
def chart(requirement: Requirement, colours: tuple[int, ...], cards: tuple[Tool, ...], turns: tuple[int, ...]) -> Chart:
    """The chart of dice of these colours, for who has Jest cards and Gifts that change a die."""
    alike = _alike(requirement, colours)
    met = hits(requirement, alike)
    all_rolls = everything(len(colours))
    left = all_rolls & ~met
    groups, mended = [Group(met, met.bit_count() / all_rolls.bit_count(), 0.0, 0, 1.0)], 0
    ways = rerolls(requirement, alike)
    for cost, number, mask in _mending(met, colours, cards, turns):
        groups += _grouped(mask & left, cost, number, ways, all_rolls)
        if number == 1:
            mended += (mask & left).bit_count()
        left &= ~mask
    groups += _grouped(left, None, 0, ways, all_rolls)
    misses = (all_rolls & ~met).bit_count()
    return Chart(met, tuple(groups), mended / misses if misses else 1.0)


def _alike(requirement: Requirement, colours: tuple[int, ...]) -> tuple[int, ...]:
    """Dice told apart only where the requirement does, so that charts of the same odds share what is worked out."""
    asked = requirement.colours
    return tuple([colour if asked[colour] else asked.index(0) for colour in colours])


def _mending(
    met: int, colours: tuple[int, ...], cards: tuple[Tool, ...], turns: tuple[int, ...]
) -> list[tuple[float, int, int]]:
    """The rolls that one tool or two mend, the cheapest first: the cost, the Jest cards among it, the rolls."""
    one = {tool: before(tool, met, colours) for tool in cards}
    single = two = gift = both = 0
    for tool in one:
        single |= one[tool]
        others = 0
        for other, mask in one.items():
            if other != tool or cards.count(tool) > 1:
                others |= mask
        two |= before(tool, others, colours)
    for colour in turns:
        gift |= before((TURN, colour), met, colours)
        both |= before((TURN, colour), single, colours)
    if gift:
        for tool in one:
            both |= before(tool, gift, colours)
    found = [(GIFT, 0, gift), (1.0, 1, single), (1.0 + GIFT, 1, both), (2.0, 2, two)]
    return [way for way in found if way[2]]


def _grouped(mask: int, cost: float | None, cards: int, ways: tuple[tuple[float, int], ...], rolls: int) -> list[Group]:
    total = rolls.bit_count()
    found = []
    for chance, those in ways:
        if both := mask & those:
            found.append(Group(both, both.bit_count() / total, cost, cards, chance))
    return found


@lru_cache(1 << 12)
def rerolls(requirement: Requirement, colours: tuple[int, ...]) -> tuple[tuple[float, int], ...]:
    """The rolls that miss, by the chance of their likeliest reroll."""
    number, met = len(colours), hits(requirement, colours)
    chances: dict[float, int] = {}
    for size in range(1, number + 1):
        for again in combinations(range(number), size):
            for kept in _all_faces(number, again):
                line = keeping(kept, again)
                if good := (met & line).bit_count():
                    chance = good / 6**size
                    chances[chance] = chances.get(chance, 0) | line
    left, found = everything(number) & ~met, []
    for chance in sorted(chances, reverse=True):
        if those := chances[chance] & left:
            found.append((chance, those))
            left &= ~those
    if left:
        found.append((0.0, left))
    return tuple(found)


def _all_faces(number: int, again: tuple[int, ...]) -> list[tuple[int, ...]]:
    """What the dice that are kept may show; the others are said to show 1."""
    found: list[tuple[int, ...]] = [()]
    for die in range(number):
        found = [(*faces, face) for faces in found for face in ((1,) if die in again else range(1, 7))]
    return found


@lru_cache(1 << 16)
def hoped(
    requirement: Requirement, colours: tuple[int, ...], cards: tuple[Tool, ...], turns: tuple[int, ...], stake: Stake
) -> float:
    """What dice of these colours are worth before they are rolled."""
    found = chart(requirement, colours, cards, turns)
    values = valued(found, stake)
    return sum([group.share * value for group, (_, value) in zip(found.groups, values, strict=True)])


def valued(chart: Chart, stake: Stake) -> list[tuple[int, float]]:
    """What the rolls of each group are worth: as they are, mended, or rerolled."""
    again: dict[float, float] = {}
    found = []
    for mask, _, cost, cards, chance in chart.groups:
        if cost == 0.0:
            found.append((mask, stake.prize))
            continue
        value = again.get(chance)
        if value is None:
            value = again[chance] = _rerolled(chance, chart.mended, stake)
        if cost is not None and cards <= stake.cards:
            value = max(value, stake.prize - cost * stake.card)
        if stake.free:
            value = max(value, stake.free * stake.prize + (1 - stake.free) * value)
        found.append((mask, value))
    return found


def after(values: list[tuple[int, float]], rolls: int) -> float:
    """What it is worth to come to one of these rolls, each as likely."""
    return sum([(mask & rolls).bit_count() * value for mask, value in values]) / rolls.bit_count()


def _rerolled(chance: float, mended: float, stake: Stake) -> float:
    """What rerolls with that chance are worth, each for a Jest card; no less than nothing."""
    prize, card = stake.prize, stake.card
    value, once = 0.0, max(0.0, prize - card)
    for left in range(min(stake.cards, REROLLS)):
        miss = max(value, mended * once + (1 - mended) * value) if left else value
        value = max(value, chance * prize + (1 - chance) * miss - card)
    return value
