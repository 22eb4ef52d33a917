"""How long discord.py waits before it connects to the gateway again: an outage costs little more than its length."""

from __future__ import annotations

from typing import Any

import discord.client
from discord.backoff import ExponentialBackoff

TRIES = 64  # some three minutes
LONGEST, LONGEST_LATER = 5.0, 300.0  # seconds; Discord allows a thousand new sessions a day


class Patience(ExponentialBackoff[Any]):
    """Up to five seconds for some minutes, then as discord.py does, which after ten tries may wait 17 minutes."""

    def __init__(self, base: int = 1, *, integral: Any = False) -> None:
        super().__init__(base, integral=integral)
        self._tries = 0

    def delay(self) -> Any:
        """The next pause in seconds."""
        pause = super().delay()
        self._tries = 1 if self._exp == 1 else self._tries + 1
        return min(pause, LONGEST if self._tries <= TRIES else LONGEST_LATER)


def use_patience() -> None:
    """Have discord.py's clients wait like that; they offer no setting for it."""
    vars(discord.client)["ExponentialBackoff"] = Patience
