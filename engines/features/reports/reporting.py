"""The rules of reports: a person has one draft at a time, and sends a few a day."""

from __future__ import annotations

from dataclasses import replace

from engines.features.reports.rows import REPORTS, Report
from engines.hosting.match import MatchSnapshot
from engines.hosting.match_changes import MatchEditor
from engines.store.rows import AddRow, DropRow, ReplaceRow, RowWrite, Second

MOST_REPORTS, PERIOD = 3, 24 * 60 * 60  # how many reports one person may send in so many seconds


class Reports:
    """Stores reports. They change no match. Every method may raise StoreFailure."""

    def __init__(self, matches: MatchEditor) -> None:
        self._matches = matches

    async def has_room(self, user: int, now: int) -> bool:
        """Whether a person may send one more report."""
        return sum(report.sent > now - PERIOD for report in await self._of(user)) < MOST_REPORTS

    async def put_draft(self, report: Report) -> None:
        """Store a draft, in place of the person's earlier ones. Raises RequestRefused if there is no such match."""

        async def build(snapshot: MatchSnapshot) -> list[RowWrite]:
            return [*await self._drops(report.user), AddRow(REPORTS, report)]

        await self._matches.write_rows(report.match, build)

    async def find_draft(self, user: int, number: int) -> Report | None:
        """Return a person's draft with this id; None if it is no draft any more."""
        return next((each for each in await self._of(user) if each.id == number and not each.sent), None)

    async def drop_drafts(self, user: int) -> None:
        """Delete a person's drafts."""
        await self._matches.write_own_rows(*await self._drops(user))

    async def mark_sent(self, report: Report, now: int) -> None:
        """Note that a report was sent, and delete its text."""
        await self._matches.write_own_rows(ReplaceRow(REPORTS, replace(report, text="", sent=Second(now))))

    async def _drops(self, user: int) -> list[RowWrite]:
        return [DropRow(REPORTS, (each.id,)) for each in await self._of(user) if not each.sent]

    async def _of(self, user: int) -> list[Report]:
        return await self._matches.find_rows(REPORTS, "user", [user])
