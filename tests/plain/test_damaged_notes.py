"""What the bot has noted of a match and cannot read, or not look up: it counts as not there, and is stored again."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

from cogs.table.state.reader_preferences import PLAYING_STATUSES
from engines.store.match_store import StoreFailure
from engines.store.surface_storage import Surface, SurfaceKind
from tests.contract.helpers import HELPERS
from tests.games import GAMES
from tests.plain.payloads import GUILD
from tests.plain.plain_bot import PEOPLE, PlainBot, start_plain_bot

SEED = "7e" * 16
GAME = next(iter(GAMES.values()))
NAMES = PEOPLE[: max(GAME.seats[0], 2)]
DAMAGED = ['{"server":"The In', '{"server":1,"message":"x"}', "[[1]]", "", "\x00"]


def check_damage_logged(caplog: pytest.LogCaptureFixture, key: str) -> None:
    """It was said once that this note is damaged, and nothing else; no error that nobody has foreseen."""
    assert not [record for record in caplog.records if record.exc_info]
    messages = [record.getMessage() for record in caplog.records if record.levelname in ("WARNING", "ERROR")]
    assert messages == [f"The note “{key}” is damaged and counts as missing."]


async def make_move(plain_bot: PlainBot, match: str) -> None:
    snapshot = await plain_bot.load_snapshot(match)
    seat = snapshot.due_seats()[0]
    await plain_bot.play_undrawn(snapshot, seat, snapshot.moves(seat)[0])
    await plain_bot.show_match(match)


@pytest.mark.parametrize("damaged", DAMAGED)
async def test_the_server_of_a_match_is_unknown_until_it_is_told(
    damaged: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match = await plain_bot.seat_match(GAME, NAMES, {})
        surfaces, key, guild = plain_bot.bot.surfaces, f"around {match}", plain_bot.bot.get_guild(GUILD)
        assert guild is not None
        note = await surfaces.store.read_note(key)
        assert note
        assert guild.name in note
        await surfaces.store.put_note(key, damaged)
        plain_bot.bot._connection._remove_guild(guild)
        for _ in range(3):
            await make_move(plain_bot, match)
        assert guild.name not in str(await plain_bot.surface_message(match, "hand", 0))
        check_damage_logged(caplog, key)
        assert await surfaces.store.read_note(key) == damaged, "nobody knows better"
        plain_bot.bot._connection._add_guild(guild)
        await make_move(plain_bot, match)
        assert await surfaces.store.read_note(key) == note
        assert guild.name in str(await plain_bot.surface_message(match, "hand", 0))
        check_damage_logged(caplog, key)


@pytest.mark.parametrize("damaged", DAMAGED)
async def test_a_change_of_options_is_told_then(damaged: str, caplog: pytest.LogCaptureFixture) -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match, lobby = await plain_bot.open_lobby(NAMES[0], GAME)
        key = f"told {match}"
        await plain_bot.click_control(NAMES[1], lobby, f"t:{match}:join")
        await plain_bot.bot.surfaces.store.put_note(key, damaged)
        await plain_bot.click_control(NAMES[0], lobby, f"v:{match}:clock", ["3 days"])
        sent: list[Any] = [each for each in plain_bot.wire.sent_requests if "The options of " in each.body_text]
        assert len(sent) == 1
        check_damage_logged(caplog, key)
        assert await plain_bot.bot.surfaces.store.read_note(key) not in (None, "", damaged)


@pytest.mark.parametrize("damaged", DAMAGED)
async def test_a_match_goes_on_without_knowing_its_notices(damaged: str, caplog: pytest.LogCaptureFixture) -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match = await plain_bot.seat_match(GAME, NAMES, {})
        key = f"notices {match}"
        await plain_bot.bot.surfaces.store.put_note(key, damaged)
        plain_bot.bot.reconciler.surface_sync.notices.forget(match)  # as after a start
        for _ in range(3):
            await make_move(plain_bot, match)
        await plain_bot.press(NAMES[0], match, "leave")
        check_damage_logged(caplog, key)
        assert await plain_bot.bot.surfaces.store.read_note(key) not in (None, "", damaged)


async def test_a_hand_nobody_waits_for_fails_silently(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match = await plain_bot.seat_match(HELPERS["jest"].game, PEOPLE[:3], {})
        one, sought = plain_bot.bot.surfaces.find_surface, set[SurfaceKind]()

        async def failing(match: str, kind: SurfaceKind, seat: int = -1) -> Surface | None:
            if kind != "lobby" and not sought:
                return await one(match, kind, seat)
            sought.add(kind)
            raise StoreFailure("That could not be looked up right now. Please try again.")

        with monkeypatch.context() as patched:
            patched.setattr(plain_bot.bot.surfaces, "find_surface", failing)
            with pytest.raises(StoreFailure):
                await plain_bot.bot.reconciler.redraw_pass.redraw_urgent(match)
            await asyncio.sleep(0)
        gc.collect()
        assert "lobby" in sought, "nothing failed"
    assert "never retrieved" not in caplog.text


HELPER = next(iter(HELPERS.values()))
OPTIONS = {**HELPER.short_options, "clock": "none"}  # else a start looks at every match whose deadline it puts off


async def names_match(plain_bot: PlainBot, match: str, seat: int = 0) -> bool:
    return f"`{match}`" in str(await plain_bot.surface_message(match, "hand", seat))


async def start_two_matches(plain_bot: PlainBot) -> tuple[str, str]:
    """Two matches in which the first of the people sits; the second begins as the bot dies: nothing of it is shown."""
    names = PEOPLE[: HELPER.game.seats[0]]
    first = await plain_bot.seat_match(HELPER.game, names, OPTIONS)
    await plain_bot.pass_time(20)  # all of it is shown, and that is kept
    assert not await plain_bot.bot.surfaces.store.stale_matches()
    second, lobby = await plain_bot.open_lobby(names[0], HELPER.game, **OPTIONS)
    for name in names[1:]:
        await plain_bot.click_control(name, lobby, f"t:{second}:join")
    return first, second


async def test_a_hand_names_its_match_as_soon_as_there_are_two_and_no_longer_than_that() -> None:
    async with start_plain_bot(SEED) as plain_bot:
        first, second = await start_two_matches(plain_bot)
        assert not await names_match(plain_bot, first)
        await plain_bot.click_control(PEOPLE[0], await plain_bot.surface_message(second, "lobby"), f"t:{second}:start")
        assert await names_match(plain_bot, first)
        assert await names_match(plain_bot, second)
        for name in PEOPLE[: HELPER.game.seats[0]]:
            await plain_bot.press(name, second, "leave")
        assert (await plain_bot.load_snapshot(second)).info.status not in PLAYING_STATUSES
        assert not await names_match(plain_bot, first)


@pytest.mark.parametrize("marked", [False, True], ids=["as the match begins", "as all of that is shown"])
async def test_a_hand_of_another_match_is_looked_at_after_a_crash(marked: bool) -> None:
    async with start_plain_bot(SEED) as before:
        first, second = await start_two_matches(before)
        reconciler = before.bot.reconciler
        woken = reconciler.wake

        def wake(match: str, *seats: int) -> None:
            if match == second and marked:
                woken(match, *seats)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(reconciler, "wake", wake)
            patched.setattr(reconciler.redraw_pass, "_wake", wake)
            await before.click_control(PEOPLE[0], await before.surface_message(second, "lobby"), f"t:{second}:start")
            if marked:
                await before.pass_time(20)
        assert not await names_match(before, first)
        behind = await before.bot.surfaces.store.stale_matches()
        assert behind == [first] if marked else behind == [second]
        stores = before.store, before.bot.surfaces.store
        async with start_plain_bot(SEED, after=before, stores=stores) as plain_bot:
            await plain_bot._do_and_wait(
                lambda: plain_bot.bot.tasks.start("resume", plain_bot.bot._resume_partition, plain_bot.bot.partition)
            )
            assert await names_match(plain_bot, first)
            assert await names_match(plain_bot, second)
