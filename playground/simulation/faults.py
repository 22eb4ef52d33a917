"""Faults on demand: broken, slow and overfull servers, connections that are cut, and events in disorder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Final

from playground.world.errors import DiscordError
from playground.world.world import Json

RETRY_AFTER: Final = 0.3
LOCKED_ANSWERS: Final = (DiscordError.THREAD_CLOSED, DiscordError.MISSING_PERMISSIONS, DiscordError.THREAD_LOCKED)
"""What Discord has been seen to answer in a locked thread; the first is the usual one."""


class CountedFault(StrEnum):
    """Faults that befall the next so many requests they are about."""

    RATE_LIMIT = "rate_limit"
    BARE_RATE_LIMIT = "bare_rate_limit"  # by what stands before Discord, which says nothing of how long
    DMS_TOO_FAST = "dms_too_fast"
    TOO_MANY_THREADS = "too_many_threads"


class RandomFault:
    """What is hit: requests whose path matches, or events by their names, each with the same chance, by a seed."""

    def __init__(self, percent: float, count: int | None, path: str, seed: int) -> None:
        """`count` of them and no more; None: until the fault is cleared."""
        if not 0 <= percent <= 100:
            raise ValueError(f"{percent} percent")
        re.compile(path)
        self._percent, self._remaining, self._path = percent, count, path
        self._chance = Random(seed)

    @property
    def is_active(self) -> bool:
        """Whether another one may be hit."""
        return self._percent > 0 and self._remaining != 0

    def try_hit(self, path: str) -> bool:
        """Whether this one is hit; uses up one."""
        if not self.is_active or not re.search(self._path, path) or self._chance.random() * 100 >= self._percent:
            return False
        if self._remaining is not None:
            self._remaining -= 1
        return True

    def page_object(self) -> Json:
        """What is left of it, as the page gets it."""
        made: Json = {"percent": self._percent}
        if self._remaining is not None:
            made["count"] = self._remaining
        return made | ({"path": self._path} if self._path else {})


def _no_fault() -> RandomFault:
    return RandomFault(0, None, "", 0)


@dataclass(slots=True)
class Faults:
    """What is wrong just now. Counts go down with every request they hit."""

    errors_left: int = 0
    error_status: int = 503
    error_path: str = ""
    error_method: str = ""
    slow_ms: int = 0
    counts: Counter[CountedFault] = field(default_factory=Counter)
    locked_answer: DiscordError = LOCKED_ANSWERS[0]
    connection_cuts: RandomFault = field(default_factory=_no_fault)
    lost_answers: RandomFault = field(default_factory=_no_fault)
    doubled_events: RandomFault = field(default_factory=_no_fault)
    late_events: RandomFault = field(default_factory=_no_fault)
    on_use: Callable[[], None] = field(default=lambda: None)

    def start_server_errors(self, count: int, status: int, path: str, method: str = "") -> None:
        """The next `count` requests whose path matches, of that method if one is named, are answered with `status`."""
        re.compile(path)
        self.errors_left, self.error_status, self.error_path, self.error_method = count, status, path, method

    def start_counted(self, fault: CountedFault, count: int) -> None:
        """The next `count` requests that the fault is about meet it."""
        self.counts[fault] = count

    def cut_connections(
        self, percent: float = 100.0, *, count: int | None = None, path: str = "", seed: int = 0
    ) -> None:
        """That share of the requests breaks off before anything was done."""
        self.connection_cuts = RandomFault(percent, count, path, seed)

    def lose_answers(self, percent: float = 100.0, *, count: int | None = None, path: str = "", seed: int = 0) -> None:
        """That share of the requests is carried out, and the connection breaks before the answer."""
        self.lost_answers = RandomFault(percent, count, path, seed)

    def double_events(self, percent: float = 100.0, *, count: int | None = None, path: str = "", seed: int = 0) -> None:
        """That share of the gateway's events, whose names match the path, comes twice."""
        self.doubled_events = RandomFault(percent, count, path, seed)

    def delay_events(self, percent: float = 100.0, *, count: int | None = None, path: str = "", seed: int = 0) -> None:
        """That share of them comes only after the next one, or a second later where there is none."""
        self.late_events = RandomFault(percent, count, path, seed)

    def set_locked_answer(self, code: int) -> None:
        """From now on that is what is said of a locked thread."""
        known = {error.code: error for error in LOCKED_ANSWERS}
        if code not in known:
            raise ValueError(f"Of a lock Discord says one of {sorted(known)}, not {code}")
        self.locked_answer = known[code]

    def clear(self) -> None:
        """All is well again."""
        self.errors_left = self.slow_ms = 0
        self.counts.clear()
        self.locked_answer = LOCKED_ANSWERS[0]
        self.connection_cuts, self.lost_answers, self.doubled_events, self.late_events = (
            _no_fault(),
            _no_fault(),
            _no_fault(),
            _no_fault(),
        )

    def take_error_status(self, method: str, path: str) -> int | None:
        """The status this request fails with, if it does; uses up one failure."""
        if self.errors_left <= 0 or not re.search(self.error_path, path):
            return None
        if self.error_method and method != self.error_method:
            return None
        self.errors_left -= 1
        self.on_use()
        return self.error_status

    def hits_request(self, fault: CountedFault) -> bool:
        """Whether this request, which the fault is about, meets it; uses up one."""
        if self.counts[fault] <= 0:
            return False
        self.counts[fault] -= 1
        self.on_use()
        return True

    def breaks_connection(self, path: str) -> bool:
        """Whether this request's connection breaks before it was applied; uses up one."""
        return self._try_hit(self.connection_cuts, path)

    def loses_answer(self, path: str) -> bool:
        """Whether the connection breaks between this request and its answer; uses up one."""
        return self._try_hit(self.lost_answers, path)

    def doubles_event(self, event: str) -> bool:
        """Whether this event is sent twice; uses up one."""
        return self._try_hit(self.doubled_events, event)

    def delays_event(self, event: str) -> bool:
        """Whether this event comes after the next one; uses up one."""
        return self._try_hit(self.late_events, event)

    def page_object(self) -> Json:
        """The faults in force, as the page gets them; what is not in force is left out."""
        made: Json = {}
        if self.errors_left:
            made["server_errors"] = {
                "count": self.errors_left,
                "status": self.error_status,
                "path": self.error_path,
            }
            made["server_errors"] |= {"method": self.error_method} if self.error_method else {}
        if self.slow_ms:
            made["slow"] = {"ms": self.slow_ms}
        made |= {str(fault): {"count": left} for fault, left in self.counts.items() if left > 0}
        if self.locked_answer is not LOCKED_ANSWERS[0]:
            made["locked_answer"] = {"code": self.locked_answer.code}
        if self.connection_cuts.is_active:
            made["cut_connections"] = self.connection_cuts.page_object()
        if self.lost_answers.is_active:
            made["lost_answers"] = self.lost_answers.page_object()
        if self.doubled_events.is_active:
            made["doubled_events"] = self.doubled_events.page_object()
        if self.late_events.is_active:
            made["late_events"] = self.late_events.page_object()
        return made

    def _try_hit(self, cuts: RandomFault, path: str) -> bool:
        hit = cuts.try_hit(path)
        if hit:
            self.on_use()
        return hit
