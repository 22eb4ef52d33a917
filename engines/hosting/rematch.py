"""Playing again: one table follows a match, whoever of its people asks for it first."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

from engines.hosting.lobbies import Lobbies
from engines.hosting.match import Look, Match, Refused
from engines.hosting.match_changes import Edit
from engines.store.match_store import Conflict, Info, Seat, Status

CALL_SECONDS = 10 * 60  # between two calls to play one match again


class Again(NamedTuple):
    """The match at which another one is played again, and what has become of the one who asked for it."""

    info: Info
    how: Literal["opened", "joined", "there", "begun"]  # `begun`: it has started without them


class PlayingAgain(Lobbies):
    """What becomes of a match once it is over. One part of `Matches`; reached through that."""

    async def again(self, match: str, user: int, name: str, *, within: int = 0, click: int = 0) -> Again:
        """Seat somebody who has played a match to its end where it is played again: at one table, opened if need be.

        Where the match was, may be a thread `within` a channel. Raises what `open` does.
        """
        look = await self.fresh(match)
        info = look.info
        if info.status is not Status.OVER:
            raise Refused("This match is not over yet.")
        if info.seat_of(user) is None:
            own = f"You may open a table of your own with `/{info.game} new`."
            raise Refused(f"That is for those who have played this match. {own}")
        try:
            return await self._again(look, user, name, within, click)
        except Conflict:
            return await self._again(look, user, name, within, click)  # somebody else was faster: now there is a table

    async def call(self, match: str, user: int, *, click: int = 0) -> Info:
        """Note that those of a finished match are called to play again. Raises Refused where they lately were."""

        def edit(held: Match) -> Edit:
            now, last = self._clock(), held.info.called
            if now < last + CALL_SECONDS:
                raise Refused("The others were called less than ten minutes ago, so I do not call them again yet.")
            return self._edit(held, "call", user, called=now)

        return await self._change(match, edit, click)

    # Inside

    async def _again(self, look: Look, user: int, name: str, within: int, click: int) -> Again:
        """The table that follows a match, with the user at it unless it has begun without them."""
        for info in await self._store.find(follows=look.info.id):
            if info.seat_of(user) is not None:
                return Again(info, "there")
            if info.status is not Status.LOBBY:
                return Again(info, "begun")
            return Again(await self.join(info.id, user, name, click=click), "joined")
        place = replace(look.info.place, thread=0)
        computers = tuple(seat for seat in look.info.seats if not seat.user)
        host = Seat(user, name)
        info = await self.open(
            look.game,
            look.options,
            place,
            host,
            house=look.info.house,
            computers=computers,
            follows=look.info.id,
            within=within,
            click=click,
        )
        return Again(info, "opened")
