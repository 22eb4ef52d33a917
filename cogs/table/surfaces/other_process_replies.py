"""Messages that other processes are using to answer clicks; nobody else edits them until then."""

from __future__ import annotations

from collections.abc import Callable

from cogs.table.channels.table_services import TableServices
from cogs.table.surfaces.message import SurfaceKey


class OtherProcessReplies:
    """The messages that other processes are answering clicks with. `mark_changed` makes the next refresh read them."""

    def __init__(self, services: TableServices, on_over: Callable[[SurfaceKey], None]) -> None:
        self._services = services
        self._on_over = on_over
        self._busy_until: dict[SurfaceKey, float] = {}
        self._changed_matches: set[str] = set()  # those to refresh

    def mark_changed(self, match: str) -> None:
        """Note that another process changed a match, and may be answering a click with one of its messages."""
        self._changed_matches.add(match)

    def is_answering(self, key: SurfaceKey) -> bool:
        """Whether another process is answering a click with this message."""
        return key in self._busy_until

    def is_answering_match(self, match: str) -> bool:
        """Whether another process is answering a click in this match."""
        return any(key[0] == match for key in self._busy_until)

    def forget(self, match: str) -> None:
        """Drop a match that another process looks after."""
        self._changed_matches.discard(match)
        self._busy_until = {key: until for key, until in self._busy_until.items() if key[0] != match}

    async def refresh(self, match: str) -> None:
        """Read the replies of other processes, if the match changed. A surface whose reply timed out is uncertain."""
        if match not in self._changed_matches:
            return
        self._changed_matches.discard(match)
        try:
            answered = await self._services.lease.holding.other_replies(match)
            for (kind, seat), seconds in answered.items():
                if seconds <= 0:
                    await self._services.surfaces.doubt(match, kind, seat)
        except BaseException:
            self._changed_matches.add(match)
            raise
        self._busy_until = {key: until for key, until in self._busy_until.items() if key[0] != match}
        for (kind, seat), seconds in answered.items():
            if seconds > 0:
                self._busy_until[match, kind, seat] = self._services.clock.monotonic() + seconds
                self._services.tasks.start_loop(
                    self._services.clock, f"elsewhere {match} {kind} {seat}", self._wait_until_over, (match, kind, seat)
                )

    async def _wait_until_over(self, key: SurfaceKey) -> None:
        """Have a message redrawn when its time is up, unless the reply came first."""
        while (left := self._busy_until.get(key, 0) - self._services.clock.monotonic()) > 0:  # only time ends this
            await self._services.clock.sleep(left)
        if self._busy_until.pop(key, None) is not None:
            self._changed_matches.add(key[0])
            self._on_over(key)
