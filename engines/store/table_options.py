"""What a lobby chooses for every game alike and that is no rule of any: kept with the match, unseen by its game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from engines.kit import options
from engines.kit.contract import AnyGame
from engines.kit.options import Option

Clock = Literal["5 minutes", "1 hour", "24 hours", "3 days"]
Level = Literal["easy", "normal", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")
"""At which computers play; kept with a seat, so there may be more some day, and never fewer."""
CLOCK_SECONDS: Mapping[Clock, int] = {"5 minutes": 300, "1 hour": 3600, "24 hours": 86_400, "3 days": 259_200}


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The options of the house, each as most want it. Another one takes a field, which says what it is for."""

    clock: Annotated[
        Clock | None, Field(description="How long one decision may take, before the computer makes it")
    ] = "24 hours"
    hints: Annotated[bool, Field(description="Whether whoever wants a hint gets one")] = True

    @property
    def decision_seconds(self) -> int | None:
        """How long a decision may take; None: as long as it likes."""
        return None if self.clock is None else CLOCK_SECONDS[self.clock]


DEFAULT_TABLE_OPTIONS = TableOptions()
TABLE_OPTIONS_ADAPTER = TypeAdapter(TableOptions)
"""Reads and writes them as JSON."""


def list_table_options() -> tuple[Option, ...]:
    """The options of the house, in order."""
    return options.list_options(TABLE_OPTIONS_ADAPTER)


def validate_table_options(table_options: TableOptions) -> TableOptions:
    """These options of the house, if they are what they can be. Raises ValueError, with a sentence."""
    for option in list_table_options():
        if not option.accepts(getattr(table_options, option.name)):
            raise ValueError(f"{option.name.capitalize()} can be {option.allowed_text()}.")
    return table_options


def list_all_options(game: AnyGame) -> tuple[Option, ...]:
    """All that the lobby of a game lets choose: the game's own options, and those of the house."""
    return (*options.game_options(game), *list_table_options())


def change_any_option(
    game: AnyGame, game_options: Any, table_options: TableOptions, name: str, text: str
) -> tuple[Any, TableOptions]:
    """A game's options and the house's, with one of them as that text says. Raises ValueError, with a sentence."""
    wanted = name.strip().lower()
    if option := next((option for option in list_table_options() if option.name == wanted), None):
        return game_options, replace(table_options, **{option.name: options.parse_value(option, text)})
    if option := next((option for option in options.game_options(game) if option.name == wanted), None):
        return options.change_option(game, game_options, option.name, text), table_options
    known = ", ".join(option.name for option in list_all_options(game))
    raise ValueError(f"{game.title} has no such option. It has: {known}.")
