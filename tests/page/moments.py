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
from cogs.table.wording.player_names import MAX_NAME_LENGTH
from engines.hosting.match import MatchSnapshot
from engines.kit.seats import letter
from engines.store.match_store import Status
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.shown import hand_screen, match_snapshots, step_paths
from tests.page.ruler import MOVING_KINDS, picture_size

WIDEST_NAMES = tuple(letter(seat) + "W" * (MAX_NAME_LENGTH - 1) for seat in range(6))
"""As long and as wide as a name can be."""
PLAIN_NAMES = ("Ada", "Bela", "Chidi", "Dora", "Emil", "Fumi")
NEW_READER = Reader(
    is_new=True, has_several_tables=True
)  # who gets most: the game's rules are offered, and the match is one of several
SERVER_NAME = "The Jesters' Inn"
TABLE_URL = "https://discord.com/channels/" + "/".join(["1234567890123456789"] * 3)

COLUMN, LINE, SIGNS, CONTROL, GAP = 348, 22, 36, 40, 8  # of a message on a telephone, roughly


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message: of which match it is, what it is, and what brought one there."""

    game: str
    seats: int
    description: str  # lobby, table, hand, step, order or result
    trigger: str  # the decision that it is about, or the keys of the steps
    page: Page

    @property
    def kind(self) -> tuple[str, int, str, str]:
        """What it has in common with those that have the same parts: match, seats, message and decision."""
        return self.game, self.seats, self.description, re.split(" › |, ", self.trigger)[0]

    def __str__(self) -> str:
        return f"{self.game} with {self.seats}, {self.description}: {self.trigger}"


def match_messages(
    helper: GameHelper, start: MatchStart, names: Sequence[str] = WIDEST_NAMES
) -> Iterator[ShownMessage]:
    """Everything that is shown of a match, from its lobby to its result, with every step on the way to a move."""
    game, setting = helper.game.key, match_pages.PageContext(helper.screen, SERVER_NAME, TABLE_URL)
    all_looks = match_snapshots(helper, start, names)
    for look in _lobby_looks(all_looks[0], helper):
        yield ShownMessage(game, len(look.info.seats), "lobby", "join", match_pages.lobby_page(look, setting))
    for look in all_looks:
        over = look.outcome() is not None
        due = "the end" if over else look.decisions()[look.due_seats()[0]].kind
        yield ShownMessage(game, start.seats, "result" if over else "table", due, match_pages.table_page(look, setting))
        for seat in {*look.decisions(), look.info.moves % start.seats}:  # of those who wait, one by turns
            yield from (ShownMessage(game, start.seats, *one) for one in _hand_pages(helper, look, seat, setting))
    paused = replace(all_looks[len(all_looks) // 2].info, status=Status.PAUSED, reason=f"{names[0]} has left.")
    look = replace(all_looks[len(all_looks) // 2], info=paused)
    yield ShownMessage(game, start.seats, "table", "paused", match_pages.table_page(look, setting))
    yield ShownMessage(game, start.seats, "hand", "paused", match_pages.hand_page(look, 1, setting, NEW_READER))


def hardest_messages(messages: Iterable[ShownMessage], limit: int, rng: Random) -> list[ShownMessage]:
    """Of each kind those that look highest, those that look longest below their controls, and as many by chance."""
    kinds: defaultdict[tuple[str, int, str, str], dict[Page, ShownMessage]] = defaultdict(dict)
    for each in messages:
        kinds[each.kind].setdefault(each.page, each)
    found: dict[Page, ShownMessage] = {}
    for some in kinds.values():
        pages_ = list(some)
        chosen = rng.sample(pages_, min(limit, len(pages_)))
        chosen += sorted(pages_, key=lambda page: sum(map(_guess_height, page.blocks)), reverse=True)[:limit]
        chosen += sorted(pages_, key=_guess_below, reverse=True)[:limit]
        found |= {page: some[page] for page in chosen}
    return list(found.values())


def _guess_height(block: Block) -> float:
    """About how many pixels high a part of a message is on a telephone."""
    match block:
        case Text(text):
            return GAP + sum(LINE * (1 + len(line) // SIGNS) for line in text.splitlines())
        case Picture(spec):
            return GAP + COLUMN * picture_size(spec)[1] / picture_size(spec)[0]
        case Row(items) if not isinstance(items, Menu):
            return (GAP + CONTROL) * (1 + sum(len(press.label) + 5 for press in items) // SIGNS)
        case _:
            return GAP + CONTROL


def _guess_below(page: Page) -> float:
    """About how much of it stands below its last control that makes a move."""
    below = 0.0
    for block in reversed(page.blocks):
        if isinstance(block, Row) and any(to.partition(":")[0] in MOVING_KINDS for to in _control_ids(block)):
            return below
        below += _guess_height(block)
    return 0


def _control_ids(row: Row) -> list[str]:
    return [row.items.to] if isinstance(row.items, Menu) else [press.to for press in row.items]


def _lobby_looks(first: MatchSnapshot, helper: GameHelper) -> Iterator[MatchSnapshot]:
    """Its lobby with one at the table, and with all."""
    for seats in (first.info.seats[:1], first.info.seats):
        info = replace(first.info, status=Status.LOBBY, moves=0, seats=seats)
        yield replace(first, info=info, state=None, events=(), movers=())


def _hand_pages(
    helper: GameHelper, look: MatchSnapshot, seat: int, setting: match_pages.PageContext
) -> Iterator[tuple[str, str, Page]]:
    """A seat's hand, and whatever it leads to."""
    decision = look.decisions().get(seat)
    if decision is None:
        kind = ("result", "hand at the end") if look.outcome() is not None else ("hand", "waiting")
        yield (*kind, match_pages.hand_page(look, seat, setting, NEW_READER))
        return
    yield "hand", decision.kind, match_pages.hand_page(look, seat, setting, NEW_READER)
    for keys, left in step_paths(hand_screen(helper, look, seat).controls):
        when = " › ".join((decision.kind, *keys))
        if keys and (page := match_pages.step_page(look, seat, setting, keys, NEW_READER)):
            yield "step", when, page
        for picks in (control for control in left if isinstance(control, Picks)):
            for number in sorted({picks.least, picks.most}):
                written = " ".join((picks.verb, *(pick.token for pick in picks.picks[:number])))
                notation = look.game.format_move(look.game.parse_move(written))
                yield (
                    "order",
                    f"{when}, {number} picked",
                    match_pages.picks_page(look, seat, setting, notation, NEW_READER),
                )
