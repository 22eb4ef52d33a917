"""Tests table options: those of features beside the core's, and how a table stores them."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import pytest

from engines.features.breaks import LIMIT
from engines.features.guesses.guessing import CAN_GUESS
from engines.features.hints import CAN_ASK
from engines.features.registry import TABLE_OPTIONS
from engines.features.takebacks.rules import TAKEBACKS
from engines.store.table_options import (
    CLOCK,
    CORE_OPTIONS,
    TableOption,
    TableOptions,
    change_any_option,
    format_table_options,
    list_table_options,
    options_for,
    parse_table_options,
    validate_table_options,
)
from tests.games import GAMES

STAKES: TableOption[str] = TableOption(
    name="stakes", default="none at all", values=("none at all", "low", "high"), rank=55
)
KNOWN = list_table_options((CAN_ASK, CAN_GUESS, STAKES, TAKEBACKS, LIMIT))
WIZARD, GLIMPSE = GAMES["wizard"], GAMES["glimpse"]


def test_options_of_features_stand_among_those_of_the_core_by_rank() -> None:
    names = [option.name for option in KNOWN]
    assert names == ["clock", "hints", "breaks", "autoplay", "guesses", "stakes", "takebacks"]
    assert {*CORE_OPTIONS} < {*KNOWN}


def test_two_options_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="Two table options are called clock"):
        list_table_options((CLOCK,))


def test_a_table_has_the_default_of_what_nobody_chose_and_equals_one_that_chose_it() -> None:
    plain = TableOptions(known=KNOWN)
    assert (plain.of(STAKES), plain.of(CAN_GUESS), plain.of(CLOCK)) == ("none at all", False, "24 hours")
    high = plain.set_option(STAKES, "high")
    assert (high.of(STAKES), high.of(CAN_GUESS)) == ("high", False)
    changed = high.set_option(CLOCK, None).set_option(STAKES, "none at all").set_option(CLOCK, "24 hours")
    assert (changed, hash(changed)) == (plain, hash(plain)) != (high, hash(high))
    sent = pickle.loads(pickle.dumps(high))
    assert (sent, sent.of(STAKES), sent.known) == (high, "high", CORE_OPTIONS), "a worker process gets the values alone"
    one, other = high.set_option(CAN_GUESS, True), plain.set_option(CAN_GUESS, True).set_option(STAKES, "high")
    assert one == other


def test_a_default_table_is_stored_as_version_1_0_0_stored_it() -> None:
    """An older version beside this one reads it, unless the table uses what that version does not know."""
    stored = (
        '{"clock":"24 hours","hints":true,"breaks":"1 day","autoplay":true,"guesses":false,"takebacks":"by consent"}'
    )
    assert format_table_options(TableOptions(known=TABLE_OPTIONS)) == stored
    assert format_table_options(TableOptions(known=KNOWN)) == stored
    high = TableOptions(known=KNOWN).set_option(STAKES, "high")
    assert '"guesses":false,"stakes":"high","takebacks"' in format_table_options(high)
    assert parse_table_options(format_table_options(high), TABLE_OPTIONS)[1], "a version without stakes leaves it alone"


@pytest.mark.parametrize("option", KNOWN, ids=lambda option: option.name)
def test_every_value_survives_being_stored(option: TableOption[Any]) -> None:
    for value in option.values:
        chosen = TableOptions(known=KNOWN).set_option(option, value)
        assert parse_table_options(format_table_options(chosen), KNOWN) == (chosen, False)
        assert validate_table_options(chosen) is chosen


def test_a_value_that_an_option_does_not_have_is_refused() -> None:
    for option, value in dict[TableOption[Any], Any]({STAKES: "sky-high", CAN_GUESS: 1}).items():
        wrong = TableOptions(known=KNOWN).set_option(option, value)
        with pytest.raises(ValueError, match=f"^{option.name.capitalize()} can be "):
            validate_table_options(wrong)
        assert parse_table_options(format_table_options(wrong), KNOWN) == (None, True)


def test_an_option_that_does_not_apply_to_a_game_is_not_offered_there() -> None:
    assert CAN_GUESS in options_for(WIZARD, KNOWN)
    assert options_for(GLIMPSE, KNOWN) == tuple(option for option in KNOWN if option is not CAN_GUESS)
    table_options = TableOptions(known=KNOWN)
    assert change_any_option(WIZARD, WIZARD.options(), table_options, "Guesses", "true")[1].of(CAN_GUESS)
    with pytest.raises(ValueError, match="no such option"):
        change_any_option(GLIMPSE, GLIMPSE.options(), table_options, "guesses", "true")


def test_the_option_with_the_lowest_limit_says_how_long_a_decision_may_rest() -> None:
    nights: TableOption[int] = TableOption(
        name="nights", default=9, values=(1, 9), rank=56, rest_limits={1: 60, 9: 540}
    )
    known = list_table_options((LIMIT, nights))
    table_options = TableOptions(known=known)
    assert table_options.of(LIMIT) == "1 day"
    assert (table_options.rest_seconds, table_options.set_option(nights, 1).rest_seconds) == (540, 60)
    assert table_options.set_option(LIMIT, None).rest_seconds == 0
    assert replace(table_options, clock="5 minutes").rest_seconds == 0
    assert replace(table_options, clock=None).rest_seconds is None
    assert TableOptions().rest_seconds is None, "nothing limits a rest"
