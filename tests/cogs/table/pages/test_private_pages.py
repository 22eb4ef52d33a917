"""Every page that is drawn for a seat or for a person names its reader, and a page for everybody names nobody."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from cogs import features
from cogs.features.hints import hint_pages
from cogs.features.takebacks import take_back_pages
from cogs.table import pages
from cogs.table.pages import match_pages, menu_pages
from cogs.table.pages.page import Page, WrongReader
from engines.store.match_store import Status
from tests.contract import shown
from tests.contract.helper import PERSON_NAMES, GameHelper
from tests.contract.helpers import HELPERS

DRAWN_FOR_SOMEBODY = {
    hint_pages.hint_page,
    take_back_pages.confirm_practice_page,
    match_pages.confirm_page,
    match_pages.hand_page,
    match_pages.picks_page,
    match_pages.step_page,
    match_pages.words_page,
    menu_pages.farewell_page,
    menu_pages.menu_page,
}
"""What draws a page for a seat or a person. Each is drawn below, by `all_match_pages` or by the tests here."""
PERSONAL = ("seat", "user")  # names of arguments


def _page_functions() -> Iterator[Any]:
    places = [(root.__path__, f"{root.__name__}.") for root in (pages, features)]
    for each in [found for place in places for found in pkgutil.walk_packages(*place)]:
        module = importlib.import_module(each.name)
        for function in vars(module).values():
            if inspect.isfunction(function) and function.__module__ == module.__name__:
                yield function


def test_all_code_that_draws_a_page_for_somebody_is_known() -> None:
    found = set()
    for function in _page_functions():
        signature = inspect.signature(function)
        is_page = signature.return_annotation in ("Page", "Page | None") and not function.__name__.startswith("_")
        if is_page and "snapshot" in signature.parameters and any(each in signature.parameters for each in PERSONAL):
            found.add(function)
    assert found == DRAWN_FOR_SOMEBODY


@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS)
def test_a_page_drawn_for_a_seat_names_the_person_who_has_it(helper: GameHelper) -> None:
    start = helper.starts()[0]
    for snapshot in shown.match_snapshots(helper, start, PERSON_NAMES[: start.seats])[:20]:
        for seat, page in shown.all_match_pages(helper, snapshot):
            assert page.reader == (None if seat is None else snapshot.info.seats[seat].user)
        for each in snapshot.info.seats:
            assert (
                menu_pages.menu_page(
                    snapshot, each.user, helper.screen, shown.noted_additions(snapshot.info.id, each.user)
                ).reader
                == each.user
            )
            assert menu_pages.farewell_page(snapshot, each.user).reader == each.user
        assert take_back_pages.confirm_practice_page(snapshot, 1).reader == snapshot.info.seats[1].user
        lobby = replace(snapshot, state=None, info=replace(snapshot.info, status=Status.LOBBY))
        paused = replace(snapshot, info=replace(snapshot.info, status=Status.PAUSED, reason="Ada left."))
        for other in (lobby, paused):
            page = match_pages.hand_page(other, 0, shown.page_setting(helper))
            assert page.reader == snapshot.info.seats[0].user
            assert match_pages.table_page(other, shown.page_setting(helper)).reader is None


def test_a_private_page_is_for_its_reader_alone_and_stays_so_with_a_note_on_it() -> None:
    page = Page((), reader=7)
    with_note = match_pages.with_date(match_pages.with_note(match_pages.as_step_of(page, page), ()), 1)
    for each in (page, with_note):
        each.require_reader(is_seen_by=7)
        for other in (8, None):
            with pytest.raises(WrongReader):
                each.require_reader(is_seen_by=other)
    Page(()).require_reader(is_seen_by=None)
    assert Page((), reader=7).digest == Page(()).digest, "a digest that is stored stays what it was"
