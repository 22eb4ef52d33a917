"""`/court`: Jester's Court, Suit Thyself! Past the edges of all four suits."""

from __future__ import annotations

from types import MappingProxyType

from cogs.table.commands import GameCog
from cogs.table.moves import Left, verb
from engines.court import COURT

CARD = "The card, such as 4H, KS or menhir"
SQUARE = "The square, such as K9: columns A–V, rows 1–22 from the top"
WHOM = Left("Whom, with four players: a jack one, a queen one or two")


class CourtCog(GameCog):
    """The Court's own commands."""

    game = COURT
    options_said = MappingProxyType(
        {
            "banners": "How many banners win (4 unless you say otherwise; 3 is much faster for four players)",
            "turns": "End after so many turns, all players' together: most banners win (no limit unless you say so)",
        }
    )
    verbs = (
        verb("move", "Phase One: move your own Mage by a card", card=CARD),
        verb("skip", "Phase One: skip it, when you hold no number card"),
        verb("push", "Phase Two: move another player's Mage by a number card", card=CARD, whom="Whose Mage"),
        verb("attack", "Phase Two: attack by a jack, queen or king", card=CARD, whom=WHOM),
        verb("strike", "Phase Two: one damage to every other Mage, by an ace", card=CARD),
        verb("heal", "Phase Two: heal your Mage by one, by an ace", card=CARD),
        verb("menhir", "Phase Two: place or move your Menhir, by a Menhir card", square=SQUARE),
        verb("discard", "Phase Two: discard a card without effect", card=CARD),
        verb("place", "Place your Mage on a starting square", square="K11, L11, K12 or L12"),
        verb("give", "Give back a banner, when your Mage is knocked out", suit="The banner's suit"),
    )
