"""`/wizard`: bid exactly, then take exactly that."""

from __future__ import annotations

from types import MappingProxyType

from cogs.table.commands import GameCog
from cogs.table.moves import Number, verb
from engines.wizard import WIZARD


class WizardCog(GameCog):
    """Wizard's own commands."""

    game = WIZARD
    options_said = MappingProxyType({"rounds": "Play only the first so many rounds (the full game has 10 to 20)"})
    verbs = (
        verb("bid", "Say how many tricks you will take this round", tricks=Number(0, 20, "How many tricks")),
        verb("play", "Play a card to the trick", card="The card, such as 10H, QS, wizard or jester"),
    )
