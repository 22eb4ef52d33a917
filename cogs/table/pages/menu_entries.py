"""The entries of the menu behind *More*: each stands in a group, in an order of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from cogs.table.pages.page import Block, Menu, Press, Row, Text, press_rows


class MenuGroup(Enum):
    """What entries are for. The groups stand in this order, each under its heading."""

    NOW = "Now"  # what the reader can do in the match at this moment
    LOOK = "View"  # what shows something of the match or its rules
    TABLE = "Table"  # what is about the reader's seat or the match as a whole
    HELP = "Help"  # what reaches the people who run the bot


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A button or a list of the menu: only what its reader can use at this moment.

    `order` is its place in its group: the most used entry has the lowest number. Lists come after buttons.
    """

    group: MenuGroup
    order: int
    control: Press | Menu


def entry_blocks(entries: Iterable[MenuEntry]) -> tuple[Block, ...]:
    """Return the entries in their groups, each group with its heading."""
    blocks: list[Block] = []
    ordered = sorted(entries, key=lambda entry: entry.order)
    for group in MenuGroup:
        controls = [entry.control for entry in ordered if entry.group is group]
        if controls:
            blocks.append(Text(f"**{group.value}**"))
        blocks += press_rows(each for each in controls if isinstance(each, Press))
        blocks += [Row(each) for each in controls if isinstance(each, Menu)]
    return tuple(blocks)
