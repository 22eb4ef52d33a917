"""A match's thread is named after its game and players."""

from __future__ import annotations

import pytest

from cogs.screens.truncation import utf16_length
from cogs.table.channels.match_threads import LONGEST_NAME, thread_name
from tests.contract.helpers import HELPERS
from tests.contract.shown import LONG_NAMES, SHORT_NAMES, match_snapshots


@pytest.mark.parametrize("key", HELPERS)
def test_a_thread_says_what_is_played_and_who_plays_it(key: str) -> None:
    helper = HELPERS[key]
    start = helper.starts()[0]
    snapshot = match_snapshots(helper, start)[0]
    name = thread_name(snapshot)
    assert name == f"{key.capitalize()}: {', '.join(SHORT_NAMES[: start.seats])}"
    assert len(name) <= 40, "a narrow list shows no more"
    second, third = name.replace(":", " 2:"), name.replace(":", " 3:")
    reversed_names = f"{key.capitalize()} 2: {', '.join(reversed(SHORT_NAMES[: start.seats]))}"
    assert thread_name(snapshot, {name, "Chess 2: Ana"}) == second
    assert thread_name(snapshot, {name, reversed_names}) == third, "the order of the people tells nobody"
    assert utf16_length(thread_name(match_snapshots(helper, start, LONG_NAMES)[0])) <= LONGEST_NAME
