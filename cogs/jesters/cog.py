"""`/jesters`: learn Techniques, roll them, and complete Performances."""

from __future__ import annotations

from cogs.table.commands import GameCog
from cogs.table.moves import verb
from engines.jesters import JESTERS

CHANGE = "The card, the die and what it is to show: 12 3 5"


class JestersCog(GameCog):
    """Jesters' own commands."""

    game = JESTERS
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
        verb("spend", "Discard a Jest card to change a rolled die", change=CHANGE),
        verb("reroll", "Discard any Jest card for a reroll; then mark the dice and roll", card="The card's number"),
        verb("gift", "Use a Gift in your attempt", gift="Its number, then the die or the colour that it asks for: 1 3"),
        verb("mark", "Mark a die, to be rerolled or to change its colour", die="The die's number"),
        verb("unmark", "Take the mark off a die", die="The die's number"),
        verb("roll", "Reroll the dice you have marked"),
        verb("paint", "Change the colour of the dice you have marked"),
        verb("finish", "Finish your attempt: a success if the dice meet the requirement, else a failure"),
        verb("keep", "Keep one of the two Gifts you have drawn", gift="Its number"),
        verb("pass", "Pass: return your Techniques and leave this round"),
    )
