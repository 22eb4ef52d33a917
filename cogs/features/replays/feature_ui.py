"""What replays add to pages, and the controls that they answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.features.replays.commands import ReplayCommands
from cogs.features.replays.controls import ReplayActions
from cogs.features.replays.replay_pages import open_press
from cogs.features.replays.replay_place import LEADER, PLACE
from cogs.table.access.rights import FINISHED
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import FeatureControl, FeatureUI, OldControl
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.page import Press
from engines.store.match_store import Status

_PRIVATE, _LED = r"x:(?P<match>[a-z0-9]{8}):", rf"z:(?P<match>[a-z0-9]{{8}}):{LEADER}:"


class ReplaysUI(FeatureUI):
    """Replays: the button to that of a finished match."""

    name = "replays"
    old_controls = (
        OldControl(r"t:(?P<match>[a-z0-9]{8}):replay(?:=\d{1,6})?", "open"),
        OldControl(rf"{_PRIVATE}(?P<rest>(?=o){PLACE})", "own"),
        OldControl(rf"{_PRIVATE}(?P<rest>(?=t){PLACE})", "together"),
        OldControl(rf"{_PRIVATE}(?P<rest>(?=p){PLACE})", "practice"),
        OldControl(rf"{_PRIVATE}(?P<rest>(?![otp]){PLACE})", "at"),
        OldControl(rf"{_LED}(?P<rest>(?=o){PLACE})", "own"),
        OldControl(rf"z:(?P<match>[a-z0-9]{{8}}):(?P<rest>{LEADER}:(?!o){PLACE})", "led"),
    )
    motley_commands = ReplayCommands

    def result_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button."""
        return (open_press(facts.snapshot.info.id),)

    def list_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button, for a match that is over."""
        return self.result_presses(facts) if facts.snapshot.info.status is Status.OVER else ()

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the button, and the controls below a moment: of a private message, and of one for everybody."""
        own = actions.service(ReplayActions)
        return (
            FeatureControl("open", own.open_replay, FINISHED, about_finished=True),
            FeatureControl("at", own.turn, FINISHED, rest=PLACE, edits=True, about_finished=True),
            FeatureControl("led", own.lead, FINISHED, rest=f"{LEADER}:{PLACE}", edits=True, about_finished=True),
            FeatureControl("own", own.look_alone, FINISHED, rest=PLACE, about_finished=True),
            FeatureControl("together", own.share, FINISHED, rest=PLACE, about_finished=True),
            FeatureControl("practice", own.play_from_here, FINISHED, rest=PLACE, is_public=True, about_finished=True),
        )
