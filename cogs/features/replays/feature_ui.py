"""What replays add to pages, the command, and the controls that they answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import discord
from discord import app_commands

from cogs.features.replays.controls import ReplayActions
from cogs.features.replays.replay_pages import open_press
from cogs.features.replays.replay_place import LEADER, PLACE
from cogs.table.access.rights import FINISHED, Access, Phase, Who, extras_of
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import FeatureCog, FeatureControl, FeatureUI, OldControl
from cogs.table.commands.game_commands import Choices, own_match_choices, safe_autocomplete, with_reply
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.page import Press
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.matches.records import NOT_PLAYED_OUT
from engines.store.match_store import Status

WATCHER = Access(Who.READER, Phase.OVER, not_now=NOT_PLAYED_OUT)
_PRIVATE, _LED = r"x:(?P<match>[a-z0-9]{8}):", rf"z:(?P<match>[a-z0-9]{{8}}):{LEADER}:"


class ReplayCommands(FeatureCog):
    """The part of `/motley` about replays."""

    @app_commands.command(
        description="Watch a finished match again, move by move; only you can see it", extras=extras_of(WATCHER)
    )
    @app_commands.describe(match="Which finished match; leave it out for your last one")
    @with_reply
    async def replay(self, reply: InteractionReply, match: str | None = None) -> None:
        """`replay`: show a finished match from its start."""
        visit = await self.finder.find_finished(reply.interaction, match)
        await self.actions.service(ReplayActions).open_replay(reply, visit)

    @replay.autocomplete("match")
    @safe_autocomplete
    async def _complete_finished_match(self, interaction: discord.Interaction, current: str) -> Choices:
        return await own_match_choices(self.actions, await self.finder.finished_matches(interaction), current)


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
