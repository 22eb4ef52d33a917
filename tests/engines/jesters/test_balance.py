"""Jesters: balance by play (S24). The tests play the games whose figures are on record, and judge those."""

from __future__ import annotations

import os

import pytest

from engines.jesters.components.catalogue import all_components
from tests.engines.jesters import page
from tests.engines.jesters.games import GAMES_PER_PART, PART_COUNT, SEATS, Figures, load_figures, play_part, sum_figures

ALL = sum_figures(load_figures())
FAIR = 1 / SEATS


@pytest.mark.parametrize("part", range(PART_COUNT) if os.environ.get("MOTLEY_SOAK") else range(0, PART_COUNT, 10))
def test_the_games_go_as_they_are_on_record(part: int) -> None:
    assert play_part(part) == load_figures()[part], "make components"


def test_s24_there_are_two_thousand_games() -> None:
    assert PART_COUNT * GAMES_PER_PART == 2000
    assert [part.games for part in load_figures()] == [GAMES_PER_PART] * PART_COUNT
    assert ALL.games == 2000
    assert sum(ALL.wins) == pytest.approx(2000)
    assert ALL.completed.total() == ALL.failures.total() == 2000 * SEATS


def win_shares(wins: list[float], figures: Figures) -> list[float]:
    return [won / figures.games for won in wins]


def test_s24_no_seat_wins_more_than_its_share_by_over_five_points_in_a_hundred() -> None:
    assert max(win_shares(ALL.wins, ALL)) <= FAIR + 0.05


def test_s24_nor_does_who_comes_earlier_in_the_first_round() -> None:
    assert max(win_shares(ALL.turns, ALL)) <= FAIR + 0.05


def test_s24_a_seat_completes_three_to_nine_performances_on_average() -> None:
    assert 3 <= ALL.mean_completed <= 9


def test_every_fame_is_worth_an_attempt_and_more_of_it_takes_more() -> None:
    classes = {fame: attempts for fame, attempts in ALL.by_fame.items() if fame}
    assert set(classes) == {task.fame for task in all_components().performances}
    for fame, attempts in classes.items():
        there = sum(task.fame == fame for task in all_components().performances)
        assert attempts.number / ALL.games / there > 0.25, fame  # of half of the Performances that a game goes through
    taken = [(each.bottoms + each.rerolls + each.dice / 2) / each.number for _, each in sorted(classes.items())]
    assert taken[:3] < taken[-3:]
    assert classes[9].met / classes[9].number < classes[2].met / classes[2].number - 0.05


def test_jest_cards_are_kept_for_their_bottom_halves_as_well() -> None:
    used = ALL.cards.total() - ALL.cards["left"]
    assert 0.4 < ALL.cards["learn"] / used < 0.8
    assert ALL.cards["bottom"] / used > 0.1
    assert ALL.cards["reroll"] / used > 0.05


def test_gifts_of_every_kind_are_used() -> None:
    for does, owned in ALL.owned.items():
        assert ALL.used[does] / owned > 0.5, does


def test_the_page_tells_what_is_on_record() -> None:
    assert page.PAGE_FILE.read_text(encoding="utf-8") == page.full_page(), "make components"
