"""The `/jesters` commands."""

from __future__ import annotations

from cogs.jesters.intro import INTRO
from cogs.table.commands.game_commands import GameCog, verb
from engines.jesters import JESTERS


class JestersCog(GameCog):
    """Jesters' commands."""

    game = JESTERS
    intro = INTRO
    verbs = (
        verb(
            "learn",
            "Discard a Jest card and take the Techniques on its top half",
            card="The card's number, then a colour for each “any”: 12 red",
        ),
        verb(
            "perform",
            "Roll your Techniques for a Performance or the Favorite",
            what="The Performance's number, or favorite",
            dice="Your dice, such as: 2 red blue",
        ),
        verb("pass", "Pass: return your Techniques and leave this round"),
    )
