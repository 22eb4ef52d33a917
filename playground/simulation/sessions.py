"""The bot's sessions at the gateway: what each is told, and when one may begin."""

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
    """Which part of the guilds a session is told of: those of this number, of so many."""

    number: int = 0
    count: int = 1

    def covers_guild(self, guild_id: int) -> bool:
        """Whether it is told of a guild; of what is in none (0), such as direct messages, the first one is."""
        return ids.shard_of(guild_id, self.count) == self.number

    @classmethod
    def parse(cls, value: Any) -> Shard | None:
        """What an identify says of it; None where that makes no sense."""
        match value:
            case None:
                return cls()
            case [int(number), int(count)] if 0 <= number < count:
                return cls(number, count)
        return None


@dataclass(slots=True)
class Session:
    """One bot session, which outlives its connections. `process` is whose it is, where that is known."""

    id: str
    intents: int
    shard: Shard = Shard()
    process: str = ""
    sequence: int = 0
    sent_frames: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_MAX_REPLAY_FRAMES))
    transport: Transport | None = None
    delayed_frames: list[str] = field(default_factory=list)  # frames that come after the next one

    def send(self, frame: str) -> None:
        """Send a frame along the line, if there is one, and then those that are late; else a resume brings them."""
        late, self.delayed_frames = self.delayed_frames, []
        if self.transport is not None:
            for each in (frame, *late):
                self.transport.send(each)

    def can_replay(self, last_seen: int) -> bool:
        """Whether all that came after that number is still known."""
        oldest = self.sent_frames[0][0] if self.sent_frames else self.sequence + 1
        return oldest - 1 <= last_seen <= self.sequence

    def log_fields(self) -> Json:
        """What the log says of whom something was sent to: the shard, where there are several, and the process."""
        shard = [self.shard.number, self.shard.count] if self.shard.count > 1 else None
        return {key: value for key, value in (("shard", shard), ("process", self.process)) if value}


class SessionStartLimit:
    """How many sessions may begin: of those shards that are alike modulo `concurrency`, one in five seconds.

    With `enforced` off all may, and they are only counted.
    """

    def __init__(self, clock: Clock, shards: int = 1, concurrency: int = 1, *, enforced: bool = True) -> None:
        """`shards` is into how many Discord recommends to divide the guilds."""
        self.shards = shards
        self.concurrency = concurrency
        self.enforced = enforced
        self._clock = clock
        self._last_start: dict[int, float] = {}
        self._recent_starts: deque[float] = deque()

    def try_start(self, shard: Shard) -> bool:
        """Count one that identifies; whether it may."""
        now, bucket = self._clock.now(), shard.number % self.concurrency
        self._recent_starts.append(now)
        too_soon = now - self._last_start.get(bucket, -_IDENTIFY_SECONDS) < _IDENTIFY_SECONDS
        if self.enforced and too_soon:
            return False
        self._last_start[bucket] = now
        return True

    def limit_object(self) -> Json:
        """What `/gateway/bot` says of it."""
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
