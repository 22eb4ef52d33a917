"""Discord's rate limits: global, per route and channel, and the stricter one for editing old messages."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from hashlib import md5
from typing import Final

from playground.world.clock import Clock

OLD_MESSAGE_SECONDS: Final = 3600.0
_GLOBAL_REQUESTS: Final = 50
_OLD_EDIT_COUNT: Final = 3
_OLD_EDIT_SECONDS: Final = 6.0


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A number of requests per number of seconds."""

    requests: int
    seconds: float


@dataclass(frozen=True, slots=True)
class RateLimitResult:
    """Whether a request may pass, and its rate limit headers."""

    is_allowed: bool
    retry_after: float
    headers: dict[str, str]


class RateLimits:
    """Counts requests by bucket. Unless `enforced`, everything passes and only old edits are counted."""

    def __init__(self, clock: Clock, *, enforced: bool = True) -> None:
        self.enforced = enforced
        self._clock = clock
        self._hits: dict[str, deque[float]] = {}

    def count_global(self) -> float:
        """Count a request against the global limit; return how long to wait, 0 if it may pass."""
        return self._count_hit("over all", RateLimit(_GLOBAL_REQUESTS, 1.0))[1] if self.enforced else 0.0

    def count_request(self, route: str, major: str, rate_limit: RateLimit | None) -> RateLimitResult:
        """Count a request to a route about a channel, guild or token."""
        if rate_limit is None or not self.enforced:
            return RateLimitResult(True, 0.0, {})
        hits, wait = self._count_hit(f"{route}:{major}", rate_limit)
        remaining = max(0, rate_limit.requests - len(hits))
        reset_after = max(0.0, hits[0] + rate_limit.seconds - self._clock.now()) if hits else rate_limit.seconds
        headers = {
            "X-RateLimit-Limit": str(rate_limit.requests),
            "X-RateLimit-Remaining": str(remaining),
            "X-RateLimit-Reset": f"{self._clock.now() + reset_after:.3f}",
            "X-RateLimit-Reset-After": f"{reset_after:.3f}",
            "X-RateLimit-Bucket": md5(route.encode(), usedforsecurity=False).hexdigest(),
        }
        return RateLimitResult(wait == 0.0, wait, headers)

    def count_old_edit(self, channel_id: int) -> float:
        """Count an edit of a message over an hour old; return how long to wait, 0 if it may pass."""
        _, wait = self._count_hit(f"old edits:{channel_id}", RateLimit(_OLD_EDIT_COUNT, _OLD_EDIT_SECONDS))
        return wait

    def _count_hit(self, key: str, rate_limit: RateLimit) -> tuple[deque[float], float]:
        now = self._clock.now()
        hits = self._hits.setdefault(key, deque())
        while hits and hits[0] <= now - rate_limit.seconds:
            hits.popleft()
        if len(hits) >= rate_limit.requests:
            return hits, max(0.001, hits[0] + rate_limit.seconds - now)
        hits.append(now)
        return hits, 0.0
