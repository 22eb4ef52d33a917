"""What a match's pages say of the server around it, and whether it may have a thread there: kept with the match, so
that a process which is not told of that server draws the same pages.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord
from pydantic import TypeAdapter

from cogs.table.channels import channel_access
from cogs.table.state.match_notes import understood
from cogs.table.state.surface_store import Displays
from engines.store.match_store import Info


@dataclass(frozen=True, slots=True)
class Around:
    """The server's name; of where a match was opened, the channel that the thread is in (0: none), and whether the bot
    may make a thread there.
    """

    server: str = ""
    within: int = 0
    threads: bool = False


KEPT = TypeAdapter(Around)


class Surroundings:
    """Knows it from Discord, where this process is told of the server; else from the store."""

    def __init__(self, client: discord.Client, shown: Displays) -> None:
        self._client = client
        self._shown = shown
        self._written: dict[str, Around] = {}
        self._damaged: set[str] = set()  # matches of which it cannot be read, as the log has said

    async def of(self, info: Info) -> Around:
        """What there is around a match."""
        if (known := self._known(info)) is not None:
            return known
        kept = await self._shown.note(_key(info.id))
        return self._known(info) or self._read(info.id, kept) or Around()

    async def server(self, info: Info) -> str:
        """The name of the server alone, which is asked for with every page."""
        guild = self._client.get_guild(info.place.guild)
        return guild.name if guild and guild.name else (await self.of(info)).server

    async def keep(self, info: Info) -> None:
        """Have others know it, where it is known here and is not what they know."""
        known = self._known(info)
        if known is None or self._written.get(info.id) == known:
            return
        text = KEPT.dump_json(known).decode()
        if await self._shown.note(_key(info.id)) != text:
            await self._shown.put_note(_key(info.id), text)
        self._written[info.id] = known

    def forget(self, match: str) -> None:
        """Keep nothing of a closed match in memory."""
        self._written.pop(match, None)
        self._damaged.discard(match)

    def _read(self, match: str, kept: str | None) -> Around | None:
        """What is kept. Where that is damaged, it is kept anew by whoever is told of the server next."""
        around = understood(KEPT, _key(match), kept, told=match in self._damaged)
        if kept is None or around is not None:
            self._damaged.discard(match)
        else:
            self._damaged.add(match)
            self._written.pop(match, None)
        return around

    def _known(self, info: Info) -> Around | None:
        """What Discord tells of it; nothing while the server cannot be reached, or where it is another process's."""
        guild = self._client.get_guild(info.place.guild)
        if guild is None or not guild.name:
            return None
        channel = guild.get_channel_or_thread(info.place.channel)
        return Around(guild.name, channel_access.around(channel), channel_access.may_thread(channel))


def _key(match: str) -> str:
    return f"around {match}"
