"""Spectators guess who claims the next banner."""

from __future__ import annotations

from dataclasses import replace

from engines.court import COURT
from engines.court.guesses import ROUNDS
from engines.court.model import BannerClaimed, CardsDrawn, MatchEnded, PhaseSkipped
from engines.features.guesses.questions import NOBODY, GuessQuestion
from engines.kit.contract import Event
from tests.engines.court.positions import THREE, parse_position

VIEW = COURT.view(parse_position(THREE), None)
TURN: list[Event] = [PhaseSkipped(seat=0), CardsDrawn(seat=0, number=2)]


def test_each_banner_is_asked_about_for_some_turns_after_the_one_before() -> None:
    last_turn, choices = TURN * (3 * ROUNDS - 1), (0, 1, 2)
    assert COURT.guess_question(VIEW, []) == COURT.guess_question(VIEW, last_turn) == GuessQuestion(1, choices)
    assert COURT.guess_question(VIEW, TURN * 3 * ROUNDS) is None
    claimed = [*TURN * 9, BannerClaimed(seat=1, suit=2)]
    assert COURT.guess_question(VIEW, claimed) == GuessQuestion(2, choices)
    assert COURT.guess_question(VIEW, [*claimed, *last_turn]) == GuessQuestion(2, choices)
    assert COURT.guess_question(VIEW, [*claimed, *TURN * 3 * ROUNDS]) is None


def test_only_true_claims_of_a_banner_are_made() -> None:
    events = [BannerClaimed(seat=1, suit=2), *TURN, BannerClaimed(seat=0, suit=2)]
    assert COURT.guess_answers(events) == {1: {1}, 2: {0}}


def test_nobody_is_right_if_the_limit_of_turns_ends_the_match() -> None:
    limited = replace(VIEW, cap=20)
    assert COURT.guess_question(limited, []) == GuessQuestion(1, (0, 1, 2, NOBODY))
    ended = [BannerClaimed(seat=1, suit=2), *TURN, MatchEnded(ending="turns", winners=(1,))]
    assert COURT.guess_answers(ended) == {1: {1}, 2: {NOBODY}}
    won = [BannerClaimed(seat=1, suit=2), MatchEnded(ending="banners", winners=(1,))]
    assert COURT.guess_answers(won) == {1: {1}}
