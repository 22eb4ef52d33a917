"""Dealing unseen cards out again."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.chance import Chance
from engines.sampling import deal_out

SEED = "0f" * 16


def anywhere(place: int, card: int) -> bool:
    return True


@given(st.data())
def test_a_deal_is_found_whenever_there_is_one(data: st.DataObject) -> None:
    room = data.draw(st.lists(st.integers(0, 6), min_size=1, max_size=5))
    true_deal = dict(enumerate(p for p, size in enumerate(room) for _ in range(size)))
    also = data.draw(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 30))))

    def fits(place: int, card: int) -> bool:
        return true_deal[card] == place or (place, card) in also

    places = deal_out(list(true_deal), room, fits, Chance(SEED))
    assert [len(place) for place in places] == room
    assert Counter(card for place in places for card in place) == Counter(true_deal.keys())
    assert all(fits(number, card) for number, place in enumerate(places) for card in place)


def test_where_there_is_no_deal_it_says_so() -> None:
    with pytest.raises(ValueError, match="no deal"):
        deal_out([1, 2, 3], [2, 1], lambda place, card: place == 1 or card == 1, Chance(SEED))


def test_every_card_comes_to_every_place() -> None:
    seen = Counter(
        (card, place)
        for n in range(200)
        for place, held in enumerate(deal_out(range(6), [2, 0, 4], anywhere, Chance(f"{n:032x}")))
        for card in held
    )
    assert {place for _, place in seen} == {0, 2}
    assert all(40 < seen[card, 0] < 95 for card in range(6))  # a third of 200 each


def test_one_chance_gives_one_deal() -> None:
    deals = [deal_out(range(20), [5, 15], anywhere, Chance(SEED)) for _ in range(2)]
    assert deals[0] == deals[1]
