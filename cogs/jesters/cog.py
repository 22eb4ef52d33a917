"""`/jesters`: learn Techniques, roll them, and complete Performances."""

from __future__ import annotations

from typing import Any, ClassVar

import discord
from discord import app_commands

from cogs.jesters.choices import choice, completions, dice, tasks
from cogs.table.answers import Answer
from cogs.table.commands import MOST_CHOICES, Choices, GameCog, answered, answered_publicly, narrowed
from engines.game import AnyGame
from engines.jesters import JESTERS
from engines.jesters.model import Options
from engines.match import Look

MATCH = "Which match, if you sit at several tables"


class JestersCog(GameCog, group_name="jesters", group_description="Jesters, for 2 to 4 players"):
    """Jesters' own commands: a new match and its moves."""

    game: ClassVar[AnyGame] = JESTERS

    def label(self, look: Look, seat: int, move: Any) -> str:
        """With what the move would bring now."""
        return choice(look.view(seat), move)

    @app_commands.command(description="Open a table for 2 to 4 players")
    @answered_publicly
    async def new(self, answer: Answer) -> None:
        """`new`: a lobby in this channel."""
        await self.desk.open(answer, self.game, Options())

    @app_commands.command(description="Discard a Jest card and take the Techniques of its top half")
    @app_commands.describe(card="The card's number, then the colours where it says any: 12 red", match=MATCH)
    @answered
    async def learn(self, answer: Answer, card: str, match: str | None = None) -> None:
        """`learn`: S6."""
        await self.move(answer, match, f"learn {card}")

    @app_commands.command(description="Roll Techniques of yours for a Performance or for the Favorite")
    @app_commands.describe(what="Its number, or favorite", dice="Your dice, such as: 2 red blue", match=MATCH)
    @answered
    async def perform(self, answer: Answer, what: str, dice: str, match: str | None = None) -> None:
        """`perform`: S7."""
        await self.move(answer, match, f"perform {what} {dice}")

    @app_commands.command(description="Discard a Jest card to change a rolled die")
    @app_commands.describe(change="The card, the die and what it is to show: 12 3 5", match=MATCH)
    @answered
    async def spend(self, answer: Answer, change: str, match: str | None = None) -> None:
        """`spend`: S7, S8."""
        await self.move(answer, match, f"spend {change}")

    @app_commands.command(description="Discard any Jest card for a reroll; then mark the dice and roll")
    @app_commands.describe(card="The card's number", match=MATCH)
    @answered
    async def reroll(self, answer: Answer, card: str, match: str | None = None) -> None:
        """`reroll`: S7."""
        await self.move(answer, match, f"reroll {card}")

    @app_commands.command(description="Use a Gift in your attempt")
    @app_commands.describe(gift="Its number, then the die or the colour that it asks for: 1 3", match=MATCH)
    @answered
    async def gift(self, answer: Answer, gift: str, match: str | None = None) -> None:
        """`gift`: S13, S22."""
        await self.move(answer, match, f"gift {gift}")

    @app_commands.command(description="Mark a die, to be rerolled or to change its colour")
    @app_commands.describe(die="The die's number", match=MATCH)
    @answered
    async def mark(self, answer: Answer, die: str, match: str | None = None) -> None:
        """`mark`: S7, S22."""
        await self.move(answer, match, f"mark {die}")

    @app_commands.command(description="Take the mark off a die")
    @app_commands.describe(die="The die's number", match=MATCH)
    @answered
    async def unmark(self, answer: Answer, die: str, match: str | None = None) -> None:
        """`unmark`: S7, S22."""
        await self.move(answer, match, f"unmark {die}")

    @app_commands.command(description="Reroll the dice you have marked")
    @app_commands.describe(match=MATCH)
    @answered
    async def roll(self, answer: Answer, match: str | None = None) -> None:
        """`roll`: S7."""
        await self.move(answer, match, "roll")

    @app_commands.command(description="Change the colour of the dice you have marked")
    @app_commands.describe(match=MATCH)
    @answered
    async def paint(self, answer: Answer, match: str | None = None) -> None:
        """`paint`: S22."""
        await self.move(answer, match, "paint")

    @app_commands.command(description="Finish your attempt: a success if the dice meet the requirement, else a failure")
    @app_commands.describe(match=MATCH)
    @answered
    async def finish(self, answer: Answer, match: str | None = None) -> None:
        """`finish`: S7."""
        await self.move(answer, match, "finish")

    @app_commands.command(description="Keep one of the two Gifts you have drawn")
    @app_commands.describe(gift="Its number", match=MATCH)
    @answered
    async def keep(self, answer: Answer, gift: str, match: str | None = None) -> None:
        """`keep`: S10."""
        await self.move(answer, match, f"keep {gift}")

    @app_commands.command(name="pass", description="Pass: return your Techniques and leave this round")
    @app_commands.describe(match=MATCH)
    @answered
    async def pass_(self, answer: Answer, match: str | None = None) -> None:
        """`pass`: S12."""
        await self.move(answer, match, "pass")

    # Autocomplete

    @learn.autocomplete("card")
    async def _learns(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self._offered(interaction, current, "learn")

    @perform.autocomplete("what")
    async def _tasks(self, interaction: discord.Interaction, current: str) -> Choices:
        found = await self.look(interaction)
        return [] if found is None else narrowed(tasks(found[0].view(found[1])), current)

    @perform.autocomplete("dice")
    async def _dice(self, interaction: discord.Interaction, current: str) -> Choices:
        found = await self.look(interaction)
        if found is None:
            return []
        what = str(getattr(interaction.namespace, "what", None) or "")
        offered = dice(found[0].view(found[1]), what, current)
        return [app_commands.Choice(name=name[:100], value=value) for name, value in offered[:MOST_CHOICES]]

    @spend.autocomplete("change")
    async def _spends(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self._offered(interaction, current, "spend")

    @reroll.autocomplete("card")
    async def _rerolls(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self._offered(interaction, current, "reroll")

    @gift.autocomplete("gift")
    async def _gifts(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self._offered(interaction, current, "gift")

    @mark.autocomplete("die")
    async def _marks(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self._offered(interaction, current, "mark")

    @unmark.autocomplete("die")
    async def _unmarks(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self._offered(interaction, current, "unmark")

    @keep.autocomplete("gift")
    async def _keeps(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self._offered(interaction, current, "keep")

    async def _offered(self, interaction: discord.Interaction, current: str, verb: str) -> Choices:
        """The legal moves of a verb; the values are notations without it."""
        found = await self.look(interaction)
        if found is None:
            return []
        look, seat = found
        return narrowed(completions(look.view(seat), look.moves(seat), verb), current)

    @learn.autocomplete("match")
    @perform.autocomplete("match")
    @spend.autocomplete("match")
    @reroll.autocomplete("match")
    @gift.autocomplete("match")
    @mark.autocomplete("match")
    @unmark.autocomplete("match")
    @roll.autocomplete("match")
    @paint.autocomplete("match")
    @finish.autocomplete("match")
    @keep.autocomplete("match")
    @pass_.autocomplete("match")
    async def _tables(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.match_choices(interaction, current)
