"""Rematches: each match leads to at most one new table, no matter which of its players asks first."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

from engines.hosting.match import Match, MatchEdit, MatchSnapshot, RequestRefused
from engines.hosting.match_changes import MatchEditor
from engines.hosting.matches.lobbies import Lobbies
from engines.kit.options import known_presets
from engines.store.match_store import MatchInfo, Seat, Status, WriteConflict

REMATCH_CALL_SECONDS = 10 * 60  # seconds between two calls for a rematch


class RematchResult(NamedTuple):
    """The rematch, and what happened to the person who asked for it."""

    info: MatchInfo
    outcome: Literal["opened", "joined", "there", "begun"]  # `begun`: it started without them


class Rematches:
    """Handles rematches for `Matches`."""

    def __init__(self, editor: MatchEditor, lobbies: Lobbies) -> None:
        self._editor = editor
        self._lobbies = lobbies

    async def join_rematch(
        self, match: str, user: int, name: str, *, parent_channel: int = 0, click: int = 0
    ) -> RematchResult:
        """Seat a player of a finished match at its rematch table. Open that table if there is none yet.

        The match's place may be a thread in `parent_channel`. Raises what `open_lobby` raises.
        """
        snapshot = await self._editor.cache.get_fresh_snapshot(match)
        info = snapshot.info
        if info.status is not Status.OVER:
            raise RequestRefused("This match is not over yet.")
        if info.seat_of(user) is None:
            own = f"You can open your own table with `/{info.game} new`."
            raise RequestRefused(f"Only people who played in this match can join its rematch. {own}")
        try:
            return await self._find_or_open_rematch(snapshot, user, name, parent_channel, click)
        except WriteConflict:
            return await self._find_or_open_rematch(
                snapshot, user, name, parent_channel, click
            )  # somebody else opened one first

    async def note_rematch_call(self, match: str, user: int, *, click: int = 0) -> MatchInfo:
        """Note that the players were called to a rematch. Raises RequestRefused if they were called recently."""

        def edit(current: Match) -> MatchEdit:
            now, last = self._editor.clock(), current.info.called
            if now < last + REMATCH_CALL_SECONDS:
                raise RequestRefused(
                    "You pinged the others less than ten minutes ago, so I cannot ping them again yet."
                )
            return self._editor.edit_info(current, "call", user, called=now)

        return await self._editor.change_match(match, edit, click)

    # Internal

    async def _find_or_open_rematch(
        self, snapshot: MatchSnapshot, user: int, name: str, parent_channel: int, click: int
    ) -> RematchResult:
        """Return the rematch table with the user seated, unless it started without them."""
        for info in await self._editor.store.find(follows=snapshot.info.id):
            if info.seat_of(user) is not None:
                return RematchResult(info, "there")
            if info.status is not Status.LOBBY:
                return RematchResult(info, "begun")
            return RematchResult(await self._lobbies.join(info.id, user, name, click=click), "joined")
        place = replace(snapshot.info.place, thread=0)
        computers = tuple(seat for seat in snapshot.info.seats if not seat.user)
        host = Seat(user, name)
        fixed = (await self._lobbies.server_settings(place.guild)).fixed_preset(snapshot.game)
        rules = {} if fixed is None else known_presets(snapshot.game)[fixed]
        info = await self._lobbies.open_lobby(
            snapshot.game,
            replace(snapshot.options, **rules),
            place,
            host,
            table_options=snapshot.info.table_options,
            computers=computers,
            follows=snapshot.info.id,
            parent_channel=parent_channel,
            click=click,
        )
        return RematchResult(info, "opened")
