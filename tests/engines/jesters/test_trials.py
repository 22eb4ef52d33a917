"""Jesters: no dealt Gift decides, failure matters, and a turn is more than learning, by trials on record."""

from __future__ import annotations

import pytest

from engines.jesters import JESTERS
from engines.jesters.components.catalogue import gift
from engines.jesters.model import Options
from engines.kit.chance import Chance
from tests.engines.jesters.games import load_figures as games
from tests.engines.jesters.games import sum_figures
from tests.engines.jesters.trials import (
    GAMES_PER_PART,
    HEEDLESS,
    PART_COUNT,
    SEATS,
    all_trials,
    deal_gift,
    gifts_by_kind,
    load_parts,
    play_part,
    win_share,
)

ALL = load_parts()
PLAIN = sum_figures(games())


@pytest.mark.parametrize("trial", all_trials())
def test_a_trial_goes_as_it_is_on_record(trial: str) -> None:
    part = all_trials().index(trial)  # another one of each
    assert play_part(trial, part) == ALL[trial][part], "make trials components"


@pytest.mark.parametrize("trial", all_trials())
def test_each_kind_of_gift_is_dealt_four_thousand_times_and_failure_ignored_as_often(trial: str) -> None:
    assert [part.part for part in ALL[trial]] == list(range(PART_COUNT))
    assert PART_COUNT * GAMES_PER_PART >= 4000


@pytest.mark.parametrize("kind", gifts_by_kind())
def test_every_kind_of_gift_wins_its_share(kind: str) -> None:
    assert 0.22 <= win_share(ALL[kind]) <= 0.28


def test_who_ignores_failure_does_not_win_more_often() -> None:
    assert win_share(ALL[HEEDLESS]) <= 0.27


@pytest.mark.parametrize("trial", all_trials())
def test_fewer_than_two_turns_in_five_are_a_plain_learn(trial: str) -> None:
    assert sum(part.learns for part in ALL[trial]) / sum(part.turns for part in ALL[trial]) < 0.4


def test_nor_are_they_where_all_play_sensibly() -> None:
    assert set(PLAIN.actions) == {"Learn", "Perform", "Pass"}
    assert PLAIN.actions["Learn"] / PLAIN.actions.total() < 0.4


@pytest.mark.parametrize("kind", gifts_by_kind())
def test_attempts_succeed_in_75_to_90_percent_with_every_gift(kind: str) -> None:
    assert 0.75 <= sum(part.met for part in ALL[kind]) / sum(part.attempts for part in ALL[kind]) <= 0.9


def test_attempts_succeed_in_75_to_90_percent_and_in_no_class_of_fame_always() -> None:
    assert 0.75 <= PLAIN.done.total() / PLAIN.tried.total() <= 0.9
    for fame, attempts in PLAIN.by_fame.items():
        assert attempts.met / attempts.number <= 0.95, fame


def test_a_gift_is_dealt_on_purpose_wherever_it_is() -> None:
    for wanted in range(1, 26):
        state = JESTERS.start(SEATS, Options(), Chance(f"{7:032x}"))
        everything = sorted([*(own for gifts in state.gifts for own in gifts), *state.gift_pile])
        deal_gift(state, 2, wanted)
        assert state.gifts[2] == [wanted]
        assert sorted([*(own for gifts in state.gifts for own in gifts), *state.gift_pile]) == everything


def test_the_kinds_are_all_there_are() -> None:
    assert {name: len(gifts) for name, gifts in gifts_by_kind().items()} == {
        "Opposite": 4,
        "Recolour": 4,
        "FameForSymbol": 10,
        "FameForColour": 4,
        "Extra": 2,
        "Reroll": 1,
    }
    assert all(
        type(gift(number).effect).__name__ == name for name, gifts in gifts_by_kind().items() for number in gifts
    )
