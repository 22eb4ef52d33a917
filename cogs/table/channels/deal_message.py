"""Posts the seal and the cuts of a deal where the match is played, once, before its table and its hands."""

from __future__ import annotations

import secrets

from cogs.table.channels.table_services import TableServices
from cogs.table.transport.discord_views import NO_MENTIONS
from cogs.table.transport.network_errors import ignore_refusal
from cogs.table.wording.match_words import start_text
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import LIVE

DONE = "done"


class DealMessages:
    """Posts the message about a deal. Nothing ever edits it.

    A stored note has the nonce of the posting, so that Discord posts it once even after a crash; then it says DONE.
    """

    def __init__(self, services: TableServices) -> None:
        self._services = services
        self._posted: set[str] = set()

    async def post_once(self, snapshot: MatchSnapshot) -> None:
        """Post the message if it is not there yet. Raises transient network errors; others are logged and ignored."""
        info = snapshot.info
        if not self.is_owed(snapshot):
            return
        key = f"deal {info.id}"
        nonce = await self._services.surfaces.store.read_note(key)
        deal = None if nonce == DONE else await self._services.matches.records.public_deal(info)
        if deal is not None and deal.cuts:  # otherwise an older version started the match
            if nonce is None:
                nonce = secrets.token_hex(12)
                await self._services.surfaces.store.put_note(key, nonce)
            await self._send(snapshot, start_text(deal), nonce)
            await self._services.surfaces.store.put_note(key, DONE)
        self._posted.add(info.id)

    async def _send(self, snapshot: MatchSnapshot, text: str, nonce: str) -> None:
        place = snapshot.info.place
        channel = self._services.client.get_partial_messageable(place.thread or place.channel)
        with ignore_refusal(f"Match {snapshot.info.id}: its seal could not be posted"):
            await channel.send(text, allowed_mentions=NO_MENTIONS, nonce=nonce, silent=True)

    def is_owed(self, snapshot: MatchSnapshot) -> bool:
        """Whether the message may still have to be posted."""
        info = snapshot.info
        return bool(info.seal) and snapshot.state is not None and info.status in LIVE and info.id not in self._posted

    def forget(self, match: str) -> None:
        """Drop everything about a match from memory."""
        self._posted.discard(match)
