"""Jesters as Discord gets to see it."""

from __future__ import annotations

from cogs.front import Front
from cogs.jesters.cog import JestersCog
from cogs.jesters.drawing import LAYOUTS
from cogs.jesters.primer import PRIMER
from cogs.jesters.screen import JestersScreen

FRONT = Front(JestersCog, JestersScreen(), LAYOUTS, PRIMER)
