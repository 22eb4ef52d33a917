"""Jesters: balance by play (S24). The tests play the games whose figures are on record, and judge those."""

from __future__ import annotations

import os

import pytest

from engines.jesters.components.catalogue import all_components
from tests.engines.jesters import page
from tests.engines.jesters.games import GAMES_PER_PART, PART_COUNT, SEATS, load_figures, play_part, sum_figures

ALL = sum_figures(load_figures())


@pytest.mark.parametrize("part", range(PART_COUNT) if os.environ.get("MOTLEY_SOAK") else range(0, PART_COUNT, 10))
def test_the_games_go_as_they_are_on_record(part: int) -> None:
    assert play_part(part) == load_figures()[part], "make components"


def test_s24_in_two_thousand_games_no_seat_and_no_turn_order_wins_over_five_points_more_than_its_share() -> None:
    assert PART_COUNT * GAMES_PER_PART == ALL.games == 2000
    assert [part.games for part in load_figures()] == [GAMES_PER_PART] * PART_COUNT
    assert sum(ALL.wins) == pytest.approx(2000)
    assert ALL.completed.total() == ALL.failures.total() == 2000 * SEATS
    assert max(*ALL.wins, *ALL.turns) / ALL.games <= 1 / SEATS + 0.05
    assert 3 <= ALL.mean_completed <= 9


def test_every_fame_is_worth_an_attempt_and_more_of_it_takes_more() -> None:
    classes = {fame: attempts for fame, attempts in sorted(ALL.by_fame.items()) if fame}
    fames = [task.fame for task in all_components().performances]
    assert set(classes) == set(fames)
    for fame, attempts in classes.items():
        assert attempts.number / ALL.games / fames.count(fame) > 0.25, fame  # of half of those a game goes through
    taken = [(each.bottoms + each.rerolls + each.dice / 2) / each.number for each in classes.values()]
    assert taken[:3] < taken[-3:]
    assert classes[9].met / classes[9].number < classes[2].met / classes[2].number - 0.05


def test_jest_cards_are_kept_for_their_bottom_halves_as_well_and_gifts_of_every_kind_are_used() -> None:
    used = ALL.cards.total() - ALL.cards["left"]
    assert 0.4 < ALL.cards["learn"] / used < 0.8
    assert ALL.cards["bottom"] / used > 0.1
    assert ALL.cards["reroll"] / used > 0.05
    assert all(ALL.used[does] / owned > 0.5 for does, owned in ALL.owned.items())


def test_the_page_tells_what_is_on_record() -> None:
    assert page.PAGE_FILE.read_text(encoding="utf-8") == page.full_page(), "make components"
