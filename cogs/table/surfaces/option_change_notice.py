"""The short message that tells players in a lobby about changed options; it pings nobody."""

from __future__ import annotations

import json
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
from cogs.table.transport.network_errors import ignore_refusal
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches.lobbies import options_stamp
from engines.store.match_store import Status

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
    whose = f"{lobby_pages.host_name(snapshot)}'s table (**{snapshot.game.title}**)"
    text = f"The options have changed at {whose}: {lobby_pages.options_text(snapshot, screen)}"
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
