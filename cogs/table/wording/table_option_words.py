"""The options of the house in words."""

from __future__ import annotations

from typing import Any

from engines.kit.options import text
from engines.store.table_options import USUAL, House, house_options


def said(value: Any) -> str:
    """What one of them is."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return text(value)


def words(house: House) -> dict[str, str]:
    """What each of them is, by name."""
    return {option.name: said(getattr(house, option.name)) for option in house_options()}


def unusual(house: House) -> str:
    """Those that are not as most want them; empty where all are."""
    usual = words(USUAL)
    return " · ".join(f"{name}: {each}" for name, each in words(house).items() if each != usual[name])
