"""What reports add to pages, and the controls that they answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.features.reports.controls import ReportActions
from cogs.features.reports.draft_page import open_press
from cogs.table.access.rights import READERS, Access, Who
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import FeatureControl, FeatureUI, OldControl
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.page import Press

AUTHOR = Access(Who.AUTHOR)
NUMBER = r"\d{1,20}"


class ReportsUI(FeatureUI):
    """Reports: the button in the menu. Reports are shown on no page, so pages read none."""

    name = "reports"
    old_controls = (
        OldControl(r"t:(?P<match>[a-z0-9]{8}):wrong", "open"),
        OldControl(r"w:(?P<match>[a-z0-9]{8}):wrong", "write"),
        OldControl(rf"w:(?P<match>[a-z0-9]{{8}}):send\.(?P<rest>{NUMBER})", "send"),
        OldControl(rf"w:(?P<match>[a-z0-9]{{8}}):drop\.(?P<rest>{NUMBER})", "drop"),
    )

    def menu_help_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button to the form."""
        return (open_press(facts.snapshot.info.id),)

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the button in the menu, the form, and the buttons under a draft."""
        own = ReportActions(actions.context)
        return (
            FeatureControl("open", own.open_form, READERS),
            FeatureControl("write", own.show_draft, READERS, edits=True, is_form=True),
            FeatureControl("send", own.send_draft, AUTHOR, rest=NUMBER, edits=True),
            FeatureControl("drop", own.drop_draft, AUTHOR, rest=NUMBER, edits=True),
        )
