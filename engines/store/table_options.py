"""Table options: choices that every lobby has, whatever the game. They are stored with the match and hidden from the
game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from engines.kit import options
from engines.kit.contract import AnyGame
from engines.kit.options import Option

Clock = Literal[
    "30 seconds", "60 seconds", "2 minutes plus 15 seconds a move", "5 minutes", "1 hour", "24 hours", "3 days"
]
Level = Literal["easy", "normal", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")
"""The levels of computers. They are stored with seats, so levels may be added but never removed."""
CLOCK_SECONDS: Mapping[Clock, int] = {
    "30 seconds": 30,
    "60 seconds": 60,
    "2 minutes plus 15 seconds a move": 120,
    "5 minutes": 300,
    "1 hour": 3600,
    "24 hours": 86_400,
    "3 days": 259_200,
}
"""The time for one decision. If a clock has move seconds, it is the time in each seat's bank at the start."""
MOVE_SECONDS: Mapping[Clock, int] = {"2 minutes plus 15 seconds a move": 15}
"""The seconds that a seat's bank gets for every move."""
LIVE_SECONDS = 300
"""Clocks of fewer seconds are live: for people who play at the same time."""
RestLimit = Literal["1 day", "3 days", "7 days"]
TakeBackChoice = Literal["by consent", "free only", "never"]
REST_SECONDS: Mapping[RestLimit, int] = {"1 day": 86_400, "3 days": 259_200, "7 days": 604_800}


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The table options with their most popular values. To add an option, add a field with a description."""

    clock: Annotated[Clock | None, Field(description="How long one decision may take before the computer makes it")] = (
        "24 hours"
    )
    hints: Annotated[bool, Field(description="Whether players can ask for hints")] = True
    breaks: Annotated[
        RestLimit | None, Field(description="How long a decision may rest while its player is on a break")
    ] = "1 day"
    autoplay: Annotated[
        bool, Field(description="Whether a move plays itself if everybody can see that it is the only one")
    ] = True
    guesses: Annotated[bool, Field(description="Whether people who watch can guess what will happen")] = False
    takebacks: Annotated[TakeBackChoice, Field(description="When a player can take a move back")] = "by consent"

    @property
    def decision_seconds(self) -> int | None:
        """The time for one decision, or for a seat's bank at the start; None means no limit."""
        return None if self.clock is None else CLOCK_SECONDS[self.clock]

    @property
    def move_seconds(self) -> int:
        """The seconds that a seat's bank gets for every move; 0 if seats have no bank."""
        return 0 if self.clock is None else MOVE_SECONDS.get(self.clock, 0)

    @property
    def has_short_clock(self) -> bool:
        """Whether the clock is too short for breaks: a live one, or the shortest of the others."""
        return self.decision_seconds is not None and self.decision_seconds <= LIVE_SECONDS

    @property
    def rest_seconds(self) -> int | None:
        """How long a decision may rest while its player is on a break; None means as long as the break.

        Without a clock nobody loses a decision, so the option does not matter.
        """
        if self.clock is None:
            return None
        return 0 if self.breaks is None or self.has_short_clock else REST_SECONDS[self.breaks]


DEFAULT_TABLE_OPTIONS = TableOptions()
TABLE_OPTIONS_ADAPTER = TypeAdapter(TableOptions)
"""Reads and writes table options as JSON."""


def list_table_options() -> tuple[Option, ...]:
    """Return the table options in order."""
    return options.list_options(TABLE_OPTIONS_ADAPTER)


def validate_table_options(table_options: TableOptions) -> TableOptions:
    """Return the table options if their values are allowed. Raises ValueError with a sentence."""
    for option in list_table_options():
        if not option.accepts(getattr(table_options, option.name)):
            raise ValueError(f"{option.name.capitalize()} can be {option.allowed_text()}.")
    return table_options


def list_all_options(game: AnyGame) -> tuple[Option, ...]:
    """Return all that a host can choose in a lobby: the game's presets and options, then the table options."""
    return (*options.game_choices(game), *list_table_options())


def change_any_option(
    game: AnyGame, game_options: Any, table_options: TableOptions, name: str, text: str
) -> tuple[Any, TableOptions]:
    """Return the game's options and the table options with one of them, or a preset, set from a text. Raises ValueError
    with a sentence."""
    wanted = name.strip().lower()
    if option := next((option for option in list_table_options() if option.name == wanted), None):
        return game_options, replace(table_options, **{option.name: options.parse_value(option, text)})
    if option := next((option for option in options.game_choices(game) if option.name == wanted), None):
        return options.change_option(game, game_options, option.name, text), table_options
    known = ", ".join(option.name for option in list_all_options(game))
    raise ValueError(f"{game.title} has no such option. Its options are: {known}.")
