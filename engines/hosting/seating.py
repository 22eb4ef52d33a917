"""Who sits in a match once it is there: leaving, being away, coming in, and ending it together.

One part of `Matches`; everything here is reached through that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engines.hosting.match import Match, Refused, standing, with_seat
from engines.hosting.match_changes import Edit, live, seated
from engines.hosting.rematch import PlayingAgain
from engines.store.match_store import LIVE, Action, Gone, Info, Seat, Status


class Seating(PlayingAgain):
    """Changes of who plays in a match. Raises what every change does, `Matches` says what."""

    # Being away

    async def back(self, match: str, user: int, *, click: int = 0) -> Info:
        """Take one's own seat back from the computer, which kept it."""

        def edit(held: Match) -> Edit:
            seat = seated(held.info, user)
            if not held.info.seats[seat].away:
                raise Refused("The computer does not play for you: your seat is yours.")
            return self._edit(held, "back", user, seats=_played_by(held.info, seat, ""))

        return await self._change(match, edit, click)

    async def give_seat(self, match: str, seat: int, level: str, by: int, *, click: int = 0) -> Info:
        """An admin has the computer play at a seat, which its owner may take back; what was paused for it goes on."""

        def edit(held: Match) -> Edit:
            info = _begun(held.info)
            if seat not in range(len(info.seats)):
                raise Refused("There is no such seat at this table.")
            if info.seats[seat].level:
                raise Refused("The computer plays there already.")
            seats = _played_by(info, seat, level)
            return self._edit(held, "give seat", by, seats=seats, votes=(), **going_on(seats))

        return await self._change(match, edit, click)

    async def give_back(self, match: str, seat: int, by: int, *, click: int = 0) -> Info:
        """An admin gives a seat that the computer keeps for its owner back to them."""

        def edit(held: Match) -> Edit:
            info = _begun(held.info)
            if seat not in range(len(info.seats)) or not info.seats[seat].away:
                raise Refused("The computer keeps that seat for nobody.")
            return self._edit(held, "give back", by, seats=_played_by(info, seat, ""))

        return await self._change(match, edit, click)

    # Leaving, ending, coming in

    async def leave(self, match: str, user: int, level: str = "", *, click: int = 0) -> Info:
        """Leave: a lobby frees the place, a running match is paused, or goes on with the computer of that level.

        The host's part passes to the next one there; where no person is left, the match ends.
        """

        def edit(held: Match) -> Edit:
            seat = seated(held.info, user)
            if held.info.status is not Status.LOBBY:
                return self._vacate(held, seat, "left", user, level)
            rest = tuple(other for other in held.info.seats if other.user != user)
            people = [other for other in rest if other.here]
            if not people:
                return self._edit(held, "cancel", user, status=Status.CANCELLED, reason="Everybody has left.")
            host = held.info.host if held.info.host != user else people[0].user
            return self._edit(held, "leave", user, seats=rest, host=host)

        return await self._change(match, edit, click)

    async def let_go(self, match: str, seat: int, user: int, level: str = "") -> Info:
        """Somebody who can play no more leaves a match, as by `leave`."""

        def edit(held: Match) -> Edit:
            if held.info.status is Status.LOBBY or live(held.info).seat_of(user) != seat:
                raise Refused("Somebody else sits there.")
            return self._vacate(held, seat, "left", user, level)

        return await self._change(match, edit)

    async def take_seat(self, match: str, user: int, name: str, *, click: int = 0) -> Info:
        """Take the first seat that somebody has left, and its hand; with none left empty a paused match goes on.

        A seat at which the computer plays by itself is not to be had.
        """

        def edit(held: Match) -> Edit:
            info = held.info
            if info.status not in LIVE:
                raise Refused(standing(info), names=True)
            if not any(seat.gone for seat in info.seats):
                raise Refused("There is no empty seat at this table.")
            if info.seat_of(user) is not None:
                raise Refused("You already sit at this table.")
            if any(seat.user == user and seat.gone == "removed" for seat in info.seats):
                raise Refused("An admin has removed you from this match, so you cannot come back to it.")
            own = [i for i, seat in enumerate(info.seats) if seat.gone and seat.user == user]
            left = sorted((not seat.empty, i) for i, seat in enumerate(info.seats) if seat.gone)
            seats = with_seat(info, own[0] if own else left[0][1], Seat(user, name))
            return self._edit(held, "take seat", user, seats=seats, votes=(), **going_on(seats))

        return await self._change(match, edit, click)

    async def vote_end(self, match: str, user: int, *, click: int = 0) -> Info:
        """Vote for ending the match without a result; more than half of those still there decide."""

        def edit(held: Match) -> Edit:
            info = held.info
            seated(info, user)
            if info.status is Status.LOBBY:
                raise Refused("The match has not started yet; its host can cancel it.")
            if user in info.votes:
                raise Refused("You have already voted to end this match.")
            votes = (*info.votes, user)
            if not info.ended_by(user):
                return self._edit(held, "vote end", user, votes=votes)
            voters = replace(info, votes=votes).voters
            return self._edit(held, "end", user, votes=votes, status=Status.ENDED, reason=_by_vote(votes, voters))

        return await self._change(match, edit, click)

    async def remove(self, match: str, user: int, by: int, *, click: int = 0) -> Info:
        """An admin takes somebody out: of a lobby, or of a running match, which is paused then."""

        def edit(held: Match) -> Edit:
            live(held.info)
            seat = held.info.seat_of(user)
            if seat is None:
                raise Refused("That person does not sit at this table.")
            if held.info.status is not Status.LOBBY:
                return self._vacate(held, seat, "removed", by)
            rest = tuple(other for other in held.info.seats if other.user != user)
            people = [other for other in rest if other.here]
            if not people:
                return self._edit(held, "remove", by, status=Status.CANCELLED, reason="An admin removed its host.")
            host = held.info.host if held.info.host != user else people[0].user
            return self._edit(held, "remove", by, seats=rest, host=host)

        return await self._change(match, edit, click)

    async def reset(self, match: str, by: int, *, click: int = 0) -> Info:
        """An admin ends a match, whatever it is at."""

        def edit(held: Match) -> Edit:
            if held.info.status not in LIVE | {Status.ASIDE}:
                raise Refused(standing(held.info), names=True)
            return self._edit(held, "reset", by, status=Status.RESET)

        return await self._change(match, edit, click)

    # Inside

    def _vacate(self, held: Match, seat: int, gone: Gone, by: int, level: str = "") -> Edit:
        """Empty a seat of a started match: paused unless the computer plays there, or ended where nobody is left."""
        info = held.info
        seats = with_seat(info, seat, replace(info.seats[seat], gone=gone, level=level, missed=0))
        here = [other for other in seats if other.here]
        action: Action = "leave" if gone == "left" else "remove"
        if not here:
            reason = "Everybody has left."
            return self._edit(held, action, by, seats=seats, status=Status.ENDED, reason=reason, votes=())
        host = info.host if any(other.user == info.host for other in here) else here[0].user
        return self._edit(held, action, by, seats=seats, host=host, votes=(), **going_on(seats))


def going_on(seats: Sequence[Seat]) -> dict[str, Any]:
    """Whether a started match with these seats goes on, and why not, by who is missing."""
    gone = [seat for seat in seats if seat.empty]
    return {"status": Status.PAUSED if gone else Status.RUNNING, "reason": _missing(gone)}


def _begun(info: Info) -> Info:
    if info.status not in (Status.RUNNING, Status.PAUSED):
        raise Refused(standing(info), names=True)
    return info


def _played_by(info: Info, number: int, level: str) -> tuple[Seat, ...]:
    """The seats with the computer of a level at one; without one, with whoever holds it."""
    return with_seat(info, number, replace(info.seats[number], level=level, missed=0))


def _missing(gone: list[Seat]) -> str:
    return " ".join(f"{seat.name} {'left' if seat.gone == 'left' else 'was removed by an admin'}." for seat in gone)


def _by_vote(votes: tuple[int, ...], voters: int) -> str:
    return f"{len(votes)} of {voters} players voted for that." if voters > 1 else "The only one who played wanted that."
