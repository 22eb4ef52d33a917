"""What a text gives away of a running match, for tests of the whole bot that are about something else."""

from __future__ import annotations

from engines.hosting.match import Look
from tests.contract.helpers import HELPERS
from tests.contract.secrets import OWN, named, plainly


def tells(now: Look, text: str, reader: int | None) -> list[str]:
    """What of that which is hidden from a reader a text names; nothing, it should be."""
    helper = HELPERS[now.info.game]
    found = named(tuple(helper.secrets(now.state, reader)), helper.harmless(plainly(text)))
    return found + (["a hand"] if reader is None and OWN.search(text) else [])
