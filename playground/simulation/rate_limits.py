"""Discord's rate limits: over all, per route and channel, and the stricter one for editing old messages."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from hashlib import md5
from typing import Final

from playground.world.clock import Clock

OLD_MESSAGE_SECONDS: Final = 3600.0
_OVER_ALL: Final = 50
_OLD_EDITS: Final = 3
_OLD_EDIT_SECONDS: Final = 6.0


@dataclass(frozen=True, slots=True)
class Pace:
    """So many requests in so many seconds."""

    requests: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a request may pass, and what the headers say."""

    allowed: bool
    retry_after: float
    headers: dict[str, str]


class RateLimits:
    """Counts requests by bucket. With `enforced` off it lets all pass and only old edits are counted."""

    def __init__(self, clock: Clock, *, enforced: bool = True) -> None:
        self.enforced = enforced
        self._clock = clock
        self._hits: dict[str, deque[float]] = {}

    def over_all(self) -> float:
        """Count one request of the bot's, whatever the route; how long to wait, 0 when it may pass."""
        return self._count("over all", Pace(_OVER_ALL, 1.0))[1] if self.enforced else 0.0

    def request(self, route: str, major: str, pace: Pace | None) -> Verdict:
        """Count one request to a route about a channel, guild or token."""
        if pace is None or not self.enforced:
            return Verdict(True, 0.0, {})
        hits, wait = self._count(f"{route}:{major}", pace)
        remaining = max(0, pace.requests - len(hits))
        reset_after = max(0.0, hits[0] + pace.seconds - self._clock.now()) if hits else pace.seconds
        headers = {
            "X-RateLimit-Limit": str(pace.requests),
            "X-RateLimit-Remaining": str(remaining),
            "X-RateLimit-Reset": f"{self._clock.now() + reset_after:.3f}",
            "X-RateLimit-Reset-After": f"{reset_after:.3f}",
            "X-RateLimit-Bucket": md5(route.encode(), usedforsecurity=False).hexdigest(),
        }
        return Verdict(wait == 0.0, wait, headers)

    def old_edit(self, channel_id: int) -> float:
        """Count an edit of a message over an hour old; how long to wait, 0 when it may pass."""
        _, wait = self._count(f"old edits:{channel_id}", Pace(_OLD_EDITS, _OLD_EDIT_SECONDS))
        return wait

    def _count(self, key: str, pace: Pace) -> tuple[deque[float], float]:
        now = self._clock.now()
        hits = self._hits.setdefault(key, deque())
        while hits and hits[0] <= now - pace.seconds:
            hits.popleft()
        if len(hits) >= pace.requests:
            return hits, max(0.001, hits[0] + pace.seconds - now)
        hits.append(now)
        return hits, 0.0
