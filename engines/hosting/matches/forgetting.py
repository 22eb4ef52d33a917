"""Forgets people, and erases matches whose time is over."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from engines.hosting.match import Match, MatchEdit, NewerMatch, RequestRefused
from engines.hosting.match_changes import MatchEditor, require_live
from engines.hosting.matches.lobbies import reopen_last_cut
from engines.hosting.matches.seating import status_after
from engines.kit.contract import AnyGame
from engines.store.listeners import Listeners
from engines.store.match_store import FORGOTTEN_NAME, LIVE, Change, MatchInfo, Seat, Status
from engines.store.partition import ALL_SERVERS, Partition


class Forgetting:
    """Forgets a person match by match, and erases whole matches."""

    def __init__(self, editor: MatchEditor) -> None:
        self._editor = editor
        self.on_requested = Listeners[[]]()

    async def request_forgetting(self, user: int) -> None:
        """Request forgetting a person in every current match. `pending_forgetting` lists what is still to do."""
        await self._editor.store.request_forgetting(user)
        self.on_requested()

    async def pending_forgetting(self) -> list[tuple[int, str]]:
        """Return the people who are still to be forgotten and in which match; '' means everything else, which comes
        last."""
        return await self._editor.store.pending_forgetting()

    async def finish_forgetting(self, user: int) -> None:
        """Note that only matches still name this person."""
        await self._editor.store.finish_forgetting(user)

    async def forget_in_match(self, match: str, user: int, level: Callable[[AnyGame], str]) -> MatchInfo | None:
        """Erase a person's name and id from a match. If they are playing, they leave, and a computer of `level` may
        take over.

        Return the match if they left it through this; their seat then has the negative of its revision as its number.
        Raises WriteConflict if they have just joined.
        """
        sat = False

        def edit(current: Match) -> MatchEdit:
            nonlocal sat
            info, nobody = require_live(current.info), -(current.info.revision + 1)
            sat = info.seat_of(user) is not None
            changes = _info_without_user(info, user, nobody, level(current.game))
            return MatchEdit(
                Change(current.next_info(self._editor.clock(), **changes), "forget", nobody, forgotten_user=user)
            )

        info = await self._editor.store.load_info(match)
        if info is not None and info.status in LIVE and _takes_part(info, user):
            try:
                after = await self._editor.change_match(match, edit)
                return after if sat else None
            except NewerMatch:
                raise
            except RequestRefused:  # it is over or damaged
                pass
        is_stale = await self._editor.store.scrub_user(match, user)
        if info is not None and _takes_part(info, user):
            self._editor.cache.drop(match)  # it is loaded again
        if is_stale:
            self._editor.on_changed(match)
        return None

    async def closed_matches(self, before: int, limit: int) -> list[str]:
        """Return the ids of matches that ended before that second, oldest first, up to a limit."""
        return await self._editor.store.closed_matches(before, limit)

    async def record_servers(self, guilds: Collection[int], partition: Partition = ALL_SERVERS) -> None:
        """Store which of these servers the bot is in: whether it was removed from others, or is back."""
        await self._editor.store.record_servers(guilds, self._editor.clock(), partition)

    async def deserted_matches(self, before: int, limit: int) -> list[str]:
        """Return the ids of matches of servers that the bot left before that second, up to a limit."""
        return await self._editor.store.deserted_matches(before, limit)

    async def erase_match(self, match: str) -> None:
        """Erase all data of a match."""
        await self._editor.store.erase_match(match)
        self._editor.cache.drop(match)

    async def wipe_deleted(self) -> bool:
        """Remove all deleted data from the store's files. Return whether that was possible now."""
        return await self._editor.store.wipe_deleted()

    async def erase_old_rows(self) -> int:
        """Erase rows of features that are older than their tables keep them. Return how many there were."""
        return await self._editor.store.erase_old_rows(self._editor.clock())


def _takes_part(info: MatchInfo, user: int) -> bool:
    """Whether somebody plays in a match, or left a seat that nobody has taken since."""
    return user in (info.host, *info.votes, *(seat.user for seat in info.seats))


def _info_without_user(info: MatchInfo, user: int, nobody: int, level: str) -> dict[str, Any]:
    """Return the header of a live match without a person. Their seat is empty, as if they had left."""
    seats = tuple(_forgotten_seat(seat, nobody, level) if seat.user == user else seat for seat in info.seats)
    owned = [seat for seat in seats if seat.has_owner]
    host = info.host if info.host != user else owned[0].user if owned else nobody
    votes = () if info.seat_of(user) is not None else info.votes
    changes: dict[str, Any] = {"seats": seats, "host": host, "votes": votes}
    if not owned:
        ended = Status.CANCELLED if info.status is Status.LOBBY else Status.ENDED
        return {**changes, "status": ended, "reason": "Everybody has left."}
    if info.status is Status.LOBBY:
        return {**changes, "seats": reopen_last_cut(tuple(seat for seat in seats if seat.user != nobody))}
    return {**changes, **status_after(info, seats)}


def _forgotten_seat(seat: Seat, nobody: int, level: str) -> Seat:
    """Return the seat of a forgotten person. If they had left before, the seat keeps its state."""
    new_level = seat.level if seat.gone or seat.level else level
    return Seat(nobody, FORGOTTEN_NAME, seat.gone or "left", new_level)
