"""The `/wizard` commands."""

from __future__ import annotations

from types import MappingProxyType

from cogs.table.commands.game_commands import GameCog, Number, verb
from cogs.wizard.intro import INTRO
from engines.wizard import WIZARD


class WizardCog(GameCog):
    """Wizard's commands."""

    game = WIZARD
    intro = INTRO
    option_descriptions = MappingProxyType(
        {
            "rounds": "Play only this many rounds (the full game has 10 to 20)",
            "hands": "How many cards are dealt in each round (default: growing)",
            "hook": "From this many cards on, the bids must not total the number of tricks (default: none)",
            "bids": "Bid openly in turn, or all at once, hidden until play begins or until the round is "
            "scored (default: open)",
            "blind": "In every third round, bid before you see your cards (default: off)",
            "dummy": "Two players play with a third hand, which nobody holds (default: off)",
            "elephant": "Add the Elephant, which beats every other card except the Mouse (default: off)",
            "mouse": "Add the Mouse, which loses to every other card but catches the Elephant (default: off)",
            "trapdoor": "Add the Trapdoor: nobody takes the trick in which it lies (default: off)",
            "chameleon": "Add the Chameleon: it swaps with the turned-up card; its player names the trump suit "
            "(default: off)",
            "carousel": "Add the Carousel: after the trick with it, everybody passes a card to the left (default: off)",
            "weathervane": "Add the Weathervane: the player who takes it changes their bid by one (default: off)",
        }
    )
    verbs = (
        verb("bid", "Say how many tricks you will take this round", tricks=Number(0, 20, "How many tricks")),
        verb("play", "Play a card to the trick", card="The card, such as 10H, QS, wizard or jester"),
    )
