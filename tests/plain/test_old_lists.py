"""What was read about a match a moment ago is no longer so: the person counts, and never the seat they had then."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from cogs.features.deals import feature_ui as deal_ui
from cogs.features.hints import hint_pages
from cogs.features.hints.feature_ui import HintActions
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.page import Page
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.store.match_store import MatchInfo, Status
from engines.store.owner_storage import Block
from engines.store.surface_storage import Surface
from tests.games import GAMES
from tests.log_checks import collect_log
from tests.plain.payloads import CHANNEL, GUILD
from tests.plain.plain_bot import FORM_KIND, PEOPLE, PlainBot, form_data, start_plain_bot

SEED = "5e" * 16
GAME = GAMES["wizard"]
HOST, FIRST, SECOND, THIRD = PEOPLE[:4]


async def _fill_lobby(plain_bot: PlainBot) -> str:
    match, lobby = await plain_bot.open_lobby(HOST, GAME)
    for name in (FIRST, SECOND, THIRD):
        await plain_bot.click_control(name, lobby, f"t:{match}:join")
    return match


async def _block_meanwhile(
    plain_bot: PlainBot, monkeypatch: pytest.MonkeyPatch, user: int, meanwhile: Callable[[str], Awaitable[object]]
) -> MatchInfo:
    """Block somebody of a lobby; after the owner's list of matches was read, something else happens first."""
    match, find = await _fill_lobby(plain_bot), plain_bot.matches.lookup.find

    async def found(**options: Any) -> list[MatchInfo]:
        found_matches = await find(**options)
        if options.get("user") == user:
            monkeypatch.setattr(plain_bot.matches.lookup, "find", find)
            await meanwhile(match)
        return found_matches

    monkeypatch.setattr(plain_bot.matches.lookup, "find", found)
    await plain_bot.bot.owner_requests.put_block(Block(GUILD, user))
    return (await plain_bot.load_snapshot(match)).info


async def test_a_block_finds_the_person_after_the_seats_moved_and_the_match_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with start_plain_bot(SEED) as plain_bot:
        blocked = plain_bot.wire.people[SECOND]

        async def move_up_and_start(match: str) -> None:
            await plain_bot.matches.seating.leave_match(match, plain_bot.wire.people[FIRST])
            await plain_bot.matches.lobbies.start_match(match, plain_bot.wire.people[HOST])

        info = await _block_meanwhile(plain_bot, monkeypatch, blocked, move_up_and_start)
        assert info.status is Status.RUNNING
        assert [seat.name for seat in info.seats if seat.level] == [SECOND]
        assert not [seat.name for seat in info.seats if seat.gone], "they may come back once they are let in"


async def test_a_block_changes_nothing_if_the_person_has_just_left(monkeypatch: pytest.MonkeyPatch) -> None:
    async with start_plain_bot(SEED) as plain_bot:
        blocked = plain_bot.wire.people[SECOND]

        async def leave(match: str) -> None:
            await plain_bot.matches.seating.leave_match(match, blocked)

        info = await _block_meanwhile(plain_bot, monkeypatch, blocked, leave)
        assert [seat.name for seat in info.seats] == [HOST, FIRST, THIRD]


async def test_the_hand_at_its_first_step_is_that_of_the_person_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match = await plain_bot.seat_match(GAME, PEOPLE[:3], {})
        sync, user = plain_bot.bot.reconciler.surface_sync, plain_bot.wire.people[FIRST]
        hand, set_seats = await plain_bot.surface_message(match, "hand", 1), list[int]()
        surface_of = plain_bot.bot.surfaces.find_surface

        async def leaves_meanwhile(*arguments: Any) -> Surface | None:
            monkeypatch.setattr(plain_bot.bot.surfaces, "find_surface", surface_of)
            await plain_bot.matches.seating.leave_match(match, user)
            await plain_bot.matches.seating.take_seat(match, plain_bot.wire.people[THIRD], THIRD)
            return await surface_of(*arguments)

        async def set_step(snapshot: Any, seat: int, step: object) -> None:
            set_seats.append(seat)

        monkeypatch.setattr(plain_bot.bot.surfaces, "find_surface", leaves_meanwhile)
        monkeypatch.setattr(sync.move_steps, "set_step", set_step)
        ephemeral = hand | {"flags": hand["flags"] | 64}
        interaction = await plain_bot.click_control(FIRST, ephemeral, f"t:{match}:back")
        assert len(interaction.first_answer_kinds) == 1
        assert not set_seats, "the step of the person who took the seat stays"


async def test_a_hint_is_about_the_hand_that_its_reader_has_by_then(monkeypatch: pytest.MonkeyPatch) -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match = await plain_bot.seat_match(GAMES["jest"], PEOPLE[:3], {})
        asker, other, newcomer = (plain_bot.wire.people[name] for name in (HOST, FIRST, THIRD))
        find, drawn = HintActions._find_advice, []

        async def change_seats(hints: HintActions, snapshot: MatchSnapshot, seat: int) -> Any:
            found = await find(hints, snapshot, seat)
            await plain_bot.matches.seating.leave_match(match, asker)
            await plain_bot.matches.seating.take_seat(match, newcomer, THIRD)
            await plain_bot.matches.seating.leave_match(match, other)
            await plain_bot.matches.seating.take_seat(match, asker, HOST)
            return found

        def draw(snapshot: MatchSnapshot, seat: int, *arguments: Any, **options: Any) -> Page:
            drawn.append(seat)
            return Page(())

        monkeypatch.setattr(HintActions, "_find_advice", change_seats)
        monkeypatch.setattr(hint_pages, "hint_page", draw)
        menu = await plain_bot.press(HOST, match, "more", 0)
        assert menu.answer is not None
        await plain_bot.click_control(HOST, menu.answer, f"hints:{match}:ask")
        assert (await plain_bot.load_snapshot(match)).info.seat_of(asker) == 1
        assert not drawn, "advice for one hand on another"


async def test_a_click_that_came_twice_after_its_person_left_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a change returns may be newer than the change, if another process has made it."""
    async with start_plain_bot(SEED) as plain_bot:
        match = await _fill_lobby(plain_bot)
        lobby, info = await plain_bot.surface_message(match, "lobby"), (await plain_bot.load_snapshot(match)).info

        async def newer(*arguments: object, **options: object) -> MatchInfo:
            return replace(info, seats=info.seats[:1])

        monkeypatch.setattr(plain_bot.matches.lobbies, "hand_over_host", newer)
        monkeypatch.setattr(deal_ui, "cut_deal", newer)
        with collect_log(lambda record: True, logging.ERROR) as log:
            await plain_bot.click_control(HOST, lobby, f"t:{match}:host", [str(plain_bot.wire.people[FIRST])])
            form = form_data(feature_id("deals", match, "write"), "12")
            await plain_bot._dispatch(FIRST, CHANNEL, FORM_KIND, form, lobby)
        assert not log


async def test_shutting_out_needs_a_seat_and_a_computer_that_can_play() -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match = await plain_bot.seat_match(GAME, PEOPLE[:3], {})
        for user, level in ((99, "normal"), (plain_bot.wire.people[HOST], "")):
            with pytest.raises(RequestRefused):
                await plain_bot.matches.seating.shut_out(match, user, level)
        after = await plain_bot.matches.seating.shut_out(match, plain_bot.wire.people[HOST], "normal")
        assert after.seats[0].is_away
        with pytest.raises(RequestRefused):
            await plain_bot.matches.seating.shut_out(match, plain_bot.wire.people[HOST], "normal")


async def test_a_status_never_asks_discord_for_a_message_that_was_not_posted() -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match = await _fill_lobby(plain_bot)
        await plain_bot.bot.surfaces.put(Surface(match, "table", -1, CHANNEL))
        start = len(plain_bot.wire.requests)
        await plain_bot.run_command(HOST, "wizard status", match=match)
        assert not [each for each in plain_bot.wire.requests[start:] if each.endswith("/messages/0")]
