"""Games and screens that break a law of options each. All are Wizard otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from cogs.wizard.screen import WizardScreen
from engines.kit.chance import Chance
from engines.kit.contract import NoEffect
from engines.wizard.game import WizardGame
from engines.wizard.house_rules import NO_EFFECTS
from engines.wizard.model import Options, State


class DeafOption(WizardGame):  # the hook does nothing, and nobody says so
    def start(self, seats: int, options: Options, chance: Chance) -> State:
        return super().start(seats, replace(options, hook=None), chance)


class NeverMatters(WizardGame):  # blind bids are said to have no effect in any match
    no_effects = MappingProxyType({"blind": NoEffect("nobody looks anyway", lambda options, seats: True)})


class WrongReason(WizardGame):  # the hook has an effect from two cards on
    no_effects = MappingProxyType({"hook": NoEffect("two are few", lambda options, seats: options.hook == 2)})


class ShoutedReason(WizardGame):  # the reason does not follow “because”
    no_effects = MappingProxyType({**NO_EFFECTS, "blind": replace(NO_EFFECTS["blind"], why="There are two rounds.")})


class EndlessReason(WizardGame):  # the reason does not fit under a line of a list
    no_effects = MappingProxyType({"blind": replace(NO_EFFECTS["blind"], why="there are two rounds, and " * 2)})


class OtherHands(WizardScreen):  # all plans of hands are called alike
    def option_phrases(self, options: Options, seats: int) -> Mapping[str, str]:
        return {"hands": "other hands"}


class ShortLobby(WizardScreen):  # a lobby promises less than the intro
    def match_minutes(self, options: Any, seats: int) -> int:
        return 5
