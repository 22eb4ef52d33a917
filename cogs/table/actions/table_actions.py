"""Handles player requests from buttons and slash commands."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import discord

from cogs.pictures.raster.canvas import Layouts
from cogs.table.actions.context import ActionContext
from cogs.table.actions.hand_actions import HandActions, is_private
from cogs.table.actions.lobby_actions import LobbyActions, require_room
from cogs.table.actions.match_list import MatchList
from cogs.table.actions.player_settings import PlayerSettingsActions
from cogs.table.actions.privacy_actions import PrivacyActions
from cogs.table.actions.rules_actions import RulesActions
from cogs.table.actions.server_settings_actions import ServerSettingsActions
from cogs.table.actions.visit import Visit
from cogs.table.channels import channel_access
from cogs.table.pages import match_pages, menu_pages
from cogs.table.pages.page import Page, text_blocks
from cogs.table.pages.rules_pages import RulesPages
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.state.person_shares import count_post, long_turn
from cogs.table.transport.error_reports import report_unexpected
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording import match_words, narration
from cogs.table.wording.player_names import clean_name, markdown_name
from engines.hosting.match import MatchSnapshot, RequestRefused, status_sentence
from engines.kit.contract import AnyGame
from engines.kit.options import set_options
from engines.store.match_store import LIVE, MatchInfo, Place, Seat, Status, StoreFailure
from engines.store.surface_storage import Surface
from engines.store.table_options import TableOptions
from worker_pool.pool import JobRunner

T = TypeVar("T")


class MenuCheck(NamedTuple):
    """Tells whether an entry of the visitor's menu would be refused now, as only the store can tell."""

    entry: Callable[[Visit], str]  # its custom id; "" if the menu has no such entry
    is_refused: Callable[[Visit], Awaitable[bool]]


class TableActions:
    """The player requests. Each gets one reply. All replies are private, except the lobby."""

    def __init__(
        self,
        context: ActionContext,
        rules: Mapping[str, RulesPages],
        worker_pool: JobRunner,
        docs_folders: Mapping[str, Path],
        layouts: Mapping[str, Layouts],
    ) -> None:
        self.context = context
        self.matches = context.matches
        self.reconciler = context.reconciler
        self.surface_sync = context.surface_sync
        self.screens = context.screens
        self.studio = context.studio
        self.clock = context.clock
        self.shares = context.shares
        self.worker_pool = worker_pool
        self.layouts = layouts  # of each game's pictures, by its key
        self.docs_folders = docs_folders  # the folder with the documents of each game, by its key
        self._services: dict[object, object] = {}
        self.menu_checks: list[MenuCheck] = []
        self.servers = ServerSettingsActions(context)
        self.lobbies = LobbyActions(context, self.servers)
        self.hands = HandActions(context)
        self.match_list = MatchList(context)
        self.settings = PlayerSettingsActions(context)
        self.rulebook = RulesActions(context, rules)
        self.privacy = PrivacyActions(context)

    def service(self, service_class: Callable[[TableActions], T]) -> T:
        """Return the only object of this class, which all controls and commands of a feature share."""
        if service_class not in self._services:
            self._services[service_class] = service_class(self)
        return cast("T", self._services[service_class])

    # The lobby

    async def open_lobby(
        self,
        reply: InteractionReply,
        game: AnyGame,
        chosen_options: Mapping[str, Any],
        chosen_table_options: Mapping[str, Any],
        *,
        practice: bool = False,
        from_messages: Visit | None = None,
    ) -> MatchInfo:
        """Open a lobby as the public reply to a request, with the options that the host chose, by name.

        If it was requested in direct messages, it is posted in the channel of the match that `from_messages` is about,
        and the reply links to it. Raises RequestRefused without such a match.
        """
        asker, visit = reply.interaction, None if reply.interaction.guild_id is not None else from_messages
        is_reply, user = visit is None, visit.member(asker) if visit else asker.user
        place = replace(visit.info.place, thread=0) if visit else _place_of(asker)
        if visit:
            require_room(visit)
        lacking = channel_access.missing_permissions(asker.app_permissions, asker.channel) if is_reply else ()
        if lacking:
            raise RequestRefused(channel_access.permission_complaint(lacking))
        seat = Seat(user.id, clean_name(user.display_name))
        server = await self.matches.lobbies.server_settings(place.guild)
        try:
            options = set_options(game, chosen_options, None if practice else server.fixed_preset(game))
        except ValueError as error:
            raise RequestRefused(str(error)) from None
        table_options = TableOptions(server.clock, known=self.matches.lobbies.table_options).set_values(
            chosen_table_options
        )
        count_post()
        async with self.lobbies.explain_refusals(reply, place.guild, visit):
            within = (
                (await self.surface_sync.server_contexts.context_of(visit.info)).within
                if visit
                else channel_access.parent_channel(asker.channel)
            )
            info = await self.matches.lobbies.open_lobby(
                game,
                options,
                place,
                seat,
                table_options=table_options,
                practice=practice,
                parent_channel=within,
                click=reply.click_id,
            )
        if is_reply:
            await self._show_lobby(reply, info)
            await self.context.share_server_context(info)
        else:
            await self.context.share_server_context(info)
            await self.lobbies.post_lobby(info)
            await reply.send_text(f"Your table is open: {await self.lobbies.lobby_link(info)}")
        await self.context.greet_player(reply, info.id, asker.user)
        return info

    async def _show_lobby(self, reply: InteractionReply, info: MatchInfo) -> None:
        """Show a new lobby as the public reply to a request."""
        async with self.surface_sync.hold_surface(info.id, "lobby"):
            snapshot = await self.matches.cache.get_snapshot(info.id)
            page = await self.surface_sync.draw_new_lobby(snapshot)
            message = await reply.send_page(page, public=True)
            self.surface_sync.start_posting_seal(snapshot)
            lobby = Surface(info.id, "lobby", -1, info.place.channel, message, page.digest, info.revision)
            await self.reconciler.note_surface(lobby, new=True)

    async def join(self, reply: InteractionReply, visit: Visit) -> None:
        """Join a lobby, and open direct messages with the player."""
        user = reply.interaction.user
        name = clean_name(user.display_name)
        await self.matches.lobbies.join(visit.match, user.id, name, click=reply.click_id)
        reply.is_saved = True
        joined = await self.context.door.renew(visit)
        await self.context.redraw_lobby(reply, joined)
        if text := await self.context.joined_text(joined.snapshot, user.id):
            await reply.send_text(text)
        await self.context.greet_player(reply, visit.match, user)

    async def leave(self, reply: InteractionReply, visit: Visit, level: str = "") -> None:
        """Leave a lobby or a running match. If a level is given, a computer of that level takes the seat."""
        info = await self.matches.seating.leave_match(visit.match, visit.user, level, click=reply.click_id)
        reply.is_saved = True
        if info.status in (Status.LOBBY, Status.CANCELLED):
            await self._close_menu(reply, "You have left the table.")
        else:
            own = public = ""
            if info.status in LIVE and level:
                own = " The computer plays on with your hand. You can come back until somebody takes the seat."
                public = " The computer takes over their seat."
            elif info.status in LIVE:
                own = " The player who takes your seat will play on with your hand."
            await self._close_menu(reply, f"You have left the match.{own}")
            name = markdown_name(clean_name(reply.interaction.user.display_name))
            await self.announce_change(info, f"{name} has left the match.{public}", reply.click_id)

    async def ask_cancel(self, reply: InteractionReply, visit: Visit) -> None:
        """Ask the host for confirmation before closing the lobby."""
        await reply.show_page(menu_pages.confirm_cancel_page(visit.snapshot))

    async def cancel(self, reply: InteractionReply, visit: Visit) -> None:
        """Close the lobby for its host."""
        await self.matches.lobbies.cancel_lobby(visit.match, visit.user, click=reply.click_id)
        reply.is_saved = True
        await self._close_menu(reply, "The table is cancelled.")

    async def hand_over_host(self, reply: InteractionReply, visit: Visit, to: int) -> None:
        """Make another player the host."""
        info = await self.matches.lobbies.hand_over_host(visit.match, visit.user, to, click=reply.click_id)
        reply.is_saved = True
        name = next((markdown_name(seat.name) for seat in info.seats if seat.user == to), "Somebody else")
        await self.say_in_menu(reply, visit, f"{name} is the host now.")

    # The table

    async def show_score_sheet(self, reply: InteractionReply, visit: Visit) -> None:
        """Show the score sheet: its picture, or its words to somebody who wants everything in words."""
        reader = await self.surface_sync.readers.plain_reader(visit.user)
        await reply.send_page(await self._sheet_page(visit.snapshot, words=reader.words))

    async def show_sheet_in_words(self, reply: InteractionReply, visit: Visit) -> None:
        """Show the score sheet in words, in the place of its picture."""
        await reply.show_page(await self._sheet_page(visit.snapshot, words=True))

    async def _sheet_page(self, snapshot: MatchSnapshot, *, words: bool) -> Page:
        screen, features = self.screens[snapshot.info.game], await self.surface_sync.features.additions(snapshot)
        return await draw_in_thread(match_pages.sheet_page, snapshot, screen, features, words=words)

    async def show_in_words(self, reply: InteractionReply, visit: Visit) -> None:
        """Show the user's hand in words, or the table if they have no seat."""
        snapshot, seat = visit.snapshot, visit.seat
        await self.surface_sync.require_deal_shown(snapshot)
        await reply.send_page(
            await draw_in_thread(
                match_pages.words_page, snapshot, seat, await self.surface_sync.page_context_of(snapshot)
            )
        )

    async def show_status(self, reply: InteractionReply, visit: Visit) -> None:
        """Show the match as a spectator sees it. Also repost messages that were deleted or given up."""
        page_context = await self.surface_sync.page_context_of(visit.snapshot)
        await reply.send_page(await draw_in_thread(match_pages.status_page, visit.snapshot, page_context))
        async with long_turn():
            await self.reconciler.verify_surfaces(visit.match)

    async def show_menu(self, reply: InteractionReply, visit: Visit, text: str = "") -> None:
        """Show the menu of further actions, below a text if there is one. A clicked menu is replaced if so."""
        snapshot, user = visit.snapshot, visit.user
        features = await self.surface_sync.features.additions(snapshot, user)
        refused = await self._refused_entries(visit)
        page = menu_pages.menu_page(snapshot, user, self.screens[snapshot.info.game], features, refused)
        is_missing = self.surface_sync.deal_messages.is_seal_missing(visit.match)
        seal = match_words.seal_text(snapshot.info) if is_missing and snapshot.info.status is Status.LOBBY else ""
        menu = match_pages.with_note(page, text_blocks((text, seal)))
        await (reply.update_message(menu) if text and reply.clicked_ephemeral else reply.send_page(menu))

    async def _refused_entries(self, visit: Visit) -> list[str]:
        """Return the custom ids of entries that the menu leaves out: those refused, and those whose check fails."""
        refused = []
        for check in self.menu_checks:
            entry = check.entry(visit)
            try:
                if entry and await check.is_refused(visit):
                    refused.append(entry)
            except Exception as error:  # noqa: BLE001  # a boundary: other entries do not depend on this one
                report_unexpected(error)
                refused.append(entry)
        return refused

    async def say_in_menu(self, reply: InteractionReply, visit: Visit, text: str) -> None:
        """Show a text above the clicked menu and refresh its actions. Without a menu, just send the text."""
        if reply.clicked_ephemeral:
            await self.show_menu(reply, await self.context.door.renew(visit), text)
        else:
            await reply.send_text(text)

    async def _close_menu(self, reply: InteractionReply, text: str) -> None:
        """Replace the clicked menu or question with a text, or send the text as its own message."""
        await (reply.update_message(menu_pages.closed_page(text)) if reply.clicked_ephemeral else reply.send_text(text))

    # Being away

    async def return_to_seat(self, reply: InteractionReply, visit: Visit) -> None:
        """Give a player who was away their seat back and show their hand."""
        await self.matches.seating.return_to_seat(visit.match, visit.user, click=reply.click_id)
        reply.is_saved = True
        back = await self.context.door.renew(visit)
        async with self.surface_sync.hold_surface(visit.match, "hand", back.own_seat):
            await (self.hands.redraw_hand if is_private(reply.interaction) else self.hands.show_hand)(reply, back)

    async def return_if_away(self, visit: Visit) -> Visit:
        """Give an active player their seat back if they were away. Return their visit to the match as it is then."""
        info, seat = visit.info, visit.seat
        if seat is None or info.status not in LIVE or not info.seats[seat].is_away:
            return visit
        with suppress(RequestRefused, StoreFailure):  # the request itself will report the problem
            await self.matches.seating.return_to_seat(visit.match, visit.user)
        return await self.context.door.renew(visit)

    # Leaving, ending, taking a seat

    async def ask_leave(self, reply: InteractionReply, visit: Visit) -> None:
        """Ask for confirmation before leaving a running match; leave a lobby at once."""
        if visit.info.status is Status.LOBBY:
            await self.leave(reply, visit)
        else:
            await reply.show_page(menu_pages.confirm_leave_page(visit.snapshot))

    async def ask_stop(self, reply: InteractionReply, visit: Visit) -> None:
        """Ask a player whose single vote would end the match for confirmation. Otherwise count a vote."""
        if not visit.info.votes and visit.info.would_end_with(visit.user):
            await reply.show_page(menu_pages.confirm_end_page(visit.snapshot))
        else:
            await self.vote_to_end(reply, visit)

    async def vote_to_end(self, reply: InteractionReply, visit: Visit) -> None:
        """Count the user's vote to end the match."""
        info = await self.matches.seating.vote_to_end(visit.match, visit.user, click=reply.click_id)
        reply.is_saved = True
        votes = f"{len(info.votes)} of {info.voter_count}"
        is_over = info.status is Status.ENDED
        more = "The match has ended." if is_over else f"More than half must agree: {votes} so far."
        await self.say_in_menu(reply, visit, f"You voted to end the match. {more}")
        name = markdown_name(clean_name(reply.interaction.user.display_name))
        await self.announce_change(info, f"{name} has voted to end the match ({votes}).", reply.click_id)

    async def take_seat(self, reply: InteractionReply, visit: Visit) -> None:
        """Take a seat that a player has left, with its hand. The computer may have played there since."""
        user, paused = reply.interaction.user, visit.info.status is Status.PAUSED
        name = clean_name(user.display_name)
        info = await self.matches.seating.take_seat(visit.match, user.id, name, click=reply.click_id)
        reply.is_saved = True
        going = "The match goes on." if info.status is Status.RUNNING else narration.escape_info(info).reason
        text = f"The seat and its hand are yours. {going}"
        await (
            reply.update_message(menu_pages.closed_page(text))
            if reply.clicked_in_dm
            else self.say_in_menu(reply, visit, text)
        )
        taken = "the empty seat" if paused else "over a seat from the computer"
        await self.announce_change(info, f"{markdown_name(name)} has taken {taken}.", reply.click_id)
        await self.context.greet_player(reply, visit.match, user)

    async def announce_change(self, info: MatchInfo, change_text: str, click: int = 0) -> None:
        """Announce a change where the match is played, with the match's status and what players can do.

        A click causes only one announcement, even if Discord delivers it twice or to several processes.
        """
        going = {
            Status.RUNNING: "The match goes on.",
            Status.PAUSED: "The match is paused until somebody takes the empty seat or the remaining players end it.",
        }
        text = f"{change_text} {going.get(info.status) or status_sentence(narration.escape_info(info))}"
        await self.surface_sync.notices.post_notice(info, self.studio.name_commands(text), click)


def _place_of(interaction: discord.Interaction) -> Place:
    """Return the place of a command. Raises RequestRefused outside of servers."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise RequestRefused(
            "You can only open a table on a server. Use this command in a channel where the others can join."
        )
    return Place(interaction.guild_id, interaction.channel_id)
