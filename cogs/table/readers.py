"""How the people at a table want their hands to be shown, from what they like and know."""

from __future__ import annotations

from dataclasses import replace

from cogs.table import pages
from cogs.table.kept import Displays
from cogs.table.layout import Reader
from engines.match import Look


class Readers:
    """What is asked of the settings of people whenever a hand is drawn."""

    def __init__(self, shown: Displays) -> None:
        self._shown = shown

    async def of(self, look: Look, seat: int) -> Reader:
        """The reader of a seat's hand. Whoever has made a few moves of a game is not offered its rules again."""
        user, game = look.info.seats[seat].user, look.info.game
        if not pages.learning(look, seat):
            await self.meet(user, game)
        likes = await self._shown.preferences(user)
        return Reader(words=likes.words, worth=likes.worth, new=game not in likes.met)

    async def meet(self, user: int, game: str) -> None:
        """Keep that somebody has met a game's rules."""
        if game not in (await self._shown.preferences(user)).met:
            await self._shown.prefer(user, lambda old: replace(old, met=old.met | {game}))
