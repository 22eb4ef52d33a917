"""Matches of version 1 of Wizard's rules: read as they were stored, replayed, and continued without house rules."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from pydantic import ValidationError

from engines.kit.chance import Chance
from engines.wizard import WIZARD
from engines.wizard.model import Options, State

OLD = WIZARD.past_versions[1]
NEW_FIELDS = {"trick_count", "hand_plan", "hook", "bidding", "blind", "specials", "swap", "bid_change", "passes"}


def started_match(moves: int, options: Options | None = None) -> State:
    state: State = OLD.start(4, options or Options(rounds=5), Chance("7" * 32))
    rng = Random(7)
    for _ in range(moves):
        OLD.play(state, state.turn, rng.choice(OLD.moves(state, state.turn)))
    return state


def old_checkpoint(state: State) -> dict[str, Any]:
    checkpoint: dict[str, Any] = json.loads(OLD.checkpoint_adapter.dump_json(state))
    return checkpoint


def test_a_checkpoint_is_read_and_written_as_version_1_stored_it() -> None:
    for moves in (0, 3, 20, 60):
        state = started_match(moves)
        text = OLD.checkpoint_adapter.dump_json(state)
        assert not NEW_FIELDS & json.loads(text).keys()
        assert OLD.checkpoint_adapter.validate_json(text) == state
        assert OLD.checkpoint_adapter.dump_json(OLD.checkpoint_adapter.validate_json(text)) == text


def test_a_match_continues_under_the_new_version_as_it_would_have_under_the_old() -> None:
    old = started_match(30)
    carried = WIZARD.checkpoint_adapter.validate_python(WIZARD.migrate(old_checkpoint(old), 1))
    assert carried == old
    assert (carried.trick_count, carried.hand_plan, carried.hook) == (old.round, "growing", None)
    assert (carried.bidding, carried.blind) == ("open", False)
    rng = Random(1)
    while WIZARD.decisions(carried):
        moves = WIZARD.moves(carried, carried.turn)
        assert list(OLD.moves(old, old.turn)) == list(moves)
        move = rng.choice(moves)
        assert WIZARD.play(carried, carried.turn, move) == OLD.play(old, old.turn, move)
    assert WIZARD.outcome(carried) == OLD.outcome(old)


def test_both_versions_play_the_published_game_alike() -> None:
    assert WIZARD.start(4, Options(rounds=5), Chance("7" * 32)) == started_match(0)


def test_version_1_has_no_house_rules() -> None:
    assert started_match(0, Options(5, "all cards", 1)) == started_match(0)
    assert started_match(0, Options(5, bids="late", blind=True)) == started_match(0)


@pytest.mark.parametrize("damaged", [[], None, {}, {"round": 1}, {"round": "x"}])
def test_a_text_that_is_no_checkpoint_is_refused(damaged: object) -> None:
    with pytest.raises(ValidationError):
        OLD.checkpoint_adapter.validate_python(damaged)


def test_other_versions_are_not_known() -> None:
    with pytest.raises(LookupError, match="version 0"):
        WIZARD.migrate({}, 0)
