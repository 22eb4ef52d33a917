"""The parts of Jesters, each as one line of components.toml describes it (S20–S23)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from engines.jesters.requirements.evaluation import COLOURS, Requirement, parse_requirement

SYMBOLS: Final = (
    "Mime",
    "Magic",
    "Juggling",
    "Music",
    "Satire",
    "Comedy",
    "Advice",
    "Bad News",
    "Drama",
    "Entertainment",
)
ANY: Final = 4  # stands for a colour that the player chooses
CARD_PRICES: Final = range(5, 10)  # of both halves of a Jest card together: a strong top has a weak bottom (S21)
TOP_PRICES: Final = (1, 4, 7)  # of a top half, by its number of Techniques
MAX_DICE: Final = 6


@dataclass(frozen=True, slots=True)
class Adjust:
    """The bottom half that changes a die of a colour, or of ANY, by up to this much."""

    amount: int
    colour: int

    @property
    def price(self) -> int:
        return (5, 7)[self.amount - 1] if self.colour == ANY else (2, 3, 4)[self.amount - 1]


@dataclass(frozen=True, slots=True)
class TurnOver:
    """The bottom half that turns a die of a colour, or of ANY, to its opposite side."""

    colour: int

    @property
    def price(self) -> int:
        return 6 if self.colour == ANY else 1


@dataclass(frozen=True, slots=True)
class Opposite:
    """The Gift that turns a die of a colour to its opposite side."""

    colour: int


@dataclass(frozen=True, slots=True)
class Recolour:
    """The Gift that changes any of the rolled dice to a colour, and gives 1 Fame if they help to complete something."""

    colour: int


@dataclass(frozen=True, slots=True)
class FameForSymbol:
    """The Gift that gives 2 Fame for completing a Performance with a symbol."""

    symbol: int


@dataclass(frozen=True, slots=True)
class FameForColour:
    """The Gift that gives 2 Fame for completing something that needs a colour."""

    colour: int


@dataclass(frozen=True, slots=True)
class Extra:
    """The Gift of one more Technique from the middle."""


@dataclass(frozen=True, slots=True)
class Reroll:
    """The Gift of a reroll of all dice."""


Bottom = Adjust | TurnOver
Effect = Opposite | Recolour | FameForSymbol | FameForColour | Extra | Reroll


def _parse_symbol(name: Any) -> int:
    """Return the number of a symbol."""
    if name not in SYMBOLS:
        raise ValueError(f"{name!r} is not one of the ten symbols")
    return SYMBOLS.index(name)


def _parse_colour(name: str) -> int:
    """Return the number of a colour, or ANY."""
    if name not in (*COLOURS, "any"):
        raise ValueError(f"{name!r} is neither a colour nor any")
    return (*COLOURS, "any").index(name)


def _parse_requirement(text: Any) -> Requirement:
    """Parse a requirement. It must be written in its standard form."""
    found = parse_requirement(str(text))
    if str(found) != text:
        raise ValueError(f"write it as {str(found)!r}")
    return found


def _parse_top(names: Any) -> tuple[int, ...]:
    """Parse the Techniques of a top half: named colours first, in their order."""
    if not isinstance(names, list) or not 1 <= len(names) <= len(TOP_PRICES):
        raise ValueError("a top half has one to three Techniques")
    found = tuple(map(_parse_colour, names))
    if list(found) != sorted(found):
        raise ValueError("colours must be in the order red, blue, green, purple, any")
    return found


def _parse_bottom(text: Any) -> Bottom:
    """Parse a bottom half: `±2 red`, `turn any`."""
    word, _, colour = str(text).partition(" ")
    if word == "turn":
        return TurnOver(_parse_colour(colour))
    if not re.fullmatch("±[123]", word):
        raise ValueError(f"{text!r} is not a bottom half: write turn, ±1, ±2 or ±3, and a colour or any")
    if (word, colour) == ("±3", "any"):
        raise ValueError("only ±1 and ±2 may change a die of any colour")
    return Adjust(int(word[1:]), _parse_colour(colour))


def _parse_effect(text: Any) -> Effect:
    """Parse the effect of a Gift: `opposite red`, `recolour red`, `fame red`, `fame Music`, `extra`, `reroll`."""
    match str(text).split(" ", 1):
        case ["opposite", colour] if colour in COLOURS:
            return Opposite(_parse_colour(colour))
        case ["recolour", colour] if colour in COLOURS:
            return Recolour(_parse_colour(colour))
        case ["fame", colour] if colour in COLOURS:
            return FameForColour(_parse_colour(colour))
        case ["fame", symbol]:
            return FameForSymbol(_parse_symbol(symbol))
        case ["extra"]:
            return Extra()
        case ["reroll"]:
            return Reroll()
    raise ValueError(f"{text!r} is not the effect of a Gift")


def _check_distinct(symbols: Sequence[int]) -> Sequence[int]:
    if len(set(symbols)) < len(symbols):
        raise ValueError("the same symbol appears twice")
    return symbols


Number = Annotated[int, Field(strict=True, ge=1)]
Name = Annotated[str, Field(strict=True, min_length=3, max_length=40)]
Symbol = Annotated[int, BeforeValidator(_parse_symbol)]
ParsedRequirement = Annotated[Requirement, BeforeValidator(_parse_requirement)]
NaturalDice = Annotated[int, Field(strict=True, ge=2, le=MAX_DICE)]


class Component(BaseModel):
    """A component. `id` counts from 1 in its list."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    id: Number


class Task(Component):
    """The common part of Performances and Favorites. `dice` is the usual number of dice (S23)."""

    name: Name
    requirement: ParsedRequirement
    dice: NaturalDice

    @model_validator(mode="after")
    def _check_dice(self) -> Task:
        size = self.requirement.form.dice_needed
        if self.dice < size:
            raise ValueError(f"{self.dice} dice cannot meet a requirement for {size}")
        return self

    @property
    def natural_colours(self) -> tuple[int, ...]:
        """Return the natural dice by colour: the required ones, the rest spread as evenly as possible over other
        colours."""
        required = self.requirement.colours
        named = [colour for colour in range(4) for _ in range(required[colour])]
        others = [colour for colour in range(4) if not required[colour]]
        rest = self.dice - len(named)
        return (*named, *(others * rest)[:rest])


class Performance(Task):
    """A Performance: its Fame, and its one or two symbols (S20)."""

    fame: Annotated[int, Field(strict=True, ge=2, le=9)]
    symbols: Annotated[tuple[Symbol, ...], Field(min_length=1, max_length=2), AfterValidator(_check_distinct)]


class Favorite(Task):
    """A Favorite: its two symbols. It gives a Gift instead of Fame (S10, S20)."""

    symbols: Annotated[tuple[Symbol, ...], Field(min_length=2, max_length=2), AfterValidator(_check_distinct)]


class JestCard(Component):
    """A Jest card: the Techniques it teaches, and how it changes a rolled die (S21)."""

    top: Annotated[tuple[int, ...], BeforeValidator(_parse_top)]
    bottom: Annotated[Bottom, BeforeValidator(_parse_bottom)]

    @property
    def top_price(self) -> int:
        """The strength of the top half: two Techniques count far more than one, a free choice a little more."""
        return TOP_PRICES[len(self.top) - 1] + self.top.count(ANY)

    @model_validator(mode="after")
    def _check_price(self) -> JestCard:
        price = self.top_price + self.bottom.price
        if price not in CARD_PRICES:
            raise ValueError(
                f"the halves are worth {self.top_price} and {self.bottom.price}, "
                f"together {price}, not {CARD_PRICES[0]} to {CARD_PRICES[-1]}"
            )
        return self


class Gift(Component):
    """A Gift: its effect, and its symbol (S22)."""

    effect: Annotated[Effect, BeforeValidator(_parse_effect)]
    symbol: Symbol
