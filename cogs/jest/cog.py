"""The `/jest` commands."""

from __future__ import annotations

from cogs.jest.drawing.spec import JestSign
from cogs.screens.intro import Intro
from cogs.screens.screen import Picture
from cogs.table.commands.game_commands import GameCog, verb
from engines.jest import JEST


class JestCog(GameCog):
    """Jest's commands."""

    game = JEST
    intro = Intro(
        "Bluff and swap cards to build the best secret pile.",
        {3: 5, 4: 5},
        "medium",
        Picture(
            JestSign(), "jest.png", "Jest: a smiling jester, whose cap has three horns with bells, on green cloth."
        ),
    )
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
