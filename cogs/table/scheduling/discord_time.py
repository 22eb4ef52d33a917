"""Compares this machine's clock with Discord's, which decides."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import lru_cache
from math import inf
from types import SimpleNamespace

import aiohttp
from discord.utils import snowflake_time

from cogs.table.transport.discord_internals import api_root
from engines.store.clock import Clock
from engines.store.listeners import Listeners

log = logging.getLogger(__name__)
TOLERANCE = 60  # seconds by which the clocks may differ
RETURN_TOLERANCE = 30  # seconds by which they may differ after they differed by more
ASK_SECONDS = 30.0  # seconds between two questions to Discord while the clock is not right
HOUR, DAY = 60 * 60, 24 * 60 * 60
ADVICE = (
    "Until it is right, no time runs out, nothing expires and nothing is erased. Set the machine's clock, for example "
    "with `timedatectl set-ntp true`; the bot goes on by itself."
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment by the wall clock and by the monotonic clock."""

    wall: int
    tick: float


class DiscordTime:
    """Whether this machine's clock is right: it differs from Discord's by no more than a minute.

    It is not right until Discord has answered, at the start and after a doubt. Every response tells Discord's time in
    its `Date` header, and every interaction in its id. An interaction can be delivered late, so only an id that is not
    old proves anything.
    """

    def __init__(self, clock: Clock, warnings: dict[str, str] | None = None) -> None:
        self._clock = clock
        self._warnings = {} if warnings is None else warnings
        self._doubted_at = self._asked_at = -inf  # by the monotonic clock
        self._was_wrong = False
        self.seconds_ahead: int | None = None  # by which our clock is ahead of Discord's; None: not known
        self.on_changed = Listeners[[bool]]()  # called if the clock becomes right or wrong
        self.on_doubt = Listeners[[]]()  # called if Discord should answer soon

    @property
    def is_right(self) -> bool:
        """Whether the clock is known to be right."""
        tolerance = RETURN_TOLERANCE if self._was_wrong else TOLERANCE
        return self.seconds_ahead is not None and abs(self.seconds_ahead) <= tolerance

    @property
    def problem(self) -> str:
        """What is wrong with the clock, as a sentence; empty if it is right, or if Discord has not answered yet."""
        if self.seconds_ahead is None or self.is_right:
            return ""
        way = "ahead of" if self.seconds_ahead > 0 else "behind"
        return f"This machine's clock is {_duration_text(abs(self.seconds_ahead))} {way} Discord's."

    def moment(self) -> Moment:
        """Return the present moment."""
        return Moment(self._clock.now(), self._clock.monotonic())

    def doubt(self) -> None:
        """Trust the clock no longer until Discord has answered a request that was sent from now on."""
        self.seconds_ahead, self._doubted_at = None, self._clock.monotonic()
        self._asked_at = self._doubted_at
        self.on_doubt()

    def ask_again(self) -> None:
        """Ask Discord if the clock is not right and nobody asked lately."""
        if not self.is_right and self._clock.monotonic() - self._asked_at >= ASK_SECONDS:
            self._asked_at = self._clock.monotonic()
            self.on_doubt()

    def note_date(self, date: float, sent: Moment) -> None:
        """Note Discord's time in Unix seconds, from a response to a request that was sent at that moment."""
        if sent.tick < self._doubted_at:
            return
        now = self._clock.now()
        self._note(sent.wall - date if date < sent.wall else min(0.0, now - date))

    def note_id(self, snowflake: int) -> None:
        """Note the time in the id of an interaction that has just arrived."""
        ahead = self._clock.now() - snowflake_time(snowflake).timestamp()
        if ahead < -TOLERANCE or (abs(ahead) <= RETURN_TOLERANCE and self.seconds_ahead is None):
            self._note(ahead)

    def read_dates(self, config: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Make a trace configuration read the dates of responses, and return it."""
        config.on_request_start.append(self._start_request)
        config.on_request_end.insert(0, self._read_date)  # before a callback that raises
        return config

    def _note(self, ahead: float) -> None:
        was_right, self.seconds_ahead = self.is_right, round(ahead)
        if self.problem and not self._was_wrong:
            self._was_wrong = True
            log.error("%s %s", self.problem, ADVICE)
        elif self.is_right and self._was_wrong:
            self._was_wrong = False
            self._warnings.pop("clock", None)
            log.info("This machine's clock agrees with Discord's again, so time runs.")
        if self.problem:
            self._warnings["clock"] = f"{self.problem} Until it is right, no time runs out."
        if self.is_right != was_right:
            self.on_changed(self.is_right)

    async def _start_request(self, session: object, context: SimpleNamespace, params: object) -> None:
        context.sent = self.moment()

    async def _read_date(
        self, session: object, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        header = params.response.headers.get("Date")
        if header is None or params.url.host != api_root().host:
            return
        try:
            date = _parse_date(header)
        except ValueError:
            return
        self.note_date(date, context.sent)


@lru_cache(maxsize=1)
def _parse_date(header: str) -> float:
    """Return the Unix seconds of a `Date` header, which stays the same for a second. Raises ValueError."""
    return parsedate_to_datetime(header).timestamp()


def _duration_text(seconds: int) -> str:
    """Return a rough duration, for example `3 days`."""
    for name, length in (("day", DAY), ("hour", HOUR), ("minute", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length} {name}s"
    return f"{seconds} seconds"
