"""`/jokers`: trade for a hand that is all sets and runs, and declare it."""

from __future__ import annotations

from types import MappingProxyType

from cogs.table.commands import GameCog
from cogs.table.moves import Number, verb
from engines.jokers import JOKERS


class JokersCog(GameCog):
    """Jokers' own commands."""

    game = JOKERS
    options_said = MappingProxyType({"rounds": "How many rounds to play (6 unless you say otherwise)"})
    verbs = (
        verb(
            "trade",
            "Put cards of your hand on the discard pile and draw as many",
            cards="The cards in the order they go down, the last one on top: 4C 9D joker",
        ),
        verb(
            "safety",
            "Turn up one of your safety cards; then take a card from the discard pile or keep it",
            which=Number(1, 2, "Your first or your second safety card"),
        ),
        verb(
            "take",
            "Take a card of the discard pile for the safety card you have turned up",
            depth="How deep it lies; 1 is the top of the pile",
        ),
        verb("keep", "Take the safety card you have turned up into your hand"),
        verb("discard", "Discard a card after using a safety card", card="The card, such as 10H or joker"),
        verb("declare", "Declare your full hand and win the round"),
        verb("done", "Be done with your turn"),
    )
