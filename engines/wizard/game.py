"""Wizard's rules as one object, and the versions before, for older matches.

Old matches replay under their version, with the checkpoints that it wrote, and then continue under the newest. Other
options need a new version, because an older bot could not read them, or would play a match by other rules. Version 1
had no house rules. Version 2 had no hands by twos, and no hook from four cards on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, SerializerFunctionWrapHandler, TypeAdapter, WrapSerializer

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.wizard.model import PAST_PRESETS, PRESETS, Options, State
from engines.wizard.rules import WizardRules

NEW_FIELDS = ("trick_count", "hand_plan", "hook", "bidding", "blind", "specials", "swap", "bid_change", "passes")
"""The fields of the state that version 1 did not have."""


class WizardVersion1(WizardRules):
    """The published game, which may be limited to its first rounds."""

    version = 1

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """Draw for the deal, and deal the first round. House rules do not count."""
        return super().start(seats, Options(options.rounds), chance)

    @cached_property
    def checkpoint_adapter(self) -> TypeAdapter[State]:
        """Return the adapter that reads and writes a state as version 1 stored it."""
        return TypeAdapter(Annotated[State, BeforeValidator(_with_house_rules), WrapSerializer(_without_house_rules)])


class WizardVersion2(WizardRules):
    """The rules with fewer values of two options. Its checkpoints are those of today."""

    version = 2


class WizardGame(WizardRules):
    """Bid how many tricks you will take, then take exactly that many; with house rules since version 2."""

    version = 3
    past_versions: ClassVar[Mapping[int, AnyGame]] = MappingProxyType({1: WizardVersion1(), 2: WizardVersion2()})
    presets = PRESETS
    past_presets = PAST_PRESETS

    def migrate(self, checkpoint: Any, version: int) -> Any:
        """Add what version 1 did not store."""
        if version == 1:
            return _with_house_rules(checkpoint)
        return checkpoint if version == 2 else super().migrate(checkpoint, version)


def _with_house_rules(checkpoint: Any) -> Any:
    """Return a checkpoint of version 1 with the house rules off."""
    if not isinstance(checkpoint, dict) or "round" not in checkpoint:
        return checkpoint  # it is refused
    return {**_without_new_fields(checkpoint), "trick_count": checkpoint["round"]}


def _without_house_rules(state: State, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
    return _without_new_fields(write(state))


def _without_new_fields(checkpoint: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in checkpoint.items() if name not in NEW_FIELDS}


WIZARD_GAME = WizardGame()
