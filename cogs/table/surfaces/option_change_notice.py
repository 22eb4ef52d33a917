"""One short message where a lobby is when its options have changed, for those who have joined; it pings nobody."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable
from dataclasses import asdict, dataclass
from typing import TypeVar

import discord
from pydantic import TypeAdapter

from cogs.screens.screen import GameScreen
from cogs.table.pages import lobby_pages
from cogs.table.state.match_notes import parse_note
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.transport import discord_views
from cogs.table.transport.network_errors import describe_error, is_transient
from engines.hosting.lobbies import options_stamp
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import Status

log = logging.getLogger(__name__)
T = TypeVar("T")
EDIT_WINDOW = 60  # seconds for which such a message is edited; later changes are told by a new one


@dataclass(frozen=True, slots=True)
class OptionNotice:
    """The stamp of the options that were told last, and the message that told them; 0: nobody was there."""

    options: str = ""
    message: int = 0
    at: int = 0


NOTICE_ADAPTER = TypeAdapter(OptionNotice)


async def announce_option_change(
    client: discord.Client, surfaces: SurfaceCache, snapshot: MatchSnapshot, screen: GameScreen, now: int
) -> None:
    """Tell a change of the options, unless that was done. Raises HTTPException for what is worth trying again."""
    info = snapshot.info
    if info.status is not Status.LOBBY or not info.chosen:
        return
    key = f"told {info.id}"
    notice = parse_note(NOTICE_ADAPTER, key, await surfaces.read_note(key)) or OptionNotice()
    if notice.options == options_stamp(info):
        return
    notice = OptionNotice(options_stamp(info), notice.message, notice.at)
    if sum(seat.has_owner for seat in info.seats) > 1:  # computers need not be told
        notice = await _post_notice(client, snapshot, screen, notice, now)
    await surfaces.put_note(key, json.dumps(asdict(notice)))


async def _post_notice(
    client: discord.Client, snapshot: MatchSnapshot, screen: GameScreen, notice: OptionNotice, now: int
) -> OptionNotice:
    """Say what the options are now, in the last such message or in a new one instead."""
    channel = client.get_partial_messageable(snapshot.info.place.channel)
    old = channel.get_partial_message(notice.message) if notice.message else None
    whose = f"{lobby_pages.host_name(snapshot)}'s table (**{snapshot.game.title}**)"
    text = f"The options have changed at {whose}: {lobby_pages.options_text(snapshot, screen)}"
    if (
        old
        and now - notice.at < EDIT_WINDOW
        and await _try_request(old.edit(content=text, allowed_mentions=discord_views.NO_MENTIONS))
    ):
        return notice
    message = await _try_request(channel.send(text, nonce=f"{snapshot.info.id}.o.{snapshot.info.revision}"))
    if message is None:
        return notice  # the lobby and the hands show it
    if old:
        await _try_request(old.delete())
    return OptionNotice(notice.options, message.id, now)


async def _try_request(request: Awaitable[T]) -> T | None:
    """What Discord answers; None where it refuses. Raises what is worth trying again."""
    try:
        return await request
    except discord.HTTPException as error:
        if is_transient(error):
            raise
        log.info("A change of options could not be told: %s", describe_error(error))
        return None
