"""The table options in words."""

from __future__ import annotations

from typing import Any, cast

from engines.kit.options import format_value
from engines.store.table_options import (
    CLOCK_SECONDS,
    DEFAULT_TABLE_OPTIONS,
    LIVE_SECONDS,
    Clock,
    TableOptions,
    list_table_options,
)


def option_value_text(value: Any) -> str:
    """Return one option's value in words."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return format_value(value)


def option_note(value: Any, default: Any) -> str | None:
    """Return what to know about one option's value: whether it is the default, and whether it is a live clock."""
    notes = ["the default"] if value == default else []
    if isinstance(value, str) and CLOCK_SECONDS.get(cast(Clock, value), LIVE_SECONDS) < LIVE_SECONDS:
        notes.append("for people who sit here together")
    return ", ".join(notes) or None


def option_texts(house: TableOptions) -> dict[str, str]:
    """Return the value of every table option in words, by name."""
    return {option.name: option_value_text(getattr(house, option.name)) for option in list_table_options()}


def unusual_options(house: TableOptions) -> str:
    """Return the options that differ from the defaults; empty if none does."""
    usual = option_texts(DEFAULT_TABLE_OPTIONS)
    return " · ".join(f"{name}: {each}" for name, each in option_texts(house).items() if each != usual[name])
