"""The taps of a person that the benchmark counts stand on the hand, one after the other, and make the move."""

from __future__ import annotations

from random import Random

import pytest

from bench.bot.taps import Tap, taps_to_move
from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.page import Page
from cogs.table.pages.screen_layout import DEFAULT_READER
from cogs.table.transport import discord_views
from engines.hosting.match import MatchSnapshot
from playground.page.visible_message import SeenMessage
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.contract.shown import match_snapshots, page_setting
from tests.playing import hand_path_to

MOVES = 6  # of a decision
MOST = 40  # decisions of a match


def follow_tap(helper: GameHelper, look: MatchSnapshot, seat: int, page: Page, tap: Tap) -> Page | str:
    """What a tap on a page leads to: another page, or the move that it makes."""
    found = tap.find_control(SeenMessage({"components": discord_views.page_view(page).to_components()}))
    assert found is not None, f"{tap} is not there"
    custom_id, values = found
    control = custom_ids.parse_control(custom_id)
    assert control is not None
    if control.kind in "ms" or (control.kind == "f" and custom_ids.instant_move(values[0])):
        return {"m": control.rest, "s": values[0] if values else ""}.get(control.kind) or custom_ids.instant_move(
            values[0]
        )
    if control.kind == "c":
        return match_pages.confirm_page(look, seat, page_setting(helper), control.rest)
    if control.kind in "fn":
        path = values[0] if control.kind == "f" else control.rest
        step = match_pages.step_page(look, seat, page_setting(helper), custom_ids.step_keys(path))
        assert step is not None
        return step
    picked = " ".join((control.rest, *map(custom_ids.pick_token, values)))
    return match_pages.picks_page(
        look, seat, page_setting(helper), look.game.format_move(look.game.parse_move(picked)), DEFAULT_READER
    )


@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS)
def test_what_people_tap_leads_to_each_move(helper: GameHelper) -> None:
    rng, counted = Random(1), set[int]()
    moments = [look for look in match_snapshots(helper, helper.starts()[0]) if look.decisions()]
    for look in rng.sample(moments, min(MOST, len(moments))):
        for seat, decision in look.decisions().items():
            moves = look.moves(seat)
            for move in (moves[rng.randrange(len(moves))] for _ in range(MOVES)):
                notation = look.game.format_move(move)
                page: Page | str = match_pages.hand_page(look, seat, page_setting(helper))
                way = list(taps_to_move(look.info.id, decision.number, hand_path_to(look, seat, notation), notation))
                for tap in way:
                    assert isinstance(page, Page), f"{page} is made before {tap}"
                    page = follow_tap(helper, look, seat, page, tap)
                if isinstance(page, Page):  # a question
                    page = follow_tap(helper, look, seat, page, way[-1])
                assert page == notation
                counted.add(len(way))
    assert 1 in counted
