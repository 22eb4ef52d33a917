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
SECONDS: Mapping[Clock, int] = {"5 minutes": 300, "1 hour": 3600, "24 hours": 86_400, "3 days": 259_200}


@dataclass(frozen=True, slots=True)
class House:
    """The options of the house, each as most want it. Another one takes a field, which says what it is for."""

    clock: Annotated[
        Clock | None, Field(description="How long one decision may take, before the computer makes it")
    ] = "24 hours"
    hints: Annotated[bool, Field(description="Whether whoever wants a hint gets one")] = True

    @property
    def seconds(self) -> int | None:
        """How long a decision may take; None: as long as it likes."""
        return None if self.clock is None else SECONDS[self.clock]


USUAL = House()
HOUSE = TypeAdapter(House)
"""Reads and writes them as JSON."""


def house_options() -> tuple[Option, ...]:
    """The options of the house, in order."""
    return options.listed(HOUSE)


def valid(house: House) -> House:
    """These options of the house, if they are what they can be. Raises ValueError, with a sentence."""
    for option in house_options():
        if not option.takes(getattr(house, option.name)):
            raise ValueError(f"{option.name.capitalize()} can be {option.span()}.")
    return house


def every_option(game: AnyGame) -> tuple[Option, ...]:
    """All that the lobby of a game lets choose: the game's own options, and those of the house."""
    return (*options.options_of(game), *house_options())


def changed(game: AnyGame, own: Any, house: House, name: str, typed: str) -> tuple[Any, House]:
    """A game's options and the house's, with one of them as that text says. Raises ValueError, with a sentence."""
    wanted = name.strip().lower()
    if option := next((option for option in house_options() if option.name == wanted), None):
        return own, replace(house, **{option.name: options.value(option, typed)})
    if option := next((option for option in options.options_of(game) if option.name == wanted), None):
        return options.changed(game, own, option.name, typed), house
    known = ", ".join(option.name for option in every_option(game))
    raise ValueError(f"{game.title} has no such option. It has: {known}.")
