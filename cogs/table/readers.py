"""How the people at a table want their hands to be shown, from what they like and know."""

from __future__ import annotations

from dataclasses import replace

from cogs.table.kept import Displays
from cogs.table.layout import Reader
from engines.match import Look

MOVES = 3  # with which a game is no news any more


class Readers:
    """What is asked of the settings of people whenever a hand is drawn."""

    def __init__(self, shown: Displays) -> None:
        self._shown = shown

    async def of(self, look: Look, seat: int) -> Reader:
        """The reader of a seat's hand."""
        likes = await self._shown.preferences(look.info.seats[seat].user)
        return Reader(words=likes.words, worth=likes.worth, new=look.info.game not in likes.met)

    async def moving(self, look: Look, seat: int) -> None:
        """Somebody is about to move. With the third of a match, or the first in another's place, a game is no news."""
        if look.movers.count(seat) + 1 >= MOVES:
            await self.meet(look.info.seats[seat].user, look.info.game)

    async def meet(self, user: int, game: str) -> None:
        """Keep that somebody has met a game's rules."""
        if game not in (await self._shown.preferences(user)).met:
            await self._shown.prefer(user, lambda old: replace(old, met=old.met | {game}))
