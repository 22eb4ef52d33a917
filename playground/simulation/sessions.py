"""The bot's sessions at the gateway: what each is told, and when one may begin."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from playground.world import ids
from playground.world.clock import Clock
from playground.world.world import Json

_KEPT_DISPATCHES: Final = 2000
_IDENTIFY_SECONDS: Final = 5.0
_STARTS_A_DAY: Final = 1000
_DAY: Final = 24 * 60 * 60.0


class Line(Protocol):
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

    def hears(self, guild_id: int) -> bool:
        """Whether it is told of a guild; of what is in none (0), such as direct messages, the first one is."""
        return ids.shard_of(guild_id, self.count) == self.number

    @classmethod
    def read(cls, told: Any) -> Shard | None:
        """What an identify says of it; None where that makes no sense."""
        match told:
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
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_KEPT_DISPATCHES))
    line: Line | None = None
    late: list[str] = field(default_factory=list)  # frames that come after the next one

    def send(self, frame: str) -> None:
        """Send a frame along the line, if there is one, and then those that are late; else a resume brings them."""
        late, self.late = self.late, []
        if self.line is not None:
            for each in (frame, *late):
                self.line.send(each)

    def can_replay(self, seen: int) -> bool:
        """Whether all that came after that number is still known."""
        oldest = self.sent[0][0] if self.sent else self.sequence + 1
        return oldest - 1 <= seen <= self.sequence

    def log_entry(self) -> Json:
        """What the log says of whom something was sent to: the shard, where there are several, and the process."""
        shard = [self.shard.number, self.shard.count] if self.shard.count > 1 else None
        return {key: value for key, value in (("shard", shard), ("process", self.process)) if value}


class Starts:
    """How many sessions may begin: of those shards that are alike modulo `concurrency`, one in five seconds.

    With `enforced` off all may, and they are only counted.
    """

    def __init__(self, clock: Clock, shards: int = 1, concurrency: int = 1, *, enforced: bool = True) -> None:
        """`shards` is into how many Discord recommends to divide the guilds."""
        self.shards = shards
        self.concurrency = concurrency
        self.enforced = enforced
        self._clock = clock
        self._last: dict[int, float] = {}
        self._today: deque[float] = deque()

    def take(self, shard: Shard) -> bool:
        """Count one that identifies; whether it may."""
        now, bucket = self._clock.now(), shard.number % self.concurrency
        self._today.append(now)
        too_soon = now - self._last.get(bucket, -_IDENTIFY_SECONDS) < _IDENTIFY_SECONDS
        if self.enforced and too_soon:
            return False
        self._last[bucket] = now
        return True

    def limit(self) -> Json:
        """What `/gateway/bot` says of it."""
        now = self._clock.now()
        while self._today and self._today[0] <= now - _DAY:
            self._today.popleft()
        left = self._today[0] + _DAY - now if self._today else _DAY
        return {
            "total": _STARTS_A_DAY,
            "remaining": max(0, _STARTS_A_DAY - len(self._today)),
            "reset_after": int(left * 1000),
            "max_concurrency": self.concurrency,
        }
