"""How the numbers for the last offers of Jest are fitted."""

from __future__ import annotations

import sys
from itertools import islice
from statistics import fmean

import pytest

from bench.players.jest import last_offers
from bench.players.jest.last_offers import play_against_present, search_offers
from players.jest.numbers import load_weights

PRESENT = load_weights().last_offer


def test_the_present_numbers_lose_less_than_a_card_by_chance() -> None:
    offers = [*islice(search_offers(4, 40, 310001), 60)]
    assert {(len(each.own), len(each.theirs)) for each in offers} == {(2, 3)}
    assert fmean(each.loss(PRESENT) for each in offers) < 0.9 * fmean(abs(each.better) for each in offers) / 2


def test_a_policy_with_the_present_numbers_has_a_fair_share() -> None:
    assert play_against_present(PRESENT, 3, 5) == pytest.approx((1 / 3, 0))
    others = PRESENT.model_copy(update={"taken": -20.0})
    assert any(play_against_present(others, 3, seed) != pytest.approx((1 / 3, 0)) for seed in range(9))


def test_the_command_prints_a_line_for_each_set_of_numbers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["last_offers", "--seats", "3", "--offers", "2", "--worlds", "4", "--deals", "2"])
    last_offers.main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 8
    assert lines[1].startswith("the present numbers: ")
    assert "share 0.33 (0.33 to 0.33), ahead by" in lines[1]
