"""A whole message as a value: its blocks from top to bottom, and a digest that changes with its content."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import Literal, NamedTuple

from cogs.screens.control_widths import BUTTON_GAP, COLUMN_PIXELS, button_width
from cogs.screens.emoji import MORE_EMOJI, Emoji
from cogs.screens.screen import Picture
from cogs.table.pages import custom_ids

Style = Literal["primary", "secondary", "success", "danger"]
"""How a button looks. The style never recommends one move over another, except a highlighted one.

- primary: the purpose of the message. On a hand: all moves of the decision, unless there are lists beside them, or the
  highlighted move alone.
  Elsewhere: what most readers want, such as Join, Show my hand, Take the empty seat, Play again
- secondary: everything else, which shows something or leads somewhere
- success: a pick that a tap takes back
- danger: an action that cannot be undone: the answer to a question, and a vote
"""

FELT, GOLD, GREY, RED = 0x2E6B4F, 0xC9A227, 0x6B7280, 0xB23A48
LONGEST_TEXT = 4000
ROW_LENGTH = 5


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph of markdown. In its part `narration`, suits may be shown as emoji, which digests do not know."""

    text: str
    narration: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Section:
    """A paragraph of markdown with a small square picture at its right."""

    text: str
    picture: Picture


@dataclass(frozen=True, slots=True)
class Press:
    """A button. `to` is a custom_id, or an address if `link` is true."""

    label: str
    to: str
    style: Style = "secondary"
    emoji: Emoji | str | None = None
    link: bool = False
    idle: bool = False  # disabled


@dataclass(frozen=True, slots=True)
class PressSection:
    """A paragraph of markdown with a button at its right."""

    text: str
    press: Press


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a drop-down list."""

    label: str
    value: str
    description: str | None = None
    emoji: Emoji | str | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """A drop-down list from which one line is picked, or `least` to `most` lines."""

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
    """A drop-down list of a server's channels with any number of picks; `chosen` are picked already."""

    to: str
    placeholder: str
    chosen: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Paper:
    """A text file attached to the message."""

    name: str
    content: str


@dataclass(frozen=True, slots=True)
class Form:
    """A form (Discord calls it a modal) in which one text is written.

    The text may have several lines or be left empty, unless `is_line`.
    """

    to: str  # its custom_id
    title: str
    label: str
    description: str
    text: str  # what stands there at first
    longest: int  # characters
    is_line: bool = False


Block = Text | Section | PressSection | Picture | Row | ChannelMenu | Paper


class Place(NamedTuple):
    """Where a control stands: the row, and the place in it, both from 0."""

    row: int
    column: int


class WrongReader(Exception):
    """A private page would have been sent to somebody else. This is a fault of the bot, and nothing was sent."""


@dataclass(frozen=True)
class Page:
    """A message from top to bottom.

    A private page names its reader: the person who had the seat in the snapshot that it was drawn from. It may only be
    sent to them: everything that sends a page asks `require_reader` first.
    """

    blocks: tuple[Block, ...]
    accent: int = FELT
    stands_for: str = field(default="", repr=False)  # the digest of the page that this one continues
    reader: int | None = field(default=None, repr=False)  # who alone may see it; None: everybody

    @cached_property
    def digest(self) -> str:
        """A hash that is equal for equal pages, also after a restart. A page that continues another has its digest."""
        return self.stands_for or blake2b(repr(self).encode(), digest_size=16).hexdigest()

    def for_reader(self, user: int | None) -> Page:
        """Return the page as one that only this person may see."""
        return replace(self, reader=user)

    def require_reader(self, *, is_seen_by: int | None) -> None:
        """Check who will see the page: one person, or everybody (None). Raises WrongReader if it is not for them."""
        if self.reader is not None and self.reader != is_seen_by:
            raise WrongReader("A private page was about to be sent to somebody else.")

    @property
    def picture(self) -> Picture | None:
        """The first large picture, if any."""
        return next((block for block in self.blocks if isinstance(block, Picture)), None)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """All pictures, large and small, from top to bottom. Their file names differ."""
        found = (block.picture if isinstance(block, Section) else block for block in self.blocks)
        return tuple(each for each in found if isinstance(each, Picture))

    @property
    def paper(self) -> Paper | None:
        """The first attached file, if any."""
        return next((block for block in self.blocks if isinstance(block, Paper)), None)


def press_at(page: Page, place: Place) -> Press | None:
    """Return the button at a place; None if there is none."""
    rows = [block.items for block in page.blocks if isinstance(block, Row)]
    items = rows[place.row] if place.row < len(rows) else ()
    return items[place.column] if isinstance(items, tuple) and place.column < len(items) else None


def clear_place(page: Page, place: Place, to: str) -> Page:
    """Return the page with a button that does nothing at the place of another one, which moves on."""
    blocks: list[Block] = []
    row = -1
    for block in page.blocks:
        row += isinstance(block, Row)
        if isinstance(block, Row) and isinstance(block.items, tuple) and row == place.row:
            before, after = block.items[: place.column], block.items[place.column :]
            blocks += press_rows((*before, Press("✓", to, idle=True), *after))
        else:
            blocks.append(block)
    return replace(page, blocks=tuple(blocks))


def text_blocks(paragraphs: Iterable[str]) -> tuple[Text, ...]:
    """Return the paragraphs as blocks, without empty ones."""
    return tuple(Text(paragraph) for paragraph in paragraphs if paragraph)


def press_rows(presses: Iterable[Press], column: float = COLUMN_PIXELS) -> tuple[Row, ...]:
    """Return the buttons in as few rows as possible: up to five in a row, if they fit side by side on a phone.

    Emoji without a fallback are left out if they would take another row.
    """
    given = tuple(presses)
    rows, plain = _fill_rows(given, column), tuple(map(_undecorated, given))
    fewer = _fill_rows(plain, column) if plain != given else rows
    return fewer if len(fewer) < len(rows) else rows


def _fill_rows(presses: Iterable[Press], column: float) -> tuple[Row, ...]:
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


def _undecorated(press: Press) -> Press:
    """Return the button without its emoji if nothing would replace that on Discord."""
    return replace(press, emoji=None) if isinstance(press.emoji, Emoji) and not press.emoji.fallback else press


def table_press(
    match: str,
    label: str,
    action: str,
    style: Style = "secondary",
    emoji: Emoji | str | None = None,
) -> Press:
    """Return a button for a table action."""
    return Press(label, custom_ids.table_action_id(match, action), style, emoji)


def more_press(match: str) -> Press:
    """Return the button to the menu."""
    return table_press(match, "More", "more", emoji=MORE_EMOJI)
