"""The table options in words."""

from __future__ import annotations

from typing import Any, cast

from engines.kit.contract import AnyGame
from engines.kit.options import format_value
from engines.store.table_options import (
    CLOCK_SECONDS,
    LIVE_SECONDS,
    Clock,
    TableOption,
    TableOptions,
    options_for,
)


def option_value_text(value: Any, option: TableOption[Any] | None = None) -> str:
    """Return one option's value in words."""
    if option is not None and value in option.value_texts:
        return option.value_texts[value]
    if isinstance(value, bool):
        return "on" if value else "off"
    return format_value(value)


def option_note(value: Any, default: Any) -> str | None:
    """Return what to know about one option's value: whether it is the default, and whether it is a live clock."""
    notes = ["the default"] if value == default else []
    if isinstance(value, str) and CLOCK_SECONDS.get(cast(Clock, value), LIVE_SECONDS) < LIVE_SECONDS:
        notes.append("for players online together")
    return ", ".join(notes) or None


def option_texts(table_options: TableOptions, game: AnyGame) -> dict[str, str]:
    """Return the value of every table option of a game in words, by name."""
    return {
        option.name: option_value_text(table_options.of(option), option)
        for option in options_for(game, table_options.known)
    }
