"""The messages of whole matches, each with what it is, for whoever measures or photographs them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cogs.screens.screen import Picks
from cogs.table import pages
from cogs.table.names import LONGEST
from cogs.table.page import Page
from engines.match import Look
from engines.seats import letter
from engines.store import Status
from tests.contract.helper import Helper, Start
from tests.contract.shown import hand, looks, ways

WIDE = tuple(letter(seat) + "W" * (LONGEST - 1) for seat in range(6))
"""As long and as wide as a name can be."""
PLAIN = ("Ada", "Bela", "Chidi", "Dora", "Emil", "Fumi")
SERVER = "The Jesters' Inn"
TABLE = "https://discord.com/channels/" + "/".join(["1234567890123456789"] * 3)


@dataclass(frozen=True, slots=True)
class Shown:
    """A message: of which match it is, what it is, and what brought one there."""

    game: str
    seats: int
    what: str  # lobby, table, hand, step, order or result
    when: str  # the decision that it is about, or the keys of the steps
    page: Page

    def __str__(self) -> str:
        return f"{self.game} with {self.seats}, {self.what}: {self.when}"


def messages(helper: Helper, start: Start, names: Sequence[str] = WIDE) -> Iterator[Shown]:
    """Everything that is shown of a match, from its lobby to its result, with every step on the way to a move."""
    game, setting = helper.game.key, pages.Setting(helper.screen, SERVER, TABLE)
    all_looks = looks(helper, start, names)
    for look in _lobbies(all_looks[0], helper):
        yield Shown(game, len(look.info.seats), "lobby", "join", pages.lobby(look, setting))
    for look in all_looks:
        over = look.outcome() is not None
        due = "the end" if over else look.decisions()[look.due()[0]].kind
        yield Shown(game, start.seats, "result" if over else "table", due, pages.table(look, setting))
        for seat in range(start.seats):
            yield from (Shown(game, start.seats, *one) for one in _hands(helper, look, seat, setting))
    paused = replace(all_looks[len(all_looks) // 2].info, status=Status.PAUSED, reason=f"{names[0]} has left.")
    look = replace(all_looks[len(all_looks) // 2], info=paused)
    yield Shown(game, start.seats, "table", "paused", pages.table(look, setting))
    yield Shown(game, start.seats, "hand", "paused", pages.hand(look, 1, setting))


def _lobbies(first: Look, helper: Helper) -> Iterator[Look]:
    """Its lobby with one at the table, and with all."""
    for seats in (first.info.seats[:1], first.info.seats):
        info = replace(first.info, status=Status.LOBBY, moves=0, seats=seats)
        yield replace(first, info=info, state=None, told=(), movers=())


def _hands(helper: Helper, look: Look, seat: int, setting: pages.Setting) -> Iterator[tuple[str, str, Page]]:
    """A seat's hand, and whatever it leads to."""
    decision = look.decisions().get(seat)
    if decision is None:
        kind = ("result", "hand at the end") if look.outcome() is not None else ("hand", "waiting")
        yield (*kind, pages.hand(look, seat, setting))
        return
    yield "hand", decision.kind, pages.hand(look, seat, setting)
    for keys, left in ways(hand(helper, look, seat).controls):
        when = " › ".join((decision.kind, *keys))
        if keys and (page := pages.step(look, seat, setting, keys)):
            yield "step", when, page
        for picks in (control for control in left if isinstance(control, Picks)):
            for number in sorted({picks.least, picks.most}):
                written = " ".join((picks.verb, *(pick.token for pick in picks.picks[:number])))
                notation = look.game.write(look.game.read(written))
                yield "order", f"{when}, {number} picked", pages.ordering(look, seat, setting, notation)
