"""One message of a match: posted, edited, posted anew, or given up with a reason."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b

import discord

from cogs.table import places, send
from cogs.table.page import Page
from engines.match import Look
from engines.shown import Shown, Surface
from engines.store import LIVE

log = logging.getLogger(__name__)
OLD = 60 * 60  # seconds; Discord limits the edits of older messages
UNKNOWN = {10003, 10004, 10008}
FORBIDDEN = {50001, 50013}
DM_CLOSED = {50007, 50278}
ARCHIVED = 50083


class Poster:
    """Makes messages show pages, and keeps what was shown. Raises HTTPException for what is worth trying again."""

    def __init__(self, client: discord.Client, shown: Shown, clock: Callable[[], int]) -> None:
        self._client = client
        self._shown = shown
        self._clock = clock

    def old(self, surface: Surface) -> bool:
        return surface.posted > 0 and self._clock() - surface.posted > OLD

    async def bring(self, look: Look, surface: Surface, page: Page, *, repost: bool = False) -> None:
        """Make one message show the page: left as it is, edited, or posted anew."""
        if surface.lost:
            return
        same = surface.digest == page.digest
        if surface.message and surface.kind == "table" and look.info.status in LIVE:
            repost = repost or (not same and self.old(surface))
        if surface.message and same and not repost:
            return
        try:
            if not surface.message or repost:
                await self.post(look, surface, page)
            else:
                await self._update(look, surface, page)
        except discord.HTTPException as error:
            await self._failed(look, surface, page, error)

    async def post(self, look: Look, surface: Surface, page: Page) -> None:
        """Post the message anew, and take the old one away."""
        where = self._client.get_partial_messageable(surface.channel)
        nonce = _nonce(surface, page)
        message = await where.send(view=send.view(page), files=await send.files(page), nonce=nonce)
        new = replace(
            surface,
            message=message.id,
            digest=page.digest,
            shown=look.info.revision,
            posted=self._clock(),
            lost="",
            done=look.info.status not in LIVE,
        )
        await self._shown.put(new)
        if surface.message:
            await self._delete(surface)

    async def _update(self, look: Look, surface: Surface, page: Page) -> None:
        await self.edit(surface, page, strict=True)
        done = look.info.status not in LIVE
        await self._shown.put(replace(surface, digest=page.digest, shown=look.info.revision, done=done))

    async def edit(self, surface: Surface, page: Page, *, strict: bool = False) -> None:
        """Edit a message in place; unless strict, it does not matter whether that is possible."""
        if not surface.message:
            return
        message = places.partial(self._client, surface.channel, surface.message)
        try:
            await message.edit(view=send.view(page), attachments=await send.files(page))
        except discord.HTTPException as error:
            if strict or error.status >= 500:
                raise

    async def _delete(self, surface: Surface) -> None:
        try:
            await places.partial(self._client, surface.channel, surface.message).delete()
        except discord.HTTPException as error:
            log.info("An old %s of match %s stays: %s", surface.kind, surface.match, error.code)

    async def _failed(self, look: Look, surface: Surface, page: Page, error: discord.HTTPException) -> None:
        """What follows when Discord does not take a message: post anew, give up and say why, or try later."""
        if error.status >= 500 or error.status == 429:
            raise error
        if error.code == ARCHIVED:
            await self._unarchive(surface)
            await self._update(look, surface, page)
        elif error.code == 10003 and surface.kind == "table" and surface.channel != look.info.place.channel:
            await self.bring(look, replace(surface, channel=look.info.place.channel, message=0), page)  # no thread left
        elif error.code == 10008 and surface.message:
            await self.post(look, replace(surface, message=0), page)
        elif error.code in DM_CLOSED:
            await self._closed(look, surface)
        else:
            await self._give_up(look, surface, error)

    async def _unarchive(self, surface: Surface) -> None:
        thread = await self._client.fetch_channel(surface.channel)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)

    async def _closed(self, look: Look, surface: Surface) -> None:
        """A person's direct messages have been closed since: their hand is there on demand."""
        user = look.info.seats[surface.seat].user
        await self._shown.put_inbox(user, surface.channel, closed=True)
        await self._shown.drop(surface.match, surface.kind, surface.seat)

    async def _give_up(self, look: Look, surface: Surface, error: discord.HTTPException) -> None:
        """Stop trying, and keep the reason for whoever asks."""
        why = _why(self._client, surface, error)
        log.warning("Match %s: its %s is given up: %s", surface.match, surface.kind, why)
        await self._shown.put(replace(surface, lost=why, done=look.info.status not in LIVE))


def _nonce(surface: Surface, page: Page) -> str:
    """The same for every try to post this page there, so that Discord posts it once; at most 25 characters."""
    text = f"{surface.match}/{surface.kind}/{surface.seat}/{surface.channel}/{surface.message}/{page.digest}"
    return blake2b(text.encode(), digest_size=12).hexdigest()


def _why(client: discord.Client, surface: Surface, error: discord.HTTPException) -> str:
    """Why a message cannot be shown, in a sentence for players."""
    if error.code in UNKNOWN:
        return "The channel of this table is gone. The hands go on here."
    channel = client.get_channel(surface.channel)
    if error.code in FORBIDDEN and isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        permissions = channel.permissions_for(channel.guild.me)
        names = places.missing(permissions, thread=isinstance(channel, discord.Thread))
        if names:
            return f"I cannot show the table: I miss {', '.join(names)} in its channel. An admin can give me that."
    return f"I cannot show the table in its channel (Discord says {error.code})."
