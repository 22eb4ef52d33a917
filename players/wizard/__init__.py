"""The computer players of Wizard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from players.wizard.numbers import parse_weights
from players.wizard.player_model import WizardPlayerModel
from players.wizard.policy import Policy

PLAYER_MODEL = WizardPlayerModel()


def tuned_model(table: Mapping[str, Any]) -> WizardPlayerModel:
    """Return a player model that only follows the rule of thumb with these weights, for tuning."""
    return WizardPlayerModel(Policy(parse_weights(table)))


__all__ = ["PLAYER_MODEL", "tuned_model"]
