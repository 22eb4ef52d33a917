"""What a match's pages need to know about its server, stored so that every process draws the same pages."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import TypeAdapter

from cogs.table.channels import channel_access
from cogs.table.channels.table_services import TableServices
from cogs.table.state.match_notes import parse_note
from engines.store.match_store import MatchInfo


@dataclass(frozen=True, slots=True)
class ServerContext:
    """The server's name, and where the match was opened: a thread's parent channel, and if the bot may make threads."""

    server: str = ""
    within: int = 0  # the parent channel; 0 if the match was not opened in a thread
    threads: bool = False


CONTEXT_ADAPTER = TypeAdapter(ServerContext)


class ServerContexts:
    """Reads a server's context from Discord if this process is connected to the server, else from the store."""

    def __init__(self, services: TableServices) -> None:
        self._services = services
        self._saved_contexts: dict[str, ServerContext] = {}
        self._damaged_matches: set[str] = set()  # matches with a damaged note that is already logged

    async def context_of(self, info: MatchInfo) -> ServerContext:
        """The context of a match's server."""
        if (known := self._context_from_discord(info)) is not None:
            return known
        stored = await self._services.surfaces.store.read_note(_note_key(info.id))
        return self._context_from_discord(info) or self._parse_note(info.id, stored) or ServerContext()

    async def server_name(self, info: MatchInfo) -> str:
        """The server's name, which every page needs."""
        guild = self._services.client.get_guild(info.place.guild)
        return guild.name if guild and guild.name else (await self.context_of(info)).server

    async def save_context(self, info: MatchInfo) -> None:
        """Store the context for other processes, if it is known here and has changed."""
        known = self._context_from_discord(info)
        if known is None or self._saved_contexts.get(info.id) == known:
            return
        text = CONTEXT_ADAPTER.dump_json(known).decode()
        if await self._services.surfaces.store.read_note(_note_key(info.id)) != text:
            await self._services.surfaces.store.put_note(_note_key(info.id), text)
        self._saved_contexts[info.id] = known

    def forget(self, match: str) -> None:
        """Drop everything about a closed match from memory."""
        self._saved_contexts.pop(match, None)
        self._damaged_matches.discard(match)

    def _parse_note(self, match: str, note: str | None) -> ServerContext | None:
        """Parse the stored context. A damaged one is replaced by the next process that is connected to the server."""
        context = parse_note(CONTEXT_ADAPTER, _note_key(match), note, already_logged=match in self._damaged_matches)
        if note is None or context is not None:
            self._damaged_matches.discard(match)
        else:
            self._damaged_matches.add(match)
            self._saved_contexts.pop(match, None)
        return context

    def _context_from_discord(self, info: MatchInfo) -> ServerContext | None:
        """The context from Discord; None if the server is unavailable or belongs to another process."""
        guild = self._services.client.get_guild(info.place.guild)
        if guild is None or not guild.name:
            return None
        channel = guild.get_channel_or_thread(info.place.channel)
        return ServerContext(
            guild.name, channel_access.parent_channel(channel), channel_access.can_make_thread(channel)
        )


def _note_key(match: str) -> str:
    return f"around {match}"
