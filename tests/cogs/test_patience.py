"""discord.py connects again in time after an outage, and not too often after a long one."""

from __future__ import annotations

import inspect
from typing import Any

import discord.client
import pytest
from discord.backoff import ExponentialBackoff

from cogs.patience import LONGEST, LONGEST_LATER, TRIES, Patience, use_patience


class Longest(Patience):
    """Always the longest pause that may be."""

    def __init__(self) -> None:
        super().__init__()
        self._randfunc = lambda least, most: most


def test_pauses_grow_to_five_seconds_and_only_after_minutes_beyond() -> None:
    patience = Longest()
    pauses = [patience.delay() for _ in range(TRIES + 5)]
    assert pauses[:4] == [2, 4, 5, 5]
    assert set(pauses[4:TRIES]) == {LONGEST}
    assert sum(pauses) > 120
    assert pauses[TRIES:] == [LONGEST_LATER] * 5


def test_a_new_outage_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    patience = Longest()
    for _ in range(TRIES + 5):
        patience.delay()
    now = patience._last_invocation
    monkeypatch.setattr("time.monotonic", lambda: now + 3600)
    assert patience.delay() == 2


def test_discord_py_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord.client, "ExponentialBackoff", ExponentialBackoff)
    use_patience()
    assert vars(discord.client)["ExponentialBackoff"] is Patience
    assert "backoff = ExponentialBackoff()" in inspect.getsource(discord.client.Client.connect)
    made: Any = vars(discord.client)["ExponentialBackoff"]()
    assert made.delay() <= 2
