"""A match's thread is called by its game and its players."""

from __future__ import annotations

import pytest

from cogs.screens.truncation import units
from cogs.table.channels.match_threads import LONGEST_NAME, called
from tests.contract.helpers import HELPERS
from tests.contract.shown import LONG, SHORT, looks


@pytest.mark.parametrize("key", HELPERS)
def test_a_thread_says_what_is_played_and_who_plays_it(key: str) -> None:
    helper = HELPERS[key]
    start = helper.starts()[0]
    name = called(looks(helper, start)[0])
    assert name == f"{key.capitalize()}: {', '.join(SHORT[: start.seats])}"
    assert len(name) <= 40, "a narrow list shows no more"
    second, third = name.replace(":", " 2:"), name.replace(":", " 3:")
    reversed_names = f"{key.capitalize()} 2: {', '.join(reversed(SHORT[: start.seats]))}"
    assert called(looks(helper, start)[0], {name, "Chess 2: Ana"}) == second
    assert called(looks(helper, start)[0], {name, reversed_names}) == third, "the order of the people tells nobody"
    assert units(called(looks(helper, start, LONG)[0])) <= LONGEST_NAME
