"""The components of Jesters (S20–S23), from components.toml: each by its id, all of them by `components()`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from engines.jesters.components.component_file import BadComponents, Components, parse_components
from engines.jesters.components.component_types import (
    ANY,
    SYMBOLS,
    Adjust,
    Bottom,
    Effect,
    Extra,
    FameForColour,
    FameForSymbol,
    Favorite,
    Gift,
    JestCard,
    Opposite,
    Performance,
    Recolour,
    Reroll,
    Task,
    TurnOver,
)
from engines.jesters.requirements.evaluation import COLOURS

__all__ = [
    "ANY",
    "COLOURS",
    "SYMBOLS",
    "Adjust",
    "BadComponents",
    "Bottom",
    "Components",
    "Effect",
    "Extra",
    "FameForColour",
    "FameForSymbol",
    "Favorite",
    "Gift",
    "JestCard",
    "Opposite",
    "Performance",
    "Recolour",
    "Reroll",
    "Task",
    "TurnOver",
    "all_components",
    "favorite",
    "gift",
    "jest_card",
    "performance",
]


@cache
def all_components() -> Components:
    """The components that are played with. Raises BadComponents where a list is wrong."""
    return parse_components(files("engines.jesters").joinpath("components.toml").read_text(encoding="utf-8"))


def performance(number: int) -> Performance:
    """The Performance of that id."""
    return all_components().performances[number - 1]


def favorite(number: int) -> Favorite:
    """The Favorite of that id."""
    return all_components().favorites[number - 1]


def jest_card(number: int) -> JestCard:
    """The Jest card of that id."""
    return all_components().jest_cards[number - 1]


def gift(number: int) -> Gift:
    """The Gift of that id."""
    return all_components().gifts[number - 1]
