"""Checks the answers in a submitted form (a modal), as Discord does before the bot gets them."""

from __future__ import annotations

from typing import Any, Final

from playground.world.messages import walk_components
from playground.world.world import Json

_TEXT_INPUT: Final = 4
_LONGEST_TEXT: Final = 4000


def check_answers(modal: Json, custom_id: Any, components: list[Json]) -> str | None:
    """Return a sentence that says what is wrong with the answers to a form, or None."""
    if custom_id != modal["custom_id"]:
        return "That is another form."
    asked = {one["custom_id"]: one for one in walk_components(modal["components"]) if "custom_id" in one}
    given = {one["custom_id"]: one for one in walk_components(components) if "custom_id" in one}
    if asked.keys() != given.keys():
        return "These are not the fields of the form."
    problems = (_check_text(asked[name], given[name].get("value")) for name in asked)
    return next(filter(None, problems), None)


def _check_text(asked: Json, value: Any) -> str | None:
    if asked["type"] != _TEXT_INPUT:
        return None
    name, low, high = asked["custom_id"], asked.get("min_length") or 0, asked.get("max_length") or _LONGEST_TEXT
    if not isinstance(value, str):
        return f"The field {name!r} must be a text."
    if not value:
        return f"The field {name!r} is required." if asked.get("required", True) else None
    return None if low <= len(value) <= high else f"The field {name!r} has {low} to {high} characters."
