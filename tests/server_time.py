"""Time that rests, or is wrong, as a test says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SetServerTime:
    """Since when time rests in all servers (None: it runs), and by how many seconds the clock is ahead."""

    began: int | None = None
    ahead: int = 0

    def rest_began(self, guild: int) -> int | None:
        return self.began

    def seconds_ahead(self) -> int:
        return self.ahead
