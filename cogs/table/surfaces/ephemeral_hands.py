"""Ephemeral hands: show when they were drawn, and refresh while the token of their interaction is valid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import discord

from cogs.pictures.emoji_names import EmojiIds
from cogs.pictures.studio import Studio
from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.transport import discord_views
from cogs.table.transport.network_errors import is_transient
from engines.hosting.match import MatchSnapshot


@dataclass(frozen=True, slots=True)
class EphemeralHand:
    """An ephemeral hand, with the interaction whose token can refresh it."""

    interaction: discord.Interaction
    digest: str


class EphemeralHands:
    """The newest ephemeral hand of each seat, in memory only."""

    def __init__(self, studio: Studio, clock: Callable[[], int]) -> None:
        self._studio = studio
        self._clock = clock
        self.hands: dict[tuple[str, int], EphemeralHand] = {}

    def track_hand(self, match: str, seat: int, hand: EphemeralHand) -> None:
        """Track a seat's newest hand, and drop hands with expired tokens."""
        self.hands = {key: kept for key, kept in self.hands.items() if not kept.interaction.is_expired()}
        self.hands[match, seat] = hand

    def seats(self, match: str) -> set[int]:
        """The seats of a match that have an ephemeral hand."""
        return {seat for held, seat in self.hands if held == match}

    def forget(self, match: str) -> None:
        """Drop everything about a closed match."""
        self.hands = {key: kept for key, kept in self.hands.items() if key[0] != match}

    def is_refreshable(self, match: str, seat: int) -> bool:
        """Whether a seat has an ephemeral hand that can still be refreshed."""
        kept = self.hands.get((match, seat))
        return kept is not None and not kept.interaction.is_expired()

    def is_alive(self, snapshot: MatchSnapshot, seat: int) -> bool:
        """Whether a seat has an ephemeral hand that can still be refreshed, and its reader still has the seat."""
        kept = self.hands.get((snapshot.info.id, seat))
        if kept is None:
            return False
        if kept.interaction.is_expired() or snapshot.info.seat_of(kept.interaction.user.id) != seat:
            del self.hands[snapshot.info.id, seat]
            return False
        return True

    def stands(self, look: MatchSnapshot, seat: int, page: Page) -> bool:
        """Whether no edit is needed: the hand shows this page, or there is none."""
        kept = self.hands.get((look.info.id, seat))
        return kept is None or kept.digest == page.digest

    async def refresh_hand(self, snapshot: MatchSnapshot, seat: int, page: Page) -> None:
        """Edit the hand to show this page, if it shows another one."""
        kept = self.hands.get((snapshot.info.id, seat))
        if kept is None or kept.digest == page.digest:
            return

        async def edit(emoji: EmojiIds) -> None:
            view = discord_views.page_view(self.with_date(page), emoji, self._studio.name_commands)
            files = await discord_views.page_files(page, self._studio)
            await kept.interaction.edit_original_response(view=view, attachments=files)

        try:
            await discord_views.send_with_emoji(self._studio, edit)
        except discord.HTTPException as error:
            if is_transient(error):
                raise
            self.hands.pop((snapshot.info.id, seat), None)
            return
        if self.hands.get((snapshot.info.id, seat)) is kept:
            self.hands[snapshot.info.id, seat] = replace(kept, digest=page.digest)

    def doubt(self, match: str, seat: int) -> None:
        """Mark a hand's content as uncertain, so that the next refresh edits it."""
        if kept := self.hands.get((match, seat)):
            self.hands[match, seat] = replace(kept, digest="")

    def with_date(self, page: Page) -> Page:
        """The page with the time at which it was drawn."""
        return match_pages.with_date(page, self._clock())
