"""The bot's sessions at the gateway: which events each receives, and when one may start."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from playground.world import ids
from playground.world.clock import Clock
from playground.world.world import Json

_MAX_REPLAY_FRAMES: Final = 2000
_IDENTIFY_SECONDS: Final = 5.0
_STARTS_PER_DAY: Final = 1000
_DAY_SECONDS: Final = 24 * 60 * 60.0


class Transport(Protocol):
    """One WebSocket connection of the bot."""

    def send(self, frame: str) -> None:
        """Queue a frame; never blocks."""

    def hang_up(self, code: int) -> None:
        """Close the connection with a close code."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A shard: its number and the number of shards."""

    number: int = 0
    count: int = 1

    def covers_guild(self, guild_id: int) -> bool:
        """Return whether it receives a guild's events; the first shard also gets those without a guild (0)."""
        return ids.shard_of(guild_id, self.count) == self.number

    @classmethod
    def parse(cls, value: Any) -> Shard | None:
        """Parse the shard in an identify; None if it is not valid."""
        match value:
            case None:
                return cls()
            case [int(number), int(count)] if 0 <= number < count:
                return cls(number, count)
        return None


@dataclass(slots=True)
class Session:
    """One bot session, which outlives its connections. `process` is its process, if known."""

    id: str
    intents: int
    shard: Shard = Shard()
    process: str = ""
    sequence: int = 0
    sent_frames: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_MAX_REPLAY_FRAMES))
    transport: Transport | None = None
    delayed_frames: list[str] = field(default_factory=list)  # frames to send after the next one

    def send(self, frame: str) -> None:
        """Send a frame, then the delayed ones; without a connection, a resume sends them."""
        late, self.delayed_frames = self.delayed_frames, []
        if self.transport is not None:
            for each in (frame, *late):
                self.transport.send(each)

    def can_replay(self, last_seen: int) -> bool:
        """Return whether everything after that number is still stored."""
        oldest = self.sent_frames[0][0] if self.sent_frames else self.sequence + 1
        return oldest - 1 <= last_seen <= self.sequence

    def log_fields(self) -> Json:
        """Return the shard, if there are several, and the process, for the log."""
        shard = [self.shard.number, self.shard.count] if self.shard.count > 1 else None
        return {key: value for key, value in (("shard", shard), ("process", self.process)) if value}


class SessionStartLimit:
    """The limit for starting sessions: one in five seconds for all shards that are equal modulo `concurrency`.

    Unless `enforced`, all may start and are only counted.
    """

    def __init__(self, clock: Clock, shards: int = 1, concurrency: int = 1, *, enforced: bool = True) -> None:
        """Create a limit; `shards` is the number of shards that Discord recommends."""
        self.shards = shards
        self.concurrency = concurrency
        self.enforced = enforced
        self._clock = clock
        self._last_start: dict[int, float] = {}
        self._recent_starts: deque[float] = deque()

    def try_start(self, shard: Shard) -> bool:
        """Count an identify; return whether it may start."""
        now, bucket = self._clock.now(), shard.number % self.concurrency
        self._recent_starts.append(now)
        too_soon = now - self._last_start.get(bucket, -_IDENTIFY_SECONDS) < _IDENTIFY_SECONDS
        if self.enforced and too_soon:
            return False
        self._last_start[bucket] = now
        return True

    def limit_object(self) -> Json:
        """Return the limit's state for `/gateway/bot`."""
        now = self._clock.now()
        while self._recent_starts and self._recent_starts[0] <= now - _DAY_SECONDS:
            self._recent_starts.popleft()
        left = self._recent_starts[0] + _DAY_SECONDS - now if self._recent_starts else _DAY_SECONDS
        return {
            "total": _STARTS_PER_DAY,
            "remaining": max(0, _STARTS_PER_DAY - len(self._recent_starts)),
            "reset_after": int(left * 1000),
            "max_concurrency": self.concurrency,
        }
