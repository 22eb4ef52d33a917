"""The `/wizard` commands."""

from __future__ import annotations

from types import MappingProxyType

from cogs.screens.intro import Intro
from cogs.table.commands.game_commands import GameCog
from cogs.table.commands.move_commands import Number, verb
from engines.wizard import WIZARD


class WizardCog(GameCog):
    """Wizard's commands."""

    game = WIZARD
    intro = Intro(
        "Bid your tricks, then take exactly that many.", {3: 95, 4: 70, 5: 55, 6: 45}, "easy", start_here=True
    )
    option_descriptions = MappingProxyType({"rounds": "Play only this many rounds (the full game has 10 to 20)"})
    verbs = (
        verb("bid", "Say how many tricks you will take this round", tricks=Number(0, 20, "How many tricks")),
        verb("play", "Play a card to the trick", card="The card, such as 10H, QS, wizard or jester"),
    )
