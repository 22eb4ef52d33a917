"""The `/glimpse` commands."""

from __future__ import annotations

from types import MappingProxyType

from cogs.screens.intro import Intro
from cogs.screens.screen import Picture
from cogs.table.commands.game_commands import GameCog, Number, verb
from tests.example.cogs.glimpse.drawing.spec import GlimpseSign
from tests.example.engines.glimpse import GLIMPSE


class GlimpseCog(GameCog):
    """Glimpse's commands."""

    game = GLIMPSE
    intro = Intro(
        "Lay a card face down and let the others guess.",
        {3: 5, 4: 5},
        "easy",
        Picture(GlimpseSign(), "glimpse.png", "Glimpse: the back of a card, and a wizard with the number 12."),
    )
    option_descriptions = MappingProxyType({"deals": "How many deals are played"})
    verbs = (
        verb("lay", "Lay one of your cards face down", card=Number(1, 12, "The number on the card")),
        verb("guess", "Guess what the card is that lies face down", kind="Fool or wizard"),
    )
