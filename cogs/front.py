"""What a game is to Discord: its screen, how its pictures are laid out, and its commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cogs.pictures.canvas import Layouts
from cogs.screens.screen import GameScreen
from cogs.table.commands import GameCog
from engines.game import AnyGame


@dataclass(frozen=True, slots=True)
class Front:
    """A game's room in front. Everything shared is handed it where the bot is wired, and knows no other game."""

    cog: type[GameCog]
    screen: GameScreen
    layouts: Layouts

    @property
    def game(self) -> AnyGame:
        """The game behind it."""
        return self.cog.game


Fronts = Mapping[str, Front]
"""By a game's key."""
