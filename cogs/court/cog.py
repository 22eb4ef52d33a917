"""`/court`: Jester's Court, Suit Thyself! Past the edges of all four suits."""

from __future__ import annotations

from types import MappingProxyType

from cogs.table.commands import GameCog
from engines.court import COURT


class CourtCog(GameCog):
    """The Court's own commands: its moves need a board to look at, so none is typed but in `move`."""

    game = COURT
    options_said = MappingProxyType(
        {
            "banners": "How many banners win (4 unless you say otherwise; 3 is much faster for four players)",
            "turns": "End after so many turns, all players' together: most banners win (no limit unless you say so)",
        }
    )
    verbs = ()
