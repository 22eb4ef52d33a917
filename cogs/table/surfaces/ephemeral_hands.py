"""Ephemeral hands: dated, and refreshed by the token of the click that they answered while that lives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import discord

from cogs.pictures.studio import Studio
from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.transport import discord_views
from cogs.table.transport.network_errors import passing
from engines.hosting.match import Look


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An ephemeral hand that can still be refreshed by the token of the click it answered."""

    interaction: discord.Interaction
    digest: str


class Snapshots:
    """The newest of every seat. Nothing of this outlives the process."""

    def __init__(self, studio: Studio, clock: Callable[[], int]) -> None:
        self._studio = studio
        self._clock = clock
        self.kept: dict[tuple[str, int], Snapshot] = {}

    def follow(self, match: str, seat: int, snapshot: Snapshot) -> None:
        """Keep one up to date, in place of one before it; those that no longer can be are forgotten."""
        self.kept = {key: kept for key, kept in self.kept.items() if not kept.interaction.is_expired()}
        self.kept[match, seat] = snapshot

    def seats(self, match: str) -> set[int]:
        """The seats of a match that have one."""
        return {seat for held, seat in self.kept if held == match}

    def forget(self, match: str) -> None:
        """Keep nothing of a closed match."""
        self.kept = {key: kept for key, kept in self.kept.items() if key[0] != match}

    def refreshable(self, match: str, seat: int) -> bool:
        """Whether a seat has one that can still be refreshed."""
        kept = self.kept.get((match, seat))
        return kept is not None and not kept.interaction.is_expired()

    def alive(self, look: Look, seat: int) -> bool:
        """Whether a seat has one that can still be refreshed, and the one who has it still sits there."""
        kept = self.kept.get((look.info.id, seat))
        if kept is None:
            return False
        if kept.interaction.is_expired() or look.info.seat_of(kept.interaction.user.id) != seat:
            del self.kept[look.info.id, seat]
            return False
        return True

    def stands(self, look: Look, seat: int, page: Page) -> bool:
        """Whether it shows the page as it is."""
        kept = self.kept.get((look.info.id, seat))
        return kept is None or kept.digest == page.digest

    async def refresh(self, look: Look, seat: int, page: Page) -> None:
        """Have it show the page, if it does not."""
        kept = self.kept.get((look.info.id, seat))
        if kept is None or kept.digest == page.digest:
            return
        view, files = discord_views.view(self.dated(page)), await discord_views.files(page, self._studio)
        try:
            await kept.interaction.edit_original_response(view=view, attachments=files)
        except discord.HTTPException as error:
            if passing(error):
                raise
            self.kept.pop((look.info.id, seat), None)
            return
        if self.kept.get((look.info.id, seat)) is kept:
            self.kept[look.info.id, seat] = replace(kept, digest=page.digest)

    def doubt(self, match: str, seat: int) -> None:
        """It is uncertain what it shows."""
        if kept := self.kept.get((match, seat)):
            self.kept[match, seat] = replace(kept, digest="")

    def dated(self, page: Page) -> Page:
        """The page, saying when it was drawn."""
        return match_pages.dated(page, self._clock())
