"""The `/court` commands: Jester's Court, Suit Thyself!"""

from __future__ import annotations

from types import MappingProxyType

from cogs.court.intro import INTRO
from cogs.table.commands.game_commands import GameCog
from engines.court import COURT


class CourtCog(GameCog):
    """The Court's commands. Its moves need the board, so the only way to type one is `move`."""

    game = COURT
    intro = INTRO
    option_descriptions = MappingProxyType(
        {
            "banners": "How many banners win (default 4; 3 is much faster for four players)",
            "turns": "End after this many turns, counting all players; most banners win (default: no limit)",
        }
    )
    verbs = ()
