"""`/court`: Jester's Court, Suit Thyself! Past the edges of all four suits."""

from __future__ import annotations

from typing import Any, ClassVar

import discord
from discord import app_commands

from cogs.court.controls import choice, completions
from cogs.court.words import short
from cogs.screens.words import listed
from cogs.table.answers import Answer
from cogs.table.commands import MOST_CHOICES, Choices, GameCog, answered, answered_publicly, narrowed
from engines.court import COURT, deck
from engines.court.model import Attack, Options, Push
from engines.game import AnyGame
from engines.match import Look
from engines.seats import letter

MATCH = "Which match, if you sit at several tables"
CARD = "The card, such as 4H, KS or menhir"


class CourtCog(GameCog, group_name="court", group_description="Jester's Court, Suit Thyself!, for 2 to 4 players"):
    """The Court's own commands: a new match and its moves."""

    game: ClassVar[AnyGame] = COURT

    def label(self, look: Look, seat: int, move: Any) -> str:
        """With where it leads."""
        return choice(look.view(seat), move)

    @app_commands.command(description="Open a table for 2 to 4 players")
    @app_commands.describe(
        banners="How many banners win (4 unless you say otherwise; 3 is much faster for four players)",
        turns="End after so many turns, all players' together: most banners win (no limit unless you say so)",
    )
    @answered_publicly
    async def new(
        self,
        answer: Answer,
        banners: app_commands.Range[int, 2, 4] = 4,
        turns: app_commands.Range[int, 1, 1000] | None = None,
    ) -> None:
        """`new`: a lobby in this channel."""
        await self.desk.open(answer, self.game, Options(banners, turns))

    @app_commands.command(name="move", description="Phase One: move your own Mage by a card")
    @app_commands.describe(card=CARD, match=MATCH)
    @answered
    async def step(self, answer: Answer, card: str, match: str | None = None) -> None:
        """`move`: T4."""
        await self.move(answer, match, f"move {card}")

    @app_commands.command(description="Phase One: skip it, when you hold no number card")
    @app_commands.describe(match=MATCH)
    @answered
    async def skip(self, answer: Answer, match: str | None = None) -> None:
        """`skip`: T4."""
        await self.move(answer, match, "skip")

    @app_commands.command(description="Phase Two: move another player's Mage by a number card")
    @app_commands.describe(card=CARD, whom="Whose Mage", match=MATCH)
    @answered
    async def push(self, answer: Answer, card: str, whom: str, match: str | None = None) -> None:
        """`push`: T8."""
        await self.move(answer, match, f"push {card} {whom}")

    @app_commands.command(description="Phase Two: attack by a jack, queen or king")
    @app_commands.describe(card=CARD, whom="Whom, with four players: a jack one, a queen one or two", match=MATCH)
    @answered
    async def attack(self, answer: Answer, card: str, whom: str = "", match: str | None = None) -> None:
        """`attack`: T9."""
        await self.move(answer, match, f"attack {card} {whom}")

    @app_commands.command(description="Phase Two: one damage to every other Mage, by an ace")
    @app_commands.describe(card=CARD, match=MATCH)
    @answered
    async def strike(self, answer: Answer, card: str, match: str | None = None) -> None:
        """`strike`: T8."""
        await self.move(answer, match, f"strike {card}")

    @app_commands.command(description="Phase Two: heal your Mage by one, by an ace")
    @app_commands.describe(card=CARD, match=MATCH)
    @answered
    async def heal(self, answer: Answer, card: str, match: str | None = None) -> None:
        """`heal`: T8."""
        await self.move(answer, match, f"heal {card}")

    @app_commands.command(description="Phase Two: place or move your Menhir, by a Menhir card")
    @app_commands.describe(square="The square, such as K9: columns A–V, rows 1–22 from the top", match=MATCH)
    @answered
    async def menhir(self, answer: Answer, square: str, match: str | None = None) -> None:
        """`menhir`: T8."""
        await self.move(answer, match, f"menhir {square}")

    @app_commands.command(description="Phase Two: discard a card without effect")
    @app_commands.describe(card=CARD, match=MATCH)
    @answered
    async def discard(self, answer: Answer, card: str, match: str | None = None) -> None:
        """`discard`: T8."""
        await self.move(answer, match, f"discard {card}")

    @app_commands.command(description="Place your Mage on a starting square")
    @app_commands.describe(square="K11, L11, K12 or L12", match=MATCH)
    @answered
    async def place(self, answer: Answer, square: str, match: str | None = None) -> None:
        """`place`: T2, T6, T10, T11."""
        await self.move(answer, match, f"place {square}")

    @app_commands.command(description="Give back a banner, when your Mage is knocked out")
    @app_commands.describe(suit="The banner's suit", match=MATCH)
    @answered
    async def give(self, answer: Answer, suit: str, match: str | None = None) -> None:
        """`give`: T10."""
        await self.move(answer, match, f"give {suit}")

    @step.autocomplete("card")
    async def _steps(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.move_choices(interaction, current, "move")

    @strike.autocomplete("card")
    async def _strikes(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.move_choices(interaction, current, "strike")

    @heal.autocomplete("card")
    async def _heals(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.move_choices(interaction, current, "heal")

    @discard.autocomplete("card")
    async def _discards(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.move_choices(interaction, current, "discard")

    @place.autocomplete("square")
    async def _starts(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.move_choices(interaction, current, "place")

    @give.autocomplete("suit")
    async def _banners(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.move_choices(interaction, current, "give")

    @menhir.autocomplete("square")
    async def _squares(self, interaction: discord.Interaction, current: str) -> Choices:
        found = await self.look(interaction)
        if found is None:
            return []
        look, seat = found
        offered = completions(look.moves(seat), current)
        return [app_commands.Choice(name=name, value=value) for name, value in offered[:MOST_CHOICES]]

    @push.autocomplete("card")
    @attack.autocomplete("card")
    async def _cards(self, interaction: discord.Interaction, current: str) -> Choices:
        found = await self.look(interaction)
        return [] if found is None else narrowed(cards(*found, _kind(interaction)), current)

    @push.autocomplete("whom")
    @attack.autocomplete("whom")
    async def _rivals(self, interaction: discord.Interaction, current: str) -> Choices:
        found = await self.look(interaction)
        card = str(getattr(interaction.namespace, "card", None) or "")
        return [] if found is None else narrowed(rivals(*found, _kind(interaction), card), current)

    @step.autocomplete("match")
    @skip.autocomplete("match")
    @push.autocomplete("match")
    @attack.autocomplete("match")
    @strike.autocomplete("match")
    @heal.autocomplete("match")
    @menhir.autocomplete("match")
    @discard.autocomplete("match")
    @place.autocomplete("match")
    @give.autocomplete("match")
    async def _tables(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.match_choices(interaction, current)


def cards(look: Look, seat: int, kind: type[Push] | type[Attack]) -> list[tuple[str, str]]:
    """The cards with which the seat may do this, in words and in the notation."""
    found = dict.fromkeys(move.card for move in look.moves(seat) if isinstance(move, kind))
    return [(short(card), deck.name(card)) for card in found]


def rivals(look: Look, seat: int, kind: type[Push] | type[Attack], card: str) -> list[tuple[str, str]]:
    """Whose Mages that card may move or attack: by letter and name, and in the notation."""
    try:
        held = deck.card(card)
    except ValueError:
        return []
    found = [targets(move) for move in look.moves(seat) if isinstance(move, kind) and move.card == held]
    names = [f"{letter(index)} {person.name}" for index, person in enumerate(look.info.seats)]
    return [(listed([names[target] for target in each]), " ".join(map(letter, each))) for each in found if each]


def targets(move: Push | Attack) -> tuple[int, ...]:
    """The seats that a move names."""
    return (move.target,) if isinstance(move, Push) else move.targets


def _kind(interaction: discord.Interaction) -> type[Push] | type[Attack]:
    """Which of the two commands is being typed."""
    command = interaction.command
    return Push if command is not None and command.name == "push" else Attack
