"""A bot that counts what others do in secret, each in another place; and one of those who could read it there."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from cogs import admin_commands
from cogs.features.reports import report_pages
from cogs.features.takebacks import take_back_pages
from cogs.jest.screen import JestScreen
from cogs.table.pages import match_pages
from cogs.table.pages.page import text_blocks
from cogs.table.surfaces import message
from cogs.table.surfaces.reconciler import Reconciler
from cogs.table.surfaces.redraw_pass import RedrawPass
from engines.hosting import match
from engines.hosting.match import MatchSnapshot
from engines.hosting.timing import due_times
from engines.store.rows import RowWrite
from engines.wizard.model import Options
from tests.contract.helper import GameHelper, MatchStart
from tests.engines.jest.helper import JestHelper
from tests.engines.wizard.helper import WizardHelper
from tests.plain.leak_reader import ADMIN, LeakReader, reader_in_seat
from tests.plain.plain_bot import WATCHER

Install = Callable[[pytest.MonkeyPatch], None]
JEST, WIZARD = JestHelper(), WizardHelper()
WIZARD_START = MatchStart(3, Options(rounds=3), f"{8:032x}")


@dataclass(frozen=True)
class CountingLeak:
    """Where it counts, and who reads it at a table of a game in which people do that in secret."""

    install: Install
    reader: LeakReader
    helper: GameHelper = JEST
    start: MatchStart = JEST.starts()[0]


@dataclass
class CountPeeper:
    """Knows how many moves and rows there are of the match that was drawn last."""

    moves: int = 0
    rows: Counter[str] = field(default_factory=Counter)


def install_peeper(patch: pytest.MonkeyPatch) -> CountPeeper:
    peeper, original = CountPeeper(), RedrawPass._note_views
    counted: dict[RedrawPass, Counter[str]] = {}

    def note(drawing: RedrawPass, snapshot: MatchSnapshot) -> set[int]:
        peeper.moves, peeper.rows = snapshot.info.moves, counted.setdefault(drawing, Counter())
        return original(drawing, snapshot)

    changed = Reconciler.write_hand_row

    async def change(reconciler: Reconciler, match: str, seat: int, write: RowWrite) -> None:
        counted.setdefault(reconciler.redraw_pass, Counter())[write.table.name] += 1
        await changed(reconciler, match, seat, write)

    patch.setattr(Reconciler, "write_hand_row", change)
    patch.setattr(RedrawPass, "_note_views", note)
    return peeper


def _count_in_stamp(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(take_back_pages, "view_stamp", lambda snapshot, seat: f"{snapshot.info.moves:08x}")


def _count_in_decision(patch: pytest.MonkeyPatch) -> None:
    """Decisions are numbered by all moves, as if each of them could be taken back."""
    numbered = due_times.open_decisions

    def decisions(game: Any, info: Any, state: Any) -> Any:
        found = numbered(game, info, state)
        return {seat: replace(each, number=each.number + info.moves) for seat, each in found.items()}

    patch.setattr(due_times, "open_decisions", decisions)
    patch.setattr(match, "open_decisions", decisions)


def _count_in_nonce(patch: pytest.MonkeyPatch) -> None:
    peeper, numbers = install_peeper(patch), count()
    drawn = SimpleNamespace(token_hex=lambda size: f"{peeper.moves:016x}{next(numbers):08x}")
    patch.setattr(message, "secrets", drawn)


def _count_in_file_name(patch: pytest.MonkeyPatch) -> None:
    peeper, drawn = install_peeper(patch), JestScreen.table

    def draw(screen: JestScreen, *arguments: Any) -> Any:
        page = drawn(screen, *arguments)
        assert page.picture is not None
        return replace(page, picture=replace(page.picture, name=f"table-{peeper.moves}.png"))

    patch.setattr(JestScreen, "table", draw)


def _count_in_sentence(patch: pytest.MonkeyPatch) -> None:
    standing_text = match_pages.standing_text

    def counted_text(snapshot: MatchSnapshot, *arguments: Any) -> str:
        return f"{standing_text(snapshot, *arguments)} Change {snapshot.info.revision}."

    patch.setattr(match_pages, "standing_text", counted_text)


def _count_for_admin(patch: pytest.MonkeyPatch) -> None:
    facts = admin_commands._match_facts

    def count_moves(snapshot: MatchSnapshot, *arguments: Any) -> list[str]:
        return [*facts(snapshot, *arguments), f"Moves: {snapshot.info.moves}"]

    patch.setattr(admin_commands, "_match_facts", count_moves)


def _count_in_report(patch: pytest.MonkeyPatch) -> None:
    lines = report_pages.public_lines
    patch.setattr(report_pages, "public_lines", lambda snapshot: [*lines(snapshot), f"moves: {snapshot.info.moves}"])


def _count_in_log(patch: pytest.MonkeyPatch) -> None:
    original = RedrawPass._note_views

    def note(drawing: RedrawPass, snapshot: MatchSnapshot) -> set[int]:
        logging.getLogger("cogs").debug("Revision %d is shown", snapshot.info.revision)
        return original(drawing, snapshot)

    patch.setattr(RedrawPass, "_note_views", note)


def _wait_longer(patch: pytest.MonkeyPatch) -> None:
    """A hand follows the later, the more others do in secret."""
    patch.setattr(RedrawPass, "_note_views", lambda drawing, snapshot: set())


def _count_rows(name: str) -> Install:
    def install(patch: pytest.MonkeyPatch) -> None:
        peeper, drawn = install_peeper(patch), match_pages.hand_page

        def draw(*arguments: Any) -> Any:
            page = drawn(*arguments)
            return match_pages.with_note(page, text_blocks((f"-# {peeper.rows[name]}",)))

        patch.setattr(match_pages, "hand_page", draw)

    return install


SEATED, WATCHING = reader_in_seat(0), LeakReader(WATCHER)
COUNTING_LEAKS: Mapping[str, CountingLeak] = {
    "how late a hand follows": CountingLeak(_wait_longer, SEATED),
    "a button that takes a move back": CountingLeak(_count_in_stamp, SEATED),
    "the number of a decision": CountingLeak(_count_in_decision, SEATED),
    "a nonce": CountingLeak(_count_in_nonce, SEATED),
    "a file's name": CountingLeak(_count_in_file_name, WATCHING),
    "a sentence": CountingLeak(_count_in_sentence, WATCHING),
    "an admin's answer": CountingLeak(_count_for_admin, LeakReader(ADMIN)),
    "a report": CountingLeak(_count_in_report, SEATED),
    "a line of the log": CountingLeak(_count_in_log, WATCHING),
    "how many notes are written": CountingLeak(_count_rows("player_notes"), SEATED, WIZARD, WIZARD_START),
    "how many moves are planned": CountingLeak(_count_rows("planned_moves"), SEATED, WIZARD, WIZARD_START),
}
