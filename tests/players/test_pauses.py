"""How long a computer pauses: longer if more moves are possible from outside, varied, and always the same again."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

from engines.wizard import WIZARD
from players.pauses import LONGEST_PAUSE, SHORTEST_PAUSE, pause_before
from tests.engines.wizard.positions import parse_position, seat_to_act

ONE_CARD = "trump: H | hand: 2C"
MANY_CARDS = "trump: H | hand: 2C 3C 4D 5D 6H 7H 8S 9S 10S JS QS KS AS wizard jester"


def pauses(text: str, pace: float = 1.0, seeds: int = 60) -> list[float]:
    state = parse_position(text)
    seat, view = seat_to_act(state), WIZARD.view(state, None)
    return [pause_before(WIZARD, view, seat, f"{seed}", pace) for seed in range(seeds)]


def test_a_choice_among_many_moves_takes_longer_and_no_pause_is_like_another() -> None:
    one, many = pauses(ONE_CARD), pauses(MANY_CARDS)
    assert fmean(many) > fmean(one) + 0.8
    assert len(set(one)) > 10 < len(set(many))
    assert SHORTEST_PAUSE <= min(one) < max(many) <= LONGEST_PAUSE
    assert pauses(MANY_CARDS) == many


def test_somebody_whose_card_must_follow_pauses_as_if_it_had_to_choose() -> None:
    """What it holds is known to nobody else."""
    free = "trump: H | trick: 9C | bids: 1 1 1 | hand: 2D 3D 4S"
    bound = "trump: H | trick: 9C | bids: 1 1 1 | hand: 2C 3D 4S"
    assert [len(WIZARD.moves(state, seat_to_act(state))) for state in map(parse_position, (free, bound))] == [3, 1]
    assert pauses(free) == pauses(bound)


def test_the_hasty_and_the_thoughtful_keep_the_limits() -> None:
    hasty, thoughtful = pauses(MANY_CARDS, 0.7), pauses(MANY_CARDS, 1.4)
    assert fmean(hasty) < 0.6 * fmean(thoughtful)
    for far in (0.01, 100.0):
        assert {*pauses(MANY_CARDS, far, 5)} == {SHORTEST_PAUSE if far < 1 else LONGEST_PAUSE}


def test_only_what_spectators_see_counts() -> None:
    state: Any = parse_position(ONE_CARD)
    with pytest.raises(AssertionError, match="everybody sees"):
        pause_before(WIZARD, WIZARD.view(state, 0), 0, "seed")
