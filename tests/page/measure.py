"""`python -m tests.page.measure [game]`: how high the messages of whole matches are, and photographs of them."""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from cogs.features.notes.note_pages import MAX_NOTE_LENGTH, note_line
from cogs.features.registry import FEATURE_UIS
from cogs.screens.screen import Picks, Picture
from cogs.table.pages import match_pages
from cogs.table.pages.feature_pages import Additions
from cogs.table.pages.menu_pages import menu_page
from cogs.table.pages.page import Block, Menu, Page, Row, Text
from cogs.table.pages.screen_layout import Reader
from cogs.table.wording.player_names import MAX_NAME_LENGTH
from engines.features.notes import PLAYER_NOTES, PlayerNote
from engines.features.registry import TABLE_OPTIONS
from engines.hosting.match import MatchSnapshot
from engines.kit.seats import letter
from engines.store.characters import CHARACTERS
from engines.store.match_store import NO_LAST_CUT_YET, Status
from engines.store.rows import Rows
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.helpers import HELPERS
from tests.contract.shown import hand_screen, match_snapshots, planning_readers, step_paths
from tests.page.message_heights import MOVING_KINDS, Measurement, MessageRuler, picture_size
from tests.page.page_driver import CHROMIUM, NARROW_SIZE, WIDE_SIZE, BrowserWindows, Size

SCREEN_HEIGHT = 640  # of a telephone's 844 pixels, those that show messages
DESKTOP_HEIGHT = 700
LOBBY_HEIGHT = 520  # an invitation, with room for what is said around it
LONG_HEIGHT = 900  # what is read once: answers of puzzles, replays below their buttons
MAX_BELOW = 130  # how far above the message's end its last control that makes a move may end

SAMPLE_COUNT = 10  # messages of each kind, by each of three ways to choose them


@dataclass(frozen=True, slots=True)
class MeasuredMessage:
    message: ShownMessage
    size: Size
    measured: Measurement

    @property
    def max_height(self) -> int:
        if self.message.description == "lobby":
            return LOBBY_HEIGHT if self.size == NARROW_SIZE else SCREEN_HEIGHT
        return SCREEN_HEIGHT if self.size == NARROW_SIZE else DESKTOP_HEIGHT

    @property
    def problems(self) -> Iterator[str]:
        measured = self.measured
        if measured.height > self.max_height:
            yield f"{measured.height:.0f} high, {self.max_height} at most"
        if self.size == NARROW_SIZE and measured.below > MAX_BELOW:
            yield f"its last move ends {measured.below:.0f} above the end, {MAX_BELOW} at most"
        if measured.wide:
            yield f"runs {measured.wide:.0f} out of its column"
        if measured.alone:
            yield "its More stands alone in a line"


async def measure_messages(messages: Sequence[ShownMessage], ruler: MessageRuler, size: Size) -> list[MeasuredMessage]:
    found = await ruler.measure([each.page for each in messages])
    return [MeasuredMessage(each, size, one) for each, one in zip(messages, found, strict=True)]


def game_messages(key: str) -> list[ShownMessage]:
    return [each for start in HELPERS[key].starts() for each in match_messages(HELPERS[key], start)]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.page.measure", description=__doc__)
    parser.add_argument("game", nargs="?", choices=list(HELPERS), help="only this game")
    parser.add_argument(
        "--what", default="", help="only these: lobby, table, menu, hand, noted, planned, step, order or result"
    )
    parser.add_argument("--desktop", action="store_true", help="at 1280 pixels instead of 390")
    parser.add_argument("--shot", type=Path, help="photograph the highest of each kind to this folder")
    given = parser.parse_args(arguments)
    if CHROMIUM is None:
        sys.exit("Messages are measured by Chromium, which is not installed.")
    return asyncio.run(_run_measurement(given))


async def _run_measurement(given: argparse.Namespace) -> int:
    size, keys = (WIDE_SIZE if given.desktop else NARROW_SIZE), [given.game] if given.game else list(HELPERS)
    messages = [each for key in keys for each in game_messages(key) if each.description.startswith(given.what)]
    async with BrowserWindows.open() as browser, MessageRuler.open(browser, size) as ruler:
        found = await measure_messages(hardest_messages(messages, SAMPLE_COUNT, Random("hardest")), ruler, size)
        kinds: defaultdict[str, list[MeasuredMessage]] = defaultdict(list)
        for each in sorted(found, key=_height_key, reverse=True):
            kinds[f"{each.message.game} {each.message.description} {each.message.kind[-1]}"].append(each)
        for kind, some in kinds.items():
            print(_kind_line(kind, some))
            if given.shot:
                given.shot.mkdir(parents=True, exist_ok=True)
                picture = await ruler.photograph(some[0].message.page)
                (given.shot / f"{kind.replace(' ', '-')}.png").write_bytes(picture)
    return int(any(any(each.problems) for each in found))


def _height_key(found: MeasuredMessage) -> tuple[float, float]:
    return found.measured.height, found.measured.below


def _kind_line(kind: str, some: Sequence[MeasuredMessage]) -> str:
    worst, below = some[0], max(each.measured.below for each in some)
    wrong = sum(any(each.problems) for each in some)
    picture = "×".join(f"{side:.0f}" for side in worst.measured.picture)
    return (
        f"{'!!' if wrong else 'ok'} {kind:32} {wrong:5} of {len(some):5} do not fit; "
        f"the highest {worst.measured.height:.0f}, its picture {picture}; moves end {below:.0f} above the end; "
        f"worst: {worst.message.seats} seats, {worst.message.trigger}"
    )


WIDEST_NAMES = tuple(letter(seat) + "W" * (MAX_NAME_LENGTH - 1) for seat in range(6))
"""As long and as wide as a name can be."""
NEW_READER = Reader(has_several_tables=True)  # who gets most: the rules are offered, the match is named
NOTED_READER = replace(NEW_READER, lines=(note_line("W" * MAX_NOTE_LENGTH),))
NEW_FEATURES = Additions(tuple((ui, Rows(tuple((table, ()) for table in ui.tables))) for ui in FEATURE_UIS))
SERVER_NAME = "The Jesters' Inn"
AT_THE_END = "hand at the end"
TABLE_URL = "https://discord.com/channels/" + "/".join(["1234567890123456789"] * 3)

COLUMN, LINE, SIGNS, CONTROL, GAP = 348, 22, 36, 40, 8  # of a message on a telephone, roughly


@dataclass(frozen=True, slots=True)
class ShownMessage:
    game: str
    seats: int
    description: str  # lobby, table, menu, hand, noted (with a private note), planned, step, order or result
    trigger: str  # the decision that it is about, or the keys of the steps
    page: Page

    @property
    def kind(self) -> tuple[str, int, str, str]:
        """What it has in common with those that have the same parts: match, seats, message and decision."""
        return self.game, self.seats, self.description, re.split(" › |, ", self.trigger)[0]

    def __str__(self) -> str:
        return f"{self.game} with {self.seats}, {self.description}: {self.trigger}"


def page_setting(helper: GameHelper) -> match_pages.PageContext:
    """What pages say of the world around a match: all that an ordinary match has."""
    record = "A line of the record.\n" * 100
    return match_pages.PageContext(helper.screen, SERVER_NAME, TABLE_URL, record=record, features=NEW_FEATURES)


def match_messages(helper: GameHelper, start: MatchStart) -> Iterator[ShownMessage]:
    """Everything that is shown of a match, from its lobby to its result, with every step on the way to a move."""
    game, setting = helper.game.key, page_setting(helper)
    all_looks = match_snapshots(helper, start, WIDEST_NAMES)
    for snapshot in _lobby_looks(all_looks[0], helper):
        yield ShownMessage(game, len(snapshot.info.seats), "lobby", "join", match_pages.lobby_page(snapshot, setting))
    for snapshot in all_looks:
        is_over = snapshot.outcome() is not None
        due = "the end" if is_over else snapshot.decisions()[snapshot.due_seats()[0]].kind
        yield ShownMessage(
            game, start.seats, "result" if is_over else "table", due, match_pages.table_page(snapshot, setting)
        )
        for seat in {*snapshot.decisions(), snapshot.info.moves % start.seats}:  # of those who wait, one by turns
            yield from (ShownMessage(game, start.seats, *one) for one in _hand_pages(helper, snapshot, seat, setting))
    paused = replace(all_looks[len(all_looks) // 2].info, status=Status.PAUSED, reason=f"{WIDEST_NAMES[0]} has left.")
    snapshot = replace(all_looks[len(all_looks) // 2], info=paused)
    yield ShownMessage(game, start.seats, "table", "paused", match_pages.table_page(snapshot, setting))
    yield ShownMessage(game, start.seats, "hand", "paused", match_pages.hand_page(snapshot, 1, setting, NEW_READER))
    yield from (
        ShownMessage(game, start.seats, "menu", "any", page) for page in _menu_pages(helper, all_looks, snapshot)
    )


def _menu_pages(helper: GameHelper, all_looks: Sequence[MatchSnapshot], paused: MatchSnapshot) -> Iterator[Page]:
    """The menus of everybody at a table with as many computers as there can be, and of somebody who watches."""
    for snapshot in (*_lobby_looks(all_looks[0], helper), *all_looks, paused):
        own, due = snapshot.info.seats[0], snapshot.info.moves % len(snapshot.info.seats)
        for seats in ({0}, {0, due}, {*range(len(snapshot.info.seats))}):
            sitting = tuple(
                one if number in seats else replace(one, user=0, level="normal", name=CHARACTERS[-number].name)
                for number, one in enumerate(snapshot.info.seats)
            )
            with_computers = replace(snapshot, info=replace(snapshot.info, seats=sitting, host=own.user))
            for user in (own.user, sitting[due].user, 999):
                yield menu_page(with_computers, user, helper.screen, _noted_features(with_computers, user))


def _noted_features(snapshot: MatchSnapshot, user: int) -> Additions:
    """What all features add to the menu of somebody who has written the longest note."""
    note = PlayerNote(snapshot.info.id, user, "W" * MAX_NOTE_LENGTH)
    rows = Rows(tuple((table, (note,) if table is PLAYER_NOTES else ()) for ui in FEATURE_UIS for table in ui.tables))
    return Additions(tuple((ui, rows) for ui in FEATURE_UIS if ui.needs_rows(snapshot)), user)


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
    below = 0.0
    for block in reversed(page.blocks):
        items = block.items if isinstance(block, Row) else ()
        if any(each.to.partition(":")[0] in MOVING_KINDS for each in ((items,) if isinstance(items, Menu) else items)):
            return below
        below += _guess_height(block)
    return 0


def _lobby_looks(first: MatchSnapshot, helper: GameHelper) -> Iterator[MatchSnapshot]:
    """With every number of players; of a usual table, and of one with all table options changed and a last cut due."""
    usual = replace(first.info.table_options, known=TABLE_OPTIONS)
    unusual = usual.set_values({option.name: option.values[-1] for option in TABLE_OPTIONS})
    for count in range(1, helper.game.seats[-1] + 1):
        seats = tuple(
            replace(first.info.seats[0], user=10 + i, name=name) for i, name in enumerate(WIDEST_NAMES[:count])
        )
        last = (*seats[:-1], replace(seats[-1], last_cut=NO_LAST_CUT_YET))
        for sat, table_options, chosen in ((seats, usual, 0), (last, unusual, 1)):
            info = replace(
                first.info, status=Status.LOBBY, moves=0, seats=sat, table_options=table_options, chosen=chosen
            )
            yield replace(first, info=info, state=None, events=(), movers=())


def _hand_pages(
    helper: GameHelper, snapshot: MatchSnapshot, seat: int, setting: match_pages.PageContext
) -> Iterator[tuple[str, str, Page]]:
    decision = snapshot.decisions().get(seat)
    if decision is None:
        kind = ("result", AT_THE_END) if snapshot.outcome() is not None else ("hand", "waiting")
        yield (*kind, match_pages.hand_page(snapshot, seat, setting, NEW_READER))
        yield ("noted", kind[1], match_pages.hand_page(snapshot, seat, setting, NOTED_READER))
        for reader in planning_readers(helper, snapshot, seat, NEW_READER):
            yield "planned", kind[1], match_pages.hand_page(snapshot, seat, setting, reader)
        return
    yield "hand", decision.kind, match_pages.hand_page(snapshot, seat, setting, NEW_READER)
    yield "noted", decision.kind, match_pages.hand_page(snapshot, seat, setting, NOTED_READER)
    for keys, left in step_paths(hand_screen(helper, snapshot, seat).controls):
        when = " › ".join((decision.kind, *keys))
        if keys and (page := match_pages.step_page(snapshot, seat, setting, keys, NEW_READER)):
            yield "step", when, page
        for picks in (control for control in left if isinstance(control, Picks)):
            for number in sorted({picks.least, picks.most}):
                written = " ".join((picks.verb, *(pick.token for pick in picks.picks[:number])))
                notation = snapshot.game.format_move(snapshot.game.parse_move(written))
                page = match_pages.picks_page(snapshot, seat, setting, notation, NEW_READER)
                yield "order", f"{when}, {number} picked", page


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
