"""What the table's core calls of the reports."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import formatdate
from typing import Annotated, Any

from pydantic import Field

from engines.features.reports.rows import REPORTS
from engines.hosting.feature import Feature
from engines.store.owner_settings import OwnerSetting
from engines.store.rows import Rows

REPORT_CHANNEL: OwnerSetting[int] = OwnerSetting("report_channel", Annotated[int, Field(ge=0, le=2**63 - 1)], 0)
"""The channel in which the owner reads what people report; 0: in the log."""


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


REPORTS_FEATURE = ReportsFeature()
