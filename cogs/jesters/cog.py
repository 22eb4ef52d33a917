"""The `/jesters` commands."""

from __future__ import annotations

from cogs.jesters.drawing.spec import JestersSign
from cogs.screens.intro import Intro
from cogs.screens.screen import Picture
from cogs.table.commands.game_commands import GameCog, verb
from engines.jesters import JESTERS


class JestersCog(GameCog):
    """Jesters' commands."""

    game = JESTERS
    intro = Intro(
        "Gather dice, dare a Performance, earn Fame and Gifts.",
        {2: 20, 3: 30, 4: 40},
        "demanding",
        Picture(
            JestersSign(), "jesters.png", "Jesters: a jester above a red, a blue and a green die, on violet cloth."
        ),
    )
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
