"""Messages as Discord has them, read: their words, controls and values, and whatever of them reaches a client."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Message = dict[str, Any]
TEXT, BUTTON, SELECT = 10, 2, 3
RESULT_BUTTONS = ["Play again", "Watch again", "Share", "Scoring", "More"]  # below a table's result
ORIGIN_FIELDS = ("id", "channel_id", "guild_id", "author", "member", "mentions", "interaction", "interaction_metadata")
UNSPOKEN_FIELDS = frozenset({*ORIGIN_FIELDS, "url", "proxy_url", "timestamp"})  # what Discord adds to a message


def kind_of(custom_id: str) -> str:
    """The kind of a control: a letter, or the name of a feature, which may begin with the same letter."""
    return custom_id.partition(":")[0]


def walk_components(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in components:
        yield component
        yield from walk_components(component.get("components", []))
        if accessory := component.get("accessory"):
            yield accessory


def message_text(message: Message) -> str:
    contents = [c["content"] for c in walk_components(message["components"]) if c["type"] == TEXT]
    return "\n".join([message.get("content", ""), *contents]).strip()


def alt_texts(message: Message) -> list[str]:
    found = (item for c in walk_components(message["components"]) for item in (c, *c.get("items", [])))
    return [item["description"] for item in found if item.get("description")]


def is_about_match(message: Message, match: str) -> bool:
    """Whether a message is one of that match: by what it says or where its controls lead."""
    return f"`{match}`" in message_text(message) or any(f":{match}:" in control for control in control_ids(message))


def control_ids(message: Message) -> list[str]:
    return [c["custom_id"] for c in walk_components(message["components"]) if c.get("custom_id")]


def button_labels(message: Message) -> list[str]:
    return [c["label"] for c in walk_components(message["components"]) if c["type"] == BUTTON and c.get("label")]


def can_press(message: Message, label: str) -> bool:
    """Whether a button with that label stands there and is not disabled."""
    return any(c.get("label") == label and not c.get("disabled") for c in walk_components(message["components"]))


def move_buttons(message: Message) -> list[str]:
    return [custom_id for custom_id in control_ids(message) if custom_id.startswith("m:")]


def move_selects(message: Message) -> dict[str, list[str]]:
    found = (
        c for c in walk_components(message["components"]) if c["type"] == SELECT and c["custom_id"].startswith("s:")
    )
    return {c["custom_id"]: [option["value"] for option in c["options"]] for c in found}


def client_text(message: Message) -> str:
    """Whatever of a message reaches a client as text: words, alt texts, file names, custom_ids, labels, values."""

    def strings(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for key, inner in value.items():
                if key not in UNSPOKEN_FIELDS:
                    yield from strings(inner)
        elif isinstance(value, list | tuple):
            for inner in value:
                yield from strings(inner)

    return "\n".join(strings(message))
