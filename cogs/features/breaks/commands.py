"""`/motley break`."""

from __future__ import annotations

from discord import app_commands

from cogs.features.breaks.break_pages import BACK
from cogs.features.breaks.controls import BreakActions
from cogs.table.commands.feature_ui import FeatureCog
from cogs.table.commands.game_commands import with_reply
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.breaks import BREAK_SECONDS


class BreakCommands(FeatureCog):
    """The part of `/motley` about breaks."""

    @app_commands.command(name="break", description="Rest your clocks and pings while you are away")
    @app_commands.describe(length="How long you are away; “back” ends your break")
    @app_commands.choices(length=[app_commands.Choice(name=each, value=each) for each in (*BREAK_SECONDS, BACK)])
    @with_reply
    async def take_break(self, reply: InteractionReply, length: str) -> None:
        """`break`: begin a break, which counts in every match, or end it."""
        await BreakActions(self.actions).change_break(reply, length, ())
