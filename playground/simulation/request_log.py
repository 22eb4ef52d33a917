"""The log of requests between bot and server, newest last."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from playground.world.clock import Clock
from playground.world.world import Json

_MAX_ENTRIES: Final = 3000
_MAX_TEXT_LENGTH: Final = 1500

TO_SERVER: Final = "bot→server"
TO_BOT: Final = "server→bot"


class RequestLog:
    """Stores the last few thousand entries, numbered from 1."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._entries: deque[Json] = deque(maxlen=_MAX_ENTRIES)
        self._count = 0
        self.on_entry: Callable[[Json], None] = lambda entry: None

    def add_entry(
        self,
        direction: str,
        method: str,
        path: str,
        *,
        status: int = 0,
        milliseconds: float = 0.0,
        body: Any = None,
        response: Any = None,
        cut: str = "",
        process: str = "",
        shard: list[int] | None = None,
    ) -> None:
        """Log one exchange, with shortened body and response. `cut`: its connection broke "before" or "after" it.

        `process` is the bot's process, and `shard` its session, if there are several.
        """
        self._count += 1
        entry = {
            "n": self._count,
            "at_ms": int(self._clock.now() * 1000),
            "direction": direction,
            "method": method,
            "path": path,
            "status": status,
            "ms": round(milliseconds, 1),
            "body": _shorten(body),
            "response": _shorten(response),
            **{key: value for key, value in (("cut", cut), ("process", process), ("shard", shard)) if value},
        }
        self._entries.append(entry)
        self.on_entry(entry)

    def entries_since(self, number: int) -> list[Json]:
        """Return the entries after that number."""
        return [entry for entry in self._entries if entry["n"] > number]


def _shorten(value: Any) -> str:
    if value is None:
        return ""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MAX_TEXT_LENGTH else text[:_MAX_TEXT_LENGTH] + "…"
