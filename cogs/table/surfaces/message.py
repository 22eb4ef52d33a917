"""Posts, edits, finds and reposts one message of a match, or gives it up with a reason."""

from __future__ import annotations

import asyncio
import logging
import secrets
from dataclasses import replace
from weakref import WeakValueDictionary

import discord

from cogs.pictures.emoji_names import EmojiIds
from cogs.pictures.studio import Studio
from cogs.table.channels import channel_access
from cogs.table.channels.table_services import TableServices
from cogs.table.pages import custom_ids
from cogs.table.pages.page import Page, WrongReader
from cogs.table.surfaces.move_steps import controls
from cogs.table.transport import discord_views
from cogs.table.transport.network_errors import (
    NETWORK_ERRORS,
    NO_CHANNEL,
    NO_MESSAGE,
    UNKNOWN_CODES,
    ignore_refusal,
    is_transient,
)
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import LIVE, StoreFailure
from engines.store.surface_storage import NO_DECISION, Surface, SurfaceKind

log = logging.getLogger(__name__)
OLD_SECONDS = 60 * 60  # seconds; Discord limits edits of messages older than this
TRIES = 3
MESSAGES_READ = 100  # the most that one request returns
FORBIDDEN_CODES = {50001, 50013}
NO_SERVER = 50278  # no server in common with the reader: the bot was removed, or they left
DM_CLOSED = {50007, NO_SERVER}
ARCHIVED, LOCKED = 50083, 160005

SurfaceKey = tuple[str, SurfaceKind, int]


class ReaderForgotten(StoreFailure):
    """The reader of a private page was forgotten while it was drawn. Nothing was sent; the next redraw knows better."""


class MessagePoster:
    """Shows pages in messages, and stores what each one shows. Raises transient network errors, for a retry."""

    def __init__(self, services: TableServices, studio: Studio) -> None:
        self._services = services
        self._studio = studio
        self._locks: WeakValueDictionary[SurfaceKey, asyncio.Lock] = WeakValueDictionary()
        self._recoveries = 0  # how many events from Discord may have fixed a refused request

    def note_recovery(self) -> None:
        """Note that a refused request may work now, so that a message that is just being given up is retried."""
        self._recoveries += 1

    def is_old(self, surface: Surface) -> bool:
        return surface.posted > 0 and self._services.clock.now() - surface.posted > OLD_SECONDS

    async def bring_up_to_date(
        self, snapshot: MatchSnapshot, surface: Surface, page: Page, *, repost: bool = False, mark: int = NO_DECISION
    ) -> None:
        """Make one message show the page: leave it, edit it, or repost it.

        A `mark` reposts the message once, with a notification, to ping its reader about the decision it stands for.
        Raises WrongReader if the page is not for the person who has this hand, and ReaderForgotten.
        """
        await self._require_reader(surface, page, is_hand=surface.kind == "hand")
        async with self._lock_of(surface):
            if surface.kind == "hand" and surface.message and await self._services.surfaces.find_row(surface) is None:
                return  # it was taken away in the meantime
            await self._show(snapshot, surface, page, repost, mark)

    async def _show(self, snapshot: MatchSnapshot, surface: Surface, page: Page, repost: bool, mark: int) -> None:
        known: Surface | None = surface
        while known and not known.lost:
            recoveries = self._recoveries
            await self._try_show(snapshot, known, page, repost, mark)
            given = await self._services.surfaces.find_row(surface)
            if recoveries == self._recoveries or not given or not given.lost:
                return
            await self._services.surfaces.doubt(given.match, given.kind, given.seat)
            known = await self._services.surfaces.find_row(surface)

    def sends(self, surface: Surface, page: Page, *, repost: bool, called: int) -> bool:
        """Whether bringing a hand up to date edits or posts it."""
        is_repost = repost or bool(surface.nonce) or not surface.message or called not in (NO_DECISION, surface.called)
        return is_repost or surface.digest != page.digest

    async def post(self, snapshot: MatchSnapshot, surface: Surface, page: Page, *, mark: int = NO_DECISION) -> None:
        """Post the message again, and delete the old one. Raises WrongReader.

        The nonce is stored first. Discord posts once per nonce, so retries never post twice, even after a crash.
        """
        await self._require_reader(surface, page, is_hand=surface.kind == "hand")
        async with self._lock_of(surface):
            await self._post(snapshot, surface, page, mark)

    async def _post(self, snapshot: MatchSnapshot, surface: Surface, page: Page, mark: int = NO_DECISION) -> None:
        known = await self._services.surfaces.find_row(surface)
        if known and known.channel == surface.channel and known.message != surface.message:
            return  # another task was faster
        draft = await self._delete_replaced(known if known and known.channel == surface.channel else surface)
        resumed = bool(draft.nonce)
        if not resumed:
            draft = replace(draft, nonce=secrets.token_hex(12), called=mark)
            await self._services.surfaces.put(draft)
        channel = self._services.client.get_partial_messageable(draft.channel)

        async def send(emoji: EmojiIds) -> discord.Message:
            view, files = (
                discord_views.page_view(page, emoji, self._studio.name_commands),
                await discord_views.page_files(page, self._studio),
            )
            return await channel.send(view=view, files=files, nonce=draft.nonce, silent=_is_silent(draft))

        message = await discord_views.send_with_emoji(self._studio, send)
        new = replace(
            draft,
            message=message.id,
            digest=page.digest,
            shown=snapshot.info.revision,
            posted=self._services.clock.now(),
            lost="",
            done=snapshot.info.status not in LIVE,
            nonce="",
            old=draft.message,
        )
        await self._services.surfaces.put(replace(new, digest="", done=False) if resumed else new)
        if resumed:  # the message may have been posted earlier, with an older page
            await self._edit_page(snapshot, new, page)
        await self._delete_replaced(new)

    async def edit(self, surface: Surface, page: Page, *, strict: bool = False) -> None:
        """Edit a message in place. Raises permanent errors only if `strict`, and WrongReader."""
        await self._require_reader(surface, page)
        if not surface.message:
            return
        try:
            await discord_views.edit_message(
                self._services.client, surface.channel, surface.message, page, self._studio
            )
        except discord.HTTPException as error:
            if strict or is_transient(error):
                raise

    async def still_exists(self, surface: Surface) -> bool:
        """Whether a message still exists. If Discord does not answer, assume that it does not."""
        try:
            await channel_access.partial_message(self._services.client, surface.channel, surface.message).fetch()
        except NETWORK_ERRORS as error:
            return (
                isinstance(error, discord.HTTPException) and not is_transient(error) and error.code not in UNKNOWN_CODES
            )
        return True

    async def bid_farewell(self, snapshot: MatchSnapshot, surface: Surface, page: Page, *, may_post: bool) -> None:
        """Show a last page in a hand, then drop its surface. A post or an edit that is under way ends first.

        Without `may_post`, only edit what stands there.
        """
        async with self._lock_of(surface):
            known = await self._services.surfaces.find_row(surface)
            if known is None:
                return
            surface = known
            if surface.nonce:  # it may have been posted; posting again under the nonce finds it
                if may_post:
                    await self._show(snapshot, replace(surface, lost=""), page, repost=False, mark=NO_DECISION)
                now = await self._services.surfaces.find_row(surface)
                if now is None or now.nonce:  # the bot may no longer post there
                    hand_messages = await find_hands(self._services.client, surface.match, surface.channel)
                    for message in hand_messages | {surface.message}:
                        await self.edit(replace(surface, message=message), page)
            else:
                await self.edit(surface, page)
                await self._delete_replaced(surface)
            await self._services.surfaces.drop_hand(surface.match, surface.channel)

    def _lock_of(self, surface: Surface) -> asyncio.Lock:
        """The lock for requests about a message: that of a hand is its direct messages', because seats move."""
        number = surface.channel if surface.kind == "hand" else surface.seat
        return self._locks.setdefault((surface.match, surface.kind, number), asyncio.Lock())

    async def _require_reader(self, surface: Surface, page: Page, *, is_hand: bool = False) -> None:
        """Check that a page is for the person who has this message; if it is not, nothing is sent.

        If `is_hand`, the page must name its reader. Raises WrongReader, and ReaderForgotten for a hand whose reader
        was forgotten after the page was drawn.
        """
        if is_hand and page.reader is None:
            raise WrongReader("The page of a hand does not say whose it is.")
        inbox = None if page.reader is None else await self._services.surfaces.inbox(page.reader)
        if surface.kind == "hand" and page.reader is not None and inbox is None:
            raise ReaderForgotten("I can no longer send direct messages to this player.")
        is_theirs = surface.kind == "hand" and inbox is not None and inbox.channel == surface.channel
        page.require_reader(is_seen_by=page.reader if is_theirs else None)

    async def _try_show(self, snapshot: MatchSnapshot, surface: Surface, page: Page, repost: bool, mark: int) -> None:
        """Show the page, or give the message up."""
        for _ in range(TRIES):
            try:
                await self._show_page(snapshot, surface, page, repost=repost, mark=mark)
                return
            except discord.HTTPException as error:
                if is_transient(error):
                    raise
                refusal = error
            mended = await self._recover(snapshot, surface, refusal)
            if mended is None:
                return
            surface = mended
        await self._give_up(snapshot, surface, refusal)

    async def _show_page(
        self, snapshot: MatchSnapshot, surface: Surface, page: Page, *, repost: bool, mark: int
    ) -> None:
        changed = surface.digest != page.digest
        if surface.message and surface.kind == "table" and snapshot.info.status in LIVE:
            repost = repost or (changed and self.is_old(surface))
        if mark != NO_DECISION and surface.called != mark:
            if surface.nonce:  # a post was started for another reason
                await self._post(snapshot, surface, page)
                surface = await self._services.surfaces.find_row(surface) or surface
            await self._post(snapshot, surface, page, mark)
        elif repost or surface.nonce or not surface.message:
            await self._post(snapshot, surface, page)
        elif changed:
            await self._delete_replaced(await self._edit_page(snapshot, surface, page))
        elif surface.old:
            await self._delete_replaced(surface)

    async def _edit_page(self, snapshot: MatchSnapshot, surface: Surface, page: Page) -> Surface:
        await self.edit(surface, page, strict=True)
        done = snapshot.info.status not in LIVE
        new = replace(surface, digest=page.digest, shown=snapshot.info.revision, done=done)
        await self._services.surfaces.put_edits([new])
        return new

    async def _delete_replaced(self, surface: Surface) -> Surface:
        if not surface.old:
            return surface
        await self._delete_message(surface, surface.old)
        cleared = replace(surface, old=0)
        await self._services.surfaces.put(cleared)
        return cleared

    async def _delete_message(self, surface: Surface, message: int) -> None:
        with ignore_refusal(f"The old {surface.kind} of match {surface.match} could not be deleted"):
            await channel_access.partial_message(self._services.client, surface.channel, message).delete()

    async def _recover(self, snapshot: MatchSnapshot, surface: Surface, error: discord.HTTPException) -> Surface | None:
        """The surface to try next after Discord refused a message; None if it is closed or given up."""
        row = await self._services.surfaces.find_row(surface) or surface
        if error.code in DM_CLOSED - {NO_SERVER}:
            await self._close_direct_messages(snapshot, surface)
            return None
        if error.code == ARCHIVED and await self._unarchive_thread(surface):
            return surface
        if error.code == NO_CHANNEL and surface.kind == "table" and surface.channel != snapshot.info.place.channel:
            row = replace(row, channel=snapshot.info.place.channel, message=0, nonce="", old=0)  # the thread is gone
        elif error.code == NO_MESSAGE and row.nonce:
            row = replace(row, nonce="")  # posted and then deleted: Discord does not post under this nonce again
        elif error.code == NO_MESSAGE and row.message:
            row = replace(row, message=0)
        else:
            await self._give_up(snapshot, row, error)
            return None
        await self._services.surfaces.put(row)
        return row

    async def _unarchive_thread(self, surface: Surface) -> bool:
        thread = await self._fetch_thread(surface)
        if thread is None:
            return False
        with ignore_refusal(f"The thread of match {surface.match} could not be unarchived"):
            await thread.edit(archived=False)
            return True
        return False

    async def _fetch_thread(self, surface: Surface) -> discord.Thread | None:
        """The current thread of the message; None if it is in no thread that the bot can see."""
        with ignore_refusal(f"The channel of match {surface.match} could not be read"):
            channel = await self._services.client.fetch_channel(surface.channel)
            return channel if isinstance(channel, discord.Thread) else None
        return None

    async def _close_direct_messages(self, snapshot: MatchSnapshot, surface: Surface) -> None:
        """Remove the hands of a person who closed their direct messages; they can still open their hand on demand."""
        hand_messages = {surface.message, surface.old} - {0}
        if surface.nonce:
            hand_messages |= await find_hands(self._services.client, surface.match, surface.channel)
        for message in hand_messages:
            await self._delete_message(surface, message)
        await self._services.surfaces.drop_hand(
            surface.match, surface.channel
        )  # first: a crash in between only tries once more
        for seat in snapshot.info.seats:  # the surface's seat may have a new owner by now
            inbox = await self._services.surfaces.inbox(seat.user)
            if inbox and inbox.channel == surface.channel:
                await self._services.surfaces.close_inbox(seat.user)

    async def _give_up(self, snapshot: MatchSnapshot, surface: Surface, error: discord.HTTPException) -> None:
        why = await self._failure_reason(surface, error)
        log.warning("Match %s: gave up on its %s: %s", surface.match, surface.kind, why)
        await self._services.surfaces.put(replace(surface, lost=why, done=snapshot.info.status not in LIVE))

    async def _failure_reason(self, surface: Surface, error: discord.HTTPException) -> str:
        """Why a message cannot be shown, as a sentence for players."""
        if error.code == NO_SERVER:
            return "I no longer share a server with the player of this hand."
        if surface.kind == "hand":
            return f"I cannot send this hand by direct message (Discord says {error.code})."
        if error.code in UNKNOWN_CODES:
            return "This table's channel is gone. You can go on playing here."
        if error.code == LOCKED or (error.code in FORBIDDEN_CODES | {ARCHIVED} and await self._is_locked(surface)):
            return "I cannot show the table because its thread is locked. Unlock it, or give me Manage Threads."
        channel = self._services.client.get_channel(surface.channel)
        if error.code in FORBIDDEN_CODES and isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            names = channel_access.missing_permissions(channel.permissions_for(channel.guild.me), channel)
            if names:
                return f"I cannot show the table: I need {', '.join(names)} in its channel. An admin can give me that."
        return f"I cannot show the table in its channel (Discord says {error.code})."

    async def _is_locked(self, surface: Surface) -> bool:
        thread = await self._fetch_thread(surface)
        return thread is not None and thread.locked


def _is_silent(surface: Surface) -> bool:
    """Whether the message is sent without a notification: a hand that replaces another one and pings nobody."""
    return surface.kind == "hand" and surface.message > 0 and surface.called == NO_DECISION


async def find_lobby(client: discord.Client, snapshot: MatchSnapshot) -> Surface | None:
    """The lobby of a match among the newest messages of its channel, or None. Raises transient errors."""
    match, channel = snapshot.info.id, snapshot.info.place.channel
    join = custom_ids.table_action_id(match, "join")
    for message in await _own_messages(client, match, channel):
        if join in controls(message.components):
            return Surface(match, "lobby", -1, channel, message.id)
    return None


async def find_hands(client: discord.Client, match: str, channel: int) -> set[int]:
    """The messages in a person's inbox that have controls of a match. Raises transient errors."""
    return {
        message.id
        for message in await _own_messages(client, match, channel)
        if any(
            (control := custom_ids.parse_control(each.partition("\n")[0])) and control.match == match
            for each in controls(message.components)
        )
    }


async def _own_messages(client: discord.Client, match: str, channel: int) -> list[discord.Message]:
    """The bot's own messages among the newest of a channel; none if Discord refuses."""
    own = client.user.id if client.user else 0
    with ignore_refusal(f"Match {match}: could not search for its messages"):
        history = client.get_partial_messageable(channel).history(limit=MESSAGES_READ)
        return [message async for message in history if message.author.id == own]
    return []
