"""Who sits in a match once it is there: leaving, being away, coming in, and ending it together.

One part of `Matches`; everything here is reached through that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engines.hosting.match import Match, RequestRefused, replace_seat, status_sentence
from engines.hosting.match_changes import MatchEdit, require_live, require_seated
from engines.hosting.rematch import Rematches
from engines.store.match_store import LIVE, ActionKind, Departure, MatchInfo, Seat, Status


class Seating(Rematches):
    """Changes of who plays in a match. Raises what every change does, `Matches` says what."""

    # Being away

    async def take_back_seat(self, match: str, user: int, *, click: int = 0) -> MatchInfo:
        """Take one's own seat back from the computer, which kept it."""

        def edit(current: Match) -> MatchEdit:
            seat = require_seated(current.info, user)
            if not current.info.seats[seat].is_away:
                raise RequestRefused("The computer does not play for you: your seat is yours.")
            return self._edit_info(current, "back", user, seats=_seats_with_level(current.info, seat, ""))

        return await self._change_match(match, edit, click)

    async def give_seat_to_computer(self, match: str, seat: int, level: str, by: int, *, click: int = 0) -> MatchInfo:
        """An admin has the computer play at a seat, which its owner may take back; what was paused for it goes on."""

        def edit(current: Match) -> MatchEdit:
            info = _require_started(current.info)
            if seat not in range(len(info.seats)):
                raise RequestRefused("There is no such seat at this table.")
            if info.seats[seat].level:
                raise RequestRefused("The computer plays there already.")
            seats = _seats_with_level(info, seat, level)
            return self._edit_info(current, "give seat", by, seats=seats, votes=(), **status_for_seats(seats))

        return await self._change_match(match, edit, click)

    async def give_seat_back(self, match: str, seat: int, by: int, *, click: int = 0) -> MatchInfo:
        """An admin gives a seat that the computer keeps for its owner back to them."""

        def edit(current: Match) -> MatchEdit:
            info = _require_started(current.info)
            if seat not in range(len(info.seats)) or not info.seats[seat].is_away:
                raise RequestRefused("The computer keeps that seat for nobody.")
            return self._edit_info(current, "give back", by, seats=_seats_with_level(info, seat, ""))

        return await self._change_match(match, edit, click)

    # Leaving, ending, coming in

    async def leave_match(self, match: str, user: int, level: str = "", *, click: int = 0) -> MatchInfo:
        """Leave: a lobby frees the place, a running match is paused, or goes on with the computer of that level.

        The host's part passes to the next one there; where no person is left, the match ends.
        """

        def edit(current: Match) -> MatchEdit:
            seat = require_seated(current.info, user)
            if current.info.status is not Status.LOBBY:
                return self._vacate_seat(current, seat, "left", user, level)
            rest = tuple(other for other in current.info.seats if other.user != user)
            people = [other for other in rest if other.has_owner]
            if not people:
                return self._edit_info(current, "cancel", user, status=Status.CANCELLED, reason="Everybody has left.")
            host = current.info.host if current.info.host != user else people[0].user
            return self._edit_info(current, "leave", user, seats=rest, host=host)

        return await self._change_match(match, edit, click)

    async def remove_departed(self, match: str, seat: int, user: int, level: str = "") -> MatchInfo:
        """Somebody who can play no more leaves a match, as by `leave`."""

        def edit(current: Match) -> MatchEdit:
            if current.info.status is Status.LOBBY or require_live(current.info).seat_of(user) != seat:
                raise RequestRefused("Somebody else sits there.")
            return self._vacate_seat(current, seat, "left", user, level)

        return await self._change_match(match, edit)

    async def take_seat(self, match: str, user: int, name: str, *, click: int = 0) -> MatchInfo:
        """Take the first seat that somebody has left, and its hand; with none left empty a paused match goes on.

        A seat at which the computer plays by itself is not to be had.
        """

        def edit(current: Match) -> MatchEdit:
            info = current.info
            if info.status not in LIVE:
                raise RequestRefused(status_sentence(info), has_names=True)
            if not any(seat.gone for seat in info.seats):
                raise RequestRefused("There is no empty seat at this table.")
            if info.seat_of(user) is not None:
                raise RequestRefused("You already sit at this table.")
            if any(seat.user == user and seat.gone == "removed" for seat in info.seats):
                raise RequestRefused("An admin has removed you from this match, so you cannot come back to it.")
            own = [i for i, seat in enumerate(info.seats) if seat.gone and seat.user == user]
            left = sorted((not seat.is_empty, i) for i, seat in enumerate(info.seats) if seat.gone)
            seats = replace_seat(info, own[0] if own else left[0][1], Seat(user, name))
            return self._edit_info(current, "take seat", user, seats=seats, votes=(), **status_for_seats(seats))

        return await self._change_match(match, edit, click)

    async def vote_to_end(self, match: str, user: int, *, click: int = 0) -> MatchInfo:
        """Vote for ending the match without a result; more than half of those still there decide."""

        def edit(current: Match) -> MatchEdit:
            info = current.info
            require_seated(info, user)
            if info.status is Status.LOBBY:
                raise RequestRefused("The match has not started yet; its host can cancel it.")
            if user in info.votes:
                raise RequestRefused("You have already voted to end this match.")
            votes = (*info.votes, user)
            if not info.would_end_with(user):
                return self._edit_info(current, "vote end", user, votes=votes)
            voters = replace(info, votes=votes).voter_count
            return self._edit_info(
                current, "end", user, votes=votes, status=Status.ENDED, reason=_vote_text(votes, voters)
            )

        return await self._change_match(match, edit, click)

    async def remove_player(self, match: str, user: int, by: int, *, click: int = 0) -> MatchInfo:
        """An admin takes somebody out: of a lobby, or of a running match, which is paused then."""

        def edit(current: Match) -> MatchEdit:
            require_live(current.info)
            seat = current.info.seat_of(user)
            if seat is None:
                raise RequestRefused("That person does not sit at this table.")
            if current.info.status is not Status.LOBBY:
                return self._vacate_seat(current, seat, "removed", by)
            rest = tuple(other for other in current.info.seats if other.user != user)
            people = [other for other in rest if other.has_owner]
            if not people:
                return self._edit_info(
                    current, "remove", by, status=Status.CANCELLED, reason="An admin removed its host."
                )
            host = current.info.host if current.info.host != user else people[0].user
            return self._edit_info(current, "remove", by, seats=rest, host=host)

        return await self._change_match(match, edit, click)

    async def reset_match(self, match: str, by: int, *, click: int = 0) -> MatchInfo:
        """An admin ends a match, whatever it is at."""

        def edit(current: Match) -> MatchEdit:
            if current.info.status not in LIVE | {Status.ASIDE}:
                raise RequestRefused(status_sentence(current.info), has_names=True)
            return self._edit_info(current, "reset", by, status=Status.RESET)

        return await self._change_match(match, edit, click)

    # Inside

    def _vacate_seat(self, current: Match, seat: int, gone: Departure, by: int, level: str = "") -> MatchEdit:
        """Empty a seat of a started match: paused unless the computer plays there, or ended where nobody is left."""
        info = current.info
        seats = replace_seat(info, seat, replace(info.seats[seat], gone=gone, level=level, missed=0))
        here = [other for other in seats if other.has_owner]
        action: ActionKind = "leave" if gone == "left" else "remove"
        if not here:
            reason = "Everybody has left."
            return self._edit_info(current, action, by, seats=seats, status=Status.ENDED, reason=reason, votes=())
        host = info.host if any(other.user == info.host for other in here) else here[0].user
        return self._edit_info(current, action, by, seats=seats, host=host, votes=(), **status_for_seats(seats))


def status_for_seats(seats: Sequence[Seat]) -> dict[str, Any]:
    """Whether a started match with these seats goes on, and why not, by who is missing."""
    gone = [seat for seat in seats if seat.is_empty]
    return {"status": Status.PAUSED if gone else Status.RUNNING, "reason": _missing_text(gone)}


def _require_started(info: MatchInfo) -> MatchInfo:
    if info.status not in (Status.RUNNING, Status.PAUSED):
        raise RequestRefused(status_sentence(info), has_names=True)
    return info


def _seats_with_level(info: MatchInfo, number: int, level: str) -> tuple[Seat, ...]:
    """The seats with the computer of a level at one; without one, with whoever holds it."""
    return replace_seat(info, number, replace(info.seats[number], level=level, missed=0))


def _missing_text(gone: list[Seat]) -> str:
    return " ".join(f"{seat.name} {'left' if seat.gone == 'left' else 'was removed by an admin'}." for seat in gone)


def _vote_text(votes: tuple[int, ...], voters: int) -> str:
    return f"{len(votes)} of {voters} players voted for that." if voters > 1 else "The only one who played wanted that."
