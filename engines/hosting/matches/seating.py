"""Seat changes after a match was opened: leaving, being away, taking a seat, voting to end, and the end of practice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engines.hosting.match import (
    NOBODY_PLAYS,
    Match,
    MatchEdit,
    RequestRefused,
    is_deserted,
    replace_seat,
    status_sentence,
)
from engines.hosting.match_changes import MatchEditor, require_live, require_seated, require_started
from engines.hosting.matches.lobbies import reopen_last_cut
from engines.hosting.matches.rests import with_rest
from engines.store.match_store import LIVE, ActionKind, Departure, MatchInfo, Seat, Status


class Seating:
    """Changes who plays in a match. For the errors see `Matches`."""

    def __init__(self, editor: MatchEditor) -> None:
        self._editor = editor

    # Being away

    async def return_to_seat(self, match: str, user: int, *, click: int = 0) -> MatchInfo:
        """Give a seat back to its owner, for whom the computer was playing."""

        def edit(current: Match) -> MatchEdit:
            seat = require_seated(current.info, user)
            if not current.info.seats[seat].is_away:
                raise RequestRefused("The computer is not playing for you. Your seat is still yours.")
            return self._editor.edit_info(current, "back", user, seats=_seats_with_level(current.info, seat, ""))

        return await self._editor.change_match(match, edit, click)

    async def give_seat_to_computer(self, match: str, seat: int, level: str, by: int, *, click: int = 0) -> MatchInfo:
        """Let the computer play at a seat, for an admin. Its owner may take it back; a match paused for it resumes."""

        def edit(current: Match) -> MatchEdit:
            info = require_started(current.info)
            if seat not in range(len(info.seats)):
                raise RequestRefused("This table has no such seat.")
            if info.seats[seat].level:
                raise RequestRefused("The computer already plays there.")
            seats = _seats_with_level(info, seat, level)
            return self._editor.edit_info(current, "give seat", by, seats=seats, votes=(), **status_after(info, seats))

        return await self._editor.change_match(match, edit, click)

    async def give_seat_back(self, match: str, seat: int, by: int, *, click: int = 0) -> MatchInfo:
        """Give a seat back to its owner, for an admin."""

        def edit(current: Match) -> MatchEdit:
            info = require_started(current.info)
            if seat not in range(len(info.seats)) or not info.seats[seat].is_away:
                raise RequestRefused("The computer is not playing that seat for anyone.")
            return self._editor.edit_info(current, "give back", by, seats=_seats_with_level(info, seat, ""))

        return await self._editor.change_match(match, edit, click)

    # Leaving, ending, taking a seat

    async def leave_match(self, match: str, user: int, level: str = "", *, click: int = 0) -> MatchInfo:
        """Leave a match. A lobby frees the seat; a running match pauses, or continues with a computer of that level.

        The next player becomes the host. If no person is left, the match ends.
        """

        def edit(current: Match) -> MatchEdit:
            seat = require_seated(current.info, user)
            if current.info.status is not Status.LOBBY:
                return self._vacate_seat(current, seat, "left", user, level)
            return self._free_lobby_seat(current, user, user, "leave", "cancel", "Everybody has left.")

        return await self._editor.change_match(match, edit, click)

    async def remove_departed(self, match: str, seat: int, user: int, level: str = "") -> MatchInfo:
        """Make a person who can no longer play leave a match, as with `leave_match`."""

        def edit(current: Match) -> MatchEdit:
            if current.info.status is Status.LOBBY or require_live(current.info).seat_of(user) != seat:
                raise RequestRefused("Somebody else has that seat.")
            return self._vacate_seat(current, seat, "left", user, level)

        return await self._editor.change_match(match, edit)

    async def take_seat(self, match: str, user: int, name: str, *, click: int = 0) -> MatchInfo:
        """Take the first seat that somebody left, with its hand. A paused match resumes when no seat is empty.

        Seats of computers cannot be taken.
        """
        new = await with_rest(self._editor, Seat(user, name))

        def edit(current: Match) -> MatchEdit:
            info = current.info
            if info.status not in LIVE:
                raise RequestRefused(status_sentence(info), has_names=True)
            if not any(seat.gone for seat in info.seats):
                raise RequestRefused("There is no empty seat at this table.")
            if info.seat_of(user) is not None:
                raise RequestRefused("You already have a seat at this table.")
            if any(seat.user == user and seat.gone == "removed" for seat in info.seats):
                raise RequestRefused("An admin removed you from this match, so you cannot come back to it.")
            own = [i for i, seat in enumerate(info.seats) if seat.gone and seat.user == user]
            left = sorted((not seat.is_empty, i) for i, seat in enumerate(info.seats) if seat.gone)
            seats = replace_seat(info, own[0] if own else left[0][1], new)
            return self._editor.edit_info(
                current, "take seat", user, seats=seats, votes=(), **status_after(info, seats)
            )

        return await self._editor.change_match(match, edit, click)

    async def vote_to_end(self, match: str, user: int, *, click: int = 0) -> MatchInfo:
        """Vote to end the match without a result. More than half of the remaining players decide."""

        def edit(current: Match) -> MatchEdit:
            info = current.info
            require_seated(info, user)
            if info.status is Status.LOBBY:
                raise RequestRefused("The match has not started yet. Its host can cancel it.")
            if user in info.votes:
                raise RequestRefused("You have already voted to end this match.")
            votes = (*info.votes, user)
            if not info.would_end_with(user):
                return self._editor.edit_info(current, "vote end", user, votes=votes)
            voters = replace(info, votes=votes).voter_count
            return self._editor.edit_info(
                current, "end", user, votes=votes, status=Status.ENDED, reason=_vote_text(votes, voters)
            )

        return await self._editor.change_match(match, edit, click)

    async def remove_player(self, match: str, user: int, by: int, *, click: int = 0) -> MatchInfo:
        """Remove a player, for an admin: from a lobby, or from a running match, which then pauses."""

        def edit(current: Match) -> MatchEdit:
            require_live(current.info)
            seat = current.info.seat_of(user)
            if seat is None:
                raise RequestRefused("That person is not sitting at this table.")
            if current.info.status is not Status.LOBBY:
                return self._vacate_seat(current, seat, "removed", by)
            return self._remove_from_lobby(current, user, by)

        return await self._editor.change_match(match, edit, click)

    async def shut_out(self, match: str, user: int, level: str) -> MatchInfo:
        """Take a person who is blocked out of a lobby; in a match, a computer of that level plays on for them.

        Whatever was read about the match before, the person's seat counts that they have now. They may take it back
        once they are let in again. Without a level, nobody plays on.
        """

        def edit(current: Match) -> MatchEdit:
            info = require_live(current.info)
            seat = info.seat_of(user)
            if seat is None:
                raise RequestRefused("That person is not sitting at this table.")
            if info.status is Status.LOBBY:
                return self._remove_from_lobby(current, user, 0)
            if not level or info.seats[seat].level:
                raise RequestRefused("The computer cannot take over that seat, or is already playing there.")
            seats = _seats_with_level(info, seat, level)
            return self._editor.edit_info(current, "give seat", 0, seats=seats, votes=(), **status_after(info, seats))

        return await self._editor.change_match(match, edit)

    async def suspend_match(self, match: str, reason: str) -> MatchInfo:
        """Pause a running match for the owner, until `resume_match` with the same reason."""

        def edit(current: Match) -> MatchEdit:
            if current.info.status is not Status.RUNNING:
                raise RequestRefused(status_sentence(current.info), has_names=True)
            return self._editor.edit_info(current, "suspend", 0, status=Status.PAUSED, reason=reason)

        return await self._editor.change_match(match, edit)

    async def resume_match(self, match: str, reason: str) -> MatchInfo:
        """Let a match go on that was suspended for this reason, unless a seat is empty."""

        def edit(current: Match) -> MatchEdit:
            info = current.info
            if info.status is not Status.PAUSED or info.reason != reason:
                raise RequestRefused(status_sentence(info), has_names=True)
            return self._editor.edit_info(current, "resume", 0, **_status_for_seats(info, info.seats))

        return await self._editor.change_match(match, edit)

    async def reset_match(self, match: str, by: int, *, click: int = 0) -> MatchInfo:
        """End a match in any state, for an admin."""

        def edit(current: Match) -> MatchEdit:
            if current.info.status not in LIVE | {Status.ASIDE}:
                raise RequestRefused(status_sentence(current.info), has_names=True)
            return self._editor.edit_info(current, "reset", by, status=Status.RESET)

        return await self._editor.change_match(match, edit, click)

    # Internal

    def _remove_from_lobby(self, current: Match, user: int, by: int) -> MatchEdit:
        """Remove a person from a lobby for an admin."""
        return self._free_lobby_seat(current, user, by, "remove", "remove", "An admin removed its host.")

    def _free_lobby_seat(
        self, current: Match, user: int, by: int, action: ActionKind, last_action: ActionKind, reason: str
    ) -> MatchEdit:
        """Free a person's seat in a lobby. The next one becomes the host; without people, the lobby is closed."""
        rest = tuple(other for other in current.info.seats if other.user != user)
        people = [other for other in rest if other.has_owner]
        if not people:
            return self._editor.edit_info(current, last_action, by, status=Status.CANCELLED, reason=reason)
        host = current.info.host if current.info.host != user else people[0].user
        return self._editor.edit_info(current, action, by, seats=reopen_last_cut(rest), host=host)

    def _vacate_seat(self, current: Match, seat: int, departure: Departure, by: int, level: str = "") -> MatchEdit:
        """Empty a seat of a started match. It pauses unless the computer plays there, and ends if nobody is left."""
        info = current.info
        seats = replace_seat(info, seat, replace(info.seats[seat], gone=departure, level=level, missed=0))
        owned = [other for other in seats if other.has_owner]
        action: ActionKind = "leave" if departure == "left" else "remove"
        if not owned:
            reason = "Everybody has left."
            return self._editor.edit_info(
                current, action, by, seats=seats, status=Status.ENDED, reason=reason, votes=()
            )
        host = info.host if any(other.user == info.host for other in owned) else owned[0].user
        return self._editor.edit_info(
            current, action, by, seats=seats, host=host, votes=(), **status_after(info, seats)
        )


def status_after(info: MatchInfo, seats: Sequence[Seat]) -> dict[str, Any]:
    """Return whether a started match can continue with these seats, and why not. A suspended one stays suspended."""
    if info.status is Status.PAUSED and not any(seat.is_empty for seat in info.seats):
        return {}
    return _status_for_seats(info, seats)


def _status_for_seats(info: MatchInfo, seats: Sequence[Seat]) -> dict[str, Any]:
    """Return whether a started match with these seats can continue, and who is missing if not."""
    if is_deserted(info, seats):
        return {"status": Status.ENDED, "reason": NOBODY_PLAYS}
    empty = [seat for seat in seats if seat.is_empty]
    return {"status": Status.PAUSED if empty else Status.RUNNING, "reason": _missing_text(empty)}


def _seats_with_level(info: MatchInfo, number: int, level: str) -> tuple[Seat, ...]:
    """Return the seats with a computer of `level` at one of them; without a level, its owner plays."""
    return replace_seat(info, number, replace(info.seats[number], level=level, missed=0))


def _missing_text(empty: list[Seat]) -> str:
    return " ".join(f"{seat.name} {'left' if seat.gone == 'left' else 'was removed by an admin'}." for seat in empty)


def _vote_text(votes: tuple[int, ...], voters: int) -> str:
    return f"{len(votes)} of {voters} players voted to end it." if voters > 1 else "Its only player wanted to end it."
