"""Posts the seal of a deal beside its lobby, and the seal and the cuts where the match is played.

The seal follows its lobby at once, the cuts come before the table and any hand. Nothing ever edits these messages, so
that everybody can compare a deal with them, as `compare` does. If the seal came late or never, the message at the start
and `compare` say so.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import NamedTuple

import discord

from cogs.table.channels import channel_access
from cogs.table.channels.table_services import TableServices
from cogs.table.transport.discord_views import NO_MENTIONS
from cogs.table.transport.network_errors import NETWORK_ERRORS, ignore_refusal
from cogs.table.wording.match_words import WATCHING_TEXT, seal_text, start_text
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches.records import PublicDeal
from engines.hosting.records.deal import MAX_CUT_LENGTH
from engines.store.match_store import LIVE, MatchInfo, Status
from engines.store.partition import Partition

DONE, LATE = "done", "late"  # how a note begins: the message was posted, or the match started without it
NOT_POSTED = "The seal was not posted before the start."
AFTER_A_CUT = "The seal was posted after the first cut."
MESSAGES_READ = 100  # the most that one request returns
SEAL, START = "seal", "deal"  # how the keys of the notes about the two messages begin
NAMES = {SEAL: "the seal beside the lobby", START: "the message at the start"}


class PostedDeal(NamedTuple):
    """A message about a deal: what it is called, its address, and whether it is as it should be; None: not known.

    `fault` says that it came late or never; without a message the address is empty.
    """

    name: str
    url: str
    holds: bool | None
    fault: str = ""


class DealMessages:
    """Posts the messages about a deal. Nothing ever edits them.

    A stored note has the nonce of the posting, so that Discord posts it once even after a crash; then it says DONE,
    with the channel and the message. `wake` has a match redrawn.
    """

    def __init__(self, services: TableServices, wake: Callable[[str], None]) -> None:
        self._services = services
        self._wake = wake
        self._posted: set[tuple[str, str]] = set()
        self._posting: set[str] = set()  # the matches whose seal is being posted
        self._missing: set[str] = set()  # the lobbies whose seal could not be posted so far; they show it themselves

    async def post_seal(self, snapshot: MatchSnapshot) -> None:
        """Post the seal beside the lobby, unless it is there or on its way. Raises transient network errors.

        If Discord refuses it, the next redraw of the lobby tries again.
        """
        info = snapshot.info
        is_due = info.seal and info.status is Status.LOBBY and (SEAL, info.id) not in self._posted
        if not is_due or info.id in self._posting:
            return
        self._posting.add(info.id)
        try:
            await self._post_once(SEAL, snapshot, seal_text(info), info.place.channel)
        except NETWORK_ERRORS:
            self._missing.add(info.id)
            raise
        finally:
            self._posting.discard(info.id)
        was_missing, is_missing = info.id in self._missing, (SEAL, info.id) not in self._posted
        (self._missing.add if is_missing else self._missing.discard)(info.id)
        if was_missing != is_missing:
            self._wake(info.id)  # the lobby shows the seal as long as it has no message

    def is_seal_missing(self, match: str) -> bool:
        """Whether the seal of a lobby could not be posted so far."""
        return match in self._missing

    async def is_seal_posted(self, match: str) -> bool:
        """Whether the seal of a lobby has its message, whichever process posted it."""
        return (SEAL, match) in self._posted or await self._read_place(SEAL, match) is not None

    async def find_unposted(self, partition: Partition) -> list[str]:
        """Return the lobbies of these servers whose seal nobody has tried to post, such as those of version 1.0.0."""
        lobbies = await self._services.matches.editor.store.find(statuses=frozenset({Status.LOBBY}))
        sealed = [info.id for info in lobbies if info.seal and partition.has_server(info.place.guild)]
        return [match for match in sealed if await self._services.surfaces.store.read_note(f"{SEAL} {match}") is None]

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
            fault = await self._seal_fault(info, deal, is_started=await self._is_done(START, info.id))
            text = start_text(deal, in_thread=in_thread, fault=fault)
            await self._post_once(START, snapshot, text, info.place.thread)
        elif info.practice and in_thread:
            await self._post_once(START, snapshot, WATCHING_TEXT, info.place.thread)
        self._posted.add((START, info.id))

    async def _post_once(self, kind: str, snapshot: MatchSnapshot, text: str, where: int) -> None:
        store, key, match = self._services.surfaces.store, f"{kind} {snapshot.info.id}", snapshot.info.id
        nonce = await store.read_note(key)
        if nonce is None or not nonce.startswith(DONE) or (kind == SEAL and nonce == DONE):
            channel = where or snapshot.info.place.channel
            message = 0
            if nonce is None or nonce == DONE:
                nonce = secrets.token_hex(12)
                await store.put_note(key, nonce)
            else:  # Discord knows a nonce for minutes only
                message = await self._find_posted(kind, match, channel, text)
            if not message:
                with ignore_refusal(f"Match {match}: {NAMES[kind]} could not be posted"):
                    place = self._services.client.get_partial_messageable(channel)
                    message = (await place.send(text, allowed_mentions=NO_MENTIONS, nonce=nonce, silent=True)).id
            if not message and kind == SEAL:
                return  # a later redraw tries again
            await store.put_note(key, f"{DONE} {channel} {message}" if message else DONE)
        self._posted.add((kind, match))

    async def _find_posted(self, kind: str, match: str, channel: int, text: str) -> int:
        """Return the oldest of the bot's own messages with this text among the newest of a channel; 0 if none."""
        own, found = self._services.client.user, 0
        with ignore_refusal(f"Match {match}: could not search for {NAMES[kind]}"):
            async for each in self._services.client.get_partial_messageable(channel).history(limit=MESSAGES_READ):
                if own is not None and each.author.id == own.id and each.content == text:
                    found = each.id
        return found

    async def _is_done(self, kind: str, match: str) -> bool:
        return (await self._services.surfaces.store.read_note(f"{kind} {match}") or "").startswith(DONE)

    async def _read_place(self, kind: str, match: str) -> tuple[int, int] | None:
        """Return the channel and the id of a posted message. Older versions stored neither."""
        place = (await self._services.surfaces.store.read_note(f"{kind} {match}") or "").split()
        return (int(place[1]), int(place[2])) if len(place) == 3 and place[0] == DONE else None

    async def _seal_fault(self, info: MatchInfo, deal: PublicDeal, *, is_started: bool) -> str:
        """Return what is wrong with the message of the seal of a started match: it came late or never.

        An older version that started the match posted no such message. If this one does, it notes that it is missing.
        """
        store, key = self._services.surfaces.store, f"{SEAL} {info.id}"
        if (place := await self._read_place(SEAL, info.id)) is None:
            if await store.read_note(key) is None:
                if is_started:
                    return ""
                await store.put_note(key, LATE)
            return NOT_POSTED
        clicks = sorted(int(cut) for cut in deal.cuts.split() if cut.isdecimal() and len(cut) > MAX_CUT_LENGTH)
        # the click that opened the table comes before every seal
        if clicks and await self._services.matches.editor.store.match_opened_by(clicks[0]) == info.id:
            del clicks[0]
        return AFTER_A_CUT if clicks and clicks[0] < place[1] else ""

    async def compare(self, snapshot: MatchSnapshot, deal: PublicDeal) -> list[PostedDeal]:
        """Compare a deal with the messages about it, as they are on Discord now. Older versions stored no place."""
        found = []
        fault = await self._seal_fault(snapshot.info, deal, is_started=True) if deal.cuts else ""
        for kind, name in NAMES.items():
            late = fault if kind == SEAL else ""
            if (place := await self._read_place(kind, snapshot.info.id)) is None:
                found += [PostedDeal(name, "", False, late)] if late else []
            else:
                channel, message = place
                parts = [deal.seal, *(deal.cuts.split() if kind == START else ())]
                url = channel_access.message_url(snapshot.info.place.guild, channel, message)
                found.append(PostedDeal(name, url, await self._has(channel, message, parts), late))
        return found

    async def _has(self, channel: int, message: int, parts: list[str]) -> bool | None:
        """Return whether a message has all these parts and was never edited; None if it cannot be read."""
        try:
            posted_message = await channel_access.partial_message(self._services.client, channel, message).fetch()
        except discord.NotFound:
            return False
        except NETWORK_ERRORS:
            return None
        return posted_message.edited_at is None and all(f"`{part}`" in posted_message.content for part in parts)

    def is_owed(self, snapshot: MatchSnapshot) -> bool:
        """Whether the seal and the cuts may still have to be posted."""
        info = snapshot.info
        posted = (START, info.id) in self._posted
        return bool(info.seal) and snapshot.state is not None and info.status in LIVE and not posted

    def forget(self, match: str) -> None:
        """Drop everything about a match from memory."""
        self._posted -= {(SEAL, match), (START, match)}
        self._missing.discard(match)
