"""Converts pages into the components and files that discord.py sends."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, TypeVar, assert_never

import discord
from discord import ui

from cogs.pictures.emoji_names import NO_EMOJI, EmojiIds
from cogs.pictures.studio import Studio
from cogs.screens.emoji import Emoji, suit_sign_keys
from cogs.screens.screen import Picture
from cogs.table.pages.custom_ids import FORM_FIELD
from cogs.table.pages.page import (
    LONGEST_TEXT,
    Block,
    ChannelMenu,
    Form,
    Line,
    Menu,
    Page,
    Paper,
    Place,
    Press,
    PressSection,
    Row,
    Section,
    Text,
)
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.transport import discord_internals

NO_MENTIONS = discord.AllowedMentions.none()  # for edits: discord.py omits its default if there is no content
MOST_PICKED = 25  # Discord's limit for a select menu
ROW, BUTTON, LIST, CHANNELS, SECTION, TEXT, THUMBNAIL, GALLERY = 1, 2, 3, 8, 9, 10, 11, 12  # Discord's numbers
FILE, CONTAINER = 13, 17
LINK_STYLE = 5
_MAX_NARRATION = LONGEST_TEXT // 2  # characters with emoji; everything else beside a picture is much shorter
_SUIT_KEYS = suit_sign_keys()
_WORD_JOINER = "\N{WORD JOINER}"
_SUIT_SIGN = re.compile("([♣♦♥♠])([.,;:!?)]?)")
_STYLES = {"primary": 1, "secondary": 2, "success": 3, "danger": 4}
_CHANNELS = (0, 5, 2, 13, 15)  # text, news, voice, stages, forums

INVALID_FORM, INVALID_EMOJI = 50035, "Invalid emoji"  # Discord's code and words for an emoji that it does not know

Json = dict[str, Any]
T = TypeVar("T")
log = logging.getLogger(__name__)


async def page_files(page: Page, studio: Studio) -> list[discord.File]:
    """The page's pictures and file. A picture that is not cached is drawn in a thread."""
    found: list[discord.File] = []
    for picture in page.pictures:
        image = studio.cached_picture(picture.spec)
        if image is None:
            image = await draw_in_thread(studio.cached_or_rendered, picture.spec)
        found.append(discord.File(io.BytesIO(image), picture.name, description=picture.alt))
    if paper := page.paper:
        found.append(discord.File(io.BytesIO(paper.content.encode()), paper.name))
    return found


async def send_with_emoji(studio: Studio, send: Callable[[EmojiIds], Awaitable[T]]) -> T:
    """Send a page with the application's emoji. If Discord does not know one of them, send it with the fallbacks.

    That happens after somebody deleted emoji, and Discord sometimes refuses emoji that exist.
    """
    try:
        return await send(studio.emoji)
    except discord.HTTPException as error:
        if error.code != INVALID_FORM or INVALID_EMOJI not in error.text:
            raise
    log.info("Discord does not know an emoji of the application.")
    studio.report_unknown_emoji()
    return await send(NO_EMOJI)


async def post_page(client: discord.Client, channel: int, page: Page, studio: Studio, nonce: str) -> discord.Message:
    """Post a page in a channel. By the nonce, Discord posts it once, however often that is tried."""
    messageable = client.get_partial_messageable(channel)

    async def send(emoji: EmojiIds) -> discord.Message:
        files = await page_files(page, studio)
        return await messageable.send(
            view=page_view(page, emoji), files=files, nonce=nonce, allowed_mentions=NO_MENTIONS
        )

    return await send_with_emoji(studio, send)


def page_view(
    page: Page, emoji: EmojiIds = NO_EMOJI, name_commands: Callable[[str], str] = str
) -> discord_internals.ComponentsView:
    """The page as a view. Clicks are routed by custom_id, so discord.py does not have to store the view."""
    blocks = [_component_json(block, emoji, name_commands) for block in page.blocks]
    return discord_internals.ComponentsView(
        [{"type": CONTAINER, "accent_color": page.accent, "spoiler": False, "components": blocks}]
    )


async def edit_message(client: discord.Client, channel: int, message: int, page: Page, studio: Studio) -> None:
    """Edit a message to show the page, without parsing Discord's answer."""

    async def edit(emoji: EmojiIds) -> None:
        view, images = page_view(page, emoji, studio.name_commands), await page_files(page, studio)
        await discord_internals.edit_message(client, channel, message, view, images, NO_MENTIONS)

    await send_with_emoji(studio, edit)


def form_modal(form: Form) -> ui.Modal:
    """The form as a modal. Answers are routed by custom_id, so discord.py does not have to store it."""
    modal = ui.Modal(title=form.title, custom_id=form.to, timeout=None)
    field = ui.TextInput[ui.Modal](
        custom_id=FORM_FIELD,
        style=discord.TextStyle.short if form.is_line else discord.TextStyle.paragraph,
        default=form.text or None,
        required=form.is_line,
        max_length=form.longest,
    )
    modal.add_item(ui.Label(text=form.label, description=form.description, component=field))
    modal.stop()
    return modal


def press_view(presses: Sequence[Press]) -> ui.View:
    """A view of buttons below a plain-text message."""
    view = ui.View(timeout=None)
    for press in presses:
        style = discord.ButtonStyle(_STYLES[press.style])
        target = {"url": press.to} if press.link else {"custom_id": press.to, "style": style}
        view.add_item(
            ui.Button[ui.View](label=press.label, emoji=_fallback(press.emoji), disabled=press.idle, **target)
        )
    view.stop()
    return view


def find_place(components: Sequence[Json], custom_id: str) -> Place | None:
    """Return the place of a control on a message, as Discord sent it; None if it is not there."""
    for number, row in enumerate(_rows_of(components)):
        for index, item in enumerate(row):
            if item.get("custom_id") == custom_id:
                return Place(number, index)
    return None


def _rows_of(components: Sequence[Json]) -> Iterator[Sequence[Json]]:
    for component in components:
        parts = component.get("components", ())
        if component["type"] == ROW:
            yield parts
        else:
            yield from _rows_of(parts)


def _component_json(block: Block, emoji: EmojiIds, name_commands: Callable[[str], str]) -> Json:
    match block:
        case Text():
            return {"type": TEXT, "content": name_commands(_text_with_emoji(block, emoji))}
        case Section(text, picture):
            thumbnail = {"type": THUMBNAIL, **_media_json(picture)}
            return {
                "type": SECTION,
                "components": [{"type": TEXT, "content": name_commands(text)}],
                "accessory": thumbnail,
            }
        case PressSection(text, press):
            return {
                "type": SECTION,
                "components": [{"type": TEXT, "content": name_commands(text)}],
                "accessory": _button_json(press, emoji),
            }
        case Picture():
            return {"type": GALLERY, "items": [_media_json(block)]}
        case Paper():
            return {"type": FILE, "file": {"url": f"attachment://{block.name}"}, "spoiler": False}
        case Row(items):
            return _row_json(
                [_menu_json(items, emoji)] if isinstance(items, Menu) else [_button_json(each, emoji) for each in items]
            )
        case ChannelMenu():
            return _row_json([_channel_menu_json(block)])
        case _:
            assert_never(block)


def _media_json(picture: Picture) -> Json:
    return {"media": {"url": f"attachment://{picture.name}"}, "description": picture.alt, "spoiler": False}


def _row_json(components: list[Json]) -> Json:
    return {"type": ROW, "components": components}


def _button_json(press: Press, emoji: EmojiIds = NO_EMOJI) -> Json:
    style = LINK_STYLE if press.link else _STYLES[press.style]
    to = "url" if press.link else "custom_id"
    label = {"label": press.label} if press.label else {}
    mark = _emoji_json(press.emoji, emoji)
    return {"type": BUTTON, "style": style, "disabled": press.idle, **label, to: press.to, **mark}


def _emoji_json(wanted: Emoji | str | None, emoji: EmojiIds) -> Json:
    """The application's emoji, or the Unicode emoji in its place."""
    if isinstance(wanted, Emoji) and (known := emoji.get(wanted.key)):
        return {"emoji": {"id": known.id, "name": known.name}}
    name = _fallback(wanted)
    return {"emoji": {"id": None, "name": name}} if name else {}


def _text_with_emoji(block: Text, emoji: EmojiIds) -> str:
    """The paragraph, with the application's emoji for the suits in its news, if they fit a message.

    Discord's own suits have two colours and are dark on dark. It refuses no text because of an emoji that was deleted,
    but shows its name.
    """
    with_emoji = _SUIT_SIGN.sub(lambda found: _suit_mention(found[1], found[2], emoji), block.narration)
    return block.text.replace(block.narration, with_emoji, 1) if len(with_emoji) <= _MAX_NARRATION else block.text


def _suit_mention(sign: str, mark: str, emoji: EmojiIds) -> str:
    """The emoji of a suit, on the line of the rank before it and of the punctuation mark after it, if there is one.

    If the application has no such emoji, the sign stays.
    """
    known = emoji.get(_SUIT_KEYS[sign])
    if known is None:
        return f"{sign}{mark}"
    return f"{_WORD_JOINER}<:{known.name}:{known.id}>{_WORD_JOINER if mark else ''}{mark}"


def _fallback(wanted: Emoji | str | None) -> str | None:
    return (wanted.fallback or None) if isinstance(wanted, Emoji) else wanted


def _channel_menu_json(menu: ChannelMenu) -> Json:
    chosen = [{"id": each, "type": "channel"} for each in menu.chosen]
    return {
        "type": CHANNELS,
        "custom_id": menu.to,
        "placeholder": menu.placeholder,
        "min_values": 0,
        "max_values": MOST_PICKED,
        "disabled": False,
        "required": False,
        "channel_types": list(_CHANNELS),
        **({"default_values": chosen} if chosen else {}),
    }


def _menu_json(menu: Menu, emoji: EmojiIds = NO_EMOJI) -> Json:
    return {
        "type": LIST,
        "custom_id": menu.to,
        "placeholder": menu.placeholder,
        "min_values": menu.least,
        "max_values": menu.most,
        "disabled": False,
        "required": True,
        "options": [_option_json(line, emoji) for line in menu.lines],
    }


def _option_json(line: Line, emoji: EmojiIds) -> Json:
    option: Json = {"label": line.label, "value": line.value, "default": line.chosen}
    if line.description:
        option["description"] = line.description
    return option | _emoji_json(line.emoji, emoji)
