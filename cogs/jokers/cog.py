"""`/jokers`: trade for a hand that is all sets and runs, and declare it."""

from __future__ import annotations

from types import MappingProxyType

from cogs.screens.intro import Intro
from cogs.table.commands.game_commands import GameCog
from cogs.table.commands.move_commands import verb
from engines.jokers import JOKERS


class JokersCog(GameCog):
    """Jokers' own commands."""

    game = JOKERS
    intro = Intro("A rummy duel: trade until all eight cards fit.", {2: 30}, "easy", start_here=True)
    option_descriptions = MappingProxyType({"rounds": "How many rounds to play (6 unless you say otherwise)"})
    verbs = (
        verb(
            "trade",
            "Put cards of your hand on the discard pile and draw as many",
            cards="The cards in the order they go down, the last one on top: 4C 9D joker",
        ),
        verb("declare", "Declare your full hand and win the round"),
        verb("done", "Be done with your turn"),
    )
