"""Public notices that a player left or a vote is open, with buttons that go away when they no longer apply."""

from __future__ import annotations

import json
import logging
import secrets

from pydantic import TypeAdapter

from cogs.table.channels import channel_access
from cogs.table.channels.table_services import TableServices
from cogs.table.pages import menu_pages
from cogs.table.shares.person_shares import may_post
from cogs.table.state.match_notes import parse_note
from cogs.table.transport import discord_views
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error, ignore_refusal
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import MatchInfo

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
        where, presses = info.place.thread or info.place.channel, menu_pages.notice_presses(info)
        channel = self._services.client.get_partial_messageable(where)
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
        await self._save_posted(info.id, [*await self._posted_notices(info.id), (where, message.id)])

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
