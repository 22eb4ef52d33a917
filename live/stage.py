"""Where things are tried: one channel, and a person who helps. Whatever is made there is taken away at the end."""

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
CLICK_FRESH_SECONDS = 1.5  # seconds in which a click must be taken up, to be answered within three
POLL_SECONDS = 1.0  # seconds between two looks at what a person was asked for
GONE_CODES = (10003, 10008)

Click = discord.Interaction[Any]


class NotTried(Exception):
    """Something could not be tried; the message says why."""


class TestChannel:
    """The channel, what has been made in it, and the clicks of whoever helps."""

    def __init__(self, channel: discord.TextChannel, patience: float) -> None:
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
        """A message of these parts; it is gone at the end."""
        allowed = more.pop("allowed_mentions", NO_MENTIONS)
        message = await (to or self.channel).send(view=make_view(*items), allowed_mentions=allowed, **more)
        if message.id not in [each.id for each in self._posted]:
            self._posted.append(message)
        return message

    async def refetch(self, message: discord.Message) -> discord.Message:
        """The message as it is now."""
        return await message.channel.fetch_message(message.id)

    async def clean_up(self) -> list[str]:
        """Take all of it away; what had to be left."""
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
        """Take the thread away; who may not asks the person to."""
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
                "Please delete the thread of this test now: I may not.", lambda: self._is_thread_gone(thread)
            )
            return []
        return [f"the thread “{thread.name}”, which I may not delete ({why}): please do"]

    async def _is_thread_gone(self, thread: discord.Thread) -> bool:
        try:
            await self.channel.guild.fetch_channel(thread.id)
        except discord.NotFound:
            return True
        return False

    # What a person does

    def receive_click(self, click: Click) -> None:
        """Somebody has pressed something."""
        self._clicks.put_nowait((monotonic(), click))

    async def wait_for_press(self, words: str) -> Click:
        """The next click on a button below these words. Raises NotTried where none comes in time."""
        await self._post_prompt(words, make_button("Press", PRESS_ID))
        return await self._next_click()

    async def ask_yes_no(self, question: str) -> bool:
        """Whether the person says yes. Raises NotTried where nothing is said in time."""
        await self._post_prompt(question, make_button("Yes", YES_ID), make_button("No", NO_ID))
        click = await self._next_click()
        await click.response.defer()
        return pressed_id(click) == YES_ID

    async def wait_until_done(self, words: str, done: Callable[[], Awaitable[bool]]) -> None:
        """Wait until something that a person is asked for is done. Raises NotTried where it is not in time."""
        await self._post_prompt(words)
        end = asyncio.get_running_loop().time() + self.patience
        while not await done():
            if asyncio.get_running_loop().time() > end:
                raise NotTried(f"nobody did it within {self.patience:.0f} seconds: {words}")
            await sleep(POLL_SECONDS)

    async def _next_click(self) -> Click:
        """The next click that can be answered in time: a rate limit may have kept us from an earlier one."""
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
        """Say what is wanted now, in a message of its own; clicks on those before it mean nothing any more."""
        while not self._clicks.empty():
            self._clicks.get_nowait()
        if self.prompt is not None:
            with contextlib.suppress(discord.HTTPException):
                await self.prompt.delete()
        row: list[ui.Item[Any]] = [ui.ActionRow(*buttons)] if buttons else []
        self.prompt = await self.channel.send(view=make_view(ui.TextDisplay(words), *row), allowed_mentions=NO_MENTIONS)


def pressed_id(click: Click) -> str:
    """The custom_id of what was pressed."""
    data: Any = click.data
    return str(data["custom_id"])


def make_view(*items: ui.Item[Any]) -> ui.LayoutView:
    """A message of these parts, as the bot makes them: discord.py keeps nothing of it."""
    view = ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def make_button(label: str, custom_id: str) -> ui.Button[Any]:
    """A button."""
    return ui.Button(label=label, custom_id=custom_id)


def make_gallery(name: str) -> ui.MediaGallery[Any]:
    """A picture of that name, alone."""
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description=f"A test: {name}"))


def make_picture(name: str) -> discord.File:
    """A file for it, in a colour by lot."""
    file = io.BytesIO()
    Image.new("RGB", (240, 80), tuple(secrets.token_bytes(3))).save(file, "PNG")
    return discord.File(io.BytesIO(file.getvalue()), name)


def picture_urls(message: discord.Message) -> list[str]:
    """The addresses of what the message's galleries show."""
    found = [each for each in message.components if isinstance(each, discord.MediaGalleryComponent)]
    return [item.media.url for each in found for item in each.items]


def describe_refusal(error: discord.HTTPException) -> str:
    """What Discord said no with: its status and code, and the first line of its words."""
    return f"{error.status}, code {error.code}: {error.text.splitlines()[0] if error.text else 'no words'}"
