"""What hints and reviews add to pages, and the controls that they answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.features.hints.commands import HintCommands
from cogs.features.hints.controls import HINT_ASKER, REVIEWER, HintActions
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import FeatureControl, FeatureUI, OldControl
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.page import Press
from engines.features.hints import offers_hint


class HintsUI(FeatureUI):
    """Hints and reviews: buttons in the menu, and below the result on a hand."""

    name = "hints"
    old_controls = (
        OldControl(r"t:(?P<match>[a-z0-9]{8}):hint", "ask"),
        OldControl(r"t:(?P<match>[a-z0-9]{8}):review", "review"),
    )
    motley_commands = HintCommands

    def menu_first_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button for a hint, if the reader has to decide something."""
        if offers_hint(facts.snapshot, facts.reader):
            yield Press("Hint", feature_id("hints", facts.snapshot.info.id, "ask"))

    def menu_over_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button for the review, for players."""
        is_theirs = facts.snapshot.info.seat_of(facts.reader) is not None
        return self.hand_result_presses(facts) if is_theirs else ()

    def hand_result_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button for the review."""
        return (Press("My costliest moves", feature_id("hints", facts.snapshot.info.id, "review")),)

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the two buttons."""
        own = actions.service(HintActions)
        return (
            FeatureControl("ask", own.show_hint, HINT_ASKER, edits=True, is_in_menu=True),
            FeatureControl("review", own.show_review, REVIEWER),
        )
