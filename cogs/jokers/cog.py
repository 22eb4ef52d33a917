"""The `/jokers` commands."""

from __future__ import annotations

from types import MappingProxyType

from cogs.jokers.intro import INTRO
from cogs.table.commands.game_commands import GameCog, verb
from engines.jokers import JOKERS


class JokersCog(GameCog):
    """Jokers' commands."""

    game = JOKERS
    intro = INTRO
    option_descriptions = MappingProxyType({"rounds": "How many rounds to play (default 6)"})
    verbs = (
        verb(
            "trade",
            "Put cards from your hand on the discard pile and draw the same number",
            cards="The cards in order; the last one ends up on top: 4C 9D joker",
        ),
        verb("declare", "Declare your full hand and win the round"),
        verb("done", "End your turn"),
    )
