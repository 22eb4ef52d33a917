"""Our components and forms equal what discord.py itself would send."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import BaseTestServer, TestServer
from discord import ui

from cogs.pictures.emoji_names import EmojiId
from cogs.pictures.spec import ScoreSheet
from cogs.screens.emoji import Emoji
from cogs.screens.screen import Picture
from cogs.table.pages.page import ChannelMenu, Line, Menu, Page, Paper, Press, PressSection, Row, Section, Text
from cogs.table.transport import discord_views
from cogs.table.transport.discord_internals import ComponentsView
from cogs.table.transport.multipart import MAX_SINGLE_BODY, SingleBodyRequest, _encode_form

SHEET = ScoreSheet((), ())
KING = Emoji("king_of_hearts", "🃏")
IDS = {"king_of_hearts": EmojiId("motley_king_of_hearts_3f2a9c", 77)}
PRESSES = (
    Press("Play", "m:1", "primary"),
    Press("Stop", "m:2", "danger", idle=True),
    Press("", "m:3", "success", emoji="🐓"),
    Press("There", "https://discord.com/x", emoji="🂡", link=True),
    Press("K♥", "m:4", "primary", emoji=KING),
)
LINES = (Line("one", "1", emoji=KING), Line("two", "2", "the other", "♠", chosen=True))


def library_emoji(wanted: Emoji | str | None) -> str | discord.PartialEmoji | None:
    return discord.PartialEmoji(name=IDS[wanted.key].name, id=77) if isinstance(wanted, Emoji) else wanted


def discord_py_view() -> ui.LayoutView:
    known = discord.ButtonStyle
    styles = (known.primary, known.danger, known.success, None, known.primary)
    buttons = [
        ui.Button[ui.LayoutView](
            label=each.label, custom_id=each.to, style=style, emoji=library_emoji(each.emoji), disabled=each.idle
        )
        if style
        else ui.Button[ui.LayoutView](label=each.label, url=each.to, emoji=library_emoji(each.emoji))
        for each, style in zip(PRESSES, styles, strict=True)
    ]
    options = [
        discord.SelectOption(
            label=line.label,
            value=line.value,
            description=line.description,
            emoji=library_emoji(line.emoji),
            default=line.chosen,
        )
        for line in LINES
    ]
    kinds = ("text", "news", "voice", "stage_voice", "forum")
    channels = [
        ui.ChannelSelect[ui.LayoutView](
            custom_id="h:x",
            placeholder="Where",
            channel_types=[discord.ChannelType[kind] for kind in kinds],
            min_values=0,
            max_values=25,
            default_values=[discord.SelectDefaultValue.from_channel(discord.Object(each)) for each in chosen],
        )
        for chosen in ((), (5, 6))
    ]
    view = ui.LayoutView(timeout=None)
    view.add_item(
        ui.Container(
            ui.TextDisplay("Words"),
            ui.Section("More", accessory=ui.Thumbnail("attachment://sign.png", description="a sign")),
            ui.Section(
                "Beside", accessory=ui.Button(label="Quick", custom_id="v:x", style=discord.ButtonStyle.primary)
            ),
            ui.MediaGallery(discord.MediaGalleryItem("attachment://hand.png", description="a hand")),
            ui.File("attachment://record.txt"),
            ui.ActionRow(*buttons),
            ui.ActionRow(ui.Select(custom_id="p:x", placeholder="Which", options=options, min_values=1, max_values=2)),
            *map(ui.ActionRow, channels),
            accent_colour=7,
        )
    )
    return view


async def test_components_are_what_discord_py_would_write() -> None:
    blocks = (
        Text("Words"),
        Section("More", Picture(SHEET, "sign.png", "a sign")),
        PressSection("Beside", Press("Quick", "v:x", "primary")),
        Picture(SHEET, "hand.png", "a hand"),
        Paper("record.txt", "all"),
        Row(PRESSES),
        Row(Menu("p:x", "Which", LINES, 1, 2)),
        ChannelMenu("h:x", "Where", ()),
        ChannelMenu("h:x", "Where", (5, 6)),
    )
    view = discord_views.page_view(Page(blocks, 7), IDS)
    assert view.to_components() == discord_py_view().to_components()  # type: ignore[no-untyped-call]
    assert view.is_finished()
    assert view.has_components_v2() is discord_py_view().has_components_v2() is True


SUIT_IDS = {key: EmojiId(f"motley_{key}_3f2a9c", 80 + i) for i, key in enumerate(("clubs", "hearts"))}
HEARTS = "\N{WORD JOINER}<:motley_hearts_3f2a9c:81>"


def test_news_show_the_suits_of_the_application_and_other_texts_show_signs() -> None:
    line = "Ana K♥ · Ben 10♠ · over ♥"
    blocks = (Text(f"**Follow hearts ♥**\n{line}\n-# ♥ are trump", line), Text("the 10 of hearts ♥"))
    contents = [part["content"] for part in _inner(discord_views.page_view(Page(blocks), SUIT_IDS))]
    assert contents == [
        f"**Follow hearts ♥**\nAna K{HEARTS} · Ben 10♠ · over {HEARTS}\n-# ♥ are trump",
        "the 10 of hearts ♥",
    ]
    assert [part["content"] for part in _inner(discord_views.page_view(Page(blocks)))] == [each.text for each in blocks]
    assert Page(blocks).digest == Page((Text(blocks[0].text), blocks[1])).digest


@pytest.mark.parametrize(("suits", "marked"), [(70, True), (90, False)])
def test_news_that_would_be_too_long_with_emoji_keep_their_signs(suits: int, marked: bool) -> None:
    (part,) = _inner(discord_views.page_view(Page((Text("♥" * suits, "♥" * suits),)), SUIT_IDS))
    assert part["content"] == (HEARTS if marked else "♥") * suits
    assert len(part["content"]) <= 2000


def _inner(view: ComponentsView) -> list[dict[str, Any]]:
    return list(view.to_components()[0]["components"])


@pytest.fixture
async def echo() -> AsyncIterator[BaseTestServer]:
    """A server that answers with a form's parts (names, file names, types, contents) and its total length."""

    async def parts(request: web.Request) -> web.Response:
        found: list[Any] = []
        async for part in await request.multipart():
            assert isinstance(part, aiohttp.BodyPartReader)
            content = await part.read()
            found.append([part.name, part.filename, part.headers.get("Content-Type"), content.hex()])
        return web.json_response({"parts": found, "length": request.content_length})

    app = web.Application(client_max_size=1 << 24)
    app.router.add_post("/", parts)
    async with TestServer(app) as server:
        yield server


def discord_py_form(picture: bytes, skipped: int = 0) -> aiohttp.FormData:
    form, file = aiohttp.FormData(quote_fields=False), io.BytesIO(picture)
    file.seek(skipped)
    form.add_field(name="payload_json", value='{"content": "Ünïcode ♠"}')
    form.add_field(name="files[0]", value=file, filename="hand.png", content_type="application/octet-stream")
    return form


@pytest.mark.parametrize("size", [0, 50_000, MAX_SINGLE_BODY])  # empty, a picture, too large for one piece
async def test_a_form_in_one_piece_says_the_same(echo: BaseTestServer, size: int) -> None:
    answers = []
    for kind in (aiohttp.ClientRequest, SingleBodyRequest):
        async with aiohttp.ClientSession(request_class=kind) as session:
            form = discord_py_form(bytes(range(256)) * (size // 256 + 1))
            response = await session.post(echo.make_url("/"), data=form)
            answers.append(await response.json())
    assert answers[0]["parts"] == answers[1]["parts"]
    assert len(answers[0]["parts"]) == 2


def test_a_form_of_some_size_is_one_piece_and_the_file_can_be_sent_again() -> None:
    form = discord_py_form(b"0123456789", skipped=4)
    first, second = _encode_form(form), _encode_form(form)
    assert first is not None
    assert second is not None
    assert b"456789" in first._value
    assert b"3456789" not in first._value
    assert len(first._value) == len(second._value)
