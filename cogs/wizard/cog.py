"""`/wizard`: bid exactly, then take exactly that."""

from __future__ import annotations

from typing import ClassVar

import discord
from discord import app_commands

from cogs.table.answers import Answer
from cogs.table.commands import Choices, GameCog, answered, answered_publicly
from engines.game import AnyGame
from engines.wizard import WIZARD
from engines.wizard.model import Options

MATCH = "Which match, if you sit at several tables"


class WizardCog(GameCog, group_name="wizard", group_description="Wizard, for 3 to 6 players"):
    """Wizard's own commands: a new match and its moves."""

    game: ClassVar[AnyGame] = WIZARD

    @app_commands.command(description="Open a table for 3 to 6 players")
    @app_commands.describe(rounds="Play only the first so many rounds (the full game has 10 to 20)")
    @answered_publicly
    async def new(self, answer: Answer, rounds: app_commands.Range[int, 1, 20] | None = None) -> None:
        """`new`: a lobby in this channel."""
        await self.desk.open(answer, self.game, Options(rounds))

    @app_commands.command(description="Say how many tricks you will take this round")
    @app_commands.describe(tricks="How many tricks", match=MATCH)
    @answered
    async def bid(self, answer: Answer, tricks: app_commands.Range[int, 0, 20], match: str | None = None) -> None:
        """`bid`: W4."""
        await self.move(answer, match, f"bid {tricks}")

    @app_commands.command(description="Play a card to the trick")
    @app_commands.describe(card="The card, such as 10H, QS, wizard or jester", match=MATCH)
    @answered
    async def play(self, answer: Answer, card: str, match: str | None = None) -> None:
        """`play`: W5 to W7."""
        await self.move(answer, match, f"play {card}")

    @app_commands.command(description="Name the trump suit, when a Wizard was turned up and you deal")
    @app_commands.describe(suit="The suit", match=MATCH)
    @answered
    async def trump(self, answer: Answer, suit: str, match: str | None = None) -> None:
        """`trump`: W3."""
        await self.move(answer, match, f"trump {suit}")

    @play.autocomplete("card")
    async def _cards(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.move_choices(interaction, current, "play")

    @trump.autocomplete("suit")
    async def _suits(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.move_choices(interaction, current, "trump")

    @bid.autocomplete("match")
    @play.autocomplete("match")
    @trump.autocomplete("match")
    async def _tables(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.match_choices(interaction, current)
