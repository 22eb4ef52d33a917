"""The context that all player actions share, with the steps that several of them need."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace

import discord

from cogs.table.actions.door import Door
from cogs.table.actions.visit import Visit
from cogs.table.channels.bot_settings import BotSettings
from cogs.table.channels.table_services import TableServices
from cogs.table.pages import custom_ids
from cogs.table.pages.feature_pages import FeaturePages
from cogs.table.pages.page import Page, clear_place, press_at
from cogs.table.state.block_list import BlockList
from cogs.table.state.person_shares import PersonShares
from cogs.table.surfaces.reconciler import Reconciler
from cogs.table.transport import discord_views
from cogs.table.transport.deduplication import Deduplicator
from cogs.table.transport.discord_internals import dispatch
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.transport.network_errors import describe_error, is_transient
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.kit.errors import IllegalMove
from engines.store.match_store import MatchInfo, Status, StoreFailure

log = logging.getLogger(__name__)
NOT_POSTED = "I could not post there. The permissions in that channel may have changed."
GREETING_FAILURES = {
    "closed": (
        "I cannot send you direct messages, so I cannot send you your hand. You can still play: "
        "press **Show my hand** at the table. (Or allow direct messages from this server in your settings.)"
    ),
    "later": (
        "Discord does not let me send you direct messages right now, so your hand will come a little later. "
        "Until then, press **Show my hand** at the table."
    ),
    "waiting": (
        "I may start only a few new conversations at a time, so your hand will come by direct message a little later. "
        "Until then, press **Show my hand** at the table."
    ),
}


STEP_EVENT = "motley_step"  # dispatched on discord.py's client with the counter of a feature, the game and the step


class ActionContext:
    """The client, the matches, the message reconciler, the clock, and what is done for each person."""

    def __init__(
        self,
        services: TableServices,
        reconciler: Reconciler,
        shares: PersonShares,
        block_list: BlockList,
        settings: BotSettings,
        deduplicator: Deduplicator,
    ) -> None:
        self.client = services.client
        self.matches = services.matches
        self.surfaces = services.surfaces
        self.reconciler = reconciler
        self.clock = services.clock
        self.shares = shares
        self.block_list = block_list
        self.door = Door(services.client, services.matches, block_list)
        self.operator = settings.operator
        self.version = settings.version
        self.deduplicator = deduplicator
        self.surface_sync = reconciler.surface_sync
        self.screens = reconciler.surface_sync.screens
        self.studio = reconciler.surface_sync.studio

    def count_step(self, counter: str, game: str, step: str) -> None:
        """Count a step in the metrics, for one of the counters that a feature declares."""
        dispatch(self.client, STEP_EVENT, counter, game, step)

    async def share_server_context(self, info: MatchInfo) -> None:
        """Store where a new match is, for the process that looks after it: it may not know that server yet."""
        if not self.surface_sync.holds_match(info.id):
            with suppress(StoreFailure):  # then that process looks it up
                await self.surface_sync.server_contexts.save_context(info)

    async def post_where_played(self, info: MatchInfo, page: Page, nonce: str) -> tuple[int, int]:
        """Post a page in a match's thread, or in its channel if that is gone. Return the ids of channel and message.

        By the nonce, Discord posts it once, however often the click arrives. Raises RequestRefused if it cannot be
        posted, and transient errors.
        """
        for channel in filter(None, (info.place.thread, info.place.channel)):
            try:
                message = await discord_views.post_page(self.client, channel, page, self.studio, nonce)
            except discord.HTTPException as error:
                if is_transient(error):
                    raise
                log.info("A page could not be posted where a match was played: %s", describe_error(error))
                continue
            return channel, message.id
        raise RequestRefused(NOT_POSTED)

    async def redraw_lobby(self, reply: InteractionReply, visit: Visit) -> None:
        """Answer a click on a lobby by redrawing it. Answer a command with a sentence."""
        match, snapshot = visit.match, visit.snapshot
        async with self.surface_sync.hold_surface(match, "lobby"):
            page = await self.surface_sync.draw_lobby(snapshot)
            surface = await self.surfaces.find_surface(match, "lobby")
            message = reply.interaction.message
            if surface is None or message is None or surface.message != message.id:
                await reply.send_text("Done. The table shows it.")
                return
            await reply.update_message(page)
            await self.reconciler.note_edit(replace(surface, digest=page.digest, shown=snapshot.info.revision))

    def keep_clicked_place(self, reply: InteractionReply, snapshot: MatchSnapshot, seat: int, page: Page) -> Page:
        """Return the page that answers a click on a message, for that message.

        No button that ends the seat's turn takes the place of what was just clicked, so that a second tap cannot hit
        it: a button that does nothing stands there until the hand is drawn again.
        """
        place = reply.clicked_place
        press = None if place is None else press_at(page, place)
        if place is None or press is None or press.to == reply.clicked_id or not ends_turn(snapshot, seat, press.to):
            return page
        return clear_place(page, place, custom_ids.table_action_id(snapshot.info.id, "clicked"))

    async def greet_player(self, reply: InteractionReply, match: str, user: discord.User | discord.Member) -> None:
        """Open direct messages with a new player. If that fails, explain what to do."""
        if failure_text := GREETING_FAILURES.get(await self.surface_sync.greet_player(match, user.id)):
            await reply.send_text(failure_text)

    async def joined_text(self, snapshot: MatchSnapshot, user: int) -> str:
        """Return what features tell a person who has just joined a lobby; empty if nothing, or if it has started."""
        if snapshot.info.status is not Status.LOBBY:
            return ""
        own = await self.surface_sync.features.additions(snapshot, user)
        return "\n".join(own.at(FeaturePages.joined_texts, snapshot, self.screens[snapshot.info.game]))

    async def note_private_use(self, interaction: discord.Interaction) -> None:
        """Note that somebody uses the bot in direct messages. They may get messages there without a first contact."""
        if isinstance(interaction.channel, discord.DMChannel):
            with suppress(StoreFailure):
                await self.surface_sync.direct_messages.note_click(interaction.user.id, interaction.channel.id)

    async def note_activity(self, visit: Visit, step_text: str | None = None) -> None:
        """Note a player's activity, which postpones their turn ping, and the step at which their hand stands.

        If `step_text` is None, the step stays the same.
        """
        if visit.seat is not None:
            self.surface_sync.reminders.drop(visit.match, visit.seat)
            with suppress(StoreFailure):
                await self.matches.activity.note_activity(visit.snapshot, visit.seat, step_text)


def ends_turn(snapshot: MatchSnapshot, seat: int, custom_id: str) -> bool:
    """Return whether the match waits for the seat, and no longer does so after a click on this control."""
    control, decision = custom_ids.parse_control(custom_id), snapshot.decisions().get(seat)
    if control is None or decision is None or not decision.due:
        return False
    if (control.kind, control.match, control.decision) != ("m", snapshot.info.id, decision.number):
        return False
    try:
        move = snapshot.game.parse_move(control.rest)
        snapshot.game.check(snapshot.state, seat, move)
    except IllegalMove:
        return False
    after = snapshot.game.decisions(snapshot.game.state_after(snapshot.state, seat, move)).get(seat)
    return after is None or not after.due
