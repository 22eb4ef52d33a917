"""Stamps of what a button is about. A button whose stamp is out of date does nothing."""

from __future__ import annotations

from hashlib import blake2b

from engines.hosting.match import MatchSnapshot, StaleDecision
from engines.store.match_store import MatchInfo


def require_current(snapshot: MatchSnapshot, user: int, seen: str | None) -> None:
    """Refuse a request that was offered when its player saw something else; None is about the present."""
    seat = snapshot.info.seat_of(user)
    if seen is not None and seat is not None and seen != view_stamp(snapshot, seat):
        raise StaleDecision


def view_stamp(snapshot: MatchSnapshot, seat: int) -> str:
    """Return a short stamp of what a seat's player sees, and so of what they can take back. It never comes up again
    after a take-back.

    It must not depend on anything else, such as the number of all moves: that counts choices which only others know.
    """
    return _stamp(snapshot.info, seat, snapshot.view(seat) if snapshot.state is not None else None)


def request_stamp(info: MatchInfo) -> str:
    """Return a short stamp of the request to take a move back, from what everybody knows of it."""
    request = info.undoing.request
    return "" if request is None else _stamp(info, request.seat, request.until, sum(map(len, info.undoing.asked)))


def _stamp(info: MatchInfo, *seen: object) -> str:
    return blake2b(repr((info.id, info.decision_offset, *seen)).encode(), digest_size=4).hexdigest()
