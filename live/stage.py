"""The test channel: posts, deletes and waits for a helper's clicks."""

from __future__ import annotations

import asyncio
import contextlib
import io
import secrets
from asyncio import sleep
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any

import discord
from discord import ui
from PIL import Image

PRESS_ID, YES_ID, NO_ID = "live:press", "live:yes", "live:no"
NO_MENTIONS = discord.AllowedMentions.none()
CLICK_FRESH_SECONDS = 1.5  # seconds within which a click is handled, so that it is answered within three
POLL_SECONDS = 1.0  # seconds between two checks of what the helper was asked to do
GONE_CODES = (10003, 10008)

Click = discord.Interaction[Any]


class NotTried(Exception):
    """A claim could not be tried; the message says why."""


class TestChannel:
    """The channel, the messages posted in it, and the helper's clicks."""

    def __init__(self, client: discord.Client, channel: discord.TextChannel, patience: float) -> None:
        self.client = client
        self.channel = channel
        self.patience = patience
        self._clicks: asyncio.Queue[tuple[float, Click]] = asyncio.Queue()
        self.person: discord.User | discord.Member | None = None
        self.prompt: discord.Message | None = None
        self.thread: discord.Thread | None = None
        self._posted: list[discord.Message] = []

    # What the bot does

    async def post(
        self, *items: ui.Item[Any], to: discord.abc.Messageable | None = None, **more: Any
    ) -> discord.Message:
        """Post a message; it is deleted at the end."""
        allowed = more.pop("allowed_mentions", NO_MENTIONS)
        message = await (to or self.channel).send(view=make_view(*items), allowed_mentions=allowed, **more)
        if message.id not in [each.id for each in self._posted]:
            self._posted.append(message)
        return message

    async def refetch(self, message: discord.Message) -> discord.Message:
        """Return the message in its present state."""
        return await message.channel.fetch_message(message.id)

    async def clean_up(self) -> list[str]:
        """Delete everything; return what had to be left."""
        left = []
        if self.thread is not None:
            left += await self._delete_thread(self.thread)
        for message in (*reversed(self._posted), *([self.prompt] if self.prompt else ())):
            try:
                await message.delete()
            except discord.HTTPException as error:
                if error.code not in GONE_CODES:
                    left.append(f"a message in {message.channel}: {describe_refusal(error)}")
        return left

    async def _delete_thread(self, thread: discord.Thread) -> list[str]:
        """Delete the thread; if that is not allowed, ask the helper to do it."""
        try:
            await thread.delete()
        except discord.HTTPException as error:
            if error.code in GONE_CODES:
                return []
            why = describe_refusal(error)
        else:
            return []
        with contextlib.suppress(NotTried):
            await self.wait_until_done(
                "Please delete the thread of this test now: I am not allowed to.", lambda: self._is_thread_gone(thread)
            )
            return []
        return [f"the thread “{thread.name}”, which I cannot delete ({why}): please do"]

    async def _is_thread_gone(self, thread: discord.Thread) -> bool:
        try:
            await self.channel.guild.fetch_channel(thread.id)
        except discord.NotFound:
            return True
        return False

    # What the helper does

    def receive_click(self, click: Click) -> None:
        """Queue a click."""
        self._clicks.put_nowait((monotonic(), click))

    async def wait_for_press(self, words: str) -> Click:
        """Return the next click on a button below these words. Raises NotTried if none comes in time."""
        await self._post_prompt(words, make_button("Press", PRESS_ID))
        return await self._next_click()

    async def ask_yes_no(self, question: str) -> bool:
        """Return whether the helper answers yes. Raises NotTried if there is no answer in time."""
        await self._post_prompt(question, make_button("Yes", YES_ID), make_button("No", NO_ID))
        click = await self._next_click()
        await click.response.defer()
        return pressed_id(click) == YES_ID

    async def wait_until_done(self, words: str, done: Callable[[], Awaitable[bool]]) -> None:
        """Wait until the helper has done something. Raises NotTried if it takes too long."""
        await self._post_prompt(words)
        end = asyncio.get_running_loop().time() + self.patience
        while not await done():
            if asyncio.get_running_loop().time() > end:
                raise NotTried(f"nobody did it within {self.patience:.0f} seconds: {words}")
            await sleep(POLL_SECONDS)

    async def _next_click(self) -> Click:
        """Return the next click that can be answered in time: a rate limit may have delayed an earlier one."""
        try:
            async with asyncio.timeout(self.patience):
                while True:
                    at, click = await self._clicks.get()
                    if monotonic() - at < CLICK_FRESH_SECONDS:
                        self.person = click.user
                        return click
        except TimeoutError:
            raise NotTried(f"nobody pressed the button within {self.patience:.0f} seconds") from None

    async def _post_prompt(self, words: str, *buttons: ui.Button[Any]) -> None:
        """Post a prompt in a message of its own; clicks on earlier ones no longer count."""
        while not self._clicks.empty():
            self._clicks.get_nowait()
        if self.prompt is not None:
            with contextlib.suppress(discord.HTTPException):
                await self.prompt.delete()
        row: list[ui.Item[Any]] = [ui.ActionRow(*buttons)] if buttons else []
        self.prompt = await self.channel.send(view=make_view(ui.TextDisplay(words), *row), allowed_mentions=NO_MENTIONS)


def pressed_id(click: Click) -> str:
    """Return the custom_id of the pressed button."""
    data: Any = click.data
    return str(data["custom_id"])


def make_view(*items: ui.Item[Any]) -> ui.LayoutView:
    """Build a message as the bot does: discord.py does not store the view."""
    view = ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def make_button(label: str, custom_id: str) -> ui.Button[Any]:
    """Build a button."""
    return ui.Button(label=label, custom_id=custom_id)


def make_gallery(name: str) -> ui.MediaGallery[Any]:
    """Build a gallery with one picture of that name."""
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description=f"A test: {name}"))


def make_picture(name: str) -> discord.File:
    """Build its file, in a random colour."""
    file = io.BytesIO()
    Image.new("RGB", (240, 80), tuple(secrets.token_bytes(3))).save(file, "PNG")
    return discord.File(io.BytesIO(file.getvalue()), name)


def picture_urls(message: discord.Message) -> list[str]:
    """Return the addresses of the pictures in the message's galleries."""
    found = [each for each in message.components if isinstance(each, discord.MediaGalleryComponent)]
    return [item.media.url for each in found for item in each.items]


def describe_refusal(error: discord.HTTPException) -> str:
    """Describe a refusal by Discord: status, code, and the first line of its text."""
    return f"{error.status}, code {error.code}: {error.text.splitlines()[0] if error.text else 'no words'}"
