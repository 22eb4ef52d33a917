"""`/jest`: offer one card openly and one face down, and take one of somebody else's."""

from __future__ import annotations

from typing import Any, ClassVar

import discord
from discord import app_commands

from cogs.jest.screen import choice
from cogs.table import pages
from cogs.table.answers import Answer
from cogs.table.commands import Choices, GameCog, answered, answered_publicly
from engines.game import AnyGame
from engines.jest import JEST
from engines.jest.model import Options
from engines.match import Look

MATCH = "Which match, if you sit at several tables"


class JestCog(GameCog, group_name="jest", group_description="Jest, for 3 or 4 players"):
    """Jest's own commands: a new match and its moves."""

    game: ClassVar[AnyGame] = JEST

    def label(self, look: Look, seat: int, move: Any) -> str:
        """With whose offer it is and what lies there."""
        return choice(look.view(seat), move, pages.context(look))

    @app_commands.command(description="Open a table for 3 or 4 players")
    @answered_publicly
    async def new(self, answer: Answer) -> None:
        """`new`: a lobby in this channel."""
        await self.desk.open(answer, self.game, Options())

    @app_commands.command(description="Lay one of your two cards face down; the other will be seen by all")
    @app_commands.describe(card="The card that lies face down, such as 3S or joker", match=MATCH)
    @answered
    async def offer(self, answer: Answer, card: str, match: str | None = None) -> None:
        """`offer`: J4."""
        await self.move(answer, match, f"offer {card}")

    @app_commands.command(description="Take a card of an offer into your Jest")
    @app_commands.rename(source="from")
    @app_commands.describe(source="Whose offer, by its letter, and which card: such as B up or B down", match=MATCH)
    @answered
    async def take(self, answer: Answer, source: str, match: str | None = None) -> None:
        """`take`: J6."""
        await self.move(answer, match, f"take {source}")

    @offer.autocomplete("card")
    async def _cards(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.move_choices(interaction, current, "offer")

    @take.autocomplete("source")
    async def _sources(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.move_choices(interaction, current, "take")

    @offer.autocomplete("match")
    @take.autocomplete("match")
    async def _tables(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.match_choices(interaction, current)
