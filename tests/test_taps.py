"""The taps of a person that the benchmark counts stand on the hand, one after the other, and make the move."""

from __future__ import annotations

from random import Random

import pytest

from bench.bot.taps import Tap, taps
from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.page import Page
from cogs.table.pages.screen_layout import ANYBODY
from cogs.table.transport import discord_views
from engines.hosting.match import Look
from playground.page.visible_message import SeenMessage
from tests.contract.helper import Helper
from tests.contract.helpers import HELPERS
from tests.contract.shown import looks, setting
from tests.playing import way_to

MOVES = 6  # of a decision
MOST = 40  # decisions of a match


def follow(helper: Helper, look: Look, seat: int, page: Page, tap: Tap) -> Page | str:
    """What a tap on a page leads to: another page, or the move that it makes."""
    found = tap.on(SeenMessage({"components": discord_views.view(page).to_components()}))
    assert found is not None, f"{tap} is not there"
    custom_id, values = found
    control = custom_ids.read(custom_id)
    assert control is not None
    if control.kind in "ms" or (control.kind == "f" and custom_ids.made(values[0])):
        return {"m": control.rest, "s": values[0] if values else ""}.get(control.kind) or custom_ids.made(values[0])
    if control.kind == "c":
        return match_pages.question(look, seat, setting(helper), control.rest)
    if control.kind in "fn":
        path = values[0] if control.kind == "f" else control.rest
        step = match_pages.step(look, seat, setting(helper), custom_ids.keys(path))
        assert step is not None
        return step
    picked = " ".join((control.rest, *map(custom_ids.token, values)))
    return match_pages.ordering(look, seat, setting(helper), look.game.write(look.game.read(picked)), ANYBODY)


@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS)
def test_what_people_tap_leads_to_each_move(helper: Helper) -> None:
    rng, counted = Random(1), set[int]()
    moments = [look for look in looks(helper, helper.starts()[0]) if look.decisions()]
    for look in rng.sample(moments, min(MOST, len(moments))):
        for seat, decision in look.decisions().items():
            moves = look.moves(seat)
            for move in (moves[rng.randrange(len(moves))] for _ in range(MOVES)):
                notation = look.game.write(move)
                page: Page | str = match_pages.hand(look, seat, setting(helper))
                way = list(taps(look.info.id, decision.number, way_to(look, seat, notation), notation))
                for tap in way:
                    assert isinstance(page, Page), f"{page} is made before {tap}"
                    page = follow(helper, look, seat, page, tap)
                if isinstance(page, Page):  # a question
                    page = follow(helper, look, seat, page, way[-1])
                assert page == notation
                counted.add(len(way))
    assert 1 in counted
