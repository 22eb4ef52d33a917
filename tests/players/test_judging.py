"""Hints and moves are judged by longer searches: in urns whose worth is known, and in decisions of real matches."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, ClassVar

import pytest

from bench.players import hints, mistakes
from bench.players.decisions import DECISIONS_PER_MATCH, PlayedDecision, iter_decisions
from players import Budget
from tests.games import GAMES
from tests.players.urn_game import MOVES, UrnGame, UrnModel, UrnView


class JudgedUrns(UrnModel):
    budget: ClassVar[Budget | None] = Budget(256)


@pytest.fixture
def urns(monkeypatch: pytest.MonkeyPatch) -> JudgedUrns:
    """Urn 5 is best, urn 1 next; urn 0, the policy's, is 4 behind."""
    model = JudgedUrns([0.0, 3.0, *[0.0] * 3, 4.0, 0.0, 0.0], luck=5, own=0.1)

    def urn_decisions(*_: Any) -> Iterator[PlayedDecision]:
        while True:
            yield PlayedDecision("urns", "draw", UrnView(), MOVES)

    class Chooser:
        def choose_move(self, *_: Any) -> int:
            return 0

    for module in (hints, mistakes):
        monkeypatch.setattr(module, "player_model_of", lambda _: model)
        monkeypatch.setattr(module, "iter_decisions", urn_decisions)
    monkeypatch.setattr(mistakes, "make_player", lambda *_: Chooser())
    monkeypatch.setattr(mistakes, "available_levels", lambda _: ("easy", "normal"))
    monkeypatch.setattr(UrnGame, "format_move", lambda _, move: f"urn {move}", raising=False)
    return model


def test_a_hint_with_the_right_figure_agrees_and_one_with_a_wrong_figure_does_not(urns: JudgedUrns) -> None:
    judged = list(islice(hints.judge_hints(urns.game, 1, {}), 10))
    assert all(abs(each.found - 1.0) < 0.3 for each in judged), "urn 5 is 1 ahead of urn 1"
    assert sum(each.agrees for each in judged) >= 8
    assert "all: " in hints.summarize(judged, 1)
    urns.own = 0.01
    wrong = [hints.JudgedHint(each.decision, each.said + 9, each.found, each.error) for each in judged]
    assert not any(each.agrees for each in wrong)
    assert hints.summarize(wrong, 1).startswith("all: 0.000 ± 0.000 of 10 agree")


def test_a_move_loses_what_the_best_one_is_ahead(urns: JudgedUrns) -> None:
    (judged,) = next(mistakes.judge_moves(urns.game, 1, {}, 4))
    assert (judged.level, judged.move, judged.best) == ("normal", "urn 0", "urn 5")
    assert 3.5 < judged.behind < 4.5
    assert judged.is_mistake
    assert [*mistakes.summarize([judged], 2)] == [
        f"normal, draw: {judged.behind * 2:.2f} behind in 1, 100.0% mistakes, mistakes lose {judged.behind * 2:.2f}"
    ]


@pytest.mark.parametrize("key", GAMES)
def test_decisions_have_a_choice_and_come_again_with_the_same_seed(key: str) -> None:
    game = GAMES[key]
    found = list(islice(iter_decisions(game, 3, {}), DECISIONS_PER_MATCH + 1))
    assert all(len(each.moves) > 1 for each in found)
    assert len({each.name for each in found}) == len(found)
    assert [each.name for each in islice(iter_decisions(game, 3, {}), len(found))] == [each.name for each in found]
    assert found[0].name.startswith(f"{game.seats[0]} seats, deal 3,")
