"""`/motley cut` and `/motley check-deal`."""

from __future__ import annotations

import discord
from discord import app_commands

from cogs.features.deals.deal_actions import CUTTER, DealActions
from cogs.table.access.rights import READERS, extras_of
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import FeatureCog
from cogs.table.commands.game_commands import (
    MATCH_DESCRIPTION,
    Choices,
    own_match_choices,
    safe_autocomplete,
    with_reply,
)
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import RequestRefused


class DealCommands(FeatureCog):
    """The part of `/motley` about the deal."""

    def __init__(self, actions: TableActions) -> None:
        super().__init__(actions)
        self.deals = actions.service(DealActions)

    @app_commands.command(
        description="Cut the deal before a match starts: your digits change it", extras=extras_of(CUTTER)
    )
    @app_commands.describe(
        digits="One to eight digits; you cut once",
        last="Whether you want to cut after everybody else",
        match=MATCH_DESCRIPTION,
    )
    @with_reply
    async def cut(
        self, reply: InteractionReply, digits: str | None = None, last: bool | None = None, match: str | None = None
    ) -> None:
        """`cut`: cut with some digits, or choose to cut last."""
        visit = await self.finder.find_match(reply.interaction, match)
        if (digits is None) == (last is None):
            raise RequestRefused("Give either your digits, or whether you want to cut last.")
        if digits is not None:
            await self.deals.cut(reply, visit, digits)
        elif last is not None:
            await self.deals.cut_last(reply, visit, wanted=last)

    @app_commands.command(
        name="check-deal",
        description="Check that the deal of a match was honest, and get its record",
        extras=extras_of(READERS),
    )
    @app_commands.describe(match="The match's id; leave it out for your newest match")
    @with_reply
    async def check_deal(self, reply: InteractionReply, match: str | None = None) -> None:
        """`check-deal`: say what holds of the deal. It also works for matches that were given up."""
        visit = await self.finder.find_latest(reply.interaction, match)
        await self.deals.check(reply, visit)

    @cut.autocomplete("match")
    @check_deal.autocomplete("match")
    @safe_autocomplete
    async def _complete_match(self, interaction: discord.Interaction, current: str) -> Choices:
        return await own_match_choices(self.actions, await self.finder.own_matches(interaction.user.id), current)
