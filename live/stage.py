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

PRESS, YES, NO = "live:press", "live:yes", "live:no"
NOBODY = discord.AllowedMentions.none()
FRESH = 1.5  # seconds in which a click must be taken up, to be answered within three
LOOK = 1.0  # seconds between two looks at what a person was asked for
GONE = (10003, 10008)

Click = discord.Interaction[Any]


class NotTried(Exception):
    """Something could not be tried; the message says why."""


class Stage:
    """The channel, what has been made in it, and the clicks of whoever helps."""

    def __init__(self, channel: discord.TextChannel, patience: float) -> None:
        self.channel = channel
        self.patience = patience
        self._clicks: asyncio.Queue[tuple[float, Click]] = asyncio.Queue()
        self.person: discord.User | discord.Member | None = None
        self.asking: discord.Message | None = None
        self.thread: discord.Thread | None = None
        self._made: list[discord.Message] = []

    # What the bot does

    async def post(
        self, *items: ui.Item[Any], to: discord.abc.Messageable | None = None, **more: Any
    ) -> discord.Message:
        """A message of these parts; it is gone at the end."""
        allowed = more.pop("allowed_mentions", NOBODY)
        message = await (to or self.channel).send(view=shown(*items), allowed_mentions=allowed, **more)
        if message.id not in [each.id for each in self._made]:
            self._made.append(message)
        return message

    async def again(self, message: discord.Message) -> discord.Message:
        """The message as it is now."""
        return await message.channel.fetch_message(message.id)

    async def clean(self) -> list[str]:
        """Take all of it away; what had to be left."""
        left = []
        if self.thread is not None:
            left += await self._without(self.thread)
        for message in (*reversed(self._made), *([self.asking] if self.asking else ())):
            try:
                await message.delete()
            except discord.HTTPException as error:
                if error.code not in GONE:
                    left.append(f"a message in {message.channel}: {refusal(error)}")
        return left

    async def _without(self, thread: discord.Thread) -> list[str]:
        """Take the thread away; who may not asks the person to."""
        try:
            await thread.delete()
        except discord.HTTPException as error:
            if error.code in GONE:
                return []
            why = refusal(error)
        else:
            return []
        with contextlib.suppress(NotTried):
            await self.until("Please delete the thread of this test now: I may not.", lambda: self._gone(thread))
            return []
        return [f"the thread “{thread.name}”, which I may not delete ({why}): please do"]

    async def _gone(self, thread: discord.Thread) -> bool:
        try:
            await self.channel.guild.fetch_channel(thread.id)
        except discord.NotFound:
            return True
        return False

    # What a person does

    def heard(self, click: Click) -> None:
        """Somebody has pressed something."""
        self._clicks.put_nowait((monotonic(), click))

    async def pressed(self, words: str) -> Click:
        """The next click on a button below these words. Raises NotTried where none comes in time."""
        await self._ask(words, button("Press", PRESS))
        return await self._click()

    async def told(self, question: str) -> bool:
        """Whether the person says yes. Raises NotTried where nothing is said in time."""
        await self._ask(question, button("Yes", YES), button("No", NO))
        click = await self._click()
        await click.response.defer()
        return pressed(click) == YES

    async def until(self, words: str, done: Callable[[], Awaitable[bool]]) -> None:
        """Wait until something that a person is asked for is done. Raises NotTried where it is not in time."""
        await self._ask(words)
        end = asyncio.get_running_loop().time() + self.patience
        while not await done():
            if asyncio.get_running_loop().time() > end:
                raise NotTried(f"nobody did it within {self.patience:.0f} seconds: {words}")
            await sleep(LOOK)

    async def _click(self) -> Click:
        """The next click that can be answered in time: a rate limit may have kept us from an earlier one."""
        try:
            async with asyncio.timeout(self.patience):
                while True:
                    at, click = await self._clicks.get()
                    if monotonic() - at < FRESH:
                        self.person = click.user
                        return click
        except TimeoutError:
            raise NotTried(f"nobody pressed the button within {self.patience:.0f} seconds") from None

    async def _ask(self, words: str, *buttons: ui.Button[Any]) -> None:
        """Say what is wanted now, in a message of its own; clicks on those before it mean nothing any more."""
        while not self._clicks.empty():
            self._clicks.get_nowait()
        if self.asking is not None:
            with contextlib.suppress(discord.HTTPException):
                await self.asking.delete()
        row: list[ui.Item[Any]] = [ui.ActionRow(*buttons)] if buttons else []
        self.asking = await self.channel.send(view=shown(ui.TextDisplay(words), *row), allowed_mentions=NOBODY)


def pressed(click: Click) -> str:
    """The custom_id of what was pressed."""
    data: Any = click.data
    return str(data["custom_id"])


def shown(*items: ui.Item[Any]) -> ui.LayoutView:
    """A message of these parts, as the bot makes them: discord.py keeps nothing of it."""
    view = ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def button(label: str, custom_id: str) -> ui.Button[Any]:
    """A button."""
    return ui.Button(label=label, custom_id=custom_id)


def gallery(name: str) -> ui.MediaGallery[Any]:
    """A picture of that name, alone."""
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description=f"A test: {name}"))


def picture(name: str) -> discord.File:
    """A file for it, in a colour by lot."""
    file = io.BytesIO()
    Image.new("RGB", (240, 80), tuple(secrets.token_bytes(3))).save(file, "PNG")
    return discord.File(io.BytesIO(file.getvalue()), name)


def pictures(message: discord.Message) -> list[str]:
    """The addresses of what the message's galleries show."""
    found = [each for each in message.components if isinstance(each, discord.MediaGalleryComponent)]
    return [item.media.url for each in found for item in each.items]


def refusal(error: discord.HTTPException) -> str:
    """What Discord said no with: its status and code, and the first line of its words."""
    return f"{error.status}, code {error.code}: {error.text.splitlines()[0] if error.text else 'no words'}"
