"""The games' fronts: the only list of them on this side."""

from __future__ import annotations

from cogs.court.front import FRONT as COURT
from cogs.jest.front import FRONT as JEST
from cogs.jesters.front import FRONT as JESTERS
from cogs.jokers.front import FRONT as JOKERS
from cogs.table.game_ui import Fronts
from cogs.wizard.front import FRONT as WIZARD

FRONTS: Fronts = {front.game.key: front for front in (WIZARD, JEST, JOKERS, COURT, JESTERS)}
"""What is registered here has its commands, screens and pictures in Discord."""
