"""A whole message as a value: what stands in it from top to bottom, and a digest that tells whether it differs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Literal

from cogs.screens.control_widths import COLUMN_PIXELS, button_width
from cogs.screens.screen import Picture
from cogs.table.pages import custom_ids

Style = Literal["primary", "secondary", "success", "danger"]
"""How a button looks: none is recommended that is not.

- primary: what a message is there for. On a hand the moves of the decision, all alike, where there are no lists beside
  them; elsewhere what most who read it come for: Join, Show my hand, Take the empty seat, Play again
- secondary: whatever else there is, which shows something or leads somewhere
- success: what is picked already, and taken back by a tap
- danger: what cannot be taken back, once one has been asked: the answer to a question, and a vote
"""

FELT, GOLD, GREY, RED = 0x2E6B4F, 0xC9A227, 0x6B7280, 0xB23A48
LONGEST_TEXT = 4000
ROW_LENGTH = 5
BUTTON_GAP = 8  # pixels between buttons


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph of markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class Press:
    """A button. `to` is a custom_id, or with `link` an address."""

    label: str
    to: str
    style: Style = "secondary"
    emoji: str | None = None
    link: bool = False
    idle: bool = False  # it stands there, but cannot be pressed


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a drop-down list."""

    label: str
    value: str
    description: str | None = None
    emoji: str | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """A drop-down list of which one line is picked, or from `least` to `most`."""

    to: str
    placeholder: str
    lines: tuple[Line, ...]
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """Up to five buttons, or one menu."""

    items: tuple[Press, ...] | Menu


@dataclass(frozen=True, slots=True)
class ChannelMenu:
    """A drop-down list of a server's channels, of which any number may be picked; those in `chosen` are."""

    to: str
    placeholder: str
    chosen: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Paper:
    """A text file that comes with the message."""

    name: str
    content: str


Block = Text | Picture | Row | ChannelMenu | Paper


@dataclass(frozen=True)
class Page:
    """A message from top to bottom."""

    blocks: tuple[Block, ...]
    accent: int = FELT
    stands_for: str = field(default="", repr=False)  # the digest of another page, of which it is a further part

    @cached_property
    def digest(self) -> str:
        """Equal for equal pages, across restarts. What stands for another page differs only where that does."""
        return self.stands_for or blake2b(repr(self).encode(), digest_size=16).hexdigest()

    @property
    def picture(self) -> Picture | None:
        """The picture in it, if any."""
        return next((block for block in self.blocks if isinstance(block, Picture)), None)

    @property
    def paper(self) -> Paper | None:
        """The file in it, if any."""
        return next((block for block in self.blocks if isinstance(block, Paper)), None)


def text_blocks(paragraphs: Iterable[str]) -> tuple[Text, ...]:
    """Paragraphs as blocks, empty ones left out."""
    return tuple(Text(paragraph) for paragraph in paragraphs if paragraph)


def press_rows(presses: Iterable[Press], column: float = COLUMN_PIXELS) -> tuple[Row, ...]:
    """Buttons in as few rows as they need: up to five in one, and no more than stand side by side on a telephone."""
    found: list[list[Press]] = []
    left = 0.0
    for press in presses:
        broad = button_width(press.label, press.emoji is not None) + BUTTON_GAP
        if not found or len(found[-1]) == ROW_LENGTH or broad > left:
            found.append([])
            left = column + BUTTON_GAP
        found[-1].append(press)
        left -= broad
    return tuple(Row(tuple(row)) for row in found)


def table_press(match: str, label: str, action: str, style: Style = "secondary", emoji: str | None = None) -> Press:
    """A button for something that the table offers."""
    return Press(label, custom_ids.table_action_id(match, action), style, emoji)
