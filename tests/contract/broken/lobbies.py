"""Screens that break a law of lobbies each. All are Wizard's otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cogs.jest.intro import INTRO as JEST_INTRO
from cogs.wizard.intro import INTRO
from cogs.wizard.screen import WizardScreen
from engines.kit.options import game_options
from engines.wizard import WIZARD
from engines.wizard.model import Options


class EndlessRules(WizardScreen):  # how it is played takes more words than an invitation has
    def option_phrases(self, options: Options, seats: int) -> Mapping[str, str]:
        return {
            option.name: f"{option.name} as it is told at length below, with all its reasons" * 2
            for option in game_options(WIZARD)
        }


class SealInWords(WizardScreen):  # its sentence is a seal
    intro = replace(INTRO, like=f"The seal is {'5e' * 32}.")


class EndlessAlt(WizardScreen):  # its sentence leaves no room for the seats in an alt text
    intro = replace(INTRO, like="Bid your tricks, then take exactly that many. " * 22)


class LongInvitation(WizardScreen):  # its sentence covers the seats
    intro = replace(INTRO, like="Bid your tricks, then take exactly that many. " * 4)


class BorrowedPicture(WizardScreen):  # it invites with the picture of another game
    intro = replace(INTRO, lobby=JEST_INTRO.lobby)
