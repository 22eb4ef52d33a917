"""`/court`: Jester's Court, Suit Thyself! Past the edges of all four suits."""

from __future__ import annotations

from types import MappingProxyType

from cogs.screens.intro import Intro
from cogs.table.commands.game_commands import GameCog
from engines.court import COURT


class CourtCog(GameCog):
    """The Court's own commands: its moves need a board to look at, so none is typed but in `move`."""

    game = COURT
    intro = Intro("Race your Mage to all four edges; knock rivals back.", {2: 15, 3: 35, 4: 190}, "medium")
    option_descriptions = MappingProxyType(
        {
            "banners": "How many banners win (4 unless you say otherwise; 3 is much faster for four players)",
            "turns": "End after so many turns, all players' together: most banners win (no limit unless you say so)",
        }
    )
    verbs = ()
