"""What a game is to Discord: its commands, its screen, how its pictures are laid out, and its rules page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cogs.pictures.raster.canvas import Layouts
from cogs.screens.intro import Intro
from cogs.screens.primer import Primer
from cogs.screens.screen import GameScreen, Picture
from cogs.table.commands.game_commands import GameCog
from cogs.table.pages.rules_pages import RulesPages
from engines.kit.contract import AnyGame

RULES_FOLDER = Path(__file__).resolve().parents[2] / "docs" / "rules"


@dataclass(frozen=True, slots=True)
class GameUI:
    """A game's room in front. Everything shared is handed it where the bot is wired, and knows no other game."""

    cog_class: type[GameCog]
    screen: GameScreen
    layouts: Layouts
    primer: Primer
    """What its rules show first."""
    rules_folder: Path = RULES_FOLDER
    """The folder in which its rules page lies, by its key."""

    @property
    def game(self) -> AnyGame:
        """The game behind it."""
        return self.cog_class.game

    @property
    def intro(self) -> Intro:
        """What newcomers read of it."""
        return self.cog_class.intro

    @property
    def rules(self) -> RulesPages:
        """Its rules page."""
        return RulesPages(self.rules_folder / f"{self.game.key}.md", self.game.key, self._draw_primer)

    def _draw_primer(self) -> tuple[Picture, str]:
        return self.primer.picture(self.game, self.screen), self.primer.caption


GameUIs = Mapping[str, GameUI]
"""By a game's key."""
