"""People come and go in a lobby while Discord is slow, and everybody gets their own hand and no other.

MOTLEY_SEED repeats one storm.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any

import pytest

from cogs.table.pages.page import Page, WrongReader
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.surfaces.departed_hands import DepartedHands
from cogs.table.surfaces.surface_sync import SurfaceSync
from engines.store.match_store import Status
from engines.store.surface_storage import Inbox, Surface
from tests.contract.helpers import HELPERS
from tests.faults.skipped_time import run_skipping
from tests.messages import message_text
from tests.plain.plain_bot import NOW, PEOPLE, start_plain_bot
from tests.plain.seat_storm import HOST, OPENING, LoopTime, SeatStorm, run_storm

SEED = os.environ.get("MOTLEY_SEED")
STORMS = 2000 if os.environ.get("MOTLEY_SOAK") else 15
PARTS = 4
STORMS_TO_SEE = 80  # in which a fault is surely seen
SLOW_SECONDS = 0.8  # after which direct messages open
AGAIN = "MOTLEY_SEED={} .venv/bin/python -m pytest tests/plain/test_seat_storm.py -k own_hand"
FIRST, SECOND, JOINER = PEOPLE[1:4]


@pytest.mark.sampled(1)
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(1 if SEED else PARTS))
def test_everybody_gets_their_own_hand_and_no_other(part: int) -> None:
    first = int(SEED) if SEED else part * STORMS
    counted = _weather_storms(first, first + (1 if SEED else STORMS))
    assert SEED or all(counted[kind] for kind in ("starts", "hands", "failed openings")), counted


def _weather_storms(first: int, last: int) -> Counter[str]:
    counted = Counter[str]()
    for seed in range(first, last):
        try:
            counted += run_storm(seed)
        except Exception as error:
            raise AssertionError(f"Storm {seed}, to be repeated by {AGAIN.format(seed)}: {error}") from error
    return counted


# Bots that are broken

Install = Callable[[pytest.MonkeyPatch], None]


def _trust_everybody(patch: pytest.MonkeyPatch) -> None:
    """Send every page to its place."""
    patch.setattr(Page, "require_reader", lambda page, **arguments: None)


def _greet_a_seat(patch: pytest.MonkeyPatch) -> None:
    """Read a seat before direct messages are open, and use it afterwards, with nobody who checks the reader."""
    _trust_everybody(patch)

    async def greet(sync: SurfaceSync, match: str, user: int) -> str:
        seat = (await sync._services.matches.cache.get_snapshot(match)).info.seat_of(user)
        inbox = await sync.direct_messages.open_inbox(user, match)
        if isinstance(inbox, Inbox) and seat is not None:
            snapshot = await sync._services.matches.cache.get_snapshot(match)
            context, reader = await sync.page_context_of(snapshot), await sync.readers.reader_of(snapshot, seat)
            page = await sync.page_cache.hand_page(snapshot, seat, context, reader)
            await sync.poster.post(snapshot, Surface(match, "hand", seat, inbox.channel), page)
        return "greeted"

    patch.setattr(SurfaceSync, "_greet_here", greet)


def _leave_hands(patch: pytest.MonkeyPatch) -> None:
    """Leave their hands to people who have left."""

    async def nothing(*arguments: object) -> None:
        return

    patch.setattr(DepartedHands, "_take_away_hand", nothing)


def _store_by_seat(patch: pytest.MonkeyPatch) -> None:
    """Take a seat's number for the person."""

    async def by_seat(cache: SurfaceCache, surface: Surface) -> Surface | None:
        return await cache.find_surface(surface.match, surface.kind, surface.seat)

    async def unmoved(*arguments: object) -> None:
        return

    patch.setattr(SurfaceCache, "find_row", by_seat)
    patch.setattr(SurfaceCache, "move_hands", unmoved)


BROKEN: Mapping[str, Install] = {
    "a seat that is read too early": _greet_a_seat,
    "hands that are left to people who left": _leave_hands,
    "hands that are known by their seats": _store_by_seat,
}


@pytest.mark.sampled(1)
@pytest.mark.timeout(600)
@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_bot_is_caught(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    BROKEN[broken](monkeypatch)
    with pytest.raises(AssertionError):
        _weather_storms(0, STORMS_TO_SEE)


# One fault at a time


async def _remove(storm: SeatStorm, way: str) -> None:
    user = storm.plain_bot.wire.people[FIRST]
    match way:
        case "leaves":
            storm.press(FIRST, "leave")
        case "computer":
            storm.press(HOST, "no-computer")
        case "removed":
            storm.run(storm.plain_bot.matches.seating.remove_player(storm.match, user, by=0))
        case "shut out":
            storm.run(storm.shut_out(user))


async def _join_while_seats_move(key: str, way: str) -> None:
    """A lobby in which the seats move up and the match starts while the joiner's direct messages open."""
    async with start_plain_bot("5e" * 16, clock=LoopTime(NOW)) as plain_bot:
        storm = SeatStorm(plain_bot, HELPERS[key], Random(1))
        await storm.open_lobby()

        async def slow(bot: str, request: str) -> None:
            await asyncio.sleep(SLOW_SECONDS if request == OPENING else 0)

        if way == "computer":
            storm.press(HOST, "computer-easy")
        for name in (FIRST, SECOND, PEOPLE[4]):
            storm.press(name, "join")
            await asyncio.sleep(1)
        plain_bot.wire.gate = slow
        storm.press(JOINER, "join")
        await asyncio.sleep(0.1)
        await _remove(storm, way)
        await asyncio.sleep(0.1)
        storm.press(HOST, "start")
        await storm.settle()
        assert (await plain_bot.load_snapshot(storm.match)).info.status in (Status.RUNNING, Status.OVER)
        await storm.check()


@pytest.mark.parametrize("way", ["leaves", "computer", "removed", "shut out"])
@pytest.mark.parametrize("key", ["wizard", "jest"])
def test_somebody_who_joins_while_the_seats_move_up_gets_their_own_hand(key: str, way: str) -> None:
    run_skipping(partial(_join_while_seats_move, key, way))


async def _join_and_leave(seconds: float) -> None:
    """Somebody leaves so long after they joined; a hand takes as long to draw as direct messages take to open."""
    with pytest.MonkeyPatch.context() as patched:
        async with start_plain_bot("5e" * 16, clock=LoopTime(NOW)) as plain_bot:
            storm = SeatStorm(plain_bot, HELPERS["wizard"], Random(1))
            await storm.open_lobby()
            storm.draw_slowly(patched, (SLOW_SECONDS,))

            async def slow(bot: str, request: str) -> None:
                await asyncio.sleep(SLOW_SECONDS if request == OPENING else 0.3)

            plain_bot.wire.gate = slow
            storm.press(JOINER, "join")
            await asyncio.sleep(seconds)
            storm.press(JOINER, "leave")
            await storm.settle()
            inbox = plain_bot.wire.channels.get(plain_bot.wire.inbox_of(plain_bot.wire.people[JOINER]), {})
            texts = [message_text(each) for each in inbox.values()]
            live = [text for text in texts if "no longer at this table" not in text]
            assert not live, f"a hand for somebody who has left: {live}"
            texts_sent = [
                sent.text for sent in plain_bot.wire.sent_requests if sent.reader == plain_bot.wire.people[JOINER]
            ]
            assert not [text for text in texts_sent if "went wrong" in text]


@pytest.mark.parametrize("seconds", [0.1, 0.5, 1.0, 1.4, 1.8, 2.0, 2.2])
def test_somebody_who_joins_and_leaves_soon_keeps_no_hand_and_gets_no_error(seconds: float) -> None:
    run_skipping(partial(_join_and_leave, seconds))


# The places that send


async def _send_to_others() -> None:
    async with start_plain_bot("5e" * 16, clock=LoopTime(NOW)) as plain_bot:
        storm = SeatStorm(plain_bot, HELPERS["wizard"], Random(1))
        await storm.open_lobby()
        storm.press(FIRST, "join")
        await asyncio.sleep(1)
        snapshot = await plain_bot.load_snapshot(storm.match)
        sync = plain_bot.bot.reconciler.surface_sync
        context = await sync.page_context_of(snapshot)
        page = await sync.page_cache.hand_page(snapshot, 1, context, await sync.readers.reader_of(snapshot, 1))
        assert page.reader == plain_bot.wire.people[FIRST]
        before = len(plain_bot.wire.sent_requests)
        for surface in [each for each in await plain_bot.bot.surfaces.surfaces_of(storm.match) if each.seat != 1]:
            for send in (sync.poster.bring_up_to_date, sync.poster.post):
                with pytest.raises(WrongReader):
                    await send(snapshot, surface, page)
            with pytest.raises(WrongReader):
                await sync.poster.edit(surface, page)
        own = await plain_bot.bot.surfaces.find_surface(storm.match, "hand", 1)
        assert own is not None
        with pytest.raises(WrongReader):
            await sync.poster.bring_up_to_date(snapshot, own, page.for_reader(None))
        assert len(plain_bot.wire.sent_requests) == before


def test_no_message_takes_a_page_that_is_for_somebody_else() -> None:
    run_skipping(_send_to_others)


async def _forget_while_drawn(caplog: pytest.LogCaptureFixture) -> None:
    """Somebody's direct messages are forgotten after their hand was drawn, before it is sent."""
    async with start_plain_bot("5e" * 16, clock=LoopTime(NOW)) as plain_bot:
        storm = SeatStorm(plain_bot, HELPERS["wizard"], Random(1))
        await storm.open_lobby()
        storm.press(FIRST, "join")
        await asyncio.sleep(1)
        cache, reader = plain_bot.bot.reconciler.surface_sync.page_cache, plain_bot.wire.people[FIRST]
        draw, forgotten = cache.hand_page, list[Page]()

        async def draw_and_forget(*given: Any) -> Page:
            page = await draw(*given)
            if page.reader == reader and not forgotten:
                forgotten.append(page)
                await plain_bot.matches.forgetting.request_forgetting(reader)
                plain_bot.bot.retention.start_forgetting()
                await asyncio.sleep(1)
                assert await plain_bot.bot.surfaces.inbox(reader) is None
            return page

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(cache, "hand_page", draw_and_forget)
            storm.press(JOINER, "join")  # their hand shows who sits there
            await storm.settle()
        assert forgotten, "their hand was never drawn"
        assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
        hands = {each.channel for each in await plain_bot.bot.surfaces.surfaces_of(storm.match) if each.kind == "hand"}
        assert hands == {plain_bot.wire.inbox_of(plain_bot.wire.people[each]) for each in (HOST, JOINER)}


def test_a_hand_whose_reader_is_forgotten_while_it_is_drawn_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    run_skipping(partial(_forget_while_drawn, caplog))
