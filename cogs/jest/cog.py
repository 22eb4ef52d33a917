"""`/jest`: offer one card openly and one face down, and take one of somebody else's."""

from __future__ import annotations

from cogs.screens.intro import Intro
from cogs.table.commands.game_commands import GameCog
from cogs.table.commands.move_commands import verb
from engines.jest import JEST


class JestCog(GameCog):
    """Jest's own commands."""

    game = JEST
    intro = Intro("Bluff and swap cards to build the best secret pile.", {3: 5, 4: 5}, "medium")
    verbs = (
        verb(
            "offer",
            "Lay one of your two cards face down; the other will be seen by all",
            card="The card that lies face down, such as 3S or joker",
        ),
        verb(
            "take",
            "Take a card of an offer into your Jest",
            from_="Whose offer, by its letter, and which card: such as B up or B down",
        ),
    )
