"""Jesters: no dealt Gift decides, failure matters, and a turn is more than learning, by trials on record."""

from __future__ import annotations

import pytest

from engines.jesters import JESTERS
from engines.jesters.components.catalogue import gift
from engines.jesters.model import Options
from engines.kit.chance import Chance
from tests.engines.jesters import trials
from tests.engines.jesters.games import load_figures, sum_figures
from tests.engines.jesters.trials import HEEDLESS, PART_COUNT, SEATS, all_trials, deal_gift, gifts_by_kind, win_share

ALL = trials.load_parts()
PLAIN = sum_figures(load_figures())


@pytest.mark.parametrize("trial", all_trials())
def test_a_trial_goes_as_it_is_on_record(trial: str) -> None:
    part = all_trials().index(trial)  # another one of each
    assert trials.play_part(trial, part) == ALL[trial][part], "make trials components"


@pytest.mark.parametrize("trial", all_trials())
def test_in_four_thousand_games_every_kind_of_gift_wins_its_share_and_ignoring_failure_no_more(trial: str) -> None:
    parts = ALL[trial]
    assert [part.part for part in parts] == list(range(PART_COUNT))
    assert PART_COUNT * trials.GAMES_PER_PART >= 4000
    assert sum(part.learns for part in parts) / sum(part.turns for part in parts) < 0.4  # the rest is no plain Learn
    if trial == HEEDLESS:
        assert win_share(parts) <= 0.27
    else:
        assert 0.22 <= win_share(parts) <= 0.28
        assert 0.75 <= sum(part.met for part in parts) / sum(part.attempts for part in parts) <= 0.9


def test_among_sensible_players_two_in_five_turns_learn_and_75_to_90_percent_of_attempts_succeed() -> None:
    assert set(PLAIN.actions) == {"Learn", "Perform", "Pass"}
    assert PLAIN.actions["Learn"] / PLAIN.actions.total() < 0.4
    assert 0.75 <= PLAIN.done.total() / PLAIN.tried.total() <= 0.9
    for fame, attempts in PLAIN.by_fame.items():
        assert attempts.met / attempts.number <= 0.95, fame


def test_a_gift_is_dealt_on_purpose_from_any_place() -> None:
    for wanted in range(1, 26):
        state = JESTERS.start(SEATS, Options(), Chance(f"{7:032x}"))
        everything = sorted([*(own for gifts in state.gifts for own in gifts), *state.gift_pile])
        deal_gift(state, 2, wanted)
        assert state.gifts[2] == [wanted]
        assert sorted([*(own for gifts in state.gifts for own in gifts), *state.gift_pile]) == everything


def test_the_kinds_are_all_there_are() -> None:
    kinds = {name: len(gifts) for name, gifts in gifts_by_kind().items()}
    assert list(kinds) == ["Opposite", "Recolour", "FameForSymbol", "FameForColour", "Extra", "Reroll"]
    assert list(kinds.values()) == [4, 4, 10, 4, 2, 1]
    for name, gifts in gifts_by_kind().items():
        assert {type(gift(number).effect).__name__ for number in gifts} == {name}
