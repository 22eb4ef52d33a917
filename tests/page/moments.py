"""The messages of whole matches, each with what it is, for whoever measures or photographs them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from cogs.screens.screen import Picks, Picture
from cogs.table.pages import match_pages
from cogs.table.pages.page import Block, Menu, Page, Row, Text
from cogs.table.pages.screen_layout import Reader
from cogs.table.wording.player_names import LONGEST
from engines.hosting.match import Look
from engines.kit.seats import letter
from engines.store.match_store import Status
from tests.contract.helper import Helper, Start
from tests.contract.shown import hand, looks, ways
from tests.page.ruler import MOVING, outline

WIDE = tuple(letter(seat) + "W" * (LONGEST - 1) for seat in range(6))
"""As long and as wide as a name can be."""
PLAIN = ("Ada", "Bela", "Chidi", "Dora", "Emil", "Fumi")
READER = Reader(new=True, several=True)  # who gets most: the game's rules are offered, and the match is one of several
SERVER = "The Jesters' Inn"
TABLE = "https://discord.com/channels/" + "/".join(["1234567890123456789"] * 3)

COLUMN, LINE, SIGNS, CONTROL, GAP = 348, 22, 36, 40, 8  # of a message on a telephone, roughly


@dataclass(frozen=True, slots=True)
class Shown:
    """A message: of which match it is, what it is, and what brought one there."""

    game: str
    seats: int
    what: str  # lobby, table, hand, step, order or result
    when: str  # the decision that it is about, or the keys of the steps
    page: Page

    @property
    def kind(self) -> tuple[str, int, str, str]:
        """What it has in common with those that have the same parts: match, seats, message and decision."""
        return self.game, self.seats, self.what, re.split(" › |, ", self.when)[0]

    def __str__(self) -> str:
        return f"{self.game} with {self.seats}, {self.what}: {self.when}"


def messages(helper: Helper, start: Start, names: Sequence[str] = WIDE) -> Iterator[Shown]:
    """Everything that is shown of a match, from its lobby to its result, with every step on the way to a move."""
    game, setting = helper.game.key, match_pages.Setting(helper.screen, SERVER, TABLE)
    all_looks = looks(helper, start, names)
    for look in _lobbies(all_looks[0], helper):
        yield Shown(game, len(look.info.seats), "lobby", "join", match_pages.lobby(look, setting))
    for look in all_looks:
        over = look.outcome() is not None
        due = "the end" if over else look.decisions()[look.due()[0]].kind
        yield Shown(game, start.seats, "result" if over else "table", due, match_pages.table(look, setting))
        for seat in {*look.decisions(), look.info.moves % start.seats}:  # of those who wait, one by turns
            yield from (Shown(game, start.seats, *one) for one in _hands(helper, look, seat, setting))
    paused = replace(all_looks[len(all_looks) // 2].info, status=Status.PAUSED, reason=f"{names[0]} has left.")
    look = replace(all_looks[len(all_looks) // 2], info=paused)
    yield Shown(game, start.seats, "table", "paused", match_pages.table(look, setting))
    yield Shown(game, start.seats, "hand", "paused", match_pages.hand(look, 1, setting, READER))


def hardest(shown: Iterable[Shown], most: int, rng: Random) -> list[Shown]:
    """Of each kind those that look highest, those that look longest below their controls, and as many by chance."""
    kinds: defaultdict[tuple[str, int, str, str], dict[Page, Shown]] = defaultdict(dict)
    for each in shown:
        kinds[each.kind].setdefault(each.page, each)
    found: dict[Page, Shown] = {}
    for some in kinds.values():
        pages_ = list(some)
        chosen = rng.sample(pages_, min(most, len(pages_)))
        chosen += sorted(pages_, key=lambda page: sum(map(_guess, page.blocks)), reverse=True)[:most]
        chosen += sorted(pages_, key=_guess_below, reverse=True)[:most]
        found |= {page: some[page] for page in chosen}
    return list(found.values())


def _guess(block: Block) -> float:
    """About how many pixels high a part of a message is on a telephone."""
    match block:
        case Text(text):
            return GAP + sum(LINE * (1 + len(line) // SIGNS) for line in text.splitlines())
        case Picture(spec):
            return GAP + COLUMN * outline(spec)[1] / outline(spec)[0]
        case Row(items) if not isinstance(items, Menu):
            return (GAP + CONTROL) * (1 + sum(len(press.label) + 5 for press in items) // SIGNS)
        case _:
            return GAP + CONTROL


def _guess_below(page: Page) -> float:
    """About how much of it stands below its last control that makes a move."""
    below = 0.0
    for block in reversed(page.blocks):
        if isinstance(block, Row) and any(to.partition(":")[0] in MOVING for to in _routes(block)):
            return below
        below += _guess(block)
    return 0


def _routes(row: Row) -> list[str]:
    return [row.items.to] if isinstance(row.items, Menu) else [press.to for press in row.items]


def _lobbies(first: Look, helper: Helper) -> Iterator[Look]:
    """Its lobby with one at the table, and with all."""
    for seats in (first.info.seats[:1], first.info.seats):
        info = replace(first.info, status=Status.LOBBY, moves=0, seats=seats)
        yield replace(first, info=info, state=None, told=(), movers=())


def _hands(helper: Helper, look: Look, seat: int, setting: match_pages.Setting) -> Iterator[tuple[str, str, Page]]:
    """A seat's hand, and whatever it leads to."""
    decision = look.decisions().get(seat)
    if decision is None:
        kind = ("result", "hand at the end") if look.outcome() is not None else ("hand", "waiting")
        yield (*kind, match_pages.hand(look, seat, setting, READER))
        return
    yield "hand", decision.kind, match_pages.hand(look, seat, setting, READER)
    for keys, left in ways(hand(helper, look, seat).controls):
        when = " › ".join((decision.kind, *keys))
        if keys and (page := match_pages.step(look, seat, setting, keys, READER)):
            yield "step", when, page
        for picks in (control for control in left if isinstance(control, Picks)):
            for number in sorted({picks.least, picks.most}):
                written = " ".join((picks.verb, *(pick.token for pick in picks.picks[:number])))
                notation = look.game.write(look.game.read(written))
                yield "order", f"{when}, {number} picked", match_pages.ordering(look, seat, setting, notation, READER)
