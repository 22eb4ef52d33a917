"""Wizard's computer players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from players.wizard.numbers import read
from players.wizard.player_model import WizardMind
from players.wizard.policy import Policy

MIND = WizardMind()


def tuned(table: Mapping[str, Any]) -> WizardMind:
    """A mind that weighs by these numbers, for tuning."""
    return WizardMind(Policy(read(table)))


__all__ = ["MIND", "tuned"]
