"""Playing again: one table follows a match, whoever of its people asks for it first."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

from engines.hosting.lobbies import Lobbies
from engines.hosting.match import Match, MatchSnapshot, RequestRefused
from engines.hosting.match_changes import MatchEdit
from engines.store.match_store import MatchInfo, Seat, Status, WriteConflict

REMATCH_CALL_SECONDS = 10 * 60  # between two calls to play one match again


class RematchResult(NamedTuple):
    """The match at which another one is played again, and what has become of the one who asked for it."""

    info: MatchInfo
    outcome: Literal["opened", "joined", "there", "begun"]  # `begun`: it has started without them


class Rematches(Lobbies):
    """What becomes of a match once it is over. One part of `Matches`; reached through that."""

    async def join_rematch(
        self, match: str, user: int, name: str, *, parent_channel: int = 0, click: int = 0
    ) -> RematchResult:
        """Seat somebody who has played a match to its end where it is played again: at one table, opened if need be.

        Where the match was, may be a thread `within` a channel. Raises what `open` does.
        """
        snapshot = await self.get_fresh_snapshot(match)
        info = snapshot.info
        if info.status is not Status.OVER:
            raise RequestRefused("This match is not over yet.")
        if info.seat_of(user) is None:
            own = f"You may open a table of your own with `/{info.game} new`."
            raise RequestRefused(f"That is for those who have played this match. {own}")
        try:
            return await self._find_or_open_rematch(snapshot, user, name, parent_channel, click)
        except WriteConflict:
            return await self._find_or_open_rematch(
                snapshot, user, name, parent_channel, click
            )  # somebody else was faster: now there is a table

    async def note_rematch_call(self, match: str, user: int, *, click: int = 0) -> MatchInfo:
        """Note that those of a finished match are called to play again. Raises Refused where they lately were."""

        def edit(current: Match) -> MatchEdit:
            now, last = self._clock(), current.info.called
            if now < last + REMATCH_CALL_SECONDS:
                raise RequestRefused(
                    "The others were called less than ten minutes ago, so I do not call them again yet."
                )
            return self._edit_info(current, "call", user, called=now)

        return await self._change_match(match, edit, click)

    # Inside

    async def _find_or_open_rematch(
        self, snapshot: MatchSnapshot, user: int, name: str, parent_channel: int, click: int
    ) -> RematchResult:
        """The table that follows a match, with the user at it unless it has begun without them."""
        for info in await self._store.find(follows=snapshot.info.id):
            if info.seat_of(user) is not None:
                return RematchResult(info, "there")
            if info.status is not Status.LOBBY:
                return RematchResult(info, "begun")
            return RematchResult(await self.join(info.id, user, name, click=click), "joined")
        place = replace(snapshot.info.place, thread=0)
        computers = tuple(seat for seat in snapshot.info.seats if not seat.user)
        host = Seat(user, name)
        info = await self.open_lobby(
            snapshot.game,
            snapshot.options,
            place,
            host,
            table_options=snapshot.info.house,
            computers=computers,
            follows=snapshot.info.id,
            parent_channel=parent_channel,
            click=click,
        )
        return RematchResult(info, "opened")
