"""What clips add to pages, and the controls that they answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.features.clips.clip_pages import SECTION, open_press
from cogs.features.clips.controls import ClipActions
from cogs.table.access.rights import FINISHED, NOT_OVER, Access, Phase, Who
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import FeatureControl, FeatureUI, OldControl
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.page import Press

POSTER = Access(Who.PLAYED, Phase.OVER, not_you="Only players of this match can post its clips.", not_now=NOT_OVER)


class ClipsUI(FeatureUI):
    """Clips: the button to those of a finished match."""

    name = "clips"
    old_controls = (
        OldControl(r"j:(?P<match>[a-z0-9]{8}):open", "open"),
        OldControl(r"j:(?P<match>[a-z0-9]{8}):pick", "pick"),
        OldControl(rf"j:(?P<match>[a-z0-9]{{8}}):post=(?P<rest>{SECTION})", "post"),
    )

    def result_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button."""
        return (open_press(facts.snapshot.info.id),)

    def menu_over_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button."""
        return (open_press(facts.snapshot.info.id),)

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the button, the list of sections, and the button that posts a clip."""
        own = actions.service(ClipActions)
        return (
            FeatureControl("open", own.open_clips, FINISHED, about_finished=True),
            FeatureControl("pick", own.pick_clip, FINISHED, edits=True, about_finished=True),
            FeatureControl("post", own.post_clip, POSTER, rest=SECTION, edits=True, about_finished=True),
        )
