"""Wizard's rules as one object, and the versions before."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from engines.kit.contract import AnyGame
from engines.wizard.model import PRESETS
from engines.wizard.rules import WizardRules
from engines.wizard.version_1 import WizardVersion1, with_house_rules


class WizardGame(WizardRules):
    """Bid how many tricks you will take, then take exactly that many; with house rules since version 2."""

    version = 2
    past_versions: ClassVar[Mapping[int, AnyGame]] = MappingProxyType({1: WizardVersion1()})
    presets = PRESETS

    def migrate(self, checkpoint: Any, version: int) -> Any:
        """Add what version 1 did not store."""
        return with_house_rules(checkpoint) if version == 1 else super().migrate(checkpoint, version)


WIZARD_GAME = WizardGame()
