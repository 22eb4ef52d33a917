"""The context that all player actions share, with the steps that several of them need."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import discord

from cogs.table.pages import match_pages
from cogs.table.state.block_list import BlockList
from cogs.table.surfaces.reconciler import Reconciler
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording.operator_info import NOBODY_NAMED, OperatorInfo
from engines.hosting.match import RequestRefused
from engines.hosting.matches import Matches
from engines.store.match_store import LIVE, MatchInfo, Status, StoreFailure

GREETING_FAILURES = {
    "closed": (
        "I cannot send you direct messages, so I cannot send you your hand. You can still play: "
        "press **Show my hand** at the table. (Or allow direct messages from this server in your settings.)"
    ),
    "later": (
        "Discord does not let me send you direct messages right now, so your hand will come a little later. "
        "Until then, press **Show my hand** at the table."
    ),
}


class ActionContext:
    """The client, the matches, the message reconciler, and the clock."""

    def __init__(
        self,
        client: discord.Client,
        matches: Matches,
        reconciler: Reconciler,
        clock: Callable[[], int],
        block_list: BlockList | None = None,
        operator: OperatorInfo = NOBODY_NAMED,
    ) -> None:
        self.client = client
        self.matches = matches
        self.keeper = reconciler
        self.clock = clock
        self.block_list = block_list or BlockList()
        self.operator = operator
        self.showing = reconciler.surface_sync
        self.screens = reconciler.surface_sync.screens
        self.studio = reconciler.surface_sync.studio
        self.on_planned: Callable[[str], None] = lambda match: None  # called if a planned move may be due
        self.on_due_changed: Callable[[], None] = lambda: None  # called if a due time may now be earlier

    async def require_seat(self, match: str, user: int) -> int:
        """Return the user's seat in a match. Raises RequestRefused if there is none."""
        info = (await self.matches.get_snapshot(match)).info
        seat = info.seat_of(user)
        if seat is None:
            where = "join it" if info.status is Status.LOBBY else "watch it"
            if info.status in LIVE and any(seat.gone for seat in info.seats):
                where += ", or press ⋯ to take a seat"
            raise RequestRefused(f"You are not sitting at this table, so you have no hand here. You can {where}.")
        return seat

    async def share_server_context(self, info: MatchInfo) -> None:
        """Store where a new match is, for the process that looks after it: it may not know that server yet."""
        if not self.showing.holds_match(info.id):
            with suppress(StoreFailure):  # then that process looks it up
                await self.showing.server_contexts.save_context(info)

    async def redraw_lobby(self, reply: InteractionReply, match: str) -> None:
        """Answer a click on a lobby by redrawing it. Answer a command with a sentence."""
        snapshot = await self.matches.get_snapshot(match)
        async with self.showing.hold_surface(match, "lobby"):
            page = match_pages.lobby_page(snapshot, await self.showing.page_context_of(snapshot))
            surface = await self.keeper.surface(match, "lobby")
            message = reply.interaction.message
            if surface is None or message is None or surface.message != message.id:
                await reply.send_text("Done. The table shows it.")
                return
            await reply.update_message(page)
            await self.keeper.note_edit(replace(surface, digest=page.digest, shown=snapshot.info.revision))

    async def greet_player(self, reply: InteractionReply, match: str, user: discord.User | discord.Member) -> None:
        """Open direct messages with a new player. If that fails, explain what to do."""
        seat = (await self.matches.get_snapshot(match)).info.seat_of(user.id)
        if seat is not None and (said := GREETING_FAILURES.get(await self.showing.greet_player(match, seat, user))):
            await reply.send_text(said)

    async def mark_active(self, user: int, match: str, step_text: str | None = None) -> None:
        """Note a player's activity, which postpones their turn ping, and the step at which their hand stands.

        If `step_text` is None, the step stays the same.
        """
        with suppress(RequestRefused, StoreFailure):
            seat = (await self.matches.get_snapshot(match)).info.seat_of(user)
            if seat is not None:
                self.showing.reminders.drop(match, seat)
                await self.matches.note_activity(match, seat, step_text)
