"""One person's request about one match, as the match was when they came."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from cogs.table.channels.posters import Poster
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.store.match_store import LIVE, MatchInfo, Status


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody's click or command about a match that they may see, made once by the door.

    It names the person. Their seat is only good for this moment: across an `await`, people come and go.
    """

    user: int
    info: MatchInfo
    is_manager: bool = False  # whether they manage the match's server, and are there
    look: MatchSnapshot | None = None  # None for a finished match of which only the header was read
    poster: Poster | None = None  # if they post where the match was played, from elsewhere

    @property
    def match(self) -> str:
        """The id of the match."""
        return self.info.id

    def member(self, asker: discord.Interaction) -> discord.User | discord.Member:
        """Return who asks: as a member of the match's server, if they post there from elsewhere."""
        return self.poster.member if self.poster else asker.user

    @property
    def seat(self) -> int | None:
        """The person's own seat, or None."""
        return self.info.seat_of(self.user)

    @property
    def own_seat(self) -> int:
        """The person's seat. Raises RequestRefused if they have none."""
        if self.seat is None:
            raise not_seated(self)
        return self.seat

    @property
    def snapshot(self) -> MatchSnapshot:
        """The match. A request about a finished match may have read its header only."""
        assert self.look is not None, "the control is about finished matches"
        return self.look


def not_seated(visit: Visit) -> RequestRefused:
    """Return what somebody without a seat is told."""
    advice = "join it" if visit.info.status is Status.LOBBY else "watch it"
    if visit.info.status in LIVE and any(seat.gone for seat in visit.info.seats):
        advice += ", or press **More** to take a seat"
    return RequestRefused(f"You are not sitting at this table, so you have no hand here. You can {advice}.")
