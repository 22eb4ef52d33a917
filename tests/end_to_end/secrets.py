"""What a text gives away of a running match, for tests of the whole bot that are about something else."""

from __future__ import annotations

from engines.hosting.match import MatchSnapshot
from tests.contract.helpers import HELPERS
from tests.contract.secrets import OWN_HAND_PATTERN, find_matches, normalise_spaces


def find_leaks(now: MatchSnapshot, text: str, reader: int | None) -> list[str]:
    """What of that which is hidden from a reader a text names; nothing, it should be."""
    helper = HELPERS[now.info.game]
    patterns = tuple(helper.secret_patterns(now.state, reader))
    found = find_matches(patterns, helper.strip_harmless(normalise_spaces(text)))
    return found + (["a hand"] if reader is None and OWN_HAND_PATTERN.search(text) else [])
