"""Whether Discord accepts this application's requests at all: it may block them for a while, or reject the token."""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import SimpleNamespace

import aiohttp
from yarl import URL

from cogs.table.transport.network_errors import ApplicationBlocked, ApplicationRefusal, RequestsStopped, TokenRejected
from cogs.table.transport.rate_limiter import is_counted
from engines.store.clock import Clock
from engines.store.listeners import Listeners

log = logging.getLogger(__name__)
FIRST_BLOCK_PAUSE, LONGEST_BLOCK_PAUSE = 5.0, 600.0  # seconds before a probe while Discord blocks the application
MAX_REPLIES, BAN_WINDOW = 500, 600.0  # replies per so many seconds; Discord bans an address after 10,000 refusals
CALM_SECONDS = 60.0  # a block that begins within so many seconds of the last one continues its pauses
BLOCK_LOG = (
    "Discord blocks all requests of this application (429 without a waiting time). Until the block ends, the "
    "bot sends nothing but replies, asks rarely, and lets no clock run. docs/incident.md says what to do."
)
BLOCK_TEXT = "Discord blocked all my requests at <t:{at}:f>. No clock ran until it answered me again."
SECOND_BOT_LOG = (
    "Another process answers this bot's clicks: Discord says that a new one was already answered (40060). With two "
    "bots on one token, people read that there is no such match although their move was made. Look for a second one: "
    "an old container or service, another machine, a test. If you find none, reset the token."
)
SECOND_BOT_TEXT = (
    "Another process with my token answered a click, last at <t:{at}:f>. The people who run me should look for a "
    "second bot: an old container or service, another machine, a test."
)

_is_probe: ContextVar[bool] = ContextVar("probe", default=False)  # whether the current task's requests are a probe


class ApplicationAccess:
    """Stops requests while Discord refuses the whole application. One probe at a time finds out when that ends.

    A rejected token counts once a probe confirms it, because an outage of Discord's may say so by mistake.
    """

    def __init__(self, warnings: dict[str, str], clock: Clock, on_token_rejected: Callable[[], None]) -> None:
        self.on_stopped = Listeners[[]]()
        self._on_token_rejected = on_token_rejected
        self.refusal: ApplicationRefusal | None = None  # why no requests are sent; None: they are
        self.is_token_rejected = False
        self._warnings = warnings
        self._clock = clock
        self._block_pause = FIRST_BLOCK_PAUSE
        self._has_second_bot = False
        self._reply_times: deque[float] = deque()  # of replies that were tried meanwhile
        self._calm_at = 0.0  # when the pauses of the last block are over

    def require_open(self, url: URL) -> None:
        """Raise RequestsStopped if Discord refuses the application, unless this is the probe or one of a few replies.

        A reply to a click does not need the bot's token, so it may get through.
        """
        if self.refusal is None or _is_probe.get():
            return
        if is_counted(url) or not self._may_try_reply():
            raise RequestsStopped

    def _may_try_reply(self) -> bool:
        now = self._clock.monotonic()
        while self._reply_times and self._reply_times[0] <= now - BAN_WINDOW:
            self._reply_times.popleft()
        if len(self._reply_times) >= MAX_REPLIES:
            return False
        self._reply_times.append(now)
        return True

    def next_pause(self) -> float | None:
        """The seconds until the next probe; None if it comes as soon as in any outage."""
        if not isinstance(self.refusal, ApplicationBlocked):
            return None
        pause, self._block_pause = self._block_pause, min(2 * self._block_pause, LONGEST_BLOCK_PAUSE)
        return min(max(pause, self.refusal.wait_seconds), 6 * LONGEST_BLOCK_PAUSE)

    @contextmanager
    def probing(self) -> Iterator[None]:
        """Let this task's requests through."""
        token = _is_probe.set(True)
        try:
            yield
        finally:
            _is_probe.reset(token)

    def resume(self) -> None:
        """Note that Discord answers again."""
        if isinstance(self.refusal, ApplicationBlocked):
            log.warning("Discord accepts the requests of this application again.")
        if self.refusal is not None:
            self._calm_at = self._clock.monotonic() + CALM_SECONDS
        self.refusal = None

    def note_foreign_answer(self) -> None:
        """Note that another process, of which this one knows nothing, gave the first response to a new interaction."""
        if not self._has_second_bot:
            log.warning(SECOND_BOT_LOG)
        self._has_second_bot = True
        self._warnings["second bot"] = SECOND_BOT_TEXT.format(at=self._clock.now())

    def trace_config(self) -> aiohttp.TraceConfig:
        """A trace configuration that raises an ApplicationRefusal in place of such a response, and stops requests."""
        return raise_refusals(self._stop)

    def _stop(self, refusal: ApplicationRefusal) -> None:
        was_stopped, self.refusal = self.refusal is not None, refusal
        if isinstance(refusal, TokenRejected) and _is_probe.get() and not self.is_token_rejected:
            self.is_token_rejected = True
            self._on_token_rejected()
        if was_stopped:
            return
        if isinstance(refusal, ApplicationBlocked):
            if self._clock.monotonic() > self._calm_at:
                self._block_pause = FIRST_BLOCK_PAUSE
            log.warning(BLOCK_LOG)
            self._warnings["blocked"] = BLOCK_TEXT.format(at=self._clock.now())
        self.on_stopped()


def raise_refusals(note: Callable[[ApplicationRefusal], None] = lambda refusal: None) -> aiohttp.TraceConfig:
    """A trace configuration that raises an ApplicationRefusal in place of such a response, after `note`.

    discord.py raises a KeyError for a 429 without a waiting time.
    """

    async def check_response(
        session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        refusal = await _application_refusal(params.url, params.response)
        if refusal is not None:
            note(refusal)
            raise refusal

    config = aiohttp.TraceConfig()
    config.on_request_end.append(check_response)
    return config


async def _application_refusal(url: URL, response: aiohttp.ClientResponse) -> ApplicationRefusal | None:
    """The refusal that a response means for the whole application; None if it means none.

    An interaction's own token may be rejected too. That is about the interaction alone.
    """
    if response.status == 401 and is_counted(url):
        return TokenRejected(response, await response.text(errors="replace"))
    if response.status == 429 and not _has_wait(body := await response.text(errors="replace")):
        return ApplicationBlocked(response, body)
    return None


def _has_wait(body: str) -> bool:
    """Whether the body of a 429 says how long to wait. Only Discord's own rate limits do."""
    try:
        answer = json.loads(body)
    except ValueError:
        return False
    return isinstance(answer, dict) and isinstance(answer.get("retry_after"), int | float)
