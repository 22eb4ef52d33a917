"""A message as a person at the playground sees it: text, controls and pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from playground.world.messages import walk_components
from playground.world.world import EPHEMERAL, LOADING, Json

_BUTTON: Final = 2
_LINK: Final = 5
_SELECTS: Final = (3, 5, 6, 7, 8)
_TEXT: Final = 10
_GALLERY: Final = 12


@dataclass(frozen=True, slots=True)
class Button:
    """A button that can be clicked; links are not included."""

    custom_id: str
    label: str
    disabled: bool


@dataclass(frozen=True, slots=True)
class Select:
    """A select menu with its (label, value) pairs."""

    custom_id: str
    options: tuple[tuple[str, str], ...]
    min_values: int
    max_values: int
    disabled: bool

    @property
    def values(self) -> list[str]:
        """The values to choose from."""
        return [value for _, value in self.options]


@dataclass(frozen=True)
class SeenMessage:
    """A message at one moment; get it from the player again for a newer state."""

    data: Json

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.data["id"])

    @property
    def channel_id(self) -> str:
        """The id of its channel."""
        return str(self.data["channel_id"])

    @property
    def content(self) -> str:
        """The plain content, empty in a Components V2 message."""
        return str(self.data["content"])

    @property
    def text(self) -> str:
        """All its text: content, text displays, embeds; one piece per line."""
        return "\n".join(piece for piece in self._text_pieces() if piece)

    @property
    def is_ephemeral(self) -> bool:
        """Whether only one person sees it."""
        return bool(self.data["flags"] & EPHEMERAL)

    @property
    def is_thinking(self) -> bool:
        """Whether it is a placeholder until the bot answers."""
        return bool(self.data["flags"] & LOADING)

    @property
    def mentions(self) -> list[str]:
        """The ids of the people it pings."""
        return [user["id"] for user in self.data["mentions"]]

    @property
    def buttons(self) -> list[Button]:
        """The buttons in reading order."""
        return [
            Button(c["custom_id"], _button_label(c), bool(c.get("disabled")))
            for c in self._components_of_type(_BUTTON)
            if c["style"] != _LINK
        ]

    @property
    def selects(self) -> list[Select]:
        """The select menus in reading order."""
        return [_parse_select(component) for component in self._components_of_type(*_SELECTS)]

    @property
    def attachments(self) -> list[Json]:
        """The attached files, as Discord describes them."""
        return list(self.data["attachments"])

    @property
    def pictures(self) -> list[str]:
        """The addresses of the pictures in it."""
        return [item["media"]["url"] for gallery in self._components_of_type(_GALLERY) for item in gallery["items"]]

    @property
    def alt_texts(self) -> list[str]:
        """The descriptions of its pictures."""
        items = [item for gallery in self._components_of_type(_GALLERY) for item in gallery["items"]]
        described = [item.get("description") for item in [*items, *self.attachments]]
        return list(dict.fromkeys(text for text in described if text))

    def find_button(self, name: str) -> Button:
        """Return the button with that custom_id or else that label. Raises KeyError if there is none."""
        for button in self.buttons:
            if button.custom_id == name:
                return button
        for button in self.buttons:
            if button.label == name:
                return button
        raise KeyError(f"No button {name!r} among {[(b.label, b.custom_id) for b in self.buttons]}")

    def _components_of_type(self, *kinds: int) -> Iterator[Json]:
        return (c for c in walk_components(self.data["components"]) if c["type"] in kinds)

    def _text_pieces(self) -> Iterator[str]:
        yield self.content
        for display in self._components_of_type(_TEXT):
            yield display["content"]
        for embed in self.data["embeds"]:
            yield embed.get("title") or ""
            yield embed.get("description") or ""
            for field in embed.get("fields") or []:
                yield f"{field['name']}: {field['value']}"


def _button_label(component: Json) -> str:
    emoji: dict[str, Any] = component.get("emoji") or {}
    return component.get("label") or emoji.get("name") or ""


def _parse_select(component: Json) -> Select:
    return Select(
        component["custom_id"],
        tuple((option["label"], option["value"]) for option in component.get("options") or []),
        component.get("min_values", 1),
        component.get("max_values", 1),
        bool(component.get("disabled")),
    )
