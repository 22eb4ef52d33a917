"""The table options in words."""

from __future__ import annotations

from typing import Any

from engines.kit.options import format_value
from engines.store.table_options import DEFAULT_TABLE_OPTIONS, TableOptions, list_table_options


def option_value_text(value: Any) -> str:
    """Return one option's value in words."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return format_value(value)


def option_texts(house: TableOptions) -> dict[str, str]:
    """Return the value of every table option in words, by name."""
    return {option.name: option_value_text(getattr(house, option.name)) for option in list_table_options()}


def unusual_options(house: TableOptions) -> str:
    """Return the options that differ from the defaults; empty if none does."""
    usual = option_texts(DEFAULT_TABLE_OPTIONS)
    return " · ".join(f"{name}: {each}" for name, each in option_texts(house).items() if each != usual[name])
