"""Carries out what the owner requests with `python -m motley` while the bot runs: blocks and announcements."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from hashlib import blake2b

from cogs.table.channels.table_services import TableServices
from cogs.table.scheduling.computer_turns import substitute_level
from cogs.table.scheduling.retention import Retention
from cogs.table.state.block_list import BlockList
from cogs.table.surfaces.reconciler import Reconciler
from cogs.table.transport.discord_views import NO_MENTIONS
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error, is_transient
from cogs.table.transport.rate_limiter import RateLimiter
from cogs.table.wording.player_names import markdown_name
from engines.hosting.match import RequestRefused
from engines.store.match_store import MatchInfo, NotLeaseHolder, Status, StoreFailure
from engines.store.owner_storage import Announcement, AnnouncementPost, Block, OwnerStorage

log = logging.getLogger(__name__)
CHECK_SECONDS = 120.0  # seconds between two checks while nobody does anything
SHORTEST_PAUSE = 3.0  # seconds between two checks while people click
STANDS_SECONDS = 3600  # seconds for which an announcement is posted; after that, news are no longer new
SUSPENDED_TEXT = "The people who run me have stopped it for now."
ANNOUNCEMENT_PREFIX = "**From the people who run me:** "


class OwnerRequests:
    """Reads the owner's requests, and applies them to the servers of this process.

    The store is read every two minutes, and after a click if it was not read lately. So no process has to be told.
    """

    def __init__(
        self,
        services: TableServices,
        storage: OwnerStorage,
        block_list: BlockList,
        reconciler: Reconciler,
        rate_limiter: RateLimiter,
        retention: Retention,
    ) -> None:
        self._services = services
        self._storage = storage
        self._block_list = block_list
        self._reconciler = reconciler
        self._rate_limiter = rate_limiter
        self._lock = asyncio.Lock()
        self._checked_at = -SHORTEST_PAUSE
        self._applied_blocks: frozenset[Block] = frozenset()
        self._knows_suspended = False  # whether the matches of servers that are no longer blocked were resumed
        self._retention = retention
        self._refused_posts: set[tuple[int, int]] = set()  # announcements and channels in which the bot may not post

    def start(self) -> None:
        """Start to look for requests. Returns at once."""
        self._services.tasks.start_loop(self._services.clock, "owner requests", self._run)

    def look_soon(self) -> None:
        """Look for new requests, unless that was done lately. Returns at once."""
        if self._services.clock.monotonic() - self._checked_at >= SHORTEST_PAUSE:
            self._services.tasks.start("owner requests, soon", self.check)

    def forget_applied(self) -> None:
        """Apply all blocks again, because this process has gained servers."""
        self._applied_blocks, self._knows_suspended = frozenset(), False

    async def read_blocks(self) -> None:
        """Read the blocks. If the store fails, the known ones still hold."""
        with suppress(StoreFailure):
            self._block_list.blocks = await self._storage.blocks()

    async def put_block(self, block: Block) -> bool:
        """Store a block, and apply it. Return whether it is new. Raises StoreFailure."""
        is_new = await self._storage.put_block(block)
        await self.check()
        return is_new

    async def drop_block(self, block: Block) -> bool:
        """Delete a block, and return whether there was one. Raises StoreFailure."""
        was_there = await self._storage.drop_block(block)
        await self.check()
        return was_there

    async def _run(self) -> None:
        while True:
            await self.check()
            self._retention.start_forgetting()  # the owner requests that, too
            await self._services.clock.sleep(CHECK_SECONDS)

    async def check(self) -> None:
        """Read all requests once, and carry them out."""
        async with self._lock:
            self._checked_at = self._services.clock.monotonic()
            await self.read_blocks()
            try:
                await self._apply_blocks(self._block_list.blocks)
                announcements = await self._storage.announcements()
            except StoreFailure as why:
                log.info("The owner's requests could not be carried out: %s", why)
                return
        if announcements and not self._reconciler.connectivity.is_down:
            self._services.tasks.start("announcements", self._handle_announcements, announcements)

    # Blocks

    async def _apply_blocks(self, blocks: frozenset[Block]) -> None:
        """Apply new blocks to open tables, and let the matches of servers go on that are no longer blocked."""
        for block in sorted(blocks - self._applied_blocks):
            for info in await self._services.matches.lookup.find(guild=block.guild or None, user=block.user or None):
                await self._change(info, partial(self._vacate_seat, block.user) if block.user else self._suspend_match)
        was_lifted = any(not block.user for block in self._applied_blocks - blocks)
        if was_lifted or not self._knows_suspended:
            for info in await self._services.matches.lookup.find(statuses=frozenset({Status.PAUSED})):
                if info.reason == SUSPENDED_TEXT and not self._block_list.has_server(info.place.guild):
                    await self._change(info, self._resume_match)
        self._applied_blocks, self._knows_suspended = blocks, True

    async def _change(self, info: MatchInfo, change: Callable[[MatchInfo], Awaitable[None]]) -> None:
        """Change a match, if this process looks after it. What no longer applies is left as it is."""
        with suppress(RequestRefused, NotLeaseHolder), self._services.lease.acting_for(info.place.guild):
            await change(info)

    async def _vacate_seat(self, user: int, info: MatchInfo) -> None:
        """Take a blocked person out of a lobby. In a match, the computer plays on until they may come back.

        The list in which the match was found may be old, so their seat is looked up when the match is changed.
        """
        game = self._services.matches.games.get(info.game)
        level = "" if game is None else substitute_level(game)
        after = await self._services.matches.seating.shut_out(info.id, user, level)
        if (seat := after.seat_of(user)) is None:  # it was a lobby
            return
        name = markdown_name(after.seats[seat].name)
        await self._reconciler.surface_sync.notices.post_notice(after, f"The computer takes over the seat of {name}.")

    async def _suspend_match(self, info: MatchInfo) -> None:
        if info.status is Status.RUNNING:
            await self._services.matches.seating.suspend_match(info.id, SUSPENDED_TEXT)

    async def _resume_match(self, info: MatchInfo) -> None:
        await self._services.matches.seating.resume_match(info.id, SUSPENDED_TEXT)

    # Announcements

    async def _handle_announcements(self, announcements: list[Announcement]) -> None:
        for announcement in announcements:
            try:
                await (self._withdraw if announcement.is_withdrawn else self._post)(announcement)
            except StoreFailure as why:
                log.info("An announcement could not be handled: %s", why)

    async def _post(self, announcement: Announcement) -> None:
        """Post an announcement where the matches are played that were open when it was made, once in each channel."""
        if self._services.clock.now() - announcement.at > STANDS_SECONDS:
            return
        posted = {post.channel for post in await self._storage.announcement_posts(announcement.number) if post.message}
        places = {info.place for info in await self._services.matches.lookup.find() if info.created <= announcement.at}
        channels = {place.thread or place.channel: place.guild for place in places}
        for channel, guild in sorted(channels.items()):
            is_done = channel in posted or (announcement.number, channel) in self._refused_posts
            if not is_done and not self._block_list.has_server(guild) and self._services.lease.holds_server(guild):
                await self._post_in(announcement, AnnouncementPost(announcement.number, channel, guild))

    async def _post_in(self, announcement: Announcement, post: AnnouncementPost) -> None:
        """Post an announcement in a channel. It is stored before; the nonce prevents a second message after a crash."""
        channel = self._services.client.get_partial_messageable(post.channel)
        which = f"{announcement.number} {announcement.at} {post.channel}"  # numbers may be used again
        nonce = blake2b(which.encode(), digest_size=12).hexdigest()
        async with self._rate_limiter.wait_for_room():
            try:
                with self._services.lease.acting_for(post.guild):
                    if not await self._storage.begin_announcement_post(post):
                        return
                    text = f"{ANNOUNCEMENT_PREFIX}{announcement.text}"
                    sent = await channel.send(text, allowed_mentions=NO_MENTIONS, nonce=nonce)
            except NETWORK_ERRORS as error:
                log.info("An announcement could not be posted: %s", describe_error(error))
                if not is_transient(error):
                    self._refused_posts.add((post.announcement, post.channel))
                return
        done = AnnouncementPost(post.announcement, post.channel, post.guild, sent.id)
        await self._storage.note_announcement_message(done)

    async def _withdraw(self, announcement: Announcement) -> None:
        for post in await self._storage.announcement_posts(announcement.number):
            if self._services.lease.holds_server(post.guild) and await self._delete_post(post):
                await self._storage.drop_announcement_posts(announcement.number, [post.channel])

    async def _delete_post(self, post: AnnouncementPost) -> bool:
        """Delete a message, and return whether it is gone, or can never be deleted."""
        if not post.message:  # the process ended while it was being sent
            return True
        message = self._services.client.get_partial_messageable(post.channel).get_partial_message(post.message)
        async with self._rate_limiter.wait_for_room():
            try:
                with self._services.lease.acting_for(post.guild):
                    await message.delete()
            except NETWORK_ERRORS as error:
                log.info("An announcement could not be deleted: %s", describe_error(error))
                return not is_transient(error)
        return True
