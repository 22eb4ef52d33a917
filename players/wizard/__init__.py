"""Wizard's computer players."""

from players.wizard.mind import WizardMind

MIND = WizardMind()

__all__ = ["MIND"]
