"""Opens people's direct messages within the budget of first contacts. Nothing else opens them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from math import inf
from typing import Literal
from weakref import WeakValueDictionary

import discord

from cogs.table.channels.contact_budget import ContactBudget, ContactLimits, ContactRank, WaitingList
from cogs.table.channels.table_services import TableServices
from cogs.table.transport.network_errors import (
    NETWORK_ERRORS,
    TOO_FAST,
    describe_error,
    is_contact_refusal,
    is_transient,
)
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.store.match_store import LIVE, Status, StoreFailure
from engines.store.surface_storage import NOT_OPENED, Inbox

log = logging.getLogger(__name__)
MAX_PAUSE = 60  # seconds between two looks at who waits, since a match may have started or ended
CONTACT_PAUSE = 1  # seconds between two first contacts of those who waited
NotOpen = Literal["closed", "later", "waiting"]
"""Why direct messages are not open: closed for good, refused for the moment, or waiting for the budget."""


class DirectMessages:
    """Opens direct messages. Anyone for whom the budget has no room waits; `wake` is called with their matches then."""

    def __init__(
        self,
        services: TableServices,
        wake: Callable[[str], None],
        limits: ContactLimits,
    ) -> None:
        self.budget = ContactBudget(services, limits)
        self._services = services
        self._wake = wake
        self.waiting = WaitingList()  # for their first message
        self._next_review = -inf  # monotonic time from which all ranks are looked up again
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._first_messages: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def open_inbox(self, user: int, match: str) -> Inbox | NotOpen:
        """Open the direct messages of a person who just joined, also if they were closed before."""
        await self._services.surfaces.reopen_inbox(user)
        try:
            return await self._open_within_budget(user, match)
        except NETWORK_ERRORS as error:
            log.info("Direct messages could not be opened: %s", describe_error(error))
            return "later"

    async def inbox_of(self, user: int, match: str, *, has_begun: bool) -> Inbox | None:
        """A person's direct messages, or None if not open. Retries an earlier failure. Raises transient errors.

        If nobody has tried to open them, the person is just joining; after the match has begun, a crash is the reason.
        """
        inbox = await self._services.surfaces.inbox(user)
        if (inbox is None and not has_begun) or (inbox is not None and inbox.closed):
            return None
        opened = await self._open_within_budget(user, match)
        return opened if isinstance(opened, Inbox) else None

    def first_message_lock(self, user: int) -> asyncio.Lock:
        """The lock to hold from `inbox_of` until a person's first message has been sent or its refusal noted.

        Otherwise a second task, which looked before the refusal, would write to them while first contacts are stopped.
        """
        return self._first_messages.setdefault(user, asyncio.Lock())

    async def note_message(self, user: int, channel: int) -> None:
        """Note that a message stands in a person's direct messages, if they are this channel."""
        inbox = await self._services.surfaces.inbox(user)
        if inbox is not None and inbox.channel == channel and not inbox.reached:
            await self._services.surfaces.put_inbox(user, inbox._replace(reached=True))

    async def note_click(self, user: int, channel: int) -> None:
        """Note that a person used the bot in their direct messages: writing to them is no first contact any more."""
        inbox = await self._services.surfaces.inbox(user)
        if inbox is None or not (inbox.channel and inbox.reached):
            await self._services.surfaces.put_inbox(user, Inbox(channel, closed=False, reached=True))
            self._stop_waiting(user)

    async def note_refusal(self, user: int, match: str, refusal: discord.HTTPException) -> None:
        """Note that Discord refuses first contacts for a while. The person waits for the message that it refused."""
        await self.budget.stop(refusal)
        await self._wait_for_budget(user, match)

    async def _open_within_budget(self, user: int, match: str) -> Inbox | NotOpen:
        """Open direct messages unless they are open. Raises transient errors."""
        async with self._locks.setdefault(user, asyncio.Lock()):
            inbox = await self._services.surfaces.inbox(user)
            if inbox is None:
                inbox = await self._services.surfaces.note_unopened_inbox(user)
            if inbox.channel and (inbox.reached or not await self.budget.seconds_stopped()):
                return inbox
            if inbox.channel or not await self._may_contact(user, match):
                await self._wait_for_budget(user, match)
                return "waiting"
            return await self._open_channel(user, match)

    async def _may_contact(self, user: int, match: str) -> bool:
        """Whether the budget has room for a person, and nobody of the same rank has waited longer."""
        rank = _rank_in(await self._services.matches.cache.get_snapshot(match), user) or ContactRank.GREETING
        if await self._next_waiting(rank) in (None, user):
            return not await self.budget.take(user, rank)
        return await self.budget.may_retry(user)

    async def _open_channel(self, user: int, match: str) -> Inbox | NotOpen:
        """Request the channel of a counted first contact. Raises transient errors."""
        try:
            inbox = Inbox((await self._services.client.create_dm(discord.Object(user))).id, closed=False, reached=False)
        except discord.HTTPException as error:
            if is_contact_refusal(error):
                await self.note_refusal(user, match, error)
                return "later" if error.code == TOO_FAST else "waiting"
            if is_transient(error):
                raise
            log.info("Direct messages are closed: %s", describe_error(error))
            inbox = NOT_OPENED._replace(closed=True)
        await self._services.surfaces.put_inbox(user, inbox)
        self._stop_waiting(user)
        return "closed" if inbox.closed else inbox

    # Those who wait

    async def _wait_for_budget(self, user: int, match: str) -> None:
        """Have a person wait, if this process looks after the match; otherwise its own process does the same."""
        if self._services.lease.holds_match(match):
            self.waiting.add(user, match)
            self._services.tasks.start_loop(self._services.clock, "first contacts", self._contact_waiting)
            await self._review_rank(user)

    async def _contact_waiting(self) -> None:
        """Open the direct messages of those who wait, the most urgent first, until nobody waits."""
        while self.waiting:
            try:
                pause = await self._contact_next()
            except StoreFailure as error:
                log.info("First contacts wait: %s", error)
                pause = MAX_PAUSE
            await self._services.clock.sleep(min(pause, MAX_PAUSE))

    async def _contact_next(self) -> float:
        """Let the match of the most urgent person send its message, if there may be one. Return the seconds to wait."""
        if self._services.clock.monotonic() >= self._next_review:
            self._next_review = self._services.clock.monotonic() + MAX_PAUSE
            for each in self.waiting:
                await self._review_rank(each)
        user = await self._next_waiting()
        rank = None if user is None else self.waiting.rank_of(user)
        if user is None or rank is None:
            return CONTACT_PAUSE if self.waiting else 0
        inbox = await self._services.surfaces.inbox(user) or NOT_OPENED
        is_open = inbox.closed or inbox.channel
        pause = await self.budget.seconds_stopped() if is_open else await self.budget.take(user, rank)
        if pause:
            return pause
        self._stop_waiting(user)
        return CONTACT_PAUSE

    async def _next_waiting(self, last: ContactRank = ContactRank.GREETING) -> int | None:
        """The most urgent person who waits, down to this rank. Looks up only those who may be that person."""
        for rank in (rank for rank in ContactRank if rank <= last):
            while (user := self.waiting.first(rank)) is not None:
                await self._review_rank(user)
                now = self.waiting.rank_of(user)
                if now is not None and now <= rank:
                    return user
        return None

    async def _review_rank(self, user: int) -> None:
        """Look up the rank of a person who waits, because matches go on. If no match needs them, they wait no more."""
        rank = await self._rank_of(user)
        if rank is None:
            self._stop_waiting(user)
        else:
            self.waiting.set_rank(user, rank)

    def _stop_waiting(self, user: int) -> None:
        for match in self.waiting.remove(user):
            if self._services.lease.holds_match(match):
                self._wake(match)

    async def _rank_of(self, user: int) -> ContactRank | None:
        """The best rank of a person who waits; None if no match that this process looks after needs them any more."""
        ranks = []
        for match in self.waiting.matches_of(user):
            try:
                rank = _rank_in(await self._services.matches.cache.get_snapshot(match), user)
            except RequestRefused:
                rank = None
            if rank is not None and self._services.lease.holds_match(match):
                ranks.append(rank)
        return min(ranks, default=None)


def _rank_in(snapshot: MatchSnapshot, user: int) -> ContactRank | None:
    """The rank of a player's first message in a match; None if they have no seat there, or it is over."""
    seat = snapshot.info.seat_of(user)
    if seat is None or snapshot.info.status not in LIVE:
        return None
    if snapshot.info.status is Status.LOBBY:
        return ContactRank.GREETING
    return ContactRank.DUE if seat in snapshot.due_seats() else ContactRank.DEALT
