"""Faults that can be caused: broken, slow and overloaded servers, lost connections, disordered events."""

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
"""The answers that Discord has been seen to give in a locked thread; the first is the usual one."""


class CountedFault(StrEnum):
    """Faults that hit a number of requests of their kind."""

    RATE_LIMIT = "rate_limit"
    BARE_RATE_LIMIT = "bare_rate_limit"  # from a proxy in front of Discord, which names no waiting time
    BLOCKED = "blocked"  # Discord blocks the whole application, as JSON without a waiting time
    DMS_TOO_FAST = "dms_too_fast"
    DMS_REFUSED = "dms_refused"
    TOO_MANY_THREADS = "too_many_threads"


class ContactStep(StrEnum):
    """The two steps of a first contact, at either of which a quarantine can refuse it."""

    OPENING = "opening"
    SENDING = "sending"


@dataclass(slots=True)
class Quarantine:
    """Refuses first contacts, from the given one on, at one of their steps."""

    first: int
    step: ContactStep
    people: list[int] = field(default_factory=list)  # in the order of their first contacts

    def refuses(self, user: int, step: ContactStep) -> bool:
        """Return whether the bot may not write to this person, who has no message of it yet."""
        if step is not self.step:
            return False
        if user not in self.people:
            self.people.append(user)
        return self.people.index(user) + 1 >= self.first


class RandomFault:
    """Hits requests by path, or events by name, each with the same chance, from a seed."""

    def __init__(self, percent: float, count: int | None, path: str, seed: int) -> None:
        """Hit at most `count` of them; None: until the fault is cleared."""
        if not 0 <= percent <= 100:
            raise ValueError(f"{percent} percent")
        re.compile(path)
        self._percent, self._remaining, self._path = percent, count, path
        self._chance = Random(seed)

    @property
    def is_active(self) -> bool:
        """Return whether it can hit any more."""
        return self._percent > 0 and self._remaining != 0

    def try_hit(self, path: str) -> bool:
        """Return whether it hits this one, and count it."""
        if not self.is_active or not re.search(self._path, path) or self._chance.random() * 100 >= self._percent:
            return False
        if self._remaining is not None:
            self._remaining -= 1
        return True

    def page_object(self) -> Json:
        """Return its state as the page shows it."""
        body: Json = {"percent": self._percent}
        if self._remaining is not None:
            body["count"] = self._remaining
        return body | ({"path": self._path} if self._path else {})


def _no_fault() -> RandomFault:
    return RandomFault(0, None, "", 0)


@dataclass(slots=True)
class Faults:
    """The present faults. Counts decrease with every request they hit."""

    errors_left: int = 0
    error_status: int = 503
    error_path: str = ""
    error_method: str = ""
    slow_ms: int = 0
    counts: Counter[CountedFault] = field(default_factory=Counter)
    quarantine: Quarantine | None = None
    locked_answer: DiscordError = LOCKED_ANSWERS[0]
    connection_cuts: RandomFault = field(default_factory=_no_fault)
    lost_answers: RandomFault = field(default_factory=_no_fault)
    doubled_events: RandomFault = field(default_factory=_no_fault)
    late_events: RandomFault = field(default_factory=_no_fault)
    on_use: Callable[[], None] = field(default=lambda: None)

    def start_server_errors(self, count: int, status: int, path: str, method: str = "") -> None:
        """Answer the next `count` requests with `status`, if their path and method match."""
        re.compile(path)
        self.errors_left, self.error_status, self.error_path, self.error_method = count, status, path, method

    def start_counted(self, fault: CountedFault, count: int) -> None:
        """Let the next `count` requests of the fault's kind fail."""
        self.counts[fault] = count

    def start_quarantine(self, first: int = 1, step: ContactStep = ContactStep.OPENING) -> None:
        """Refuse first contacts from the given one on, until the fault is cleared."""
        if first < 1:
            raise ValueError(f"There is no first contact number {first}")
        self.quarantine = Quarantine(first, step)

    def cut_connections(
        self, percent: float = 100.0, *, count: int | None = None, path: str = "", seed: int = 0
    ) -> None:
        """Break the connection of a share of requests before they take effect."""
        self.connection_cuts = RandomFault(percent, count, path, seed)

    def lose_answers(self, percent: float = 100.0, *, count: int | None = None, path: str = "", seed: int = 0) -> None:
        """Carry out a share of requests, but break the connection before the answer."""
        self.lost_answers = RandomFault(percent, count, path, seed)

    def double_events(self, percent: float = 100.0, *, count: int | None = None, path: str = "", seed: int = 0) -> None:
        """Send a share of the gateway's events, by name, twice."""
        self.doubled_events = RandomFault(percent, count, path, seed)

    def delay_events(self, percent: float = 100.0, *, count: int | None = None, path: str = "", seed: int = 0) -> None:
        """Send a share of the events only after the next one, or a second later if there is none."""
        self.late_events = RandomFault(percent, count, path, seed)

    def set_locked_answer(self, code: int) -> None:
        """Choose the answer for requests in locked threads."""
        known = {error.code: error for error in LOCKED_ANSWERS}
        if code not in known:
            raise ValueError(f"Discord answers with one of {sorted(known)} in a locked thread, not with {code}")
        self.locked_answer = known[code]

    def clear(self) -> None:
        """End all faults."""
        self.errors_left = self.slow_ms = 0
        self.counts.clear()
        self.quarantine = None
        self.locked_answer = LOCKED_ANSWERS[0]
        self.connection_cuts, self.lost_answers, self.doubled_events, self.late_events = (
            _no_fault(),
            _no_fault(),
            _no_fault(),
            _no_fault(),
        )

    def take_error_status(self, method: str, path: str) -> int | None:
        """Return the status with which this request fails, if it does, and count it."""
        if self.errors_left <= 0 or not re.search(self.error_path, path):
            return None
        if self.error_method and method != self.error_method:
            return None
        self.errors_left -= 1
        self.on_use()
        return self.error_status

    def hits_request(self, fault: CountedFault) -> bool:
        """Return whether this request of the fault's kind fails, and count it."""
        if self.counts[fault] <= 0:
            return False
        self.counts[fault] -= 1
        self.on_use()
        return True

    def refuses_contact(self, user: int, step: ContactStep) -> bool:
        """Return whether a quarantine refuses this step of a first contact."""
        return self.quarantine is not None and self.quarantine.refuses(user, step)

    def breaks_connection(self, path: str) -> bool:
        """Return whether this request's connection breaks before it takes effect, and count it."""
        return self._try_hit(self.connection_cuts, path)

    def loses_answer(self, path: str) -> bool:
        """Return whether the answer to this request is lost, and count it."""
        return self._try_hit(self.lost_answers, path)

    def doubles_event(self, event: str) -> bool:
        """Return whether this event is sent twice, and count it."""
        return self._try_hit(self.doubled_events, event)

    def delays_event(self, event: str) -> bool:
        """Return whether this event is sent after the next one, and count it."""
        return self._try_hit(self.late_events, event)

    def page_object(self) -> Json:
        """Return the active faults as the page shows them."""
        body: Json = {}
        if self.errors_left:
            body["server_errors"] = {
                "count": self.errors_left,
                "status": self.error_status,
                "path": self.error_path,
            }
            body["server_errors"] |= {"method": self.error_method} if self.error_method else {}
        if self.slow_ms:
            body["slow"] = {"ms": self.slow_ms}
        body |= {str(fault): {"count": left} for fault, left in self.counts.items() if left > 0}
        if self.quarantine is not None:
            body["quarantine"] = {"first": self.quarantine.first, "step": str(self.quarantine.step)}
        if self.locked_answer is not LOCKED_ANSWERS[0]:
            body["locked_answer"] = {"code": self.locked_answer.code}
        if self.connection_cuts.is_active:
            body["cut_connections"] = self.connection_cuts.page_object()
        if self.lost_answers.is_active:
            body["lost_answers"] = self.lost_answers.page_object()
        if self.doubled_events.is_active:
            body["doubled_events"] = self.doubled_events.page_object()
        if self.late_events.is_active:
            body["late_events"] = self.late_events.page_object()
        return body

    def _try_hit(self, cuts: RandomFault, path: str) -> bool:
        hit = cuts.try_hit(path)
        if hit:
            self.on_use()
        return hit
