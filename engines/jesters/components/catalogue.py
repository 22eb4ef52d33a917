"""The components of Jesters (S20–S23) from components.toml: each by its id, and all of them by `all_components()`."""

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
    """Return all components. Raises BadComponents if a list is wrong."""
    return parse_components(files("engines.jesters").joinpath("components.toml").read_text(encoding="utf-8"))


def performance(number: int) -> Performance:
    """Return the Performance with that id."""
    return all_components().performances[number - 1]


def favorite(number: int) -> Favorite:
    """Return the Favorite with that id."""
    return all_components().favorites[number - 1]


def jest_card(number: int) -> JestCard:
    """Return the Jest card with that id."""
    return all_components().jest_cards[number - 1]


def gift(number: int) -> Gift:
    """Return the Gift with that id."""
    return all_components().gifts[number - 1]
