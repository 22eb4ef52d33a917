"""`/jesters`: learn Techniques, roll them, and complete Performances."""

from __future__ import annotations

from cogs.screens.intro import Intro
from cogs.table.commands.game_commands import GameCog
from cogs.table.commands.move_commands import verb
from engines.jesters import JESTERS


class JestersCog(GameCog):
    """Jesters' own commands."""

    game = JESTERS
    intro = Intro("Gather dice, dare a Performance, earn Fame and Gifts.", {2: 20, 3: 30, 4: 40}, "demanding")
    verbs = (
        verb(
            "learn",
            "Discard a Jest card and take the Techniques of its top half",
            card="The card's number, then the colours where it says any: 12 red",
        ),
        verb(
            "perform",
            "Roll Techniques of yours for a Performance or for the Favorite",
            what="Its number, or favorite",
            dice="Your dice, such as: 2 red blue",
        ),
        verb("pass", "Pass: return your Techniques and leave this round"),
    )
