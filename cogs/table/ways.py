"""How far people have come on the way to a move: where their hand is shown anew, it takes them there again."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.table import ids, pages
from cogs.table.drawing import drawn
from cogs.table.layout import Reader
from cogs.table.page import Page
from engines.game import IllegalMove
from engines.match import Look, Refused


@dataclass(frozen=True, slots=True)
class Way:
    """From a decision's hand to a step, by the keys in its path; or to what somebody has picked so far, as a move."""

    user: int
    decision: int
    path: str = ""
    picked: str = ""

    @property
    def text(self) -> str:
        """By which it is kept with the decision's call."""
        text = f"{self.decision}:{'o' if self.picked else 'g'}:{self.picked or self.path}"
        return text if text.isprintable() else ""


def read(text: str, user: int) -> Way | None:
    """The way that a text is of, as whoever sits there has gone it."""
    decision, _, rest = text.partition(":")
    kind, _, rest = rest.partition(":")
    if not decision.isdecimal() or not rest:
        return None
    return Way(user, int(decision), picked=rest) if kind == "o" else Way(user, int(decision), rest)


class Ways:
    """Where each seat's hand stands, unless it is at its beginning. It counts as long as the hand leads there.

    It is kept in memory, and with the call that the decision awaits: so whoever is called goes on from there after a
    restart, too, or where another process has answered their clicks.
    """

    def __init__(self) -> None:
        self._ways: dict[tuple[str, int], Way] = {}

    def go(self, match: str, seat: int, way: Way | None) -> None:
        """The hand stands there from now on; None: at its beginning."""
        if way is None:
            self._ways.pop((match, seat), None)
        else:
            self._ways[match, seat] = way

    def forget(self, match: str) -> None:
        """Keep nothing of a match in memory."""
        self._ways = {key: way for key, way in self._ways.items() if key[0] != match}

    async def along(
        self, look: Look, seat: int, setting: pages.Setting, reader: Reader, hand: Page, kept: str = ""
    ) -> Page:
        """A seat's hand where it stands, in place of its beginning; `kept` is what is kept with its call."""
        way = self._ways.get((look.info.id, seat)) or read(kept, look.info.seats[seat].user)
        if way is None:
            return hand
        there = await drawn(_open, look, seat, setting, reader, way)
        return hand if there is None else pages.midway(there, hand)


def page(look: Look, seat: int, setting: pages.Setting, reader: Reader, way: Way) -> Page | None:
    """The hand there; None where it offers no such step. Raises Refused and IllegalMove for what cannot be picked."""
    if not way.picked:
        return pages.step(look, seat, setting, ids.keys(way.path), reader)
    move = look.game.read(way.picked)
    look.game.check(look.state, seat, move)
    return pages.ordering(look, seat, setting, look.game.write(move), reader)


def _open(look: Look, seat: int, setting: pages.Setting, reader: Reader, way: Way) -> Page | None:
    """The same, as long as that decision is open, and theirs."""
    decision, sits = look.decisions().get(seat), look.info.seats[seat]
    if decision is None or decision.number != way.decision or sits.user != way.user or not sits.present:
        return None
    try:
        return page(look, seat, setting, reader, way)
    except (Refused, IllegalMove):
        return None
