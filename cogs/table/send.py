"""From a page to what discord.py sends."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, assert_never

import discord
from discord import ui

from cogs.pictures.studio import Studio
from cogs.screens.screen import Picture
from cogs.table.drawing import drawn
from cogs.table.page import Block, ChannelMenu, Menu, Page, Paper, Press, Row, Text

NOBODY = discord.AllowedMentions.none()  # for edits: discord.py leaves it out where they have no content
MOST_PICKED = 25  # of a list
_CHANNELS = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
)
_STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


async def files(page: Page, studio: Studio) -> list[discord.File]:
    """The page's picture, drawn off the event loop unless it was drawn lately, and its file."""
    found: list[discord.File] = []
    if picture := page.picture:
        image = studio.kept(picture.spec)
        if image is None:
            image = await drawn(studio.picture, picture.spec)
        found.append(discord.File(io.BytesIO(image), picture.name, description=picture.alt))
    if paper := page.paper:
        found.append(discord.File(io.BytesIO(paper.content.encode()), paper.name))
    return found


def view(page: Page) -> ui.LayoutView:
    """The page's components. Its clicks are routed by custom_id, so the view itself need not be remembered."""
    layout = ui.LayoutView(timeout=None)
    layout.add_item(ui.Container(*[_item(block) for block in page.blocks], accent_colour=page.accent))
    layout.stop()  # discord.py keeps no stopped view: nothing piles up, whatever is sent
    return layout


def buttons(presses: Sequence[Press]) -> ui.View:
    """Buttons below a message of plain text."""
    view = ui.View(timeout=None)
    for press in presses:
        view.add_item(_button(press))
    view.stop()
    return view


def _item(block: Block) -> ui.Item[Any]:
    match block:
        case Text(text):
            return ui.TextDisplay(text)
        case Picture():
            item = discord.MediaGalleryItem(f"attachment://{block.name}", description=block.alt)
            return ui.MediaGallery(item)
        case Paper():
            return ui.File(f"attachment://{block.name}")
        case Row(items):
            return ui.ActionRow(_menu(items)) if isinstance(items, Menu) else ui.ActionRow(*map(_button, items))
        case ChannelMenu():
            return ui.ActionRow(_channels(block))
        case _:
            assert_never(block)


def _button(press: Press) -> ui.Button[Any]:
    if press.link:
        return ui.Button(label=press.label, url=press.to, emoji=press.emoji)
    style = _STYLES[press.style]
    return ui.Button(label=press.label, custom_id=press.to, style=style, emoji=press.emoji, disabled=press.idle)


def _channels(menu: ChannelMenu) -> ui.ChannelSelect[Any]:
    return ui.ChannelSelect(
        custom_id=menu.to,
        placeholder=menu.placeholder,
        channel_types=list(_CHANNELS),
        min_values=0,
        max_values=MOST_PICKED,
        default_values=[discord.SelectDefaultValue.from_channel(discord.Object(each)) for each in menu.chosen],
    )


def _menu(menu: Menu) -> ui.Select[Any]:
    options = [
        discord.SelectOption(
            label=line.label,
            value=line.value,
            description=line.description,
            emoji=line.emoji,
            default=line.chosen,
        )
        for line in menu.lines
    ]
    return ui.Select(
        custom_id=menu.to,
        placeholder=menu.placeholder,
        options=options,
        min_values=menu.least,
        max_values=menu.most,
    )
