"""The `/jest` commands."""

from __future__ import annotations

from cogs.jest.intro import INTRO
from cogs.table.commands.game_commands import GameCog, verb
from engines.jest import JEST


class JestCog(GameCog):
    """Jest's commands."""

    game = JEST
    intro = INTRO
    verbs = (
        verb(
            "offer",
            "Lay one of your two cards face down; everybody sees the other one",
            card="The card to lay face down, such as 3S or joker",
        ),
        verb(
            "take",
            "Take a card from an offer into your Jest",
            from_="The seat's letter and which card, such as B up or B down",
        ),
    )
