"""What people can tell the owner: that something is wrong in a match. A person has one draft, and sends a few a day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.utils import formatdate
from typing import Annotated, Any

from pydantic import Field

from engines.hosting.feature import Feature
from engines.hosting.match import MatchSnapshot
from engines.hosting.match_changes import MatchEditor
from engines.store.owner_settings import OwnerSetting
from engines.store.rows import AddRow, DropRow, ReplaceRow, Rows, RowTable, RowWrite, Second

NOT_SENT = Second(0)
MOST_REPORTS, PERIOD = 3, 24 * 60 * 60  # how many reports one person may send in so many seconds
REPORT_CHANNEL: OwnerSetting[int] = OwnerSetting("report_channel", Annotated[int, Field(ge=0, le=2**63 - 1)], 0)
"""The channel in which the owner reads what people report; 0: in the log."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a person tells the owner about a match. A draft is not sent yet; a sent report no longer has its text.

    `id` is the interaction in which it was written.
    """

    id: int
    match: str
    user: int
    text: str
    written: Second
    sent: Second = NOT_SENT


REPORTS = RowTable("reports", Report, key=1, seen="nobody", keep_days=1, written="written")


async def has_room(matches: MatchEditor, user: int, now: int) -> bool:
    """Whether a person may send one more report."""
    return sum(report.sent > now - PERIOD for report in await _reports_of(matches, user)) < MOST_REPORTS


async def put_draft(matches: MatchEditor, report: Report) -> None:
    """Store a draft, in place of the person's earlier ones. Raises RequestRefused if there is no such match."""

    async def build(snapshot: MatchSnapshot) -> list[RowWrite]:
        return [*await _drops(matches, report.user), AddRow(REPORTS, report)]

    await matches.write_rows(report.match, build)


async def find_draft(matches: MatchEditor, user: int, number: int) -> Report | None:
    """Return a person's draft with this id; None if it is no draft any more."""
    return next((each for each in await _reports_of(matches, user) if each.id == number and not each.sent), None)


async def drop_drafts(matches: MatchEditor, user: int) -> None:
    """Delete a person's drafts."""
    await matches.write_own_rows(*await _drops(matches, user))


async def mark_sent(matches: MatchEditor, report: Report, now: int) -> None:
    """Note that a report was sent, and delete its text."""
    await matches.write_own_rows(ReplaceRow(REPORTS, replace(report, text="", sent=Second(now))))


async def _drops(matches: MatchEditor, user: int) -> list[RowWrite]:
    return [DropRow(REPORTS, (each.id,)) for each in await _reports_of(matches, user) if not each.sent]


async def _reports_of(matches: MatchEditor, user: int) -> list[Report]:
    return await matches.find_rows(REPORTS, "user", [user])


class ReportsFeature(Feature):
    """A report belongs to a person and a match, goes with either, and is kept for a day."""

    name = "reports"
    tables = (REPORTS,)
    owner_settings = (REPORT_CHANNEL,)

    def personal_data(self, rows: Rows) -> Mapping[str, Any]:
        """Return the reports, with readable times."""
        reports = [
            {
                "written": formatdate(report.written, usegmt=True),
                "sent": formatdate(report.sent, usegmt=True) if report.sent else None,
                "text": report.text or None,
            }
            for report in rows.of(REPORTS)
        ]
        return {"reports": reports} if reports else {}
