"""The columns of the tables of controls and commands that say who may use them, and when."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Any

from cogs.table.actions.visit import Visit, not_seated
from engines.hosting.match import RequestRefused, status_sentence
from engines.store.match_store import MatchInfo, Status

NOT_MANAGER = "Only people who can manage this server may do that (permission **Manage Server**)."
ACCESS = "access"  # the key of these columns among the `extras` of a command


class Phase(Flag):
    """Where a match stands."""

    LOBBY = auto()
    RUNNING = auto()  # or paused
    OVER = auto()  # played to its end
    CLOSED = auto()  # closed, ended or reset before that
    ASIDE = auto()  # set aside, because it is damaged


EVERY_PHASE = ~Phase(0)
_PHASES: Mapping[Status, Phase] = {
    Status.LOBBY: Phase.LOBBY,
    Status.RUNNING: Phase.RUNNING,
    Status.PAUSED: Phase.RUNNING,
    Status.OVER: Phase.OVER,
    Status.ASIDE: Phase.ASIDE,
}


class Who(Enum):
    """Who may use something. Everybody else is refused, and so are people who are blocked or shut out."""

    ANYBODY = auto()  # it is about no match
    IN_SERVER = auto()  # likewise, on a server
    ABOUT_SELF = auto()  # likewise, and in direct messages even those who are blocked may use it
    MANAGER = auto()  # of the server where it is used
    READER = auto()  # people who may see the match: on its server, or with a seat in it
    MATCH_MANAGER = auto()  # of the match's server
    SEATED = auto()
    DUE = auto()  # who has a decision to make
    HOST = auto()
    ASKED = auto()  # who has to answer a request
    PLAYED = auto()  # who has a seat or left one
    UNSEATED = auto()  # a reader who has no seat
    WATCHER = auto()  # a reader who has neither a seat nor left one
    AUTHOR = auto()  # a reader; whether they wrote the row is asked where it is read


Refusal = str | Callable[[Visit], RequestRefused]
"""What somebody is told who may not use something."""


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use a control or command, and when, with its own sentences for everybody else and for other times.

    If it `answers_late`, people with a seat are answered at any time: they see their hand as it is now.
    """

    who: Who
    when: Phase = EVERY_PHASE
    not_you: Refusal = ""
    not_now: Refusal = ""
    answers_late: bool = False

    def require(self, visit: Visit) -> None:
        """Raise RequestRefused if the visitor may not use it, or not now."""
        if not self.answers_late and phase_of(visit.info) not in self.when:
            raise _refusal(self.not_now or self._wrong_phase, visit)
        allowed = Who.SEATED if self.answers_late else self.who
        if not QUESTIONS[allowed](visit):
            raise _refusal(self.not_you or _REFUSALS[allowed], visit)

    def _wrong_phase(self, visit: Visit) -> RequestRefused:
        if self.when == Phase.LOBBY and phase_of(visit.info) is Phase.RUNNING:
            return RequestRefused("The match has already started.")
        return RequestRefused(status_sentence(visit.info), has_names=True)


ANYBODY, READERS, SEATED = Access(Who.ANYBODY), Access(Who.READER), Access(Who.SEATED)
LOBBY_HOST = Access(Who.HOST, Phase.LOBBY)
NOT_OVER = "You can do that once the match has been played to its end."
FINISHED = Access(Who.READER, Phase.OVER, not_now=NOT_OVER)


def access_of(command: object) -> Access:
    """Return who may give a command, and when, from its `extras`."""
    extras: Mapping[str, Access] = getattr(command, "extras", {})
    return extras.get(ACCESS, ANYBODY)


def extras_of(access: Access) -> dict[Any, Any]:
    """Return the `extras` of a command that declare who may give it, and when."""
    return {ACCESS: access}


def phase_of(info: MatchInfo) -> Phase:
    """Return where a match stands."""
    return _PHASES.get(info.status, Phase.CLOSED)


def _refusal(refusal: Refusal, visit: Visit) -> RequestRefused:
    return RequestRefused(refusal) if isinstance(refusal, str) else refusal(visit)


def _is_due(visit: Visit) -> bool:
    return visit.seat in visit.snapshot.decisions()


def _is_asked(visit: Visit) -> bool:
    """Whether the visitor may have to answer. If no request is open any more, they are told that later."""
    request = visit.info.undoing.open_request
    return visit.seat is not None and (request is None or visit.seat in request.seats)


def has_played(visit: Visit) -> bool:
    """Whether the visitor has a seat or left one."""
    return any(seat.user == visit.user for seat in visit.info.seats)


QUESTIONS: dict[Who, Callable[[Visit], bool]] = {
    Who.READER: lambda visit: True,  # the door has asked
    Who.AUTHOR: lambda visit: True,
    Who.MATCH_MANAGER: lambda visit: visit.is_manager,
    Who.SEATED: lambda visit: visit.seat is not None,
    Who.DUE: _is_due,
    Who.HOST: lambda visit: visit.info.host == visit.user,
    Who.ASKED: _is_asked,
    Who.PLAYED: has_played,
    Who.UNSEATED: lambda visit: visit.seat is None,
    Who.WATCHER: lambda visit: not has_played(visit),
}
"""What the door asks about a visitor."""


def _not_due(visit: Visit) -> RequestRefused:
    if visit.seat is None:
        return RequestRefused("You are not sitting at this table. You are welcome to watch.")
    if visit.info.status is not Status.RUNNING:
        return RequestRefused(status_sentence(visit.info), has_names=True)
    return RequestRefused("It is not your turn.")


def _not_host(visit: Visit) -> RequestRefused:
    name = next((seat.name for seat in visit.info.seats if seat.user == visit.info.host), "somebody else")
    return RequestRefused(f"Only the host can do that. The host is {name}.", has_names=True)


def _not_asked(visit: Visit) -> RequestRefused:
    if visit.seat is None:
        return not_seated(visit)
    return RequestRefused("Only the other players at the table can answer that.")


_REFUSALS: Mapping[Who, Refusal] = {
    Who.MATCH_MANAGER: NOT_MANAGER,
    Who.SEATED: not_seated,
    Who.DUE: _not_due,
    Who.HOST: _not_host,
    Who.ASKED: _not_asked,
    Who.PLAYED: "Only people who played in this match can do that.",
    Who.UNSEATED: "You already have a seat at this table.",
    Who.WATCHER: "Only spectators can do that.",
}
