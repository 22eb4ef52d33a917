"""`/jokers`: trade for a hand that is all sets and runs, and declare it."""

from __future__ import annotations

from typing import Any, ClassVar

import discord
from discord import app_commands

from cogs.jokers.screen import choice, completions
from cogs.table.answers import Answer
from cogs.table.commands import MOST_CHOICES, Choices, GameCog, answered, answered_publicly
from engines.game import AnyGame
from engines.jokers import JOKERS
from engines.jokers.model import Options
from engines.match import Look

MATCH = "Which match, if you sit at several tables"


class JokersCog(GameCog, group_name="jokers", group_description="Jokers, for 2 players"):
    """Jokers' own commands: a new match and its moves."""

    game: ClassVar[AnyGame] = JOKERS

    def label(self, look: Look, seat: int, move: Any) -> str:
        """With the card that lies at a depth."""
        return choice(look.view(seat), move)

    @app_commands.command(description="Open a table for 2 players")
    @app_commands.describe(rounds="How many rounds to play (6 unless you say otherwise)")
    @answered_publicly
    async def new(self, answer: Answer, rounds: app_commands.Range[int, 1, 12] = 6) -> None:
        """`new`: a lobby in this channel."""
        await self.desk.open(answer, self.game, Options(rounds))

    @app_commands.command(description="Put cards of your hand on the discard pile and draw as many")
    @app_commands.describe(cards="The cards in the order they go down, the last one on top: 4C 9D joker", match=MATCH)
    @answered
    async def trade(self, answer: Answer, cards: str, match: str | None = None) -> None:
        """`trade`: K3."""
        await self.move(answer, match, f"trade {cards}")

    @app_commands.command(
        description="Turn up one of your safety cards; then take a card from the discard pile or keep it"
    )
    @app_commands.describe(which="Your first or your second safety card", match=MATCH)
    @answered
    async def safety(self, answer: Answer, which: app_commands.Range[int, 1, 2], match: str | None = None) -> None:
        """`safety`: K4."""
        await self.move(answer, match, f"safety {which}")

    @app_commands.command(description="Take a card of the discard pile for the safety card you have turned up")
    @app_commands.describe(depth="How deep it lies; 1 is the top of the pile", match=MATCH)
    @answered
    async def take(self, answer: Answer, depth: str, match: str | None = None) -> None:
        """`take`: K4."""
        await self.move(answer, match, f"take {depth}")

    @app_commands.command(description="Take the safety card you have turned up into your hand")
    @app_commands.describe(match=MATCH)
    @answered
    async def keep(self, answer: Answer, match: str | None = None) -> None:
        """`keep`: K4."""
        await self.move(answer, match, "keep")

    @app_commands.command(description="Discard a card after using a safety card")
    @app_commands.describe(card="The card, such as 10H or joker", match=MATCH)
    @answered
    async def discard(self, answer: Answer, card: str, match: str | None = None) -> None:
        """`discard`: K4."""
        await self.move(answer, match, f"discard {card}")

    @app_commands.command(description="Declare your full hand and win the round")
    @app_commands.describe(match=MATCH)
    @answered
    async def declare(self, answer: Answer, match: str | None = None) -> None:
        """`declare`: K9."""
        await self.move(answer, match, "declare")

    @app_commands.command(description="Be done with your turn")
    @app_commands.describe(match=MATCH)
    @answered
    async def done(self, answer: Answer, match: str | None = None) -> None:
        """`done`: K3."""
        await self.move(answer, match, "done")

    @trade.autocomplete("cards")
    async def _trades(self, interaction: discord.Interaction, current: str) -> Choices:
        found = await self.look(interaction)
        if found is None:
            return []
        look, seat = found
        offered = completions(look.view(seat), look.moves(seat), current)
        return [app_commands.Choice(name=name, value=value) for name, value in offered[:MOST_CHOICES]]

    @take.autocomplete("depth")
    async def _depths(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.move_choices(interaction, current, "take")

    @discard.autocomplete("card")
    async def _cards(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.move_choices(interaction, current, "discard")

    @trade.autocomplete("match")
    @safety.autocomplete("match")
    @take.autocomplete("match")
    @keep.autocomplete("match")
    @discard.autocomplete("match")
    @declare.autocomplete("match")
    @done.autocomplete("match")
    async def _tables(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.match_choices(interaction, current)
