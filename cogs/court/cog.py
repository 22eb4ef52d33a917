"""The `/court` commands: Jester's Court, Suit Thyself!"""

from __future__ import annotations

from types import MappingProxyType

from cogs.court.drawing.spec import CourtSign
from cogs.screens.intro import Intro
from cogs.screens.screen import Picture
from cogs.table.commands.game_commands import GameCog
from engines.court import COURT


class CourtCog(GameCog):
    """The Court's commands. Its moves need the board, so the only way to type one is `move`."""

    game = COURT
    intro = Intro(
        "Race your Mage to all four edges; knock rivals back.",
        {2: 15, 3: 35, 4: 190},
        "medium",
        Picture(CourtSign(), "court.png", "Jester's Court: a crowned king and two Mages on a board of brown squares."),
    )
    option_descriptions = MappingProxyType(
        {
            "banners": "How many banners win (default 4; 3 is much faster for four players)",
            "turns": "End after this many turns, counting all players; most banners win (default: no limit)",
        }
    )
    verbs = ()
