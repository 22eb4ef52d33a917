"""Glimpse as Discord gets to see it."""

from __future__ import annotations

from pathlib import Path

from cogs.table.game_ui import Front
from tests.example.cogs.glimpse.cog import GlimpseCog
from tests.example.cogs.glimpse.drawing import LAYOUTS
from tests.example.cogs.glimpse.primer import PRIMER
from tests.example.cogs.glimpse.screen import GlimpseScreen

PAGES = Path(__file__).resolve().parents[2] / "docs" / "rules"  # not among those of the games that can be played

FRONT = Front(GlimpseCog, GlimpseScreen(), LAYOUTS, PRIMER, PAGES)
