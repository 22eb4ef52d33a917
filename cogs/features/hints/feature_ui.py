"""What hints and reviews add to pages, the command, and the controls that they answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from discord import app_commands

from cogs.features.hints.controls import HINT_ASKER, REVIEWER, HintActions
from cogs.table.access.rights import extras_of
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import FeatureCog, FeatureControl, FeatureUI, OldControl
from cogs.table.commands.game_commands import MATCH_DESCRIPTION, with_reply
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.page import Press
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.hints import offers_hint


class HintCommands(FeatureCog):
    """The part of `/motley` about hints."""

    @app_commands.command(
        description="Get a suggested move and the reason, based only on what you can see", extras=extras_of(HINT_ASKER)
    )
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @app_commands.autocomplete(match=FeatureCog.complete_match)
    @with_reply
    async def hint(self, reply: InteractionReply, match: str | None = None) -> None:
        """`hint`: show a hint privately."""
        visit = await self.finder.find_match(reply.interaction, match)
        await self.actions.service(HintActions).show_hint(reply, visit)


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
