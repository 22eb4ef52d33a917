"""Laws of luck: what a game counts of it, next to what chance allows."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from math import sqrt
from random import Random

from engines.kit.chance import LuckCount
from engines.kit.contract import Event
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.walk import choose_move
from tests.until_over import until_over

MATCHES = 6
MOST_THINGS, MOST_COLUMNS = 4, 6  # that a picture shows
LONGEST_THING, LONGEST_COLUMN = 18, 8
DEVIATIONS = 6  # standard deviations that never happen


def luck_is_counted_next_to_what_chance_allows(helper: GameHelper, start: MatchStart) -> None:
    """A finished match counts some luck. Over several matches, everything comes about as often as chance allows."""
    sums: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0, 0])
    for number in range(MATCHES):
        for each in _match_luck(
            helper, replace(start, seed=f"{Random(f'{start.seed} {number}').getrandbits(128):032x}")
        ):
            assert each.count >= 0, f"counted less than nothing: {each}"
            assert each.mean > 0, f"what never comes: {each}"
            assert each.variance > 0, f"no chance: {each}"
            assert len(each.thing) <= LONGEST_THING, f"too long for the picture: {each}"
            assert len(each.column) <= LONGEST_COLUMN, f"too long for the picture: {each}"
            for place, value in enumerate((each.count, each.mean, each.variance)):
                sums[each.thing, each.column][place] += value
    things = [thing for thing, _ in sums]
    assert len({*things}) <= MOST_THINGS, "more than a picture shows"
    assert all(things.count(thing) <= MOST_COLUMNS for thing in things), "more than a picture shows"
    for (thing, column), (count, mean, variance) in sums.items():
        assert abs(count - mean) <= DEVIATIONS * sqrt(variance) + 1, f"{thing}, {column}: {count} of {mean}"


def _match_luck(helper: GameHelper, start: MatchStart) -> list[LuckCount]:
    """What a random match counts."""
    game, rng, events = helper.game, Random(f"{start.seed} luck"), list[Event]()
    state = helper.start_state(start)
    first = game.copy(state)
    for _ in until_over(game, state):
        seat, move = choose_move(helper, state, rng)
        events += game.play(state, seat, move)
    before = game.copy(first)
    counts = [*game.count_luck(first, events)]
    assert first == before, "the state has changed"
    assert counts, "nothing is counted"
    return counts
