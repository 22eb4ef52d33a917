"""Plans: which cards of a hand to keep for which melds, and their values."""

from __future__ import annotations

from itertools import combinations

from engines.jokers.deck import BLACK, HAND_SIZE, JOKER, RED
from players.jokers.numbers import IMPOSSIBLE, StageValues
from players.jokers.parts import MeldPart, hand_parts
from players.jokers.seen import NON_JOKERS

MAX_PARTS = 3
Plan = tuple[float, int]
"""The value of keeping cards, and those cards as bits without jokers, which are always kept."""


def all_plans(hand: int, live: int, values: StageValues) -> list[Plan]:
    """Return every plan of up to three parts, with repeated sets of cards; the first one keeps only jokers."""
    jokers = hand >> JOKER
    found = hand_parts(hand & NON_JOKERS, live)
    return _plans_with_two_jokers(found, values) if jokers > 1 else _plans_with_one_joker(found, jokers, values)


def best_plan(hand: int, live: int, values: StageValues) -> Plan:
    """Return the plan with the highest value."""
    return max(all_plans(hand, live, values))


def _plans_with_one_joker(found: list[MeldPart], jokers: int, values: StageValues) -> list[Plan]:
    """Return the plans of a hand with at most one joker, which goes to the part that it helps most, or to none.

    Written out for speed, because playouts spend most of their time here.
    """
    kinds, colour, free = values.kinds, values.colour, values.jokers[jokers]
    none, one, two, three = values.parts
    options = _part_values(found, jokers, kinds)
    plans: list[Plan] = [(free + none[jokers], 0)]
    for i, (worth, more, cards, kept) in enumerate(options):
        if kept > HAND_SIZE:
            continue
        same = 0.0 if cards & RED and cards & BLACK else colour[kept]
        plans.append((worth + one[kept] + same + (more if more > free else free), cards))
        for j in range(i):
            other, others_more, others, size = options[j]
            if cards & others or (kept2 := kept + size - jokers) > HAND_SIZE:
                continue
            cards2, worth2, more2 = cards | others, worth + other, more if more > others_more else others_more
            same = 0.0 if cards2 & RED and cards2 & BLACK else colour[kept2]
            plans.append((worth2 + two[kept2] + same + (more2 if more2 > free else free), cards2))
            for k in range(j):
                third, thirds_more, thirds, size = options[k]
                if cards2 & thirds or (kept3 := kept2 + size - jokers) > HAND_SIZE:
                    continue
                cards3, more3 = cards2 | thirds, more2 if more2 > thirds_more else thirds_more
                same = 0.0 if cards3 & RED and cards3 & BLACK else colour[kept3]
                plans.append((worth2 + third + three[kept3] + same + (more3 if more3 > free else free), cards3))
    return plans


def _part_values(found: list[MeldPart], jokers: int, kinds: tuple[float, ...]) -> list[tuple[float, float, int, int]]:
    """Return, by part: its value, what a joker adds, its cards, and the number of kept cards if it is the only part."""
    if not jokers:
        return [(kinds[none], IMPOSSIBLE, cards, size) for cards, size, (none, _, _) in found if none is not None]
    return [
        (
            worth := IMPOSSIBLE if none is None else kinds[none],
            IMPOSSIBLE if one is None else kinds[one] - worth,
            cards,
            size + 1,
        )
        for cards, size, (none, one, _) in found
        if none is not None or one is not None
    ]


def _plans_with_two_jokers(found: list[MeldPart], values: StageValues) -> list[Plan]:
    """Return the plans of a hand with both jokers, which is rare. Each joker goes to one part, or to none."""
    plans = []
    for number in range(MAX_PARTS + 1):
        for several in combinations(found, number):
            cards, kept = 0, 2
            for part in several:
                kept = HAND_SIZE + 1 if cards & part.cards else kept + part.size
                cards |= part.cards
            if kept <= HAND_SIZE:
                same = 0.0 if cards & RED and cards & BLACK else values.colour[kept]
                plans.append((values.parts[number][kept] + same + _value_with_two_jokers(several, values), cards))
    return plans


def _value_with_two_jokers(several: tuple[MeldPart, ...], values: StageValues) -> float:
    """Return the value of those parts with both jokers in the best places."""
    kinds, free = values.kinds, values.jokers
    worth, one, two = 0.0, IMPOSSIBLE, IMPOSSIBLE
    for _, _, (first, second, third) in several:
        own = IMPOSSIBLE if first is None else kinds[first]
        more = IMPOSSIBLE if second is None else kinds[second] - own
        two = max(two, one + more, IMPOSSIBLE if third is None else kinds[third] - own)
        one = max(one, more)
        worth += own
    return worth + max(free[2], one + free[1], two)
