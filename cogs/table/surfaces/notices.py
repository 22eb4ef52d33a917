"""Public notices: that a player left, that a vote is open, and that the options of a lobby changed."""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Awaitable
from dataclasses import asdict, dataclass
from typing import TypeVar

import discord
from pydantic import TypeAdapter

from cogs.screens.screen import GameScreen
from cogs.table.channels import channel_access
from cogs.table.channels.table_services import TableServices
from cogs.table.pages import menu_pages, options_pages
from cogs.table.state.match_notes import parse_note
from cogs.table.state.person_shares import may_post
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.transport import discord_views
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error, ignore_refusal
from cogs.table.wording.how_played import how_played_text
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches.lobbies import options_stamp
from engines.store.match_store import MatchInfo, Status

log = logging.getLogger(__name__)
Posted = list[tuple[int, int]]  # channel and message of each notice that has buttons
POSTED_ADAPTER = TypeAdapter(Posted)


class Notices:
    """Posts notices where the match is played. A stored note lists those with buttons; it is read once per match."""

    def __init__(self, services: TableServices) -> None:
        self._services = services
        self._posted: dict[str, Posted] = {}

    async def post_notice(self, info: MatchInfo, text: str, click: int = 0) -> None:
        """Post a notice with its buttons. A network error is logged and ignored.

        Anyone who has had too much posted lately gets no notice: the table and its menu show the same.

        The interaction id `click` is the nonce, so Discord posts the notice once even if several processes try.
        """
        if not may_post():
            return
        channel_id, presses = info.place.thread or info.place.channel, menu_pages.notice_presses(info)
        channel = self._services.client.get_partial_messageable(channel_id)
        nonce = str(click) if click else secrets.token_hex(12)
        try:
            if not presses:
                await channel.send(text, allowed_mentions=discord_views.NO_MENTIONS, nonce=nonce)
                return
            message = await channel.send(
                text, allowed_mentions=discord_views.NO_MENTIONS, view=discord_views.press_view(presses), nonce=nonce
            )
        except NETWORK_ERRORS as error:
            log.info("A notice could not be posted: %s", describe_error(error))
            return
        if not self._services.lease.is_only_process:  # another process may have posted a notice since
            self.forget(info.id)
        await self._save_posted(info.id, [*await self._posted_notices(info.id), (channel_id, message.id)])

    async def remove_stale_buttons(self, snapshot: MatchSnapshot) -> None:
        """Remove the buttons of a match's notices once they no longer apply. Raises transient errors, for a retry."""
        if snapshot.state is None or menu_pages.notice_presses(snapshot.info):
            return
        posted = await self._posted_notices(snapshot.info.id)
        for channel, message in posted:
            with ignore_refusal(f"Match {snapshot.info.id}: could not remove the buttons of a notice"):
                await channel_access.partial_message(self._services.client, channel, message).edit(
                    view=None, allowed_mentions=discord_views.NO_MENTIONS
                )
        if posted:
            await self._save_posted(snapshot.info.id, [])

    def forget(self, match: str) -> None:
        """Drop everything about a closed match from memory."""
        self._posted.pop(match, None)

    async def _posted_notices(self, match: str) -> Posted:
        if match not in self._posted:
            key = _note_key(match)
            self._posted[match] = (
                parse_note(POSTED_ADAPTER, key, await self._services.surfaces.store.read_note(key)) or []
            )
        return self._posted[match]

    async def _save_posted(self, match: str, posted: Posted) -> None:
        await self._services.surfaces.store.put_note(_note_key(match), json.dumps(posted))
        self._posted[match] = posted


def _note_key(match: str) -> str:
    return f"notices {match}"


T = TypeVar("T")
EDIT_WINDOW = 60  # seconds in which further changes edit the message; later ones post a new message


@dataclass(frozen=True, slots=True)
class OptionNotice:
    """The stamp of the options announced last, and the message that announced them; 0 if nobody needed one."""

    options: str = ""
    message: int = 0
    at: int = 0


NOTICE_ADAPTER = TypeAdapter(OptionNotice)


async def announce_option_change(
    client: discord.Client, surfaces: SurfaceCache, snapshot: MatchSnapshot, screen: GameScreen, now: int
) -> None:
    """Announce changed options once. Raises HTTPException if a retry makes sense."""
    info = snapshot.info
    if info.status is not Status.LOBBY or not info.chosen:
        return
    key = f"told {info.id}"
    notice = parse_note(NOTICE_ADAPTER, key, await surfaces.store.read_note(key)) or OptionNotice()
    if notice.options == options_stamp(info):
        return
    notice = OptionNotice(options_stamp(info), notice.message, notice.at)
    if sum(seat.has_owner for seat in info.seats) > 1:  # a host alone needs no notice
        notice = await _post_notice(client, snapshot, screen, notice, now)
    await surfaces.store.put_note(key, json.dumps(asdict(notice)))


async def _post_notice(
    client: discord.Client, snapshot: MatchSnapshot, screen: GameScreen, notice: OptionNotice, now: int
) -> OptionNotice:
    """Announce the current options: edit the last notice, or replace it with a new one."""
    channel = client.get_partial_messageable(snapshot.info.place.channel)
    old = channel.get_partial_message(notice.message) if notice.message else None
    whose = f"{options_pages.host_name(snapshot)}'s table (**{snapshot.game.title}**)"
    text = f"The options of {whose} have changed. How it is played now: {how_played_text(snapshot, screen)}."
    if (
        old
        and now - notice.at < EDIT_WINDOW
        and await _try_request(old.edit(content=text, allowed_mentions=discord_views.NO_MENTIONS))
    ):
        return notice
    message = await _try_request(channel.send(text, nonce=f"{snapshot.info.id}.o.{snapshot.info.chosen}"))
    if message is None:
        return notice  # the lobby and the hands show the options anyway
    if old:
        await _try_request(old.delete())
    return OptionNotice(notice.options, message.id, now)


async def _try_request(request: Awaitable[T]) -> T | None:
    """Return Discord's answer; None if it refuses. Raises transient errors."""
    with ignore_refusal("Changed options could not be announced"):
        return await request
    return None
