"""Handles requests to watch a finished match again: by oneself, together with others, and with a “what if”."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import discord

from cogs.table.actions.table_actions import TableActions
from cogs.table.channels.channel_access import message_url
from cogs.table.pages.custom_ids import Control
from cogs.table.pages.page import Page
from cogs.table.pages.page_drawing import draw_in_thread
from cogs.table.pages.screen_layout import DEFAULT_READER
from cogs.table.replaying import replay_pages
from cogs.table.replaying.replay_place import OPEN_HANDS, OTHER_VERSION, TABLE, ReplayPlace, parse_click
from cogs.table.replaying.replayed_match import ReplayCache, ReplayedMatch
from cogs.table.replaying.what_if import acting_seat, play_on
from cogs.table.scheduling.computer_turns import SUBSTITUTE_LEVEL
from cogs.table.transport import discord_views
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.transport.network_errors import describe_error, is_transient
from engines.hosting.lobbies import NO_COMPUTERS, PracticeStart
from engines.hosting.match import RequestRefused
from engines.store.match_store import MatchInfo, Status

log = logging.getLogger(__name__)
NO_SUCH_MOMENT = "This match has no such moment. Use `/motley replay` to watch it from the start."
OVER_HERE = "The match is over at this moment. Go back to an earlier one."
LEADER_ONLY = "Only the person who leads can do that. Press **On my own** to look around by yourself."
ON_ITS_SERVER = "Press this on the server where the match was played, so that the others there see it."
NOT_POSTED = "I could not post there. The permissions in that channel may have changed."


class ReplayActions:
    """Requests to watch finished matches again. Nothing is stored: every control says what its message shows."""

    def __init__(self, actions: TableActions) -> None:
        self._actions = actions
        self._client = actions.context.client
        self._screens = actions.screens
        self._readers = actions.surface_sync.readers
        self.replays = ReplayCache(actions.matches)

    async def open_replay(self, reply: InteractionReply, match: str) -> None:
        """Show the first moment of a finished match in a new private message."""
        place = ReplayPlace(match)
        await reply.send_page(await self._draw(reply, await self._replayed(reply, place), place))

    async def handle_control(self, reply: InteractionReply, control: Control, values: Sequence[str]) -> None:
        """Answer a click on a control. Its custom id says what the message shows."""
        click = parse_click(control)
        place, user = click.place, reply.interaction.user.id
        replayed = await self._replayed(reply, place)
        _require_moment(replayed, place)
        if place.leader and click.role != "own":
            _require_leader(reply.interaction, user, place)
        lists = 0
        match click.role:
            case "own":
                own = replace(place, leader=0, what_if=None)
                await reply.send_page(await self._draw(reply, replayed, own))
                return
            case "together":
                await self._post_shared(reply, replayed, replace(place, leader=user))
                return
            case "practice":
                await self._play_from_here(reply, replayed, place)
                return
            case "section":
                place = replace(place, moment=_number(values))
            case "view":
                place = _with_view(place, values)
            case "what if":
                place = replace(place, what_if=())
            case "move":
                place = replace(place, what_if=(*(place.what_if or ()), _number(values)))
            case "play on":
                place = await draw_in_thread(play_on, replayed, place)
            case "lists":
                lists = click.number
        page = await self._draw(reply, replayed, place, lists)
        await (reply.update_message(page) if place.leader or reply.clicked_ephemeral else reply.send_page(page))

    async def _play_from_here(self, reply: InteractionReply, replayed: ReplayedMatch, place: ReplayPlace) -> None:
        """Open a practice match here that begins at this moment, with the person in the seat that they look at."""
        guild, user = reply.interaction.guild_id or 0, reply.interaction.user.id
        moment, info = replayed.snapshot(place.moment), replayed.info
        acting = acting_seat(moment)
        if acting is None:
            raise RequestRefused(OVER_HERE)
        if guild and not (await self._actions.matches.server_settings(guild)).computers:
            raise RequestRefused(NO_COMPUTERS)
        own = next((number for number, seat in enumerate(info.seats) if seat.user == user), acting)
        seat = own if place.seat is None else place.seat
        options = {field.name: getattr(moment.options, field.name) for field in fields(moment.options)}
        opened = await self._actions.open_lobby(reply, moment.game, options, {"clock": None}, practice=True)
        reply.is_saved = True
        start = PracticeStart(moment.state, replayed.seed, len(info.seats), seat, SUBSTITUTE_LEVEL)
        if (await self._actions.matches.get_snapshot(opened.id)).info.status is Status.LOBBY:
            await self._actions.matches.start_practice(opened.id, user, start)

    async def _replayed(self, reply: InteractionReply, place: ReplayPlace) -> ReplayedMatch:
        """Return a match that is over and that the user may see. Raises RequestRefused."""
        self._actions.require_access(reply.interaction, await self._actions.matches.load_header(place.match))
        return await self.replays.replayed_match(place.match)

    async def _draw(self, reply: InteractionReply, replayed: ReplayedMatch, place: ReplayPlace, lists: int = 0) -> Page:
        """Return the page of a place. Messages for everybody have pictures, whatever the leader likes.

        Raises RequestRefused if the match has no such moment or seat.
        """
        _require_moment(replayed, place)
        screen = self._screens[replayed.info.game]
        reader = DEFAULT_READER if place.leader else await self._readers.lesson_reader(reply.interaction.user.id)
        if place.what_if is None:
            return await draw_in_thread(replay_pages.replay_page, replayed, place, screen, reader)
        if acting_seat(replayed.snapshot(place.moment)) is None:
            raise RequestRefused(OVER_HERE)
        return await draw_in_thread(replay_pages.what_if_page, replayed, place, screen, reader, lists)

    async def _post_shared(self, reply: InteractionReply, replayed: ReplayedMatch, place: ReplayPlace) -> None:
        """Post a message for everybody where the match was played: in its thread, or in the channel if that is gone."""
        if reply.interaction.guild_id != replayed.info.place.guild:
            raise RequestRefused(ON_ITS_SERVER)
        page = await self._draw(reply, replayed, place)
        await reply.acknowledge()
        url = await self._post(replayed.info, page, str(reply.click_id))
        await reply.send_text(f"Everybody can watch with you: {url}")

    async def _post(self, info: MatchInfo, page: Page, nonce: str) -> str:
        """Post a page and return its address. By the nonce, Discord posts it once, however often the click arrives."""
        for where in filter(None, (info.place.thread, info.place.channel)):
            channel = self._client.get_partial_messageable(where)

            async def send(emoji: Any, channel: discord.PartialMessageable = channel) -> discord.Message:
                files = await discord_views.page_files(page, self._actions.studio)
                view = discord_views.page_view(page, emoji)
                return await channel.send(
                    view=view, files=files, nonce=nonce, allowed_mentions=discord_views.NO_MENTIONS
                )

            try:
                message = await discord_views.send_with_emoji(self._actions.studio, send)
            except discord.HTTPException as error:
                if is_transient(error):
                    raise
                log.info("A shared replay could not be posted: %s", describe_error(error))
                continue
            return message_url(info.place.guild, where, message.id)
        raise RequestRefused(NOT_POSTED)


def _require_moment(replayed: ReplayedMatch, place: ReplayPlace) -> None:
    """Check that the match has that moment and that seat."""
    if place.moment > replayed.last or (place.seat is not None and place.seat >= len(replayed.info.seats)):
        raise RequestRefused(NO_SUCH_MOMENT)


def _require_leader(interaction: discord.Interaction, user: int, place: ReplayPlace) -> None:
    """Check that a click comes from the leader. The message itself proves who leads, because only the bot wrote it."""
    data: Mapping[str, Any] = interaction.data or {}
    clicked = str(data.get("custom_id", ""))
    message = interaction.message
    if user != place.leader or message is None or clicked not in _control_ids(message.components):
        raise RequestRefused(LEADER_ONLY)


def _control_ids(components: Sequence[Any]) -> Iterator[str]:
    """Yield the custom ids of a message's components, at any depth."""
    for component in components:
        if custom_id := getattr(component, "custom_id", None):
            yield custom_id
        yield from _control_ids(getattr(component, "children", ()))


def _number(values: Sequence[str]) -> int:
    """Return the number that was picked. Raises RequestRefused if a forged click has none."""
    if len(values) != 1 or not (values[0].isascii() and values[0].isdecimal() and len(values[0]) <= 5):
        raise RequestRefused(OTHER_VERSION)
    return int(values[0])


def _with_view(place: ReplayPlace, values: Sequence[str]) -> ReplayPlace:
    """Return the place with the view that was picked, or with the length of the match hidden or shown."""
    match [*values]:
        case [replay_pages.HIDE | replay_pages.SHOW as picked]:
            return replace(place, hides_length=picked == replay_pages.HIDE)
        case [view] if view in (TABLE, OPEN_HANDS) or (len(view) == 1 and view.isascii() and view.isdecimal()):
            return replace(place, view=view)
        case _:
            raise RequestRefused(OTHER_VERSION)
