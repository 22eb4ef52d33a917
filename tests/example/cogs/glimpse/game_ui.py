"""Registers what Glimpse shows on Discord."""

from __future__ import annotations

from pathlib import Path

from cogs.table.game_ui import GameUI
from tests.example.cogs.glimpse.cog import GlimpseCog
from tests.example.cogs.glimpse.drawing.layout import LAYOUTS
from tests.example.cogs.glimpse.intro import EXAMPLE_POSITION
from tests.example.cogs.glimpse.screen import GlimpseScreen

DOCS_FOLDER = Path(__file__).resolve().parents[2] / "docs"  # apart from those of the real games

GAME_UI = GameUI(GlimpseCog, GlimpseScreen(), LAYOUTS, EXAMPLE_POSITION, DOCS_FOLDER)
