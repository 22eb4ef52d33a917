"""Handles what becomes due for features without a match, such as a night of tables that begins."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from cogs.table.channels.table_services import TableServices
from cogs.table.transport.error_reports import report_unexpected
from engines.store.match_store import NotLeaseHolder, StoreFailure
from engines.store.rows import RowTable

R = TypeVar("R")
log = logging.getLogger(__name__)
PAUSE = 15  # seconds between two looks
FIRST_RETRY, LONGEST_RETRY = 60, 3600  # seconds before a row that stays due is handled again
BATCH_SIZE = 20  # rows at a time


@dataclass(frozen=True, slots=True)
class DueRows(Generic[R]):
    """Rows without a match that become due when the time in their column `column` has come.

    `run` handles one, and changes or deletes it so that it is no longer due. It may be asked again after a crash. If
    the row has a field `guild`, the process that looks after that server asks, and only while time runs there.
    """

    table: RowTable[R]
    column: str
    run: Callable[[R], Awaitable[None]]


class FeatureDueTimes:
    """Looks for due rows, and hands each to its feature. A row that fails or stays due is handled again later."""

    def __init__(
        self, services: TableServices, due: Sequence[DueRows[Any]], time_runs_for: Callable[[int], bool]
    ) -> None:
        self._due = due
        self._services = services
        self._time_runs_for = time_runs_for
        self._tries: dict[tuple[Any, ...], tuple[int, int]] = {}  # how often a row was handled, and when it is again

    def start(self) -> None:
        """Start to look, if a feature has such rows. Returns at once."""
        if self._due:
            self._services.tasks.start_loop(self._services.clock, "due times of features", self._run)

    async def _run(self) -> None:
        while True:
            for due in self._due:
                await self._handle_all(due)
            await self._services.clock.sleep(PAUSE)

    async def _handle_all(self, due: DueRows[Any]) -> None:
        found, now = (
            await self._services.matches.editor.load_due_rows(due.table, due.column, BATCH_SIZE),
            self._services.clock.now(),
        )
        rows = {(due.table.name, *due.table.key_of(row)): row for row in found}
        self._tries = {key: tried for key, tried in self._tries.items() if key[0] != due.table.name or key in rows}
        for key, row in rows.items():
            tries, retry_at = self._tries.get(key, (0, 0))
            if retry_at <= now and self._time_runs_for(getattr(row, "guild", 0)):
                self._tries[key] = tries + 1, now + min(FIRST_RETRY * 2**tries, LONGEST_RETRY)
                await self._handle(due, row)

    async def _handle(self, due: DueRows[Any], row: Any) -> None:
        try:
            with self._services.lease.acting_for(getattr(row, "guild", 0)):
                await due.run(row)
        except (NotLeaseHolder, StoreFailure) as why:
            log.warning("A row of %s that is due waits: %s", due.table.name, why)
        except Exception as error:  # noqa: BLE001  # a boundary: other rows do not depend on this one
            report_unexpected(error)
