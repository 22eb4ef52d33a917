"""Jesters: Fame follows difficulty, halves of Jest cards are priced, and the page of components tells it (S20–S23)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from engines.jesters.components.catalogue import Task, all_components
from tests.engines.jesters import reference_requirements
from tests.engines.jesters.page import bottom_strengths, mended_share, miss_chance, rank_correlation

ALL = all_components()


def test_the_rank_correlation_is_spearmans() -> None:
    assert rank_correlation([1, 2, 3], [5, 4, 0]) == pytest.approx(-1)
    assert rank_correlation([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
    assert rank_correlation([1, 1, 2, 3], [7, 8, 8, 9]) == pytest.approx(5 / 6)  # equal values share a rank


def test_s23_fame_follows_difficulty() -> None:
    fame = [task.fame for task in ALL.performances]
    assert rank_correlation(fame, [miss_chance(task) for task in ALL.performances]) >= 0.9
    means = []
    for worth in range(2, 10):
        misses = [miss_chance(task) for task in ALL.performances if task.fame == worth]
        means.append(sum(misses) / len(misses))
    assert means == sorted(means)


@pytest.mark.parametrize("task", [*ALL.performances, *ALL.favorites], ids=lambda task: task.name)
def test_s23_difficulty_is_the_share_of_all_rolls_that_miss(task: Task) -> None:
    dice = [(colour, 1) for colour in task.natural_colours]
    assert miss_chance(task) == 1 - reference_requirements.hit_share(str(task.requirement), dice, range(task.dice))


def test_s21_a_bottom_half_has_the_higher_price_the_more_misses_it_mends() -> None:
    _, prices, strengths = map(list, zip(*bottom_strengths(), strict=True))
    assert prices == sorted(set(prices))
    assert strengths == sorted(set(strengths))


def test_s21_top_halves_are_the_stronger_the_more_they_bring_and_come_with_weaker_bottoms() -> None:
    tops = [card.top_price for card in ALL.jest_cards]
    assert rank_correlation(tops, [card.bottom.price for card in ALL.jest_cards]) < -0.8
    prices = {card.top: card.top_price for card in ALL.jest_cards}
    for (one, price), (other, more) in product(prices.items(), repeat=2):
        if len(one) < len(other) or (len(one) == len(other) and one.count(4) < other.count(4)):
            assert price < more


def test_the_misses_that_a_bottom_half_mends_are_counted_right() -> None:
    task = next(task for task in ALL.performances if str(task.requirement) == "pair, two red")
    misses = [faces for faces in product(range(1, 7), repeat=2) if faces[0] != faces[1]]
    mended = Fraction(sum(abs(one - other) <= 2 for one, other in misses))
    card = next(card for card in ALL.jest_cards if card.bottom.price == 3)  # ±2, a quarter of them on red
    assert mended_share(task, card) == mended / len(misses) / 4
