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
    """The newest ephemeral hand of each person in a match, in memory only. Each is refreshed for its reader alone."""

    def __init__(self, studio: Studio, clock: Callable[[], int]) -> None:
        self._studio = studio
        self._clock = clock
        self.hands: dict[tuple[str, int], EphemeralHand] = {}

    def track_hand(self, match: str, hand: EphemeralHand) -> None:
        """Track a person's newest hand, and drop hands with expired tokens."""
        self.hands = {key: each for key, each in self.hands.items() if not each.interaction.is_expired()}
        self.hands[match, hand.interaction.user.id] = hand

    def has_hands(self, match: str) -> bool:
        """Whether anybody has an ephemeral hand in a match."""
        return any(each == match for each, _ in self.hands)

    def seats(self, snapshot: MatchSnapshot) -> set[int]:
        """The seats whose players have an ephemeral hand that can be refreshed; all others are dropped."""
        match, found = snapshot.info.id, set[int]()
        for each, user in [*self.hands]:
            if each == match:
                seat = snapshot.info.seat_of(user)
                if seat is None or not self.is_refreshable(match, user):
                    del self.hands[match, user]
                else:
                    found.add(seat)
        return found

    def forget(self, match: str) -> None:
        """Drop everything about a closed match."""
        self.hands = {key: hand for key, hand in self.hands.items() if key[0] != match}

    def is_refreshable(self, match: str, user: int) -> bool:
        """Whether a person has an ephemeral hand that can still be refreshed."""
        hand = self.hands.get((match, user))
        return hand is not None and not hand.interaction.is_expired()

    def stands(self, match: str, page: Page) -> bool:
        """Whether no edit is needed: the hand of the page's reader shows this page, or they have none."""
        hand = self._hand_of(match, page)
        return hand is None or hand.digest == page.digest

    async def refresh_hand(self, match: str, page: Page) -> None:
        """Edit the hand of the page's reader to show this page, if it shows another one. Raises WrongReader."""
        hand = self._hand_of(match, page)
        if hand is None or hand.digest == page.digest:
            return
        key = match, hand.interaction.user.id
        page.require_reader(is_seen_by=hand.interaction.user.id)

        async def edit(emoji: EmojiIds) -> None:
            view = discord_views.page_view(self.with_date(page), emoji, self._studio.name_commands)
            files = await discord_views.page_files(page, self._studio)
            await hand.interaction.edit_original_response(view=view, attachments=files)

        try:
            await discord_views.send_with_emoji(self._studio, edit)
        except discord.HTTPException as error:
            if is_transient(error):
                raise
            self.hands.pop(key, None)
            return
        if self.hands.get(key) is hand:
            self.hands[key] = replace(hand, digest=page.digest)

    def doubt(self, match: str, user: int) -> None:
        """Mark a hand's content as uncertain, so that the next refresh edits it."""
        if hand := self.hands.get((match, user)):
            self.hands[match, user] = replace(hand, digest="")

    def _hand_of(self, match: str, page: Page) -> EphemeralHand | None:
        return None if page.reader is None else self.hands.get((match, page.reader))

    def with_date(self, page: Page) -> Page:
        """The page with the time at which it was drawn."""
        return match_pages.with_date(page, self._clock())
