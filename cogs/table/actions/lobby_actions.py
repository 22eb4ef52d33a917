"""What people ask of a lobby beyond coming and going: its options, the start, and playing again."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import discord

from cogs.table.actions.context import ActionContext
from cogs.table.actions.server_settings_actions import ServerSettingsActions
from cogs.table.channels import channel_access
from cogs.table.pages import lobby_pages, match_pages
from cogs.table.pages.page import Page, Text, press_rows, table_press
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error
from cogs.table.wording.player_names import clean_name, markdown_name
from engines.hosting.lobbies import NO_COMPUTERS, ChannelNotAllowed, TooManyLobbies, UnconfirmedStart
from engines.hosting.match import MatchSnapshot, RequestRefused, status_sentence
from engines.hosting.rematch import RematchResult
from engines.store.match_store import MatchInfo, NotLeaseHolder, Status
from engines.store.surface_storage import Surface
from engines.store.table_options import DEFAULT_TABLE_OPTIONS, TableOptions
from players import Level, available_levels

log = logging.getLogger(__name__)
MOST_LINKS = 5


class LobbyActions:
    """The desk's part for lobbies. One answer a request."""

    def __init__(self, context: ActionContext, servers: ServerSettingsActions) -> None:
        self._servers = servers
        self._context = context
        self._matches = context.matches
        self._reconciler = context.keeper

    @asynccontextmanager
    async def explain_refusals(self, reply: InteractionReply, guild: int = 0) -> AsyncIterator[None]:
        """Where no more lobbies may be open, say which ones are in the way; where none may be there, where one may."""
        try:
            yield
        except ChannelNotAllowed as refusal:
            where = guild or reply.interaction.guild_id or 0
            raise RequestRefused(self._servers.elsewhere_text(reply.interaction, where, refusal.channels)) from None
        except TooManyLobbies as refusal:
            lines = [
                f"- {self._matches.game_title(info.game)}: {await self.lobby_link(info)}"
                for info in refusal.lobbies[:MOST_LINKS]
            ]
            more = len(refusal.lobbies) - len(lines)
            raise RequestRefused(
                "\n".join([str(refusal), *lines, *([f"- and {more} more"] if more > 0 else [])])
            ) from None

    async def show_options(self, reply: InteractionReply, match: str) -> None:
        """The options of a lobby with lists of what they can be, for its host alone."""
        snapshot = await self._matches.get_snapshot(match)
        if snapshot.info.status is Status.ASIDE:  # its options may be what is damaged
            raise RequestRefused(status_sentence(snapshot.info))
        screen = self._context.screens[snapshot.info.game]
        said = lobby_pages.options_text(snapshot, screen)
        if snapshot.info.status is not Status.LOBBY:
            raise RequestRefused(f"Options can be changed before the start only. Those of this match: {said}.")
        if snapshot.info.host != reply.interaction.user.id:
            name = lobby_pages.host_name(snapshot)
            raise RequestRefused(f"Only the host, {name}, can change the options. They are: {said}.")
        await self._show_page(reply, lobby_pages.options_page(snapshot, screen, await self._default_options(snapshot)))

    async def choose_option(self, reply: InteractionReply, match: str, option: str, value: str) -> None:
        """The host changes an option, by a click on the lobby or on its options, or by a command."""
        await self._matches.change_option(match, reply.interaction.user.id, option, value, click=reply.click_id)
        reply.is_saved = True
        snapshot = await self._matches.get_snapshot(match)
        screen = self._context.screens[snapshot.info.game]
        if reply.interaction.message is None:
            await reply.send_text(f"The options are now: {lobby_pages.options_text(snapshot, screen)}.")
        elif reply.clicked_ephemeral:
            await reply.update_message(
                lobby_pages.options_page(snapshot, screen, await self._default_options(snapshot))
            )
        else:
            await self._context.redraw_lobby(reply, match)

    async def show_computers(self, reply: InteractionReply, match: str) -> None:
        """Who may sit down beside people, for the host alone."""
        snapshot = await self._matches.get_snapshot(match)
        if snapshot.info.status is not Status.LOBBY:
            raise RequestRefused("Computers can sit down before the start only.")
        if snapshot.info.host != reply.interaction.user.id:
            raise RequestRefused(f"Only the host, {lobby_pages.host_name(snapshot)}, can have computers sit down.")
        allowed = await self._computers_allowed(snapshot)
        if not allowed and all(seat.user for seat in snapshot.info.seats):
            raise RequestRefused(NO_COMPUTERS)
        await self._show_page(
            reply, lobby_pages.computers_page(snapshot, self._context.screens[snapshot.info.game], allowed=allowed)
        )

    async def add_computers(self, reply: InteractionReply, match: str, level: Level) -> None:
        """The host has computers of a level sit down."""
        if level not in available_levels((await self._matches.get_snapshot(match)).game):
            raise RequestRefused("There is no computer of that level for this game.")
        await self._matches.add_computers(match, reply.interaction.user.id, level, click=reply.click_id)
        await self._show_seated_computers(reply, match)

    async def remove_computer(self, reply: InteractionReply, match: str) -> None:
        """The host has the computer that sat down last get up."""
        await self._matches.remove_computer(match, reply.interaction.user.id, click=reply.click_id)
        await self._show_seated_computers(reply, match)

    async def _show_seated_computers(self, reply: InteractionReply, match: str) -> None:
        reply.is_saved = True
        snapshot = await self._matches.get_snapshot(match)
        screen, allowed = self._context.screens[snapshot.info.game], await self._computers_allowed(snapshot)
        await self._show_page(reply, lobby_pages.computers_page(snapshot, screen, allowed=allowed))

    async def _computers_allowed(self, snapshot: MatchSnapshot) -> bool:
        """Whether computers may sit down, for all that the server has chosen."""
        return (await self._matches.server_settings(snapshot.info.place.guild)).computers

    async def _default_options(self, snapshot: MatchSnapshot) -> TableOptions:
        """What the house's options are where a host chooses none."""
        return replace(
            DEFAULT_TABLE_OPTIONS, clock=(await self._matches.server_settings(snapshot.info.place.guild)).clock
        )

    async def start_match(self, reply: InteractionReply, match: str, stamp: str = "") -> None:
        """Start the game, after a question where the options are too new; the lobby's message leads to the table."""
        try:
            info = await self._matches.start_match(match, reply.interaction.user.id, stamp, click=reply.click_id)
        except UnconfirmedStart:
            snapshot = await self._matches.get_snapshot(match)
            await self._show_page(
                reply, lobby_pages.confirm_start_page(snapshot, self._context.screens[snapshot.info.game])
            )
            return
        reply.is_saved = True
        if reply.clicked_ephemeral:
            said = Text(f"The match has started: {await self.lobby_link(info)}\nYour hand comes by direct message.")
            await reply.update_message(
                Page((said, *press_rows((table_press(match, "Show my hand", "hand", "primary"),))))
            )
        else:
            await self._context.redraw_lobby(reply, match)

    async def play_again(self, reply: InteractionReply, match: str) -> None:
        """A finished match is played again: who asks first is host, the others are called and come by the same way."""
        user = reply.interaction.user
        info = (await self._matches.get_snapshot(match)).info
        async with self.explain_refusals(reply, info.place.guild):
            within = (await self._context.showing.server_contexts.context_of(info)).within
            name, click = clean_name(user.display_name), reply.click_id
            rematch = await self._matches.join_rematch(match, user.id, name, parent_channel=within, click=click)
            reply.is_saved = True
        called = ""
        if rematch.outcome == "opened":
            await self._context.share_server_context(rematch.info)
            await self._post_lobby(rematch.info)
            called = await self._call_others(match, rematch.info, user, reply.click_id)
        await reply.send_text(f"{_rematch_text(rematch)} {await self.lobby_link(rematch.info)}\n{called}".strip())
        if rematch.outcome in ("opened", "joined"):
            await self._context.greet_player(reply, rematch.info.id, user)

    async def lobby_link(self, info: MatchInfo) -> str:
        """Where the lobby of a match is."""
        lobby = await self._reconciler.surface(info.id, "lobby")
        if lobby is None or not lobby.message:
            return f"match `{info.id}`"
        return channel_access.message_url(info.place.guild, lobby.channel, lobby.message)

    async def _show_page(self, reply: InteractionReply, page: Page) -> None:
        """Show the host a page: in the message that was clicked where nobody else sees it, else in one of its own."""
        await (reply.update_message(page) if reply.clicked_ephemeral else reply.send_page(page))

    async def _post_lobby(self, info: MatchInfo) -> None:
        """Post a lobby that no command is answered with, or wait until another process has."""
        surface_sync = self._reconciler.surface_sync
        try:
            with surface_sync.acting_for(info.place.guild):
                await self._post_own_lobby(info)
        except NotLeaseHolder:  # not, or not any more
            await surface_sync.wait_for_post(info.id, "lobby")

    async def _post_own_lobby(self, info: MatchInfo) -> None:
        """Post it, where this process looks after it. Raises NotHeld."""
        surface_sync = self._reconciler.surface_sync
        async with surface_sync.hold_surface(info.id, "lobby"):
            snapshot = await self._matches.get_snapshot(info.id)
            page = match_pages.lobby_page(snapshot, await surface_sync.page_context_of(snapshot))
            try:
                await surface_sync.poster.post(snapshot, Surface(info.id, "lobby", -1, info.place.channel), page)
            except NETWORK_ERRORS as error:
                log.info("The lobby of match %s is posted later: %s", info.id, describe_error(error))
                self._reconciler.wake(info.id)

    async def _call_others(self, match: str, new: MatchInfo, user: discord.abc.User, click: int) -> str:
        """Call the others of a finished match where it was played, unless they lately were; what to say of that."""
        old = (await self._matches.get_snapshot(match)).info
        there = (await self._matches.get_snapshot(new.id)).info
        others = [seat.user for seat in old.seats if seat.has_owner and there.seat_of(seat.user) is None]
        if not others:
            return ""
        try:
            if not (await self._matches.server_settings(old.place.guild)).calls:
                raise RequestRefused("This server has me call nobody: please tell the others yourself.")
            await self._matches.note_rematch_call(match, user.id, click=click)
        except RequestRefused as refusal:
            return str(refusal)
        who = " ".join(f"<@{other}>" for other in others)
        text = (
            f"{who} {markdown_name(clean_name(user.display_name))} would like to play again: "
            f"{await self.lobby_link(new)}"
        )
        if await self._reconciler.announce(old.place, text, others):
            return "I have called the others."
        return "I could not call the others where you have played: please tell them yourself."


def _rematch_text(rematch: RematchResult) -> str:
    """What has become of somebody who wants to play again, before a link to the lobby."""
    running = rematch.info.status is not Status.LOBBY
    match rematch.outcome:
        case "opened":
            return "A new table is set, and you are its host:"
        case "joined":
            return "You have joined the new table:"
        case "there":
            return "You are already in the next match:" if running else "You already sit at the new table:"
        case "begun":
            own = f"You may watch, or open a table of your own with `/{rematch.info.game} new`."
            return f"The others have begun without you. {own} Their match:"
