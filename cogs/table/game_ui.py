"""What a game shows on Discord: its commands, screen, picture layouts and rules page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cogs.pictures.emoji import EmojiDrawings
from cogs.pictures.raster.canvas import Layouts
from cogs.screens.example_position import ExamplePosition
from cogs.screens.intro import Intro
from cogs.screens.screen import GameScreen, Picture
from cogs.table.commands.game_commands import GameCog
from cogs.table.pages.rules_pages import RulesPages
from engines.kit.contract import AnyGame

DOCS_FOLDER = Path(__file__).resolve().parents[2] / "docs"


@dataclass(frozen=True, slots=True)
class GameUI:
    """A game's user interface. The bot's setup passes it to all shared code, which never names a game."""

    cog_class: type[GameCog]
    screen: GameScreen
    layouts: Layouts
    example_position: ExamplePosition
    """The picture at the top of the rules."""
    docs_folder: Path = DOCS_FOLDER
    """The folder with the game's documents, such as `rules/<key>.md`."""
    emoji: EmojiDrawings = field(default_factory=dict)
    """The emoji of its own that its controls name, by key; `cogs/pictures/emoji.py` has those that all games share."""

    @property
    def game(self) -> AnyGame:
        """The game's rules and state."""
        return self.cog_class.game

    @property
    def intro(self) -> Intro:
        """The introduction for newcomers."""
        return self.cog_class.intro

    @property
    def rules(self) -> RulesPages:
        """The rules page."""
        return RulesPages(self.docs_folder / "rules" / f"{self.game.key}.md", self.game.key, self._draw_example)

    def _draw_example(self) -> tuple[Picture, str]:
        return self.example_position.picture(self.game, self.screen), self.example_position.caption


GameUIs = Mapping[str, GameUI]
"""Game UIs by the game's key."""
