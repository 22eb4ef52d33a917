"""The registry of game UIs, the only list of the games in this package."""

from __future__ import annotations

from cogs.court.game_ui import GAME_UI as COURT
from cogs.jest.game_ui import GAME_UI as JEST
from cogs.jesters.game_ui import GAME_UI as JESTERS
from cogs.jokers.game_ui import GAME_UI as JOKERS
from cogs.table.game_ui import GameUIs
from cogs.wizard.game_ui import GAME_UI as WIZARD

GAME_UIS: GameUIs = {ui.game.key: ui for ui in (WIZARD, JEST, JOKERS, COURT, JESTERS)}
"""Each registered game has its commands, screens and pictures on Discord. The key is the game's key."""
