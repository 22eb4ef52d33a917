"""Handles lobby requests other than joining and leaving: options, computers, the start, and rematches."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import discord

from cogs.table.actions.context import ActionContext
from cogs.table.actions.rights import LOBBY_HOST
from cogs.table.actions.server_settings_actions import ServerSettingsActions
from cogs.table.actions.visit import Visit
from cogs.table.channels import channel_access
from cogs.table.pages import lobby_pages, options_pages, server_settings_pages
from cogs.table.pages.page import Page, Text, press_rows, table_press
from cogs.table.state.person_shares import count_post
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error
from cogs.table.wording.how_played import how_played_text
from cogs.table.wording.player_names import clean_name, markdown_name
from engines.hosting.match import MatchSnapshot, RequestRefused, status_sentence
from engines.hosting.matches.lobbies import NO_COMPUTERS, ChannelNotAllowed, TooManyLobbies, UnconfirmedStart
from engines.hosting.matches.rematches import RematchResult
from engines.kit.options import Option
from engines.store.match_store import MatchInfo, NotLeaseHolder, Status
from engines.store.server_settings import ServerSettings
from engines.store.surface_storage import Surface
from players import Level, available_levels

log = logging.getLogger(__name__)
MOST_LINKS = 5


class LobbyActions:
    """Lobby requests. Each gets one reply."""

    def __init__(self, context: ActionContext, servers: ServerSettingsActions) -> None:
        self._servers = servers
        self._context = context
        self.options_access = replace(LOBBY_HOST, not_you=self._options_of_host, not_now=self._unchangeable_options)
        self.computers_access = replace(
            LOBBY_HOST, not_you=_computers_of_host, not_now="You can only add computers before the start."
        )

    @asynccontextmanager
    async def explain_refusals(
        self, reply: InteractionReply, guild: int = 0, visit: Visit | None = None
    ) -> AsyncIterator[None]:
        """Add help to refusals: links to the open lobbies if there are too many, or the channels that allow tables.

        `visit` is given if the table is posted where an earlier match was played.
        """
        try:
            yield
        except ChannelNotAllowed as refusal:
            asker, guild_id = reply.interaction, guild or reply.interaction.guild_id or 0
            user = visit.member(asker) if visit else asker.user
            is_elsewhere = visit is not None and visit.poster is not None
            where = server_settings_pages.WHERE_PLAYED if is_elsewhere else server_settings_pages.HERE
            text = self._servers.elsewhere_text(user, guild_id, refusal.channels, where)
            raise RequestRefused(text) from None
        except TooManyLobbies as refusal:
            lines = [
                f"- {self._context.matches.lookup.game_title(info.game)}: {await self.lobby_link(info)}"
                for info in refusal.lobbies[:MOST_LINKS]
            ]
            more = len(refusal.lobbies) - len(lines)
            raise RequestRefused(
                "\n".join([str(refusal), *lines, *([f"- and {more} more"] if more > 0 else [])])
            ) from None

    async def show_options(self, reply: InteractionReply, visit: Visit, page: int = 1) -> None:
        """Show a page of a lobby's options and their possible values to its host."""
        screen, server = self._context.screens[visit.info.game], await self._settings(visit.snapshot)
        await reply.show_page(options_pages.options_page(visit.snapshot, screen, server, page))

    async def show_chosen_options(self, reply: InteractionReply, visit: Visit) -> None:
        """Show the options of a match to somebody who cannot change them."""
        screen = self._context.screens[visit.info.game]
        await reply.send_page(options_pages.chosen_options_page(visit.snapshot, screen))

    def _unchangeable_options(self, visit: Visit) -> RequestRefused:
        """Return the options, for somebody who cannot change them any more."""
        if visit.info.status is Status.ASIDE:  # its options may be damaged
            return RequestRefused(status_sentence(visit.info))
        text = self._options_text(visit.snapshot)
        return RequestRefused(f"You can only change options before the start. How it is played: {text}.")

    def _options_of_host(self, visit: Visit) -> RequestRefused:
        """Return the options, for somebody who is not the host."""
        text, name = self._options_text(visit.snapshot), options_pages.host_name(visit.snapshot)
        return RequestRefused(f"Only the host, {name}, can change the options. How it is played: {text}.")

    def _options_text(self, snapshot: MatchSnapshot) -> str:
        return how_played_text(snapshot, self._context.screens[snapshot.info.game])

    async def choose_option(self, reply: InteractionReply, visit: Visit, option: str, value: str) -> None:
        """Change an option for the host, who used the lobby, its options page, or a command."""
        await self._context.matches.lobbies.change_option(visit.match, visit.user, option, value, click=reply.click_id)
        reply.is_saved = True
        changed = await self._context.door.renew(visit)
        snapshot = changed.snapshot
        if reply.interaction.message is None:
            await reply.send_text(f"The options have changed. How it is played now: {self._options_text(snapshot)}.")
        elif reply.clicked_ephemeral:
            server = await self._settings(snapshot)
            screen = self._context.screens[snapshot.info.game]
            page = options_pages.options_page_of(snapshot, option, server)
            await reply.update_message(options_pages.options_page(snapshot, screen, server, page))
        else:
            await self._context.redraw_lobby(reply, changed)

    async def show_computers(self, reply: InteractionReply, visit: Visit) -> None:
        """Show the host which computers can take a seat."""
        server = await self._settings(visit.snapshot)
        if not server.computers and all(seat.user for seat in visit.info.seats):
            raise RequestRefused(NO_COMPUTERS)
        await self._show_computers(reply, visit.snapshot, server)

    async def add_computers(self, reply: InteractionReply, visit: Visit, level: Level) -> None:
        """Add computers of a level for the host."""
        if level not in available_levels(visit.snapshot.game):
            raise RequestRefused("This game has no computer of that level.")
        await self._context.matches.lobbies.add_computers(visit.match, visit.user, level, click=reply.click_id)
        await self._show_seated_computers(reply, visit)

    async def remove_computer(self, reply: InteractionReply, visit: Visit) -> None:
        """Remove the computer that joined last, for the host."""
        await self._context.matches.lobbies.remove_computer(visit.match, visit.user, click=reply.click_id)
        await self._show_seated_computers(reply, visit)

    async def _show_seated_computers(self, reply: InteractionReply, visit: Visit) -> None:
        reply.is_saved = True
        snapshot = (await self._context.door.renew(visit)).snapshot
        await self._show_computers(reply, snapshot, await self._settings(snapshot))

    async def _show_computers(self, reply: InteractionReply, snapshot: MatchSnapshot, server: ServerSettings) -> None:
        screen = self._context.screens[snapshot.info.game]
        await reply.show_page(lobby_pages.computers_page(snapshot, screen, server))

    async def changeable_options(self, snapshot: MatchSnapshot) -> tuple[Option, ...]:
        """Return what the host of a lobby can change by a command."""
        return options_pages.typed_options(snapshot, await self._settings(snapshot))

    async def _settings(self, snapshot: MatchSnapshot) -> ServerSettings:
        return await self._context.matches.lobbies.server_settings(snapshot.info.place.guild)

    async def start_match(self, reply: InteractionReply, visit: Visit, stamp: str = "") -> None:
        """Start the match. Ask for confirmation first if the options changed very recently.

        Its seal should be public before that.
        """
        await self._context.surface_sync.wait_for_seal(visit.snapshot)
        try:
            info = await self._context.matches.lobbies.start_match(visit.match, visit.user, stamp, click=reply.click_id)
        except UnconfirmedStart:
            snapshot = (await self._context.door.renew(visit)).snapshot
            await reply.show_page(lobby_pages.confirm_start_page(snapshot, self._context.screens[snapshot.info.game]))
            return
        reply.is_saved = True
        if reply.clicked_ephemeral:
            text = Text(f"The match has started: {await self.lobby_link(info)}")
            await reply.update_message(
                Page((text, *press_rows((table_press(visit.match, "Show my hand", "hand", "primary"),))))
            )
        else:
            await self._context.redraw_lobby(reply, await self._context.door.renew(visit))

    async def play_again(self, reply: InteractionReply, visit: Visit) -> None:
        """Open a rematch with the user as host, or join it if another player has already opened it."""
        user, info = visit.member(reply.interaction), visit.info
        require_room(visit)
        count_post()
        async with self.explain_refusals(reply, info.place.guild, visit):
            within = (await self._context.surface_sync.server_contexts.context_of(info)).within
            name, click = clean_name(user.display_name), reply.click_id
            rematch = await self._context.matches.rematches.join_rematch(
                info.id, user.id, name, parent_channel=within, click=click
            )
            reply.is_saved = True
        is_opened = rematch.outcome == "opened"
        if is_opened:
            await self._context.share_server_context(rematch.info)
            await self.post_lobby(rematch.info)
        snapshot = await self._context.matches.cache.get_snapshot(rematch.info.id)
        called = await self._call_others(info, snapshot.info, user, reply.click_id) if is_opened else ""
        joined = await self._context.joined_text(snapshot, user.id)
        link = await self.lobby_link(rematch.info)
        await reply.send_text("\n".join(filter(None, (f"{_rematch_text(rematch)} {link}", called, joined))))
        if rematch.outcome in ("opened", "joined"):
            await self._context.greet_player(reply, rematch.info.id, user)

    async def lobby_link(self, info: MatchInfo) -> str:
        """Return a link to a match's lobby, or the match's id if the lobby has no message."""
        lobby = await self._context.surfaces.find_surface(info.id, "lobby")
        if lobby is None or not lobby.message:
            return f"match `{info.id}`"
        return channel_access.message_url(info.place.guild, lobby.channel, lobby.message)

    async def post_lobby(self, info: MatchInfo) -> None:
        """Post a lobby that is not the reply to a command, or wait until another process has posted it."""
        surface_sync = self._context.reconciler.surface_sync
        try:
            with surface_sync.acting_for(info.place.guild):
                await self._post_own_lobby(info)
        except NotLeaseHolder:  # another process looks after this server
            await surface_sync.wait_for_post(info.id, "lobby")

    async def _post_own_lobby(self, info: MatchInfo) -> None:
        """Post a lobby if this process looks after its server. Raises NotLeaseHolder if not."""
        surface_sync = self._context.reconciler.surface_sync
        async with surface_sync.hold_surface(info.id, "lobby"):
            snapshot = await self._context.matches.cache.get_snapshot(info.id)
            page = await surface_sync.draw_new_lobby(snapshot)
            try:
                await surface_sync.poster.post(snapshot, Surface(info.id, "lobby", -1, info.place.channel), page)
                surface_sync.start_posting_seal(snapshot)
            except NETWORK_ERRORS as error:
                log.info("Will post the lobby of match %s later: %s", info.id, describe_error(error))
                self._context.reconciler.wake(info.id)

    async def _call_others(
        self, old: MatchInfo, new: MatchInfo, user: discord.User | discord.Member, click: int
    ) -> str:
        """Ping the other players of a finished match unless that happened recently. Return what to tell the user."""
        others = [seat.user for seat in old.seats if seat.has_owner and new.seat_of(seat.user) is None]
        if not others:
            return ""
        try:
            if not (await self._context.matches.lobbies.server_settings(old.place.guild)).calls:
                raise RequestRefused("Pings are turned off on this server. Please let the others know yourself.")
            await self._context.matches.rematches.note_rematch_call(old.id, user.id, click=click)
        except RequestRefused as refusal:
            return str(refusal)
        mentions = " ".join(f"<@{other}>" for other in others)
        text = (
            f"{mentions} {markdown_name(clean_name(user.display_name))} would like to play again: "
            f"{await self.lobby_link(new)}"
        )
        if await self._context.reconciler.announce(old.place, text, others):
            return "I have pinged the others."
        return "I could not ping the others where you played. Please tell them yourself."


def require_room(visit: Visit) -> None:
    """Check that the bot may post a table where the match was played, for somebody who asks from elsewhere."""
    if visit.poster and visit.poster.lacking:
        where = f"<#{visit.info.place.channel}>"
        raise RequestRefused(channel_access.permission_complaint(visit.poster.lacking, where))


def _computers_of_host(visit: Visit) -> RequestRefused:
    return RequestRefused(f"Only the host, {options_pages.host_name(visit.snapshot)}, can add or remove computers.")


def _rematch_text(rematch: RematchResult) -> str:
    """Return the result of a rematch request, in words that lead up to a link to the lobby."""
    running = rematch.info.status is not Status.LOBBY
    match rematch.outcome:
        case "opened":
            return "A new table is open, and you are its host:"
        case "joined":
            return "You have joined the new table:"
        case "there":
            return "You are already in the next match:" if running else "You are already at the new table:"
        case "begun":
            own = f"You can watch, or open your own table with `/{rematch.info.game} new`."
            return f"The others have started without you. {own} Their match:"
