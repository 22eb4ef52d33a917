"""Plans: which cards of a hand are kept for which melds, and what that is worth."""

from __future__ import annotations

from itertools import combinations

from engines.jokers.deck import BLACK, HAND, JOKER, RED
from players.jokers.numbers import NEVER, Worths
from players.jokers.parts import Part, parts
from players.jokers.seen import PACK

PARTS = 3
Plan = tuple[float, int]
"""What keeping cards is worth, and those cards as bits, without jokers: they are always kept."""


def plans(hand: int, live: int, worths: Worths) -> list[Plan]:
    """Every plan of up to three parts, also the same cards several times; the first one keeps nothing but jokers."""
    jokers = hand >> JOKER
    found = parts(hand & PACK, live)
    return _with_two(found, worths) if jokers > 1 else _plans(found, jokers, worths)


def best(hand: int, live: int, worths: Worths) -> Plan:
    """The plan worth most."""
    return max(plans(hand, live, worths))


def _plans(found: list[Part], jokers: int, worths: Worths) -> list[Plan]:
    """The plans of a hand with one joker or none; the joker is given to the part that it helps most, or to none.

    Written out, because playouts spend most of their time here.
    """
    kinds, colour, free = worths.kinds, worths.colour, worths.jokers[jokers]
    none, one, two, three = worths.parts
    ways = _ways(found, jokers, kinds)
    made: list[Plan] = [(free + none[jokers], 0)]
    for i, (worth, more, cards, kept) in enumerate(ways):
        if kept > HAND:
            continue
        same = 0.0 if cards & RED and cards & BLACK else colour[kept]
        made.append((worth + one[kept] + same + (more if more > free else free), cards))
        for j in range(i):
            other, others_more, others, size = ways[j]
            if cards & others or (kept2 := kept + size - jokers) > HAND:
                continue
            cards2, worth2, more2 = cards | others, worth + other, more if more > others_more else others_more
            same = 0.0 if cards2 & RED and cards2 & BLACK else colour[kept2]
            made.append((worth2 + two[kept2] + same + (more2 if more2 > free else free), cards2))
            for k in range(j):
                third, thirds_more, thirds, size = ways[k]
                if cards2 & thirds or (kept3 := kept2 + size - jokers) > HAND:
                    continue
                cards3, more3 = cards2 | thirds, more2 if more2 > thirds_more else thirds_more
                same = 0.0 if cards3 & RED and cards3 & BLACK else colour[kept3]
                made.append((worth2 + third + three[kept3] + same + (more3 if more3 > free else free), cards3))
    return made


def _ways(found: list[Part], jokers: int, kinds: tuple[float, ...]) -> list[tuple[float, float, int, int]]:
    """By part: what it is worth, what a joker adds, its cards, and how many are kept if it is all that is."""
    if not jokers:
        return [(kinds[none], NEVER, cards, size) for cards, size, (none, _, _) in found if none is not None]
    return [
        (worth := NEVER if none is None else kinds[none], NEVER if one is None else kinds[one] - worth, cards, size + 1)
        for cards, size, (none, one, _) in found
        if none is not None or one is not None
    ]


def _with_two(found: list[Part], worths: Worths) -> list[Plan]:
    """The plans of a hand with both jokers, which is rare: each is given to one part, or to none."""
    made = []
    for number in range(PARTS + 1):
        for several in combinations(found, number):
            cards, kept = 0, 2
            for part in several:
                kept = HAND + 1 if cards & part.cards else kept + part.size
                cards |= part.cards
            if kept <= HAND:
                same = 0.0 if cards & RED and cards & BLACK else worths.colour[kept]
                made.append((worths.parts[number][kept] + same + _given(several, worths), cards))
    return made


def _given(several: tuple[Part, ...], worths: Worths) -> float:
    """What those parts and both jokers are worth, however the jokers are given best."""
    kinds, free = worths.kinds, worths.jokers
    worth, one, two = 0.0, NEVER, NEVER
    for _, _, (first, second, third) in several:
        own = NEVER if first is None else kinds[first]
        more = NEVER if second is None else kinds[second] - own
        two = max(two, one + more, NEVER if third is None else kinds[third] - own)
        one = max(one, more)
        worth += own
    return worth + max(free[2], one + free[1], two)
