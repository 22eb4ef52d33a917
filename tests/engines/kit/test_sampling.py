"""Dealing unseen cards out again: every deal fits, one is found whenever there is one, equal sources deal alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations
from random import Random

import pytest

from engines.kit.chance import Chance
from engines.kit.sampling import deal_out, remaining_cards, weighted_choice

SEED = "0f" * 16


Fits = Callable[[int, int], bool]


def make_chance(number: int) -> Chance:
    return Chance(f"{number:032x}")


def fits_anywhere(place: int, card: int) -> bool:
    return True


def only_allowed(*allowed: set[int]) -> Fits:
    return lambda place, card: card in allowed[place]


def is_possible(cards: Sequence[int], room: Sequence[int], fits: Fits) -> bool:
    """Whether there is a deal at all: by trying everything."""
    return not cards or any(
        left and fits(place, cards[0]) and is_possible(cards[1:], [*room[:place], left - 1, *room[place + 1 :]], fits)
        for place, left in enumerate(room)
    )


def check_deal(dealt: list[list[int]], cards: Sequence[int], room: Sequence[int], fits: Fits) -> None:
    """Every card is in one place, no place has too many, and all of them fit."""
    assert Counter(card for place in dealt for card in place) == Counter(cards)
    assert len(dealt) == len(room)
    assert all(len(place) <= room[p] for p, place in enumerate(dealt))
    assert all(fits(p, card) for p, place in enumerate(dealt) for card in place)


def test_one_chance_gives_one_deal_and_nothing_that_was_given_is_changed() -> None:
    cards, room = list(range(20)), [5, 15]
    deals = [deal_out(cards, room, fits_anywhere, Chance(SEED)) for _ in range(2)]
    assert deals[0] == deals[1] != deal_out(cards, room, fits_anywhere, make_chance(1))
    assert (cards, room) == (list(range(20)), [5, 15])


def test_room_may_be_left_over() -> None:
    check_deal(deal_out([1, 2], [3, 3], fits_anywhere, make_chance(1)), [1, 2], [3, 3], fits_anywhere)
    assert deal_out([], [2, 0], fits_anywhere, make_chance(1)) == [[], []]


@pytest.mark.parametrize("seed", range(10))
def test_tight_deals_are_found(seed: int) -> None:
    for cards, room, fits in (
        ([52, 52, 52, 52, 53, 53, 7], [4, 2, 1], only_allowed({52, 53}, {7, 52, 53}, {7, 52, 53})),  # alike
        # Card 0 fits in place 0 alone, card 1 in 0 and 1, and so on: so only the last card can be in the last place.
        (range(12), [1] * 12, only_allowed(*(set(range(place, 12)) for place in range(12)))),
        # Place 0 may have any card, and must give way wherever the others need theirs.
        (range(30), [18, 4, 4, 4], only_allowed(set(range(30)), set(range(5)), set(range(3, 9)), set(range(8, 12)))),
    ):
        check_deal(deal_out(cards, room, fits, make_chance(seed)), cards, room, fits)


def test_a_deal_is_found_exactly_if_there_is_one() -> None:
    random, found = Random(7), Counter[bool]()
    for seed in range(600):
        cards = list(range(random.randint(1, 6)))
        room = [random.randint(0, 3) for _ in range(random.randint(1, 4))]
        fits = only_allowed(*({card for card in cards if random.random() < 0.5} for _ in room))
        there_is_one = is_possible(cards, room, fits)
        found[there_is_one] += 1
        if there_is_one:
            check_deal(deal_out(cards, room, fits, make_chance(seed)), cards, room, fits)
        else:
            with pytest.raises(ValueError, match=r"^no deal fits what is known$"):
                deal_out(cards, room, fits, make_chance(seed))
    assert min(found.values()) > 100


@pytest.mark.parametrize(
    ("cards", "room", "allowed"),
    [
        (1, [1, 2, 5], [{0}] * 3),
        (4, [1, 0, 3], [{*range(4)}] * 3),
        (5, [3, 3], [{0, 1, 2, 3, 4}, {0, 1, 4}]),  # with a spot left over
        (5, [3, 1, 3], [{1, 2, 3}, {3}, {0, 2, 3, 4}]),
        (5, [3, 2, 1], [{0, 1, 2, 4}, {1, 2, 3, 4}, {1}]),
        (7, [2, 2, 3], [{0, 1, 2}, {0, 1, 2, 3}, {3, 4, 5, 6}]),  # found by counting, mostly
    ],
)
def test_every_deal_that_fits_is_equally_likely(cards: int, room: list[int], allowed: list[set[int]]) -> None:
    spots = [place for place, size in enumerate(room) for _ in range(size)]
    fitting = [w for w in permutations(spots, cards) if all(card in allowed[place] for card, place in enumerate(w))]
    exact, draws = Counter(fitting), 3000
    assert len(exact) > 1
    drawn = Counter[tuple[int, ...]]()
    for number in range(draws):
        dealt = deal_out(range(cards), room, only_allowed(*allowed), make_chance(number))
        drawn[tuple(next(place for place, hand in enumerate(dealt) if card in hand) for card in range(cards))] += 1
    assert set(drawn) == set(exact)
    for way, count in exact.items():
        expected = draws * count / len(fitting)
        assert abs(drawn[way] - expected) < 5 * expected**0.5, (way, drawn[way], expected)


def test_the_rest_of_a_pack_has_each_kind_as_often_as_it_was_not_seen() -> None:
    assert remaining_cards([5, 1, 3, 3, 3], [3], (), (5, 3)) == [1, 3]
    assert remaining_cards([2, 1]) == [1, 2]
    assert remaining_cards([1, 2], [7, 1], [1]) == [2]


def test_a_weighted_choice_takes_each_item_as_often_as_its_weight_says() -> None:
    drawn = Counter(weighted_choice("abcd", (3, 0, 6, 1), make_chance(number)) for number in range(2000))
    assert drawn["b"] == 0
    assert {item: round(number / 200) for item, number in drawn.items()} == {"a": 3, "c": 6, "d": 1}
    huge = 10**60  # beyond one draw: rounded
    drawn = Counter(weighted_choice("abc", (huge, 3 * huge, 1), make_chance(number)) for number in range(400))
    assert drawn["c"] == 0
    assert 70 < drawn["a"] < 130
    with pytest.raises(ValueError, match="limit of a draw"):
        weighted_choice("ab", (0, 0), make_chance(1))
