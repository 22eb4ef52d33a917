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
    fields = {one["custom_id"]: one for one in walk_components(modal["components"]) if "custom_id" in one}
    given = {one["custom_id"]: one for one in walk_components(components) if "custom_id" in one}
    if fields.keys() != given.keys():
        return "These are not the fields of the form."
    problems = (_check_text(fields[name], given[name].get("value")) for name in fields)
    return next(filter(None, problems), None)


def _check_text(component: Json, value: Any) -> str | None:
    if component["type"] != _TEXT_INPUT:
        return None
    name, low, high = (
        component["custom_id"],
        component.get("min_length") or 0,
        component.get("max_length") or _LONGEST_TEXT,
    )
    if not isinstance(value, str):
        return f"The field {name!r} must be a text."
    if not value:
        return f"The field {name!r} is required." if component.get("required", True) else None
    return None if low <= len(value) <= high else f"The field {name!r} has {low} to {high} characters."
