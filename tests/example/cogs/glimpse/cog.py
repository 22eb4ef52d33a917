"""The `/glimpse` commands."""

from __future__ import annotations

from types import MappingProxyType

from cogs.table.commands.game_commands import GameCog, Number, verb
from tests.example.cogs.glimpse.intro import INTRO
from tests.example.engines.glimpse import GLIMPSE


class GlimpseCog(GameCog):
    """Glimpse's commands."""

    game = GLIMPSE
    intro = INTRO
    option_descriptions = MappingProxyType({"deals": "How many deals are played"})
    verbs = (
        verb("lay", "Lay one of your cards face down", card=Number(1, 12, "The number on the card")),
        verb("guess", "Guess what the card is that lies face down", kind="Fool or wizard"),
    )
