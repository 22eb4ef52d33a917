"""Posts the seal of a deal beside its lobby, and the seal and the cuts where the match is played.

The seal comes before anyone can cut, the cuts before the table and any hand. Nothing ever edits these messages, so
that everybody can compare a deal with them, as `compare` does.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

import discord

from cogs.table.channels import channel_access
from cogs.table.channels.table_services import TableServices
from cogs.table.transport.discord_views import NO_MENTIONS
from cogs.table.transport.network_errors import NETWORK_ERRORS, ignore_refusal
from cogs.table.wording.match_words import WATCHING_TEXT, seal_text, start_text
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches.records import PublicDeal
from engines.store.match_store import LIVE, Status

DONE = "done"
SEAL, START = "seal", "deal"  # how the keys of the notes about the two messages begin


class PostedDeal(NamedTuple):
    """A message about a deal: what it is called, its address, and whether it is as it should be; None: not known."""

    name: str
    url: str
    holds: bool | None


class DealMessages:
    """Posts the messages about a deal. Nothing ever edits them.

    A stored note has the nonce of the posting, so that Discord posts it once even after a crash; then it says DONE,
    with the channel and the message.
    """

    def __init__(self, services: TableServices) -> None:
        self._services = services
        self._posted: set[tuple[str, str]] = set()

    async def post_seal(self, snapshot: MatchSnapshot) -> None:
        """Post the seal beside the lobby, if it is not there yet. Raises transient network errors."""
        info = snapshot.info
        if info.seal and info.status is Status.LOBBY and (SEAL, info.id) not in self._posted:
            await self._post_once(SEAL, snapshot, seal_text(info), info.place.channel)

    async def post_once(self, snapshot: MatchSnapshot) -> None:
        """Post the message at the start of a match if it is not there yet.

        In a thread, it first says what one sees there. Raises transient network errors; others are logged and ignored.
        """
        info = snapshot.info
        if snapshot.state is None or info.status not in LIVE or (START, info.id) in self._posted:
            return
        deal = await self._services.matches.records.public_deal(info) if info.seal else None
        in_thread = bool(info.place.thread)
        if deal is not None and deal.cuts:  # otherwise an older version started the match
            await self._post_once(START, snapshot, start_text(deal, in_thread=in_thread), info.place.thread)
        elif info.practice and in_thread:
            await self._post_once(START, snapshot, WATCHING_TEXT, info.place.thread)
        self._posted.add((START, info.id))

    async def _post_once(self, kind: str, snapshot: MatchSnapshot, text: str, where: int) -> None:
        store, key, match = self._services.surfaces.store, f"{kind} {snapshot.info.id}", snapshot.info.id
        nonce = await store.read_note(key)
        if nonce is None or not nonce.startswith(DONE):
            if nonce is None:
                nonce = secrets.token_hex(12)
                await store.put_note(key, nonce)
            channel = where or snapshot.info.place.channel
            message = 0
            with ignore_refusal(f"Match {match}: its seal could not be posted"):
                there = self._services.client.get_partial_messageable(channel)
                message = (await there.send(text, allowed_mentions=NO_MENTIONS, nonce=nonce, silent=True)).id
            await store.put_note(key, f"{DONE} {channel} {message}" if message else DONE)
        self._posted.add((kind, match))

    async def compare(self, snapshot: MatchSnapshot, deal: PublicDeal) -> list[PostedDeal]:
        """Compare a deal with the messages about it, as they are on Discord now. Older versions stored no place."""
        found = []
        for kind, name in ((SEAL, "the seal beside the lobby"), (START, "the message at the start")):
            place = (await self._services.surfaces.store.read_note(f"{kind} {snapshot.info.id}") or "").split()
            if len(place) == 3 and place[0] == DONE:
                channel, message = int(place[1]), int(place[2])
                parts = [deal.seal, *(deal.cuts.split() if kind == START else ())]
                url = channel_access.message_url(snapshot.info.place.guild, channel, message)
                found.append(PostedDeal(name, url, await self._has(channel, message, parts)))
        return found

    async def _has(self, channel: int, message: int, parts: list[str]) -> bool | None:
        """Return whether a message has all these parts and was never edited; None if it cannot be read."""
        try:
            there = await channel_access.partial_message(self._services.client, channel, message).fetch()
        except discord.NotFound:
            return False
        except NETWORK_ERRORS:
            return None
        return there.edited_at is None and all(f"`{part}`" in there.content for part in parts)

    def is_owed(self, snapshot: MatchSnapshot) -> bool:
        """Whether the seal and the cuts may still have to be posted."""
        info = snapshot.info
        posted = (START, info.id) in self._posted
        return bool(info.seal) and snapshot.state is not None and info.status in LIVE and not posted

    def forget(self, match: str) -> None:
        """Drop everything about a match from memory."""
        self._posted -= {(SEAL, match), (START, match)}
