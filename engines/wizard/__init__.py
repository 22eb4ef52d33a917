"""Wizard: tricks, trump, and bids to be met exactly. Three to six players."""

from engines.wizard.game import WIZARD_GAME as WIZARD

__all__ = ["WIZARD"]
